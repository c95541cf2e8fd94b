// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The two phases behind generated aclnn code.
#include <cstdlib>
#include <memory>
#include <utility>
#include "../core/launch.h"
#include "../core/thread_pool.h"
#include "ascendc_cpu/aclnn_runtime.h"
#include "call.h"
#include "executor.h"
#include "kernel_column.h"
#include "package_loader.h"
#include "status.h"
#include "tiling/platform/platform_ascendc.h"

using namespace ascendc_cpu;

namespace {

constexpr uint64_t GM_ALIGNMENT = 512; // what kernels may count on for workspace and copied inputs

thread_local int t_threads = 0;

struct FreeDeleter {
    void operator()(void *pointer) const
    {
        std::free(pointer);
    }
};

uint64_t RoundUp(uint64_t value)
{
    return (value + GM_ALIGNMENT - 1) / GM_ALIGNMENT * GM_ALIGNMENT;
}

// What the kernel gets, and what the launch wants to know about it.
struct KernelArguments {
    std::vector<uint8_t *> addresses;
    std::vector<uint64_t> bytes;
    std::vector<uint8_t> isUnwritten;
    std::vector<uint8_t> isConstant;

    explicit KernelArguments(size_t count)
    {
        addresses.reserve(count);
        bytes.reserve(count);
        isUnwritten.reserve(count);
        isConstant.reserve(count);
    }
    void Add(uint8_t *address, uint64_t size, bool unwritten)
    {
        addresses.push_back(address);
        bytes.push_back(size);
        isUnwritten.push_back(unwritten);
    }
    // An input is constant unless an output or the workspace shares its memory.
    void FindConstants()
    {
        for (size_t i = 0; i < addresses.size(); i++) {
            bool constant = !isUnwritten[i] && bytes[i] > 0;
            for (size_t j = 0; constant && j < addresses.size(); j++) {
                constant = !isUnwritten[j] || addresses[j] + bytes[j] <= addresses[i] ||
                           addresses[i] + bytes[i] <= addresses[j];
            }
            isConstant.push_back(constant);
        }
    }
};

uint64_t BytesOf(const Binding &tensor)
{
    return tensor.Present() ? static_cast<uint64_t>(tensor.view->Elements()) * aclDataTypeSize(tensor.view->dataType)
                            : 0;
}

struct KernelExecutor : aclOpExecutor {
    Call call;
    bool empty = false; // nothing to compute
    uint64_t userWorkspace = 0;
    std::vector<std::unique_ptr<uint8_t, FreeDeleter>> denseInputs; // copies of strided inputs, reused when repeated

    void Plan(const char *opType, const CallArguments &arguments);
    // What the caller is asked to allocate: the user part, with room to align it. The 16 MiB in front of it that the
    // tiling adds for CANN's library are not needed here, so nobody pays for them.
    uint64_t WorkspaceSize() const
    {
        return userWorkspace == 0 ? 0 : userWorkspace + GM_ALIGNMENT;
    }
    void Run(void *workspace, uint64_t workspaceSize) override;

private:
    uint8_t *InputAddress(size_t irIndex);
    uint8_t *UserWorkspace(void *workspace, uint64_t workspaceSize) const;
};

void KernelExecutor::Plan(const char *opType, const CallArguments &arguments)
{
    call.Bind(opType, arguments);
    call.Infer();
    call.RunTiling(0); // its checks are worth having when there is nothing to compute, too
    call.CheckOutputs();
    empty = call.AllOutputsEmpty();
    if (empty) {
        return;
    }
    denseInputs.resize(call.inputs.size());
    const uint64_t total = call.node.answer.workspace[0];
    const uint64_t system = platform_ascendc::PlatformAscendC(&call.node.platform).GetLibApiWorkSpaceSize();
    userWorkspace = total > system ? total - system : 0;
}

uint8_t *KernelExecutor::InputAddress(size_t irIndex)
{
    const Binding &input = call.inputs[irIndex];
    if (!input.Present() || input.view->IsContiguous()) {
        return input.Present() ? input.view->Begin() : nullptr;
    }
    auto &dense = denseInputs[irIndex];
    if (dense == nullptr) {
        const uint64_t bytes = BytesOf(input);
        dense.reset(static_cast<uint8_t *>(std::aligned_alloc(GM_ALIGNMENT, RoundUp(bytes))));
        if (dense == nullptr) {
            throw HostError(ACLNN_ERR_RUNTIME_ERROR, call.schema->type + ": out of memory for a contiguous copy of " +
                                                         call.schema->inputs[irIndex].name + ", " +
                                                         std::to_string(bytes) + " bytes");
        }
    }
    CopyToDense(*input.view, dense.get());
    return dense.get();
}

uint8_t *KernelExecutor::UserWorkspace(void *workspace, uint64_t workspaceSize) const
{
    if (userWorkspace == 0) {
        return nullptr;
    }
    if (workspace == nullptr) {
        throw HostError(ACLNN_ERR_PARAM_NULLPTR, call.schema->type + ": workspace: got nullptr, needs " +
                                                     std::to_string(WorkspaceSize()) + " bytes");
    }
    if (workspaceSize < WorkspaceSize()) {
        throw HostError(ACLNN_ERR_PARAM_INVALID, call.schema->type + ": workspaceSize: got " +
                                                     std::to_string(workspaceSize) + ", needs " +
                                                     std::to_string(WorkspaceSize()));
    }
    return reinterpret_cast<uint8_t *>(RoundUp(reinterpret_cast<uintptr_t>(workspace)));
}

void KernelExecutor::Run(void *workspace, uint64_t workspaceSize)
{
    if (empty) {
        return;
    }
    const std::string &type = call.schema->type;
    LoadKernels(type);
    const std::string column = KernelColumn(*call.schema, call.column);
    KernelArguments arguments(call.inputs.size() + call.outputs.size() + 2);
    for (size_t i = 0; i < call.inputs.size(); i++) {
        arguments.Add(InputAddress(i), BytesOf(call.inputs[i]), false);
    }
    for (const Binding &output : call.outputs) {
        arguments.Add(output.Present() ? output.view->Begin() : nullptr, BytesOf(output), true);
    }
    arguments.Add(UserWorkspace(workspace, workspaceSize), userWorkspace, true);
    TilingAnswer &answer = call.node.answer;
    arguments.Add(reinterpret_cast<uint8_t *>(answer.buffer.data()), answer.buffer.size() * sizeof(answer.buffer[0]),
                  false);
    arguments.FindConstants();
    LaunchOptions options;
    options.argIsConstant = arguments.isConstant.data();
    options.argBytes = arguments.bytes.data();
    options.argIsUnwritten = arguments.isUnwritten.data();
    Launch(type.c_str(), column.c_str(), answer.key, static_cast<int>(answer.blockDim), ThreadsOfCall(),
           arguments.addresses.data(), static_cast<int>(arguments.addresses.size()), options);
}

} // namespace

int ascendc_cpu::ThreadsOfCall()
{
    const char *threads = std::getenv("ASCENDC_CPU_NUM_THREADS");
    const bool overridden = threads != nullptr && threads[0] != '\0';
    return overridden ? 0 : t_threads;
}

extern "C" {

aclnnStatus AscendcCpuPlan(const char *opType, const void *const *inputs, const void *const *attrs,
                           const void *const *outputs, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return Guarded(ACLNN_ERR_INNER, [&] {
        if (workspaceSize == nullptr || executor == nullptr) {
            throw HostError(ACLNN_ERR_PARAM_NULLPTR, std::string(opType) + ": " +
                                                         (executor == nullptr ? "executor" : "workspaceSize") +
                                                         ": got nullptr");
        }
        *executor = nullptr;
        *workspaceSize = 0;
        auto planned = std::make_unique<KernelExecutor>();
        const CallArguments arguments = {inputs, attrs, outputs, true, "", false};
        planned->Plan(opType, arguments);
        *workspaceSize = planned->WorkspaceSize();
        *executor = planned.release();
    });
}

aclnnStatus AscendcCpuRun(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream)
{
    return Guarded(ACLNN_ERR_RUNTIME_ERROR, [&] {
        if (executor == nullptr) {
            throw HostError(ACLNN_ERR_PARAM_NULLPTR, "second phase: executor: got nullptr");
        }
        std::unique_ptr<aclOpExecutor> owner(executor->repeatable ? nullptr : executor);
        executor->Run(workspace, workspaceSize);
    });
}

int AscendcCpuSetNumThreads(int threads)
{
    return std::exchange(t_threads, threads);
}

void AscendcCpuSetExecutor(AscendcCpuExecutor executor, void *context, int most)
{
    SetExecutor(executor, context, most);
}

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
    if (executor == nullptr) {
        ReportError("aclSetAclOpExecutorRepeatable: executor: got nullptr");
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    executor->repeatable = true;
    return ACLNN_SUCCESS;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor)
{
    if (executor == nullptr) {
        ReportError("aclDestroyAclOpExecutor: executor: got nullptr");
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    delete executor;
    return ACLNN_SUCCESS;
}
}
