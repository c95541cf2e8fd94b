// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "aclnn_flash_attention_score_grad.h"
#include "aclnnInner_flash_attention_score_grad.h"
#include "fa_api_checks.h"

namespace {

// What the gradient has on top of the forward's tensors.
struct SavedTensors {
    const aclTensor *dy;
    const aclTensor *softmaxMax;
    const aclTensor *softmaxSum;
    const aclTensor *attention;
};

// Null or without elements: not computed.
struct Gradients {
    const aclTensor *query;
    const aclTensor *key;
    const aclTensor *value;
    const aclTensor *shift;
    const aclTensor *queryRope;
    const aclTensor *keyRope;
    const aclTensor *sink;
};

// `gradient` of an input that is there, an empty tensor of the right type else.
const aclTensor *GradientOr(const aclTensor *gradient, const aclTensor *input, aclDataType type)
{
    return input == nullptr || gradient == nullptr ? FaEmptyTensor(input == nullptr ? type : FaTypeOf(input))
                                                   : gradient;
}

// The shift's, unless it has none: a float mask, which is the caller's attenMask.
const aclTensor *ShiftGradient(const FaCallArguments &call, const aclTensor *givenShift, const aclTensor *gradient)
{
    const bool none = givenShift != call.tensors.realShift;
    return GradientOr(none ? nullptr : gradient, call.tensors.realShift, FaTypeOf(call.tensors.query));
}

aclnnStatus CallOperator(const FaCallArguments &call, const SavedTensors &saved, const Gradients &gradients,
                         const FaPlanned &planned)
{
    const FaTensors &tensors = call.tensors;
    const FaLists &lists = call.lists;
    const FaAttributes &attributes = call.attributes;
    const aclDataType type = FaTypeOf(tensors.query);
    return aclnnInnerFlashAttentionScoreGradGetWorkspaceSize(
        tensors.query, tensors.key, tensors.value, saved.dy, tensors.realShift, tensors.dropMask, nullptr,
        tensors.attenMask, saved.softmaxMax, saved.softmaxSum, nullptr, saved.attention, lists.prefix,
        lists.actualSeqQLen, lists.actualSeqKvLen, lists.qStartIdx, lists.kvStartIdx, nullptr, nullptr, nullptr,
        nullptr, nullptr, tensors.queryRope, tensors.keyRope, tensors.sink, attributes.scaleValue, attributes.keepProb,
        attributes.preTokens, attributes.nextTokens, attributes.headNum, attributes.inputLayout,
        attributes.innerPrecise, attributes.sparseMode, attributes.pseType, 0, 0, 0, attributes.softmaxLayout,
        gradients.query, gradients.key, gradients.value, gradients.shift,
        GradientOr(gradients.queryRope, tensors.queryRope, type), GradientOr(gradients.keyRope, tensors.keyRope, type),
        GradientOr(gradients.sink, tensors.sink, ACL_FLOAT), planned.workspaceSize, planned.executor);
}

aclnnStatus Plan(const FaEntry &entry, FaCallArguments call, const SavedTensors &saved, Gradients gradients,
                 const FaPlanned &planned)
{
    aclnnStatus status = FaRequire(entry, {{"query", call.tensors.query},
                                           {"keyIn", call.tensors.key},
                                           {"value", call.tensors.value},
                                           {"dy", saved.dy},
                                           {"attentionInOptional", saved.attention},
                                           {"inputLayout", call.attributes.inputLayout},
                                           {"dqOut", gradients.query},
                                           {"dkOut", gradients.key},
                                           {"dvOut", gradients.value},
                                           {"workspaceSize", planned.workspaceSize},
                                           {"executor", planned.executor}});
    if (status != ACLNN_SUCCESS) {
        return status;
    }
    FaNormalize(call);
    const aclTensor *givenShift = call.tensors.realShift;
    if (!FaAllEmpty({gradients.query, gradients.key, gradients.value})) { // else nothing is computed
        status = FaCheckCall(entry, call);
    }
    gradients.shift = ShiftGradient(call, givenShift, gradients.shift);
    return status != ACLNN_SUCCESS ? status : CallOperator(call, saved, gradients, planned);
}

aclnnStatus PlanScore(const char *function, const FaTensors &tensors, const SavedTensors &saved, const FaLists &lists,
                      const FaAttributes &attributes, const Gradients &gradients, const FaPlanned &planned)
{
    return Plan({function, "keyIn", "pseShiftOptional", false, false}, {tensors, lists, attributes}, saved, gradients,
                planned);
}

aclnnStatus PlanUnpadding(const char *function, const FaTensors &tensors, const SavedTensors &saved,
                          const FaLists &lists, const FaAttributes &attributes, const Gradients &gradients,
                          const FaPlanned &planned)
{
    return Plan({function, "keyIn", "pseShiftOptional", true, false}, {tensors, lists, attributes}, saved, gradients,
                planned);
}
} // namespace

extern "C" {

aclnnStatus aclnnFlashAttentionScoreGradGetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclIntArray *prefixOptional,
    double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout,
    int64_t innerPrecise, int64_t sparseMode, const aclTensor *dqOut, const aclTensor *dkOut, const aclTensor *dvOut,
    const aclTensor *dpseOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanScore(
        "aclnnFlashAttentionScoreGrad",
        {query, keyIn, value, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, nullptr},
        {dy, softmaxMaxOptional, softmaxSumOptional, attentionInOptional},
        {prefixOptional, nullptr, nullptr, nullptr, nullptr},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, 1, nullptr},
        {dqOut, dkOut, dvOut, dpseOut, nullptr, nullptr, nullptr}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionScoreGradV2GetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclIntArray *prefixOptional,
    const aclIntArray *qStartIdxOptional, const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode,
    int64_t pseType, const aclTensor *dqOut, const aclTensor *dkOut, const aclTensor *dvOut, const aclTensor *dpseOut,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanScore(
        "aclnnFlashAttentionScoreGradV2",
        {query, keyIn, value, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, nullptr},
        {dy, softmaxMaxOptional, softmaxSumOptional, attentionInOptional},
        {prefixOptional, nullptr, nullptr, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {dqOut, dkOut, dvOut, dpseOut, nullptr, nullptr, nullptr}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionScoreGradV3GetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclTensor *sinkInOptional,
    const aclIntArray *prefixOptional, const aclIntArray *qStartIdxOptional, const aclIntArray *kvStartIdxOptional,
    double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, const aclTensor *dqOut, const aclTensor *dkOut,
    const aclTensor *dvOut, const aclTensor *dpseOut, const aclTensor *dsinkOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    return PlanScore(
        "aclnnFlashAttentionScoreGradV3",
        {query, keyIn, value, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, sinkInOptional},
        {dy, softmaxMaxOptional, softmaxSumOptional, attentionInOptional},
        {prefixOptional, nullptr, nullptr, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {dqOut, dkOut, dvOut, dpseOut, nullptr, nullptr, dsinkOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradGetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclIntArray *prefixOptional,
    const aclIntArray *actualSeqQLenOptional, const aclIntArray *actualSeqKvLenOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor *dqOut, const aclTensor *dkOut, const aclTensor *dvOut,
    const aclTensor *dpseOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanUnpadding(
        "aclnnFlashAttentionUnpaddingScoreGrad",
        {query, keyIn, value, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, nullptr},
        {dy, softmaxMaxOptional, softmaxSumOptional, attentionInOptional},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, nullptr, nullptr},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, 1, nullptr},
        {dqOut, dkOut, dvOut, dpseOut, nullptr, nullptr, nullptr}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV2GetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclIntArray *prefixOptional,
    const aclIntArray *actualSeqQLenOptional, const aclIntArray *actualSeqKvLenOptional,
    const aclIntArray *qStartIdxOptional, const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode,
    int64_t pseType, const aclTensor *dqOut, const aclTensor *dkOut, const aclTensor *dvOut, const aclTensor *dpseOut,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanUnpadding(
        "aclnnFlashAttentionUnpaddingScoreGradV2",
        {query, keyIn, value, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, nullptr},
        {dy, softmaxMaxOptional, softmaxSumOptional, attentionInOptional},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {dqOut, dkOut, dvOut, dpseOut, nullptr, nullptr, nullptr}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV3GetWorkspaceSize(
    const aclTensor *query, const aclTensor *queryRope, const aclTensor *keyIn, const aclTensor *keyInRope,
    const aclTensor *value, const aclTensor *dy, const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional,
    const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional,
    const aclTensor *softmaxSumOptional, const aclTensor * /* softmaxInOptional */,
    const aclTensor *attentionInOptional, const aclIntArray *prefixOptional, const aclIntArray *actualSeqQLenOptional,
    const aclIntArray *actualSeqKvLenOptional, const aclIntArray *qStartIdxOptional,
    const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens,
    int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode, int64_t pseType,
    const aclTensor *dqOut, const aclTensor *dqRopeOut, const aclTensor *dkOut, const aclTensor *dkRopeOut,
    const aclTensor *dvOut, const aclTensor *dpseOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanUnpadding(
        "aclnnFlashAttentionUnpaddingScoreGradV3",
        {query, keyIn, value, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, queryRope,
         keyInRope, nullptr},
        {dy, softmaxMaxOptional, softmaxSumOptional, attentionInOptional},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {dqOut, dkOut, dvOut, dpseOut, dqRopeOut, dkRopeOut, nullptr}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV4GetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclIntArray *prefixOptional,
    const aclIntArray *actualSeqQLenOptional, const aclIntArray *actualSeqKvLenOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor *dqOut, const aclTensor *dkOut, const aclTensor *dvOut,
    const aclTensor *dpseOut, char *softmaxInLayout, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanUnpadding("aclnnFlashAttentionUnpaddingScoreGradV4",
                         {query, keyIn, value, pseShiftOptional, dropMaskOptional, paddingMaskOptional,
                          attenMaskOptional, nullptr, nullptr, nullptr},
                         {dy, softmaxMaxOptional, softmaxSumOptional, attentionInOptional},
                         {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, nullptr, nullptr},
                         {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode,
                          1, softmaxInLayout},
                         {dqOut, dkOut, dvOut, dpseOut, nullptr, nullptr, nullptr}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV5GetWorkspaceSize(
    const aclTensor *query, const aclTensor *queryRope, const aclTensor *keyIn, const aclTensor *keyInRope,
    const aclTensor *value, const aclTensor *dy, const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional,
    const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional,
    const aclTensor *softmaxSumOptional, const aclTensor * /* softmaxInOptional */,
    const aclTensor *attentionInOptional, const aclTensor *sinkInOptional, const aclIntArray *prefixOptional,
    const aclIntArray *actualSeqQLenOptional, const aclIntArray *actualSeqKvLenOptional,
    const aclIntArray *qStartIdxOptional, const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode,
    int64_t pseType, char *softmaxInLayout, const aclTensor *dqOut, const aclTensor *dqRopeOut, const aclTensor *dkOut,
    const aclTensor *dkRopeOut, const aclTensor *dvOut, const aclTensor *dpseOut, const aclTensor *dsinkOut,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanUnpadding(
        "aclnnFlashAttentionUnpaddingScoreGradV5",
        {query, keyIn, value, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, queryRope,
         keyInRope, sinkInOptional},
        {dy, softmaxMaxOptional, softmaxSumOptional, attentionInOptional},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType,
         softmaxInLayout},
        {dqOut, dkOut, dvOut, dpseOut, dqRopeOut, dkRopeOut, dsinkOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV5GetMaxWorkspaceSize(
    const aclTensor *query, const aclTensor *queryRope, const aclTensor *keyIn, const aclTensor *keyInRope,
    const aclTensor *value, const aclTensor *dy, const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional,
    const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional,
    const aclTensor *softmaxSumOptional, const aclTensor *softmaxInOptional, const aclTensor *attentionInOptional,
    const aclTensor *sinkInOptional, const aclIntArray *prefixOptional, const aclIntArray *actualSeqQLenOptional,
    const aclIntArray *actualSeqKvLenOptional, const aclIntArray *qStartIdxOptional,
    const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens,
    int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode, int64_t pseType,
    char *softmaxInLayout, const aclTensor *dqOut, const aclTensor *dqRopeOut, const aclTensor *dkOut,
    const aclTensor *dkRopeOut, const aclTensor *dvOut, const aclTensor *dpseOut, const aclTensor *dsinkOut,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return aclnnFlashAttentionUnpaddingScoreGradV5GetWorkspaceSize(
        query, queryRope, keyIn, keyInRope, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional,
        attenMaskOptional, softmaxMaxOptional, softmaxSumOptional, softmaxInOptional, attentionInOptional,
        sinkInOptional, prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional,
        kvStartIdxOptional, scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode,
        pseType, softmaxInLayout, dqOut, dqRopeOut, dkOut, dkRopeOut, dvOut, dpseOut, dsinkOut, workspaceSize,
        executor);
}

aclnnStatus aclnnFlashAttentionScoreGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream)
{
    return aclnnInnerFlashAttentionScoreGrad(workspace, workspaceSize, executor, stream);
}

// The executor knows what to run: all second phases are one function.
__typeof__(aclnnFlashAttentionScoreGrad) aclnnFlashAttentionScoreGradV2
    __attribute__((alias("aclnnFlashAttentionScoreGrad")));
__typeof__(aclnnFlashAttentionScoreGrad) aclnnFlashAttentionScoreGradV3
    __attribute__((alias("aclnnFlashAttentionScoreGrad")));
__typeof__(aclnnFlashAttentionScoreGrad) aclnnFlashAttentionUnpaddingScoreGrad
    __attribute__((alias("aclnnFlashAttentionScoreGrad")));
__typeof__(aclnnFlashAttentionScoreGrad) aclnnFlashAttentionUnpaddingScoreGradV2
    __attribute__((alias("aclnnFlashAttentionScoreGrad")));
__typeof__(aclnnFlashAttentionScoreGrad) aclnnFlashAttentionUnpaddingScoreGradV3
    __attribute__((alias("aclnnFlashAttentionScoreGrad")));
__typeof__(aclnnFlashAttentionScoreGrad) aclnnFlashAttentionUnpaddingScoreGradV4
    __attribute__((alias("aclnnFlashAttentionScoreGrad")));
__typeof__(aclnnFlashAttentionScoreGrad) aclnnFlashAttentionUnpaddingScoreGradV5
    __attribute__((alias("aclnnFlashAttentionScoreGrad")));
}
