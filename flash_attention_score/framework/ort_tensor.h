// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Tensors of onnxruntime as aclnn takes them.
#ifndef ORT_TENSOR_H
#define ORT_TENSOR_H
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "ort_abi.h"

namespace ort {

enum Input {
    QUERY,
    KEY,
    VALUE,
    REAL_SHIFT,
    DROP_MASK,
    PADDING_MASK,
    ATTEN_MASK,
    PREFIX,
    ACTUAL_SEQ_QLEN,
    ACTUAL_SEQ_KVLEN,
    Q_START_IDX,
    KV_START_IDX,
    D_SCALE_Q,
    D_SCALE_K,
    D_SCALE_V,
    QUERY_ROPE,
    KEY_ROPE,
    SINK,
    INPUTS
};
enum Output { SOFTMAX_MAX, SOFTMAX_SUM, SOFTMAX_OUT, ATTENTION_OUT, OUTPUTS };

inline void CheckAcl(bool good)
{
    if (!good) {
        const char *message = aclGetRecentErrMsg();
        throw std::runtime_error(message != nullptr ? message : "no reason given");
    }
}

struct Release {
    void operator()(OrtTensorTypeAndShapeInfo *info) const
    {
        Api::Release(RELEASE_TENSOR_TYPE_AND_SHAPE_INFO, info);
    }
    void operator()(OrtAllocator *allocator) const
    {
        Api::Release(RELEASE_ALLOCATOR, allocator);
    }
    void operator()(aclTensor *tensor) const
    {
        (void)aclDestroyTensor(tensor);
    }
    void operator()(aclIntArray *array) const
    {
        (void)aclDestroyIntArray(array);
    }
};

inline aclDataType AclTypeOf(int elementType, size_t input)
{
    switch (elementType) {
    case ORT_FLOAT:
        return ACL_FLOAT;
    case ORT_FLOAT16:
        return ACL_FLOAT16;
    case ORT_BFLOAT16:
        return ACL_BF16;
    case ORT_BOOL:
        return ACL_BOOL;
    case ORT_UINT8:
        return ACL_UINT8;
    case ORT_INT64:
        return ACL_INT64;
    default:
        throw std::runtime_error("input " + std::to_string(input) + " has element type " + std::to_string(elementType) +
                                 "; allowed: float, float16, bfloat16, bool, uint8, int64");
    }
}

inline std::vector<int64_t> DimensionsOf(const OrtTensorTypeAndShapeInfo *info)
{
    size_t rank = 0;
    Api::Call(GET_DIMENSIONS_COUNT, info, &rank);
    std::vector<int64_t> dims(rank);
    Api::Call(GET_DIMENSIONS, info, dims.data(), rank);
    return dims;
}

// A tensor of onnxruntime as aclnn takes it; without a value where an optional input is absent.
class Tensor {
public:
    Tensor() = default;
    Tensor(const OrtValue *value, size_t index)
    {
        if (value == nullptr) {
            return;
        }
        OrtTensorTypeAndShapeInfo *raw = nullptr;
        Api::Call(GET_TENSOR_TYPE_AND_SHAPE, value, &raw);
        const std::unique_ptr<OrtTensorTypeAndShapeInfo, Release> info(raw);
        int elementType = ORT_ANY;
        Api::Call(GET_TENSOR_ELEMENT_TYPE, info.get(), &elementType);
        Api::Call(GET_TENSOR_MUTABLE_DATA, value, &data);
        dims = DimensionsOf(info.get());
        handle.reset(aclCreateTensor(dims.data(), dims.size(), AclTypeOf(elementType, index), nullptr, 0, ACL_FORMAT_ND,
                                     dims.data(), dims.size(), data));
        CheckAcl(handle != nullptr);
    }
    aclTensor *Get() const
    {
        return handle.get();
    }
    const std::vector<int64_t> &Dims() const
    {
        return dims;
    }
    // The values of a one-dimensional int64 tensor.
    std::unique_ptr<aclIntArray, Release> List(const std::string &name) const
    {
        std::unique_ptr<aclIntArray, Release> list;
        if (handle != nullptr) {
            if (dims.size() != 1) {
                throw std::runtime_error(name + " must have 1 dimension, got " + std::to_string(dims.size()));
            }
            list.reset(aclCreateIntArray(static_cast<const int64_t *>(data), dims[0]));
        }
        return list;
    }

private:
    std::vector<int64_t> dims;
    void *data = nullptr;
    std::unique_ptr<aclTensor, Release> handle;
};

} // namespace ort
#endif
