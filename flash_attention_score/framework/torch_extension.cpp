// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// torch.ops.ascend_flash_attention.flash_attention_score: the operator for CPU tensors, reached through its two-phase
// aclnn call. Checks beyond what is needed to read the tensors are the operator's own; its text becomes a ValueError.
#include <memory>
#include <string>
#include <tuple>
#include <vector>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>
#include <torch/library.h>
#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnInner_flash_attention_score.h"

// Threads of the following launches of this host thread.
extern "C" void AscendcCpuSetNumThreads(int32_t threads);

namespace {
constexpr int64_t STATISTICS = 8; // equal copies of a row's max or sum
constexpr int64_t FIRST_ARITHMETIC_MODE = 2;

using OptionalTensor = std::optional<at::Tensor>;
using Results = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

std::string RecentError()
{
    const char *message = aclGetRecentErrMsg();
    return message != nullptr ? message : "no reason given";
}

aclDataType AclTypeOf(const at::Tensor &tensor, const char *name)
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
OptionalTensor UnexpandedMask(const OptionalTensor &mask, int64_t sparseMode)
{
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

struct OutputShapes {
    std::vector<int64_t> statistics;
    std::vector<int64_t> attention;
};

// Shapes of the results, or none for a call that the operator is going to refuse.
std::optional<OutputShapes> ShapesOf(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value,
                                     int64_t headNum, std::string_view layout)
{
    const bool folded = layout == "BSH" || layout == "SBH";
    const bool split = layout == "BSND" || layout == "BNSD";
    const int64_t rank = folded || layout == "TND" ? 3 : 4;
    if ((!folded && !split && rank == 4) || headNum <= 0 || query.dim() != rank || key.dim() != rank ||
        value.dim() != rank) {
        return std::nullopt;
    }
    OutputShapes shapes;
    shapes.attention = query.sizes().vec();
    shapes.attention.back() = value.size(-1);
    if (layout == "TND") {
        shapes.statistics = {query.size(0), query.size(1), STATISTICS};
        return shapes;
    }
    if (split) {
        const bool bnsd = layout == "BNSD";
        shapes.statistics = {query.size(0), query.size(bnsd ? 1 : 2), query.size(bnsd ? 2 : 1), STATISTICS};
        return shapes;
    }
    const int64_t headDim = query.size(2) / headNum;
    const int64_t keyHeads = headDim == 0 ? 0 : key.size(2) / headDim;
    if (keyHeads == 0) {
        return std::nullopt;
    }
    const bool sbh = layout == "SBH";
    shapes.attention.back() = value.size(2) / keyHeads * headNum;
    shapes.statistics = {query.size(sbh ? 1 : 0), headNum, query.size(sbh ? 0 : 1), STATISTICS};
    return shapes;
}

void CheckTypes(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value, const OptionalTensor &mask)
{
    TORCH_CHECK_VALUE(query.scalar_type() == key.scalar_type() && query.scalar_type() == value.scalar_type(),
                      "query, key and value must have one dtype, got ", query.scalar_type(), ", ", key.scalar_type(),
                      " and ", value.scalar_type());
    if (mask.has_value() && mask->defined()) {
        const at::ScalarType type = mask->scalar_type();
        TORCH_CHECK_VALUE(type == at::kBool || type == at::kByte,
                          "atten_mask must be bool or uint8, nonzero = masked out, got ", type,
                          at::isFloatingType(type) ? "; an additive float mask is not supported yet" : "");
    }
}

Results FlashAttentionScore(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value, int64_t headNum,
                            std::string_view inputLayout, const OptionalTensor &pse, const OptionalTensor &dropMask,
                            const OptionalTensor &paddingMask, const OptionalTensor &attenMask,
                            at::OptionalIntArrayRef prefix, at::OptionalIntArrayRef actualSeqQlen,
                            at::OptionalIntArrayRef actualSeqKvlen, at::OptionalIntArrayRef qStartIdx,
                            at::OptionalIntArrayRef kvStartIdx, const OptionalTensor &queryRope,
                            const OptionalTensor &keyRope, const OptionalTensor &sink, double scale, double keepProb,
                            int64_t preTokens, int64_t nextTokens, int64_t innerPrecise, int64_t sparseMode,
                            int64_t pseType, std::string_view softmaxLayout)
{
    CheckTypes(query, key, value, attenMask);
    const std::optional<OutputShapes> shapes = ShapesOf(query, key, value, headNum, inputLayout);
    const OutputShapes outputs = shapes.value_or(OutputShapes{{0}, {0}});
    const at::Tensor attention = at::empty(outputs.attention, query.options());
    const at::Tensor softmaxMax = at::empty(outputs.statistics, query.options().dtype(at::kFloat));
    const at::Tensor softmaxSum = at::empty(outputs.statistics, query.options().dtype(at::kFloat));
    const at::Tensor softmaxOut = at::empty({0}, query.options()); // reserved, never written

    const AclTensor inputs[] = {{query, "query"},
                                {key, "key"},
                                {value, "value"},
                                {pse, "pse"},
                                {dropMask, "drop_mask"},
                                {paddingMask, "padding_mask"},
                                {UnexpandedMask(attenMask, sparseMode), "atten_mask"}};
    const AclIntArray lists[] = {AclIntArray(prefix), AclIntArray(actualSeqQlen), AclIntArray(actualSeqKvlen),
                                 AclIntArray(qStartIdx), AclIntArray(kvStartIdx)};
    const AclTensor extras[] = {{queryRope, "query_rope"}, {keyRope, "key_rope"}, {sink, "sink"}};
    const AclTensor results[] = {{softmaxMax, "softmax_max"},
                                 {softmaxSum, "softmax_sum"},
                                 {softmaxOut, "softmax_out"},
                                 {attention, "attention_out"}};
    std::string layoutText(inputLayout);
    std::string softmaxLayoutText(softmaxLayout);

    AscendcCpuSetNumThreads(at::get_num_threads());
    uint64_t workspaceSize = 0;
    aclOpExecutor *executor = nullptr;
    aclnnStatus status = aclnnInnerFlashAttentionScoreGetWorkspaceSize(
        inputs[0].Get(), inputs[1].Get(), inputs[2].Get(), inputs[3].Get(), inputs[4].Get(), inputs[5].Get(),
        inputs[6].Get(), lists[0].Get(), lists[1].Get(), lists[2].Get(), lists[3].Get(), lists[4].Get(), nullptr,
        nullptr, nullptr, extras[0].Get(), extras[1].Get(), extras[2].Get(), scale, keepProb, preTokens, nextTokens,
        headNum, &layoutText[0], innerPrecise, sparseMode, pseType, 0, 0, 0, &softmaxLayoutText[0], results[0].Get(),
        results[1].Get(), results[2].Get(), results[3].Get(), &workspaceSize, &executor);
    TORCH_CHECK_VALUE(status == ACL_SUCCESS, RecentError());
    TORCH_CHECK(shapes.has_value(), "the operator accepted a call whose result has no known shape");
    const at::Tensor workspace = at::empty({static_cast<int64_t>(workspaceSize)}, query.options().dtype(at::kByte));
    status = aclnnInnerFlashAttentionScore(workspace.data_ptr(), workspaceSize, executor, nullptr);
    TORCH_CHECK(status == ACL_SUCCESS, RecentError());
    return {attention, softmaxMax, softmaxSum};
}

void RefuseGradient(const c10::OperatorHandle &op, c10::DispatchKeySet keys, torch::jit::Stack *stack)
{
    if (at::GradMode::is_enabled()) {
        for (const c10::IValue &argument : torch::jit::last(*stack, op.schema().arguments().size())) {
            TORCH_CHECK_NOT_IMPLEMENTED(!argument.isTensor() || !argument.toTensor().requires_grad(),
                                        "flash_attention_score has no gradient yet: call it under torch.no_grad() or "
                                        "with inputs that do not require grad");
        }
    }
    op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
}
} // namespace

TORCH_LIBRARY(ascend_flash_attention, library)
{
    library.def("flash_attention_score(Tensor query, Tensor key, Tensor value, int head_num, str input_layout, *, "
                "Tensor? pse=None, Tensor? drop_mask=None, Tensor? padding_mask=None, Tensor? atten_mask=None, "
                "int[]? prefix=None, int[]? actual_seq_qlen=None, int[]? actual_seq_kvlen=None, "
                "int[]? q_start_idx=None, int[]? kv_start_idx=None, Tensor? query_rope=None, Tensor? key_rope=None, "
                "Tensor? sink=None, float scale=1.0, float keep_prob=1.0, int pre_tokens=2147483647, "
                "int next_tokens=2147483647, int inner_precise=0, int sparse_mode=0, int pse_type=1, "
                "str softmax_layout=\"\") -> (Tensor attention_out, Tensor softmax_max, Tensor softmax_sum)");
}

TORCH_LIBRARY_IMPL(ascend_flash_attention, CPU, library)
{
    library.impl("flash_attention_score", FlashAttentionScore);
}

TORCH_LIBRARY_IMPL(ascend_flash_attention, Autograd, library)
{
    library.impl("flash_attention_score", torch::CppFunction::makeFromBoxedFunction<&RefuseGradient>());
}
