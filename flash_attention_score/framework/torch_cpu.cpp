// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The operators for CPU tensors, reached through their two-phase aclnn calls. A refusal by the operator is a ValueError
// with its text.
#include <cstring>
#include <memory>
#include <mutex>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <c10/core/CPUAllocator.h>
#include <torch/library.h>
#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnInner_flash_attention_score.h"
#include "aclnnInner_flash_attention_score_grad.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "torch_calls.h"

extern "C" {
// Threads of the following launches of this host thread; returns the number before.
int32_t AscendcCpuSetNumThreads(int32_t threads);
// Who lends them if they are no more than `most`, nullptr: the runtime itself. An executor calls call(argument) `times`
// times.
void AscendcCpuSetExecutor(void (*executor)(void *context, int32_t times, void (*call)(void *), void *argument),
                           void *context, int32_t most);
}

namespace {

#ifdef INTRA_OP_PARALLEL
constexpr bool HAS_OPENMP = true;
#else
constexpr bool HAS_OPENMP = false; // at::parallel_for would use one thread
#endif

// While it lives, launches of this thread run on torch's intra-op threads: they go on spinning for a while after an
// operator of torch's, and others would have to share the cores with them.
class TorchThreads {
public:
    TorchThreads() : before(AscendcCpuSetNumThreads(at::get_num_threads()))
    {
        AscendcCpuSetExecutor(HAS_OPENMP ? Run : nullptr, nullptr, at::get_num_threads());
    }
    TorchThreads(const TorchThreads &) = delete;
    TorchThreads &operator=(const TorchThreads &) = delete;
    ~TorchThreads()
    {
        AscendcCpuSetExecutor(nullptr, nullptr, 0);
        AscendcCpuSetNumThreads(before);
    }

private:
    static void Run(void *, int32_t times, void (*call)(void *), void *argument)
    {
        at::parallel_for(0, times, 1, [call, argument](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                call(argument);
            }
        });
    }

    const int32_t before;
};

std::string RecentError()
{
    const char *message = aclGetRecentErrMsg();
    return message != nullptr ? message : "no reason given";
}

aclDataType AclTypeOf(at::ScalarType type)
{
    switch (type) {
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
        return ACL_DT_UNDEFINED; // aclCreateTensor refuses it
    }
}

template <typename Object, auto DESTROY>
struct Destroy {
    void operator()(Object *object) const
    {
        (void)DESTROY(object);
    }
};

// An argument as aclnn takes it, kept alive until the call is over: numbers and texts as they are, tensors by a
// contiguous copy, absent ones as nullptr.
template <typename T>
class Argument {
public:
    explicit Argument(T given) : value(given)
    {
    }
    T Get() const
    {
        return value;
    }

private:
    T value;
};

template <>
class Argument<OptionalTensor> {
public:
    explicit Argument(const OptionalTensor &tensor)
    {
        if (!tensor.has_value() || !tensor->defined()) {
            return;
        }
        held = tensor->contiguous();
        const at::IntArrayRef sizes = held.sizes();
        handle.reset(aclCreateTensor(sizes.data(), sizes.size(), AclTypeOf(held.scalar_type()), held.strides().data(),
                                     0, ACL_FORMAT_ND, sizes.data(), sizes.size(), held.data_ptr()));
        TORCH_CHECK(handle != nullptr, RecentError());
    }
    aclTensor *Get() const
    {
        return handle.get();
    }

private:
    at::Tensor held;
    std::unique_ptr<aclTensor, Destroy<aclTensor, aclDestroyTensor>> handle;
};

template <>
class Argument<at::Tensor> : public Argument<OptionalTensor> {
public:
    explicit Argument(const at::Tensor &tensor) : Argument<OptionalTensor>(tensor)
    {
    }
};

template <>
class Argument<at::OptionalIntArrayRef> {
public:
    explicit Argument(at::OptionalIntArrayRef values)
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
    std::unique_ptr<aclIntArray, Destroy<aclIntArray, aclDestroyIntArray>> handle;
};

// A thread keeps the largest workspace of its calls up to this size, as torch's allocator of a device would: pages that
// go back to the system after each call are cleared again for the next one.
constexpr uint64_t MOST_KEPT_BYTES = 64ULL << 20;

class Workspace {
public:
    explicit Workspace(uint64_t bytes)
    {
        if (bytes > MOST_KEPT_BYTES) {
            own = c10::GetCPUAllocator()->allocate(bytes);
        } else if (bytes > keptBytes) {
            kept.clear();
            keptBytes = 0;
            kept = c10::GetCPUAllocator()->allocate(bytes);
            keptBytes = bytes;
        }
        address = own ? own.get() : kept.get();
        const at::Context &context = at::globalContext();
        if (context.deterministicAlgorithms() && context.deterministicFillUninitializedMemory()) {
            memset(address, 0xff, bytes); // as at::empty would
        }
    }
    void *Get() const
    {
        return address;
    }

private:
    inline static thread_local c10::DataPtr kept;
    inline static thread_local uint64_t keptBytes = 0;
    c10::DataPtr own;
    void *address;
};

template <typename Plan, typename Run, typename... Values>
void CallAclnn(Plan plan, Run run, const Values &...values)
{
    const TorchThreads threads;
    const std::tuple<Argument<Values>...> arguments(values...);
    uint64_t workspaceSize = 0;
    aclOpExecutor *executor = nullptr;
    aclnnStatus status =
        std::apply([&](const auto &...each) { return plan(each.Get()..., &workspaceSize, &executor); }, arguments);
    TORCH_CHECK_VALUE(status == ACL_SUCCESS, RecentError());
    std::unique_ptr<aclOpExecutor, Destroy<aclOpExecutor, aclDestroyAclOpExecutor>> owner(executor);
    const Workspace workspace(workspaceSize);
    status = run(workspace.Get(), workspaceSize, owner.release(), nullptr);
    TORCH_CHECK(status == ACL_SUCCESS, RecentError());
}

struct CpuBackend {
    static constexpr c10::DeviceType DEVICE = c10::DeviceType::CPU;

    template <typename... Values>
    static void Score(const Values &...values)
    {
        CallAclnn(aclnnInnerFlashAttentionScoreGetWorkspaceSize, aclnnInnerFlashAttentionScore, values...);
    }

    template <typename... Values>
    static void ScoreGrad(const Values &...values)
    {
        CallAclnn(aclnnInnerFlashAttentionScoreGradGetWorkspaceSize, aclnnInnerFlashAttentionScoreGrad, values...);
    }

    static void DropoutBits(const at::Tensor &out, int64_t bits, double keepProb, int64_t seed, int64_t offset,
                            at::ScalarType type)
    {
        const at::OptionalIntArrayRef shape = at::IntArrayRef(bits);
        CallAclnn(aclnnDropoutGenMaskV2GetWorkspaceSize, aclnnDropoutGenMaskV2, shape, 1.0 - keepProb, seed, offset,
                  AclTypeOf(type), out);
    }

    // Seed and offset. The CPU's generator is no Philox, which has its place in an offset: the seed is drawn.
    static std::pair<int64_t, int64_t> DrawSeed(const at::Tensor &)
    {
        at::Generator source = at::detail::getDefaultCPUGenerator();
        const std::lock_guard<std::mutex> lock(source.mutex());
        const uint64_t drawn = at::check_generator<at::CPUGeneratorImpl>(source)->random64();
        return {static_cast<int64_t>(drawn >> 1), 0};
    }
};

} // namespace

TORCH_LIBRARY_IMPL(ascend_flash_attention, CPU, library)
{
    library.impl("flash_attention_score", FlashAttentionScore<CpuBackend>);
    library.impl("flash_attention_score_grad", FlashAttentionScoreGrad<CpuBackend>);
    library.impl("dropout_rng_state", DrawRngState<CpuBackend>);
}
