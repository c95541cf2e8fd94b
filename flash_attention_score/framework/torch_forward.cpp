// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// flash_attention_score for CPU tensors, reached through its two-phase aclnn call. Checks beyond what is needed to read
// the tensors are the operator's own; its text becomes a ValueError.
#include <tuple>
#include <vector>
#include <torch/library.h>
#include "acl_tensor.h"
#include "aclnnInner_flash_attention_score.h"

namespace {
constexpr int64_t STATISTICS = 8; // equal copies of a row's max or sum

using Results = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

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
    TORCH_CHECK_VALUE(query.scalar_type() == key.scalar_type() && query.scalar_type() == value.scalar_type(),
                      "query, key and value must have one dtype, got ", query.scalar_type(), ", ", key.scalar_type(),
                      " and ", value.scalar_type());
    CheckMaskType(attenMask);
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
    AclPlan plan;
    const aclnnStatus status = aclnnInnerFlashAttentionScoreGetWorkspaceSize(
        inputs[0].Get(), inputs[1].Get(), inputs[2].Get(), inputs[3].Get(), inputs[4].Get(), inputs[5].Get(),
        inputs[6].Get(), lists[0].Get(), lists[1].Get(), lists[2].Get(), lists[3].Get(), lists[4].Get(), nullptr,
        nullptr, nullptr, extras[0].Get(), extras[1].Get(), extras[2].Get(), scale, keepProb, preTokens, nextTokens,
        headNum, &layoutText[0], innerPrecise, sparseMode, pseType, 0, 0, 0, &softmaxLayoutText[0], results[0].Get(),
        results[1].Get(), results[2].Get(), results[3].Get(), &plan.workspaceSize, &plan.executor);
    TORCH_CHECK_VALUE(status == ACL_SUCCESS, RecentError());
    TORCH_CHECK(shapes.has_value(), "the operator accepted a call whose result has no known shape");
    RunAclPlan(aclnnInnerFlashAttentionScore, plan);
    return {attention, softmaxMax, softmaxSum};
}
} // namespace

TORCH_LIBRARY_IMPL(ascend_flash_attention, CPU, library)
{
    library.impl("flash_attention_score", FlashAttentionScore);
}
