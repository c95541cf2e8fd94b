// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the public interface tells about an aclTensor.
#ifndef FA_API_TENSORS_H
#define FA_API_TENSORS_H
#include <cstdint>
#include <vector>
#include "aclnn/acl_meta.h"

using FaApiDims = std::vector<int64_t>;

inline FaApiDims FaDimsOfTensor(const aclTensor *tensor)
{
    int64_t *dims = nullptr;
    uint64_t number = 0;
    if (aclGetViewShape(tensor, &dims, &number) != 0) {
        return FaApiDims();
    }
    const FaApiDims copy(dims, dims + number);
    delete[] dims;
    return copy;
}

inline bool FaIsEmptyTensor(const aclTensor *tensor)
{
    for (int64_t dim : FaDimsOfTensor(tensor)) {
        if (dim == 0) {
            return true;
        }
    }
    return false;
}

// Not given, or of shape [0], which is how torch_npu leaves a tensor out.
inline bool FaIsAbsentTensor(const aclTensor *tensor)
{
    return tensor == nullptr || FaDimsOfTensor(tensor) == FaApiDims{0};
}
#endif
