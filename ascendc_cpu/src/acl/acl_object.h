// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The objects behind aclTensor and its relatives. Each begins with its kind, so that a pointer handed through the
// untyped argument lists of generated code can be told apart.
#ifndef ASCENDC_CPU_ACL_OBJECT_H
#define ASCENDC_CPU_ACL_OBJECT_H
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>
#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"

namespace ascendc_cpu {

enum class AclKind : uint32_t { TENSOR = 0x41434C01, SCALAR, INT_ARRAY, FLOAT_ARRAY, BOOL_ARRAY };

struct AclObject {
    AclKind kind;
};

constexpr uint64_t MAX_DIMS = 25; // gert::Shape

// Numbers of the dimensions of a tensor, kept inline.
class DimList {
public:
    void assign(const int64_t *from, const int64_t *to)
    {
        count = static_cast<size_t>(to - from);
        std::copy(from, to, values);
    }
    void assign(size_t number, int64_t value)
    {
        count = number;
        std::fill(values, values + number, value);
    }
    size_t size() const
    {
        return count;
    }
    const int64_t *begin() const
    {
        return values;
    }
    const int64_t *end() const
    {
        return values + count;
    }
    int64_t operator[](size_t index) const
    {
        return values[index];
    }

private:
    size_t count = 0;
    int64_t values[MAX_DIMS] = {};
};

// What an aclTensor says about its data; executors share it, so the aclTensor may go away before the second phase.
struct TensorView {
    DimList dims;
    DimList strides; // elements
    DimList storageDims;
    int64_t offset = 0; // elements
    aclDataType dataType = ACL_DT_UNDEFINED;
    aclFormat format = ACL_FORMAT_ND;
    uint8_t *data = nullptr;

    int64_t Elements() const;
    bool IsContiguous() const;
    // Address of the first element of the view.
    uint8_t *Begin() const;
};

// Copy a view into dense memory of the same shape.
void CopyToDense(const TensorView &view, uint8_t *dense);

} // namespace ascendc_cpu

struct aclTensor : ascendc_cpu::AclObject {
    std::shared_ptr<const ascendc_cpu::TensorView> view;
};

struct aclScalar : ascendc_cpu::AclObject {
    aclDataType dataType;
    uint8_t bytes[8];
};

struct aclIntArray : ascendc_cpu::AclObject {
    std::vector<int64_t> values;
};

struct aclFloatArray : ascendc_cpu::AclObject {
    std::vector<float> values;
};

struct aclBoolArray : ascendc_cpu::AclObject {
    std::vector<uint8_t> values;
};
#endif
