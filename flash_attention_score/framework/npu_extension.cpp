// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The operators for tensors of torch_npu, compiled against its headers and loaded only beside it. torch_npu finds the
// aclnn functions in the installed op package, by name.
#include <mutex>
#include <ATen/Context.h>
#include <torch/library.h>
#include "npu_cpp_extension.h"
#include "torch_calls.h"

namespace {

std::string RecentError()
{
    const char *message = aclGetRecentErrMsg();
    return message != nullptr && *message != '\0' ? message : "the reason is in the plog";
}

// The two phases of an aclnn call.
struct AclnnFunctions {
    explicit AclnnFunctions(const char *aclnnName) : name(aclnnName)
    {
        GetApiFunc(aclnnName, (name + "GetWorkspaceSize").c_str(), run, plan);
    }
    std::string name;
    void *plan = nullptr;
    void *run = nullptr;
};

// What torch_npu's EXEC_NPU_CMD_EXT does, from the same parts, but a refusal in the first phase is raised here and now:
// the macro ignores its status and fails later, in the second phase, without the reason.
template <typename... Values>
void CallAclnn(const AclnnFunctions &functions, const Values &...values)
{
    InitExecCommonCtx();
    const aclrtStream stream = GetAclStream();
    uint64_t workspaceSize = 0;
    uint64_t *workspaceSizePointer = &workspaceSize;
    aclOpExecutor *executor = nullptr;
    aclOpExecutor **executorPointer = &executor;
    auto arguments = ConvertTypes(values..., workspaceSizePointer, executorPointer);
    const int status = call(ConvertToOpApiFunc(arguments, functions.plan), arguments);
    if (status != 0) {
        ReleaseConvertTypes(arguments);
        ReleaseExecCommonCtx();
        UnInitExecCommonCtx();
        TORCH_CHECK_VALUE(false, RecentError());
    }
    void *workspace = GetWorkSpaceAddr(workspaceSize);
    RunAclCall(functions.name, [=, run = functions.run]() mutable {
        InitExecSubTheadCtx(stream);
        const int result = ExecuteApiFunc(run, stream, workspace, workspaceSize, executor);
        ReleaseConvertTypes(arguments);
        ReleaseExecCommonCtx();
        return result;
    });
    UnInitExecCommonCtx();
}

struct NpuBackend {
    static constexpr c10::DeviceType DEVICE = c10::DeviceType::PrivateUse1;

    template <typename... Values>
    static void Score(const Values &...values)
    {
        static const AclnnFunctions functions("aclnnInnerFlashAttentionScore");
        CallAclnn(functions, values...);
    }

    template <typename... Values>
    static void ScoreGrad(const Values &...values)
    {
        static const AclnnFunctions functions("aclnnInnerFlashAttentionScoreGrad");
        CallAclnn(functions, values...);
    }

    static void DropoutBits(const at::Tensor &out, int64_t bits, double keepProb, int64_t seed, int64_t offset,
                            at::ScalarType type)
    {
        static const AclnnFunctions functions("aclnnDropoutGenMaskV2");
        CallAclnn(functions, at::IntArrayRef(bits), 1.0 - keepProb, seed, offset, type, out);
    }

    // Seed and offset, which moves on as far as torch_npu's own attention moves it.
    static std::pair<int64_t, int64_t> DrawSeed(const at::Tensor &query)
    {
        constexpr uint64_t STEP = 12; // 10 numbers, in fours
        at::Generator source = at::globalContext().defaultGenerator(query.device());
        const std::lock_guard<std::mutex> lock(source.mutex());
        const uint64_t offset = source.get_offset();
        source.set_offset(offset + STEP);
        return {static_cast<int64_t>(source.current_seed()), static_cast<int64_t>(offset)};
    }
};

} // namespace

TORCH_LIBRARY_IMPL(ascend_flash_attention, PrivateUse1, library)
{
    library.impl("flash_attention_score", FlashAttentionScore<NpuBackend>);
    library.impl("flash_attention_score_grad", FlashAttentionScoreGrad<NpuBackend>);
    library.impl("dropout_rng_state", DrawRngState<NpuBackend>);
}
