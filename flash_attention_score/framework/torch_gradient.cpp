// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// flash_attention_score_grad for CPU tensors, reached through its two-phase aclnn call. The operator checks shapes; its
// text becomes a ValueError.
#include <tuple>
#include <torch/library.h>
#include "acl_tensor.h"
#include "aclnnInner_flash_attention_score_grad.h"

namespace {
using Gradients = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

void CheckType(const at::Tensor &tensor, const char *name, at::ScalarType expected)
{
    TORCH_CHECK_VALUE(tensor.scalar_type() == expected, name, " must be ", expected, ", got ", tensor.scalar_type());
}

Gradients FlashAttentionScoreGrad(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value,
                                  const at::Tensor &dy, const at::Tensor &attentionIn, const at::Tensor &softmaxMax,
                                  const at::Tensor &softmaxSum, int64_t headNum, std::string_view inputLayout,
                                  const OptionalTensor &pse, const OptionalTensor &dropMask,
                                  const OptionalTensor &paddingMask, const OptionalTensor &attenMask,
                                  at::OptionalIntArrayRef prefix, at::OptionalIntArrayRef actualSeqQlen,
                                  at::OptionalIntArrayRef actualSeqKvlen, at::OptionalIntArrayRef qStartIdx,
                                  at::OptionalIntArrayRef kvStartIdx, const OptionalTensor &queryRope,
                                  const OptionalTensor &keyRope, const OptionalTensor &sink, double scale,
                                  double keepProb, int64_t preTokens, int64_t nextTokens, int64_t innerPrecise,
                                  int64_t sparseMode, int64_t pseType, std::string_view softmaxLayout)
{
    CheckType(key, "key", query.scalar_type());
    CheckType(value, "value", query.scalar_type());
    CheckType(dy, "dy", query.scalar_type());
    CheckType(attentionIn, "attention_in", query.scalar_type());
    CheckType(softmaxMax, "softmax_max", at::kFloat);
    CheckType(softmaxSum, "softmax_sum", at::kFloat);
    CheckMaskType(attenMask);
    const at::Tensor dq = at::empty(query.sizes(), query.options());
    const at::Tensor dk = at::empty(key.sizes(), query.options());
    const at::Tensor dv = at::empty(value.sizes(), query.options());
    const at::Tensor absent = at::empty({0}, query.options()); // gradients of what is not supported
    const at::Tensor absentSink = at::empty({0}, query.options().dtype(at::kFloat));

    const AclTensor inputs[] = {{query, "query"},
                                {key, "key"},
                                {value, "value"},
                                {dy, "dy"},
                                {pse, "pse"},
                                {dropMask, "drop_mask"},
                                {paddingMask, "padding_mask"},
                                {UnexpandedMask(attenMask, sparseMode), "atten_mask"},
                                {softmaxMax, "softmax_max"},
                                {softmaxSum, "softmax_sum"},
                                {attentionIn, "attention_in"}};
    const AclIntArray lists[] = {AclIntArray(prefix), AclIntArray(actualSeqQlen), AclIntArray(actualSeqKvlen),
                                 AclIntArray(qStartIdx), AclIntArray(kvStartIdx)};
    const AclTensor extras[] = {{queryRope, "query_rope"}, {keyRope, "key_rope"}, {sink, "sink"}};
    const AclTensor results[] = {{dq, "dq"},          {dk, "dk"},          {dv, "dv"},           {absent, "dpse"},
                                 {absent, "dq_rope"}, {absent, "dk_rope"}, {absentSink, "dsink"}};
    std::string layoutText(inputLayout);
    std::string softmaxLayoutText(softmaxLayout);

    AscendcCpuSetNumThreads(at::get_num_threads());
    AclPlan plan;
    const aclnnStatus status = aclnnInnerFlashAttentionScoreGradGetWorkspaceSize(
        inputs[0].Get(), inputs[1].Get(), inputs[2].Get(), inputs[3].Get(), inputs[4].Get(), inputs[5].Get(),
        inputs[6].Get(), inputs[7].Get(), inputs[8].Get(), inputs[9].Get(), nullptr, inputs[10].Get(), lists[0].Get(),
        lists[1].Get(), lists[2].Get(), lists[3].Get(), lists[4].Get(), nullptr, nullptr, nullptr, nullptr, nullptr,
        extras[0].Get(), extras[1].Get(), extras[2].Get(), scale, keepProb, preTokens, nextTokens, headNum,
        &layoutText[0], innerPrecise, sparseMode, pseType, 0, 0, 0, &softmaxLayoutText[0], results[0].Get(),
        results[1].Get(), results[2].Get(), results[3].Get(), results[4].Get(), results[5].Get(), results[6].Get(),
        &plan.workspaceSize, &plan.executor);
    TORCH_CHECK_VALUE(status == ACL_SUCCESS, RecentError());
    RunAclPlan(aclnnInnerFlashAttentionScoreGrad, plan);
    return {dq, dk, dv};
}
} // namespace

TORCH_LIBRARY_IMPL(ascend_flash_attention, CPU, library)
{
    library.impl("flash_attention_score_grad", FlashAttentionScoreGrad);
}
