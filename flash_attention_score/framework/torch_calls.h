// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// flash_attention_score and its gradient for the device of a `Backend`: DEVICE, and Score and ScoreGrad, which take the
// arguments of the two aclnn calls as torch's types, allocate a workspace and run both phases.
#ifndef TORCH_CALLS_H
#define TORCH_CALLS_H
#include <string>
#include <tuple>
#include <ATen/ops/empty.h>
#include "output_shapes.h"
#include "torch_dropout.h"

using Results = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
using Gradients = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor>;

// The gradient of `input`, empty without one.
inline at::Tensor EmptyGradient(const OptionalTensor &input, const at::TensorOptions &options)
{
    const bool given = input.has_value() && input->defined();
    return given ? at::empty(input->sizes(), input->options()) : at::empty({0}, options);
}

template <typename Backend>
Results FlashAttentionScore(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value, int64_t headNum,
                            std::string_view inputLayout, const OptionalTensor &pse, const OptionalTensor &dropMask,
                            const OptionalTensor &paddingMask, const OptionalTensor &attenMask,
                            at::OptionalIntArrayRef prefix, at::OptionalIntArrayRef actualSeqQlen,
                            at::OptionalIntArrayRef actualSeqKvlen, at::OptionalIntArrayRef qStartIdx,
                            at::OptionalIntArrayRef kvStartIdx, const OptionalTensor &queryRope,
                            const OptionalTensor &keyRope, const OptionalTensor &sink, const OptionalTensor &rngState,
                            double scale, double keepProb, int64_t preTokens, int64_t nextTokens, int64_t innerPrecise,
                            int64_t sparseMode, int64_t pseType, std::string_view softmaxLayout)
{
    CheckText(inputLayout, "input_layout");
    CheckText(softmaxLayout, "softmax_layout");
    CheckQueryType(query);
    CheckTensors(Backend::DEVICE, {{query, "query"}, {key, "key"}, {value, "value"}});
    TORCH_CHECK_VALUE(query.scalar_type() == key.scalar_type() && query.scalar_type() == value.scalar_type(),
                      "query, key and value must have one dtype, got ", query.scalar_type(), ", ", key.scalar_type(),
                      " and ", value.scalar_type());
    CheckOptionalTensors(query, pse, pseType, dropMask, paddingMask, attenMask, queryRope, keyRope, sink);
    OutputShapes outputs;
    const bool known = outputs.Set(query.sizes(), key.sizes(), value.sizes(), headNum, inputLayout);
    if (!known) { // a size that is refused, with the operator's own text
        outputs.statistics = {0};
        outputs.attention = {0};
    }
    const at::Tensor attention = at::empty(outputs.attention, query.options());
    const at::Tensor softmaxMax = at::empty(outputs.statistics, query.options().dtype(at::kFloat));
    const at::Tensor softmaxSum = at::empty(outputs.statistics, query.options().dtype(at::kFloat));
    const at::Tensor softmaxOut = at::empty({0}, query.options()); // reserved, never written
    const OptionalTensor mask = UnexpandedMask(attenMask, sparseMode, outputs.scores);
    const OptionalTensor noScale; // of quantised inputs
    std::string layoutText(inputLayout);
    std::string softmaxLayoutText(softmaxLayout);
    const int64_t seed = 0, offset = 0, outDtype = 0; // of other chips' dropout, and of quantised inputs
    const int64_t scores = known ? ScoreCount(outputs, query, key, actualSeqQlen, actualSeqKvlen) : 0;
    const OptionalTensor dropBits = DropoutMask<Backend>(dropMask, rngState, keepProb, scores, query);

    Backend::Score(query, key, value, pse, dropBits, paddingMask, mask, prefix, actualSeqQlen, actualSeqKvlen,
                   qStartIdx, kvStartIdx, noScale, noScale, noScale, queryRope, keyRope, sink, scale, keepProb,
                   preTokens, nextTokens, headNum, layoutText.data(), innerPrecise, sparseMode, pseType, seed, offset,
                   outDtype, softmaxLayoutText.data(), softmaxMax, softmaxSum, softmaxOut, attention);
    TORCH_CHECK(known, "the operator accepted a call whose result has no known shape");
    return {attention, softmaxMax, softmaxSum};
}

template <typename Backend>
Gradients FlashAttentionScoreGrad(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value,
                                  const at::Tensor &dy, const at::Tensor &attentionIn, const at::Tensor &softmaxMax,
                                  const at::Tensor &softmaxSum, int64_t headNum, std::string_view inputLayout,
                                  const OptionalTensor &pse, const OptionalTensor &dropMask,
                                  const OptionalTensor &paddingMask, const OptionalTensor &attenMask,
                                  at::OptionalIntArrayRef prefix, at::OptionalIntArrayRef actualSeqQlen,
                                  at::OptionalIntArrayRef actualSeqKvlen, at::OptionalIntArrayRef qStartIdx,
                                  at::OptionalIntArrayRef kvStartIdx, const OptionalTensor &queryRope,
                                  const OptionalTensor &keyRope, const OptionalTensor &sink,
                                  const OptionalTensor &rngState, double scale, double keepProb, int64_t preTokens,
                                  int64_t nextTokens, int64_t innerPrecise, int64_t sparseMode, int64_t pseType,
                                  std::string_view softmaxLayout, bool pseGrad)
{
    CheckText(inputLayout, "input_layout");
    CheckText(softmaxLayout, "softmax_layout");
    CheckQueryType(query);
    CheckTensors(Backend::DEVICE, {{query, "query"},
                                   {key, "key"},
                                   {value, "value"},
                                   {dy, "dy"},
                                   {attentionIn, "attention_in"},
                                   {softmaxMax, "softmax_max"},
                                   {softmaxSum, "softmax_sum"}});
    CheckType(key, "key", query.scalar_type());
    CheckType(value, "value", query.scalar_type());
    CheckType(dy, "dy", query.scalar_type());
    CheckType(attentionIn, "attention_in", query.scalar_type());
    CheckType(softmaxMax, "softmax_max", at::kFloat);
    CheckType(softmaxSum, "softmax_sum", at::kFloat);
    CheckOptionalTensors(query, pse, pseType, dropMask, paddingMask, attenMask, queryRope, keyRope, sink);
    const at::Tensor dq = at::empty(query.sizes(), query.options());
    const at::Tensor dk = at::empty(key.sizes(), query.options());
    const at::Tensor dv = at::empty(value.sizes(), query.options());
    // also a gradient that is not computed has its input's data type: the operator knows no other combinations
    const at::TensorOptions pseOptions = pse.has_value() && pse->defined() ? pse->options() : query.options();
    const at::Tensor dpse = EmptyGradient(pseGrad ? pse : OptionalTensor(), pseOptions);
    const at::Tensor dqRope = EmptyGradient(queryRope, query.options());
    const at::Tensor dkRope = EmptyGradient(keyRope, query.options());
    const at::Tensor dsink = EmptyGradient(sink, query.options().dtype(at::kFloat));
    OutputShapes forward;
    const bool known = forward.Set(query.sizes(), key.sizes(), value.sizes(), headNum, inputLayout);
    const OptionalTensor mask = UnexpandedMask(attenMask, sparseMode, forward.scores);
    const OptionalTensor softmaxIn; // reserved
    const OptionalTensor noScale;   // of quantised inputs
    std::string layoutText(inputLayout);
    std::string softmaxLayoutText(softmaxLayout);
    const int64_t seed = 0, offset = 0, outDtype = 0;
    const int64_t scores = known ? ScoreCount(forward, query, key, actualSeqQlen, actualSeqKvlen) : 0;
    const OptionalTensor dropBits = DropoutMask<Backend>(dropMask, rngState, keepProb, scores, query);

    Backend::ScoreGrad(query, key, value, dy, pse, dropBits, paddingMask, mask, softmaxMax, softmaxSum, softmaxIn,
                       attentionIn, prefix, actualSeqQlen, actualSeqKvlen, qStartIdx, kvStartIdx, noScale, noScale,
                       noScale, noScale, noScale, queryRope, keyRope, sink, scale, keepProb, preTokens, nextTokens,
                       headNum, layoutText.data(), innerPrecise, sparseMode, pseType, seed, offset, outDtype,
                       softmaxLayoutText.data(), dq, dk, dv, dpse, dqRope, dkRope, dsink);
    return {dq, dk, dv, dpse, dqRope, dkRope, dsink};
}
#endif
