// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The objects behind aclTensor and its relatives. Each begins with its kind, so that a pointer handed through the
// untyped argument lists of generated code can be told apart.
#ifndef ASCENDC_CPU_ACL_OBJECT_H
#define ASCENDC_CPU_ACL_OBJECT_H
#include <cstdint>
#include <vector>
#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"

namespace ascendc_cpu {

enum class AclKind : uint32_t { TENSOR = 0x41434C01, SCALAR, INT_ARRAY, FLOAT_ARRAY, BOOL_ARRAY };

struct AclObject {
    AclKind kind;
};

// What an aclTensor says about its data; copied into an executor, so the aclTensor may go away before the second phase.
struct TensorView {
    std::vector<int64_t> dims;
    std::vector<int64_t> strides; // elements
    std::vector<int64_t> storageDims;
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
    ascendc_cpu::TensorView view;
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
