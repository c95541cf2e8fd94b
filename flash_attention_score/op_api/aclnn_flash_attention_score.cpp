// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "aclnn_flash_attention_score.h"
#include "aclnnInner_flash_attention_score.h"
#include "fa_api_checks.h"

namespace {
struct ForwardOutputs {
    const aclTensor *softmaxMax;
    const aclTensor *softmaxSum;
    const aclTensor *attention;
};

aclnnStatus CallOperator(const FaCallArguments &call, const ForwardOutputs &outputs, const FaPlanned &planned)
{
    const FaTensors &tensors = call.tensors;
    const FaLists &lists = call.lists;
    const FaAttributes &attributes = call.attributes;
    return aclnnInnerFlashAttentionScoreGetWorkspaceSize(
        tensors.query, tensors.key, tensors.value, tensors.realShift, tensors.dropMask, nullptr, tensors.attenMask,
        lists.prefix, lists.actualSeqQLen, lists.actualSeqKvLen, lists.qStartIdx, lists.kvStartIdx, nullptr, nullptr,
        nullptr, tensors.queryRope, tensors.keyRope, tensors.sink, attributes.scaleValue, attributes.keepProb,
        attributes.preTokens, attributes.nextTokens, attributes.headNum, attributes.inputLayout,
        attributes.innerPrecise, attributes.sparseMode, attributes.pseType, 0, 0, 0, attributes.softmaxLayout,
        outputs.softmaxMax, outputs.softmaxSum, FaEmptyTensor(FaTypeOf(tensors.query)), outputs.attention,
        planned.workspaceSize, planned.executor);
}

aclnnStatus Plan(const FaEntry &entry, FaCallArguments call, const ForwardOutputs &outputs, const FaPlanned &planned)
{
    aclnnStatus status = FaRequire(entry, {{"query", call.tensors.query},
                                           {"key", call.tensors.key},
                                           {"value", call.tensors.value},
                                           {"inputLayout", call.attributes.inputLayout},
                                           {"softmaxMaxOut", outputs.softmaxMax},
                                           {"softmaxSumOut", outputs.softmaxSum},
                                           {"attentionOutOut", outputs.attention},
                                           {"workspaceSize", planned.workspaceSize},
                                           {"executor", planned.executor}});
    if (status != ACLNN_SUCCESS) {
        return status;
    }
    FaNormalize(call);
    if (!FaAllEmpty({outputs.softmaxMax, outputs.softmaxSum, outputs.attention})) { // else nothing is computed
        status = FaCheckCall(entry, call);
    }
    return status != ACLNN_SUCCESS ? status : CallOperator(call, outputs, planned);
}

aclnnStatus PlanScore(const char *function, const FaTensors &tensors, const FaLists &lists,
                      const FaAttributes &attributes, const ForwardOutputs &outputs, const FaPlanned &planned)
{
    return Plan({function, "key", "realShiftOptional", false, true}, {tensors, lists, attributes}, outputs, planned);
}

aclnnStatus PlanVarLen(const char *function, const FaTensors &tensors, const FaLists &lists,
                       const FaAttributes &attributes, const ForwardOutputs &outputs, const FaPlanned &planned)
{
    return Plan({function, "key", "realShiftOptional", true, true}, {tensors, lists, attributes}, outputs, planned);
}
} // namespace

extern "C" {

aclnnStatus aclnnFlashAttentionScoreGetWorkspaceSize(
    const aclTensor *query, const aclTensor *key, const aclTensor *value, const aclTensor *realShiftOptional,
    const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional,
    const aclIntArray *prefixOptional, double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens,
    int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode, const aclTensor *softmaxMaxOut,
    const aclTensor *softmaxSumOut, const aclTensor * /* softmaxOutOut */, const aclTensor *attentionOutOut,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanScore(
        "aclnnFlashAttentionScore",
        {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, nullptr},
        {prefixOptional, nullptr, nullptr, nullptr, nullptr},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, 1, nullptr},
        {softmaxMaxOut, softmaxSumOut, attentionOutOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionScoreV2GetWorkspaceSize(
    const aclTensor *query, const aclTensor *key, const aclTensor *value, const aclTensor *realShiftOptional,
    const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional,
    const aclIntArray *prefixOptional, const aclIntArray *qStartIdxOptional, const aclIntArray *kvStartIdxOptional,
    double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, const aclTensor *softmaxMaxOut,
    const aclTensor *softmaxSumOut, const aclTensor * /* softmaxOutOut */, const aclTensor *attentionOutOut,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanScore(
        "aclnnFlashAttentionScoreV2",
        {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, nullptr},
        {prefixOptional, nullptr, nullptr, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {softmaxMaxOut, softmaxSumOut, attentionOutOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionScoreV3GetWorkspaceSize(
    const aclTensor *query, const aclTensor *key, const aclTensor *value, const aclTensor *realShiftOptional,
    const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional,
    const aclTensor *sinkOptional, const aclIntArray *prefixOptional, const aclIntArray *qStartIdxOptional,
    const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens,
    int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode, int64_t pseType,
    const aclTensor *softmaxMaxOut, const aclTensor *softmaxSumOut, const aclTensor * /* softmaxOutOut */,
    const aclTensor *attentionOutOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanScore(
        "aclnnFlashAttentionScoreV3",
        {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, sinkOptional},
        {prefixOptional, nullptr, nullptr, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {softmaxMaxOut, softmaxSumOut, attentionOutOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
    const aclTensor *query, const aclTensor *key, const aclTensor *value, const aclTensor *realShiftOptional,
    const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional,
    const aclIntArray *prefixOptional, const aclIntArray *actualSeqQLenOptional,
    const aclIntArray *actualSeqKvLenOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode,
    const aclTensor *softmaxMaxOut, const aclTensor *softmaxSumOut, const aclTensor * /* softmaxOutOut */,
    const aclTensor *attentionOutOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanVarLen(
        "aclnnFlashAttentionVarLenScore",
        {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, nullptr},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, nullptr, nullptr},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, 1, nullptr},
        {softmaxMaxOut, softmaxSumOut, attentionOutOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(
    const aclTensor *query, const aclTensor *key, const aclTensor *value, const aclTensor *realShiftOptional,
    const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional,
    const aclIntArray *prefixOptional, const aclIntArray *actualSeqQLenOptional,
    const aclIntArray *actualSeqKvLenOptional, const aclIntArray *qStartIdxOptional,
    const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens,
    int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode, int64_t pseType,
    const aclTensor *softmaxMaxOut, const aclTensor *softmaxSumOut, const aclTensor * /* softmaxOutOut */,
    const aclTensor *attentionOutOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanVarLen(
        "aclnnFlashAttentionVarLenScoreV2",
        {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, nullptr,
         nullptr, nullptr},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {softmaxMaxOut, softmaxSumOut, attentionOutOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionVarLenScoreV3GetWorkspaceSize(
    const aclTensor *query, const aclTensor *queryRope, const aclTensor *key, const aclTensor *keyRope,
    const aclTensor *value, const aclTensor *realShiftOptional, const aclTensor *dropMaskOptional,
    const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional, const aclIntArray *prefixOptional,
    const aclIntArray *actualSeqQLenOptional, const aclIntArray *actualSeqKvLenOptional,
    const aclIntArray *qStartIdxOptional, const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode,
    int64_t pseType, const aclTensor *softmaxMaxOut, const aclTensor *softmaxSumOut,
    const aclTensor * /* softmaxOutOut */, const aclTensor *attentionOutOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    return PlanVarLen(
        "aclnnFlashAttentionVarLenScoreV3",
        {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, queryRope,
         keyRope, nullptr},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {softmaxMaxOut, softmaxSumOut, attentionOutOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionVarLenScoreV4GetWorkspaceSize(
    const aclTensor *query, const aclTensor *key, const aclTensor *value, const aclTensor *realShiftOptional,
    const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional,
    const aclIntArray *prefixOptional, const aclIntArray *actualSeqQLenOptional,
    const aclIntArray *actualSeqKvLenOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode,
    char *softmaxOutLayout, const aclTensor *softmaxMaxOut, const aclTensor *softmaxSumOut,
    const aclTensor * /* softmaxOutOut */, const aclTensor *attentionOutOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    return PlanVarLen("aclnnFlashAttentionVarLenScoreV4",
                      {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional,
                       nullptr, nullptr, nullptr},
                      {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, nullptr, nullptr},
                      {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, 1,
                       softmaxOutLayout},
                      {softmaxMaxOut, softmaxSumOut, attentionOutOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionVarLenScoreV5GetWorkspaceSize(
    const aclTensor *query, const aclTensor *queryRope, const aclTensor *key, const aclTensor *keyRope,
    const aclTensor *value, const aclTensor *realShiftOptional, const aclTensor *dropMaskOptional,
    const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional, const aclTensor *sinkOptional,
    const aclIntArray *prefixOptional, const aclIntArray *actualSeqQLenOptional,
    const aclIntArray *actualSeqKvLenOptional, const aclIntArray *qStartIdxOptional,
    const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens,
    int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode, int64_t pseType,
    char *softmaxOutLayout, const aclTensor *softmaxMaxOut, const aclTensor *softmaxSumOut,
    const aclTensor * /* softmaxOutOut */, const aclTensor *attentionOutOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    return PlanVarLen(
        "aclnnFlashAttentionVarLenScoreV5",
        {query, key, value, realShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional, queryRope,
         keyRope, sinkOptional},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType,
         softmaxOutLayout},
        {softmaxMaxOut, softmaxSumOut, attentionOutOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionVarLenScoreV5GetMaxWorkspaceSize(
    const aclTensor *query, const aclTensor *queryRope, const aclTensor *key, const aclTensor *keyRope,
    const aclTensor *value, const aclTensor *realShiftOptional, const aclTensor * /* dropMaskOptional */,
    const aclTensor *paddingMaskOptional, const aclTensor *attenMaskOptional, const aclTensor *sinkOptional,
    const aclIntArray *prefixOptional, const aclIntArray *actualSeqQLenOptional,
    const aclIntArray *actualSeqKvLenOptional, const aclIntArray *qStartIdxOptional,
    const aclIntArray *kvStartIdxOptional, double scaleValue, double /* keepProb */, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode, int64_t pseType,
    char *softmaxOutLayout, const aclTensor *softmaxMaxOut, const aclTensor *softmaxSumOut,
    const aclTensor *softmaxOutOut, const aclTensor *attentionOutOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return aclnnFlashAttentionVarLenScoreV5GetWorkspaceSize(
        query, queryRope, key, keyRope, value, realShiftOptional, nullptr, paddingMaskOptional, attenMaskOptional,
        sinkOptional, prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional,
        kvStartIdxOptional, scaleValue, 1.0, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode,
        pseType, softmaxOutLayout, softmaxMaxOut, softmaxSumOut, softmaxOutOut, attentionOutOut, workspaceSize,
        executor);
}

aclnnStatus aclnnFlashAttentionScore(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream)
{
    return aclnnInnerFlashAttentionScore(workspace, workspaceSize, executor, stream);
}

// The executor knows what to run: all second phases are one function.
__typeof__(aclnnFlashAttentionScore) aclnnFlashAttentionScoreV2 __attribute__((alias("aclnnFlashAttentionScore")));
__typeof__(aclnnFlashAttentionScore) aclnnFlashAttentionScoreV3 __attribute__((alias("aclnnFlashAttentionScore")));
__typeof__(aclnnFlashAttentionScore) aclnnFlashAttentionVarLenScore __attribute__((alias("aclnnFlashAttentionScore")));
__typeof__(aclnnFlashAttentionScore) aclnnFlashAttentionVarLenScoreV2
    __attribute__((alias("aclnnFlashAttentionScore")));
__typeof__(aclnnFlashAttentionScore) aclnnFlashAttentionVarLenScoreV3
    __attribute__((alias("aclnnFlashAttentionScore")));
__typeof__(aclnnFlashAttentionScore) aclnnFlashAttentionVarLenScoreV4
    __attribute__((alias("aclnnFlashAttentionScore")));
__typeof__(aclnnFlashAttentionScore) aclnnFlashAttentionVarLenScoreV5
    __attribute__((alias("aclnnFlashAttentionScore")));
}
