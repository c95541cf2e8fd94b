// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Torch's tensors and lists as aclnn takes them, and the second phase of an aclnn call.
#ifndef ACL_TENSOR_H
#define ACL_TENSOR_H
#include <memory>
#include <optional>
#include <string>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include "acl/acl.h"
#include "aclnn/acl_meta.h"

// Threads of the following launches of this host thread.
extern "C" void AscendcCpuSetNumThreads(int32_t threads);

using OptionalTensor = std::optional<at::Tensor>;

inline std::string RecentError()
{
    const char *message = aclGetRecentErrMsg();
    return message != nullptr ? message : "no reason given";
}

inline aclDataType AclTypeOf(const at::Tensor &tensor, const char *name)
{
    switch (tensor.scalar_type()) {
    case at::kFloat:
        return ACL_FLOAT;
    case at::kHalf:
        return ACL_FLOAT16;
    case at::kBFloat16:
        return ACL_BF16;
    case at::kBool:
        return ACL_BOOL;
    case at::kByte:
        return ACL_UINT8;
    default:
        TORCH_CHECK_VALUE(false, name, " must be float32, float16, bfloat16, bool or uint8, got ",
                          tensor.scalar_type());
    }
}

// A tensor as aclnn sees it; keeps the contiguous copy alive.
class AclTensor {
public:
    AclTensor(const at::Tensor &tensor, const char *name) : held(tensor.contiguous())
    {
        TORCH_CHECK_VALUE(held.device().is_cpu(), name, " must be on the CPU, got ", held.device());
        const at::IntArrayRef sizes = held.sizes();
        handle.reset(aclCreateTensor(sizes.data(), sizes.size(), AclTypeOf(held, name), held.strides().data(), 0,
                                     ACL_FORMAT_ND, sizes.data(), sizes.size(), held.data_ptr()));
        TORCH_CHECK(handle != nullptr, "aclCreateTensor failed for ", name, ": ", RecentError());
    }
    AclTensor(const OptionalTensor &tensor, const char *name)
    {
        if (tensor.has_value() && tensor->defined()) {
            *this = AclTensor(*tensor, name);
        }
    }
    aclTensor *Get() const
    {
        return handle.get();
    }

private:
    struct Destroy {
        void operator()(aclTensor *tensor) const
        {
            (void)aclDestroyTensor(tensor);
        }
    };
    at::Tensor held;
    std::unique_ptr<aclTensor, Destroy> handle;
};

class AclIntArray {
public:
    explicit AclIntArray(at::OptionalIntArrayRef values)
    {
        if (values.has_value()) {
            handle.reset(aclCreateIntArray(values->data(), values->size()));
        }
    }
    aclIntArray *Get() const
    {
        return handle.get();
    }

private:
    struct Destroy {
        void operator()(aclIntArray *array) const
        {
            (void)aclDestroyIntArray(array);
        }
    };
    std::unique_ptr<aclIntArray, Destroy> handle;
};

// Dimensions that were expanded (stride 0) go back to size 1: the operator repeats them without reading them twice.
// Modes 2 and up have a mask of fixed shape instead.
inline OptionalTensor UnexpandedMask(const OptionalTensor &mask, int64_t sparseMode)
{
    constexpr int64_t FIRST_ARITHMETIC_MODE = 2;
    if (!mask.has_value() || !mask->defined() || sparseMode >= FIRST_ARITHMETIC_MODE) {
        return mask;
    }
    at::Tensor narrowed = *mask;
    for (int64_t dim = 0; dim < narrowed.dim(); dim++) {
        if (narrowed.stride(dim) == 0 && narrowed.size(dim) > 1) {
            narrowed = narrowed.narrow(dim, 0, 1);
        }
    }
    return narrowed;
}

inline void CheckMaskType(const OptionalTensor &mask)
{
    if (mask.has_value() && mask->defined()) {
        const at::ScalarType type = mask->scalar_type();
        TORCH_CHECK_VALUE(type == at::kBool || type == at::kByte,
                          "atten_mask must be bool or uint8, nonzero = masked out, got ", type,
                          at::isFloatingType(type) ? "; an additive float mask is not supported yet" : "");
    }
}

// What the first phase returns.
struct AclPlan {
    uint64_t workspaceSize = 0;
    aclOpExecutor *executor = nullptr;
};

// The second phase of an accepted call.
inline void RunAclPlan(aclnnStatus (*phase)(void *, uint64_t, aclOpExecutor *, aclrtStream), const AclPlan &plan)
{
    const at::Tensor workspace = at::empty({static_cast<int64_t>(plan.workspaceSize)}, at::kByte);
    const aclnnStatus status = phase(workspace.data_ptr(), plan.workspaceSize, plan.executor, nullptr);
    TORCH_CHECK(status == ACL_SUCCESS, RecentError());
}
#endif
