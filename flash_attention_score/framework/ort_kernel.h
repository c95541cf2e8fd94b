// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One node of a model: its attributes, and the two-phase aclnn call that runs it.
#ifndef ORT_KERNEL_H
#define ORT_KERNEL_H
#include "aclnnInner_flash_attention_score.h"
#include "ort_tensor.h"
#include "output_shapes.h"

extern "C" {
// Threads of the following launches of this host thread, 0: all that there are; returns the number before.
int32_t AscendcCpuSetNumThreads(int32_t threads);
// Who lends them if they are no more than `most`: an executor calls call(argument) `times` times.
void AscendcCpuSetExecutor(void (*executor)(void *context, int32_t times, void (*call)(void *), void *argument),
                           void *context, int32_t most);
}

namespace ort {

// Attributes of a node; what it does not say has the operator's default.
class Attributes {
public:
    static constexpr int64_t MAX_TOKENS = 2147483647;

    explicit Attributes(const OrtKernelInfo *info)
        : headNum(Int(info, "head_num", 0)), preTokens(Int(info, "pre_tockens", MAX_TOKENS)),
          nextTokens(Int(info, "next_tockens", MAX_TOKENS)), innerPrecise(Int(info, "inner_precise", 0)),
          sparseMode(Int(info, "sparse_mode", 0)), pseType(Int(info, "pse_type", 1)), seed(Int(info, "seed", 0)),
          offset(Int(info, "offset", 0)), outDtype(Int(info, "out_dtype", 0)), scale(Float(info, "scale_value", 1.0f)),
          keepProb(Float(info, "keep_prob", 1.0f)), layout(Text(info, "input_layout")),
          softmaxOutLayout(Text(info, "softmax_out_layout"))
    {
    }

    int64_t headNum;
    int64_t preTokens;
    int64_t nextTokens;
    int64_t innerPrecise;
    int64_t sparseMode;
    int64_t pseType;
    int64_t seed;
    int64_t offset;
    int64_t outDtype;
    float scale;
    float keepProb;
    std::string layout;
    std::string softmaxOutLayout;

private:
    // False for a node without the attribute.
    static bool Found(OrtStatus *status)
    {
        if (status != nullptr) {
            Api::Release(RELEASE_STATUS, status);
        }
        return status == nullptr;
    }
    static int64_t Int(const OrtKernelInfo *info, const char *name, int64_t absent)
    {
        int64_t value = 0;
        return Found(Api::Try(KERNEL_INFO_GET_INT64, info, name, &value)) ? value : absent;
    }
    static float Float(const OrtKernelInfo *info, const char *name, float absent)
    {
        float value = 0;
        return Found(Api::Try(KERNEL_INFO_GET_FLOAT, info, name, &value)) ? value : absent;
    }
    static std::string Text(const OrtKernelInfo *info, const char *name)
    {
        size_t size = 0; // with the terminating zero
        if (!Found(Api::Try(KERNEL_INFO_GET_STRING, info, name, nullptr, &size)) || size == 0) {
            return "";
        }
        std::string text(size, '\0');
        Api::Call(KERNEL_INFO_GET_STRING, info, name, &text[0], &size);
        text.resize(size - 1);
        return text;
    }
};

// While it lives, launches of this thread run on the session's intra-op threads.
class SessionThreads {
public:
    explicit SessionThreads(const OrtKernelContext *context) : before(AscendcCpuSetNumThreads(0))
    {
        AscendcCpuSetExecutor(Run, const_cast<OrtKernelContext *>(context), INT32_MAX);
    }
    SessionThreads(const SessionThreads &) = delete;
    SessionThreads &operator=(const SessionThreads &) = delete;
    ~SessionThreads()
    {
        AscendcCpuSetExecutor(nullptr, nullptr, 0);
        AscendcCpuSetNumThreads(before);
    }

private:
    struct Work {
        void (*call)(void *argument);
        void *argument;
    };

    static void Run(void *context, int32_t times, void (*call)(void *argument), void *argument)
    {
        Work work = {call, argument};
        const auto one = [](void *data, size_t) {
            static_cast<Work *>(data)->call(static_cast<Work *>(data)->argument);
        };
        OrtStatus *status = Api::Try(KERNEL_CONTEXT_PARALLEL_FOR, static_cast<const OrtKernelContext *>(context), one,
                                     static_cast<size_t>(times), 0, &work);
        if (status != nullptr) { // without others, then
            Api::Release(RELEASE_STATUS, status);
        }
    }

    const int32_t before;
};

class Kernel {
public:
    explicit Kernel(const OrtKernelInfo *info) : attributes(info)
    {
        OrtAllocator *raw = nullptr;
        Api::Call(KERNEL_INFO_GET_ALLOCATOR, info, ORT_DEFAULT_MEMORY, &raw);
        allocator.reset(raw);
    }

    void Compute(OrtKernelContext *context)
    {
        Tensor inputs[INPUTS];
        size_t count = 0;
        Api::Call(KERNEL_CONTEXT_GET_INPUT_COUNT, context, &count);
        for (size_t i = 0; i < count && i < INPUTS; i++) {
            const OrtValue *value = nullptr;
            Api::Call(KERNEL_CONTEXT_GET_INPUT, context, i, &value);
            inputs[i] = Tensor(value, i);
        }
        OutputShapes shapes;
        const bool known = shapes.Set(inputs[QUERY].Dims(), inputs[KEY].Dims(), inputs[VALUE].Dims(),
                                      attributes.headNum, attributes.layout);
        if (!known) { // a size that is refused, with the operator's own text
            shapes.statistics = {0};
            shapes.attention = {0};
        }
        const std::vector<int64_t> dims[OUTPUTS] = {shapes.statistics, shapes.statistics, {0}, shapes.attention};
        Tensor outputs[OUTPUTS];
        for (size_t i = 0; i < OUTPUTS; i++) {
            OrtValue *value = nullptr;
            Api::Call(KERNEL_CONTEXT_GET_OUTPUT, context, i, dims[i].data(), dims[i].size(), &value);
            outputs[i] = Tensor(value, i);
        }
        const SessionThreads threads(context);
        Run(inputs, outputs);
        if (!known) {
            throw std::runtime_error("the operator accepted a call whose result has no known shape");
        }
    }

private:
    void Run(const Tensor *inputs, const Tensor *outputs)
    {
        uint64_t workspaceSize = 0;
        aclOpExecutor *executor = nullptr;
        const auto prefix = inputs[PREFIX].List("prefix");
        const auto queryLengths = inputs[ACTUAL_SEQ_QLEN].List("actual_seq_qlen");
        const auto keyLengths = inputs[ACTUAL_SEQ_KVLEN].List("actual_seq_kvlen");
        const auto queryStart = inputs[Q_START_IDX].List("q_start_idx");
        const auto keyStart = inputs[KV_START_IDX].List("kv_start_idx");
        CheckAcl(aclnnInnerFlashAttentionScoreGetWorkspaceSize(
                     inputs[QUERY].Get(), inputs[KEY].Get(), inputs[VALUE].Get(), inputs[REAL_SHIFT].Get(),
                     inputs[DROP_MASK].Get(), inputs[PADDING_MASK].Get(), inputs[ATTEN_MASK].Get(), prefix.get(),
                     queryLengths.get(), keyLengths.get(), queryStart.get(), keyStart.get(), inputs[D_SCALE_Q].Get(),
                     inputs[D_SCALE_K].Get(), inputs[D_SCALE_V].Get(), inputs[QUERY_ROPE].Get(), inputs[KEY_ROPE].Get(),
                     inputs[SINK].Get(), attributes.scale, attributes.keepProb, attributes.preTokens,
                     attributes.nextTokens, attributes.headNum, &attributes.layout[0], attributes.innerPrecise,
                     attributes.sparseMode, attributes.pseType, attributes.seed, attributes.offset, attributes.outDtype,
                     &attributes.softmaxOutLayout[0], outputs[SOFTMAX_MAX].Get(), outputs[SOFTMAX_SUM].Get(),
                     outputs[SOFTMAX_OUT].Get(), outputs[ATTENTION_OUT].Get(), &workspaceSize,
                     &executor) == ACL_SUCCESS);
        const auto free = [this](void *memory) { allocator->Free(allocator.get(), memory); };
        std::unique_ptr<void, decltype(free)> workspace(nullptr, free);
        if (workspaceSize > 0) {
            workspace.reset(allocator->Alloc(allocator.get(), workspaceSize));
        }
        CheckAcl(aclnnInnerFlashAttentionScore(workspace.get(), workspaceSize, executor, nullptr) == ACL_SUCCESS);
    }

    Attributes attributes;
    std::unique_ptr<OrtAllocator, Release> allocator;
};

} // namespace ort
#endif
