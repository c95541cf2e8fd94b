// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// flash_attention_score for CPU tensors, reached through its two-phase aclnn call. Checks beyond what is needed to read
// the tensors are the operator's own; its text becomes a ValueError.
#include <tuple>
#include <torch/library.h>
#include "acl_tensor.h"
#include "aclnnInner_flash_attention_score.h"
#include "output_shapes.h"

namespace {
using Results = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

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
    OutputShapes shapes;
    const bool known = shapes.Set(query.sizes().vec(), key.sizes().vec(), value.sizes().vec(), headNum, inputLayout);
    if (!known) { // a size that is refused, with the operator's own text
        shapes.statistics = {0};
        shapes.attention = {0};
    }
    const at::Tensor attention = at::empty(shapes.attention, query.options());
    const at::Tensor softmaxMax = at::empty(shapes.statistics, query.options().dtype(at::kFloat));
    const at::Tensor softmaxSum = at::empty(shapes.statistics, query.options().dtype(at::kFloat));
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
    TORCH_CHECK(known, "the operator accepted a call whose result has no known shape");
    RunAclPlan(aclnnInnerFlashAttentionScore, plan);
    return {attention, softmaxMax, softmaxSum};
}
} // namespace

TORCH_LIBRARY_IMPL(ascend_flash_attention, CPU, library)
{
    library.impl("flash_attention_score", FlashAttentionScore);
}
