// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "aclnn_flash_attention_score_grad.h"
#include "aclnnInner_flash_attention_score_grad.h"
#include "fa_api_checks.h"

namespace {
struct GradientInputs {
    const aclTensor *query;
    const aclTensor *key;
    const aclTensor *value;
    const aclTensor *dy;
    const aclTensor *pseShift;
    const aclTensor *dropMask;
    const aclTensor *paddingMask;
    const aclTensor *attenMask;
    const aclTensor *softmaxMax;
    const aclTensor *softmaxSum;
    const aclTensor *attention;
    const aclTensor *queryRope;
    const aclTensor *keyRope;
    const aclTensor *sink;
};

struct Gradients {
    const aclTensor *query;
    const aclTensor *key;
    const aclTensor *value;
};

// What the checks let through has none of the other inputs, so their gradients are empty.
aclnnStatus CallOperator(const GradientInputs &inputs, const FaAttributes &attributes, const Gradients &gradients,
                         const FaPlanned &planned)
{
    char noLayout[] = "";
    const aclTensor *none = FaEmptyTensor(FaTypeOf(inputs.query));
    return aclnnInnerFlashAttentionScoreGradGetWorkspaceSize(
        inputs.query, inputs.key, inputs.value, inputs.dy, nullptr, nullptr, nullptr, inputs.attenMask,
        inputs.softmaxMax, inputs.softmaxSum, nullptr, inputs.attention, nullptr, nullptr, nullptr, nullptr, nullptr,
        nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, attributes.scaleValue,
        attributes.keepProb, attributes.preTokens, attributes.nextTokens, attributes.headNum, attributes.inputLayout,
        attributes.innerPrecise, attributes.sparseMode, attributes.pseType, 0, 0, 0, noLayout, gradients.query,
        gradients.key, gradients.value, none, none, none, FaEmptyTensor(ACL_FLOAT), planned.workspaceSize,
        planned.executor);
}

aclnnStatus Plan(const FaEntry &entry, const GradientInputs &inputs, const FaLists &lists, FaAttributes attributes,
                 const Gradients &gradients, const FaPlanned &planned)
{
    aclnnStatus status = FaRequire(entry, {{"query", inputs.query},
                                           {"keyIn", inputs.key},
                                           {"value", inputs.value},
                                           {"dy", inputs.dy},
                                           {"attentionInOptional", inputs.attention},
                                           {"inputLayout", attributes.inputLayout},
                                           {"dqOut", gradients.query},
                                           {"dkOut", gradients.key},
                                           {"dvOut", gradients.value},
                                           {"workspaceSize", planned.workspaceSize},
                                           {"executor", planned.executor}});
    if (status != ACLNN_SUCCESS) {
        return status;
    }
    if (FaAllEmpty({gradients.query, gradients.key, gradients.value})) {
        return CallOperator(inputs, attributes, gradients, planned); // success without work
    }
    status = FaRefuseGiven(entry, {{"pseShiftOptional", inputs.pseShift},
                                   {"dropMaskOptional", inputs.dropMask},
                                   {"paddingMaskOptional", inputs.paddingMask},
                                   {"queryRope", inputs.queryRope},
                                   {"keyInRope", inputs.keyRope},
                                   {"sinkInOptional", inputs.sink}});
    if (status == ACLNN_SUCCESS) {
        status = FaCheckCall(entry, {inputs.query, inputs.key, inputs.value, inputs.attenMask}, attributes);
    }
    if (status == ACLNN_SUCCESS) {
        status = FaRefuseLists(entry, lists, inputs.attenMask != nullptr);
    }
    return status != ACLNN_SUCCESS ? status : CallOperator(inputs, attributes, gradients, planned);
}

aclnnStatus PlanScore(const char *function, const GradientInputs &inputs, const FaLists &lists,
                      const FaAttributes &attributes, const Gradients &gradients, const FaPlanned &planned)
{
    return Plan({function, "keyIn", false}, inputs, lists, attributes, gradients, planned);
}

aclnnStatus PlanUnpadding(const char *function, const GradientInputs &inputs, const FaLists &lists,
                          const FaAttributes &attributes, const Gradients &gradients, const FaPlanned &planned)
{
    return Plan({function, "keyIn", true}, inputs, lists, attributes, gradients, planned);
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
    const aclTensor * /* dpseOut */, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanScore(
        "aclnnFlashAttentionScoreGrad",
        {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional,
         softmaxMaxOptional, softmaxSumOptional, attentionInOptional, nullptr, nullptr, nullptr},
        {prefixOptional, nullptr, nullptr, nullptr, nullptr},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, 1, nullptr},
        {dqOut, dkOut, dvOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionScoreGradV2GetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclIntArray *prefixOptional,
    const aclIntArray *qStartIdxOptional, const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode,
    int64_t pseType, const aclTensor *dqOut, const aclTensor *dkOut, const aclTensor *dvOut,
    const aclTensor * /* dpseOut */, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanScore(
        "aclnnFlashAttentionScoreGradV2",
        {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional,
         softmaxMaxOptional, softmaxSumOptional, attentionInOptional, nullptr, nullptr, nullptr},
        {prefixOptional, nullptr, nullptr, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {dqOut, dkOut, dvOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionScoreGradV3GetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclTensor *sinkInOptional,
    const aclIntArray *prefixOptional, const aclIntArray *qStartIdxOptional, const aclIntArray *kvStartIdxOptional,
    double scaleValue, double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout,
    int64_t innerPrecise, int64_t sparseMode, int64_t pseType, const aclTensor *dqOut, const aclTensor *dkOut,
    const aclTensor *dvOut, const aclTensor * /* dpseOut */, const aclTensor * /* dsinkOut */, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    return PlanScore(
        "aclnnFlashAttentionScoreGradV3",
        {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional,
         softmaxMaxOptional, softmaxSumOptional, attentionInOptional, nullptr, nullptr, sinkInOptional},
        {prefixOptional, nullptr, nullptr, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {dqOut, dkOut, dvOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradGetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclIntArray *prefixOptional,
    const aclIntArray *actualSeqQLenOptional, const aclIntArray *actualSeqKvLenOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor *dqOut, const aclTensor *dkOut, const aclTensor *dvOut,
    const aclTensor * /* dpseOut */, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanUnpadding(
        "aclnnFlashAttentionUnpaddingScoreGrad",
        {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional,
         softmaxMaxOptional, softmaxSumOptional, attentionInOptional, nullptr, nullptr, nullptr},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, nullptr, nullptr},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, 1, nullptr},
        {dqOut, dkOut, dvOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV2GetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclIntArray *prefixOptional,
    const aclIntArray *actualSeqQLenOptional, const aclIntArray *actualSeqKvLenOptional,
    const aclIntArray *qStartIdxOptional, const aclIntArray *kvStartIdxOptional, double scaleValue, double keepProb,
    int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise, int64_t sparseMode,
    int64_t pseType, const aclTensor *dqOut, const aclTensor *dkOut, const aclTensor *dvOut,
    const aclTensor * /* dpseOut */, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanUnpadding(
        "aclnnFlashAttentionUnpaddingScoreGradV2",
        {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional,
         softmaxMaxOptional, softmaxSumOptional, attentionInOptional, nullptr, nullptr, nullptr},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {dqOut, dkOut, dvOut}, {workspaceSize, executor});
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
    const aclTensor *dqOut, const aclTensor * /* dqRopeOut */, const aclTensor *dkOut,
    const aclTensor * /* dkRopeOut */, const aclTensor *dvOut, const aclTensor * /* dpseOut */, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    return PlanUnpadding(
        "aclnnFlashAttentionUnpaddingScoreGradV3",
        {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional,
         softmaxMaxOptional, softmaxSumOptional, attentionInOptional, queryRope, keyInRope, nullptr},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType, nullptr},
        {dqOut, dkOut, dvOut}, {workspaceSize, executor});
}

aclnnStatus aclnnFlashAttentionUnpaddingScoreGradV4GetWorkspaceSize(
    const aclTensor *query, const aclTensor *keyIn, const aclTensor *value, const aclTensor *dy,
    const aclTensor *pseShiftOptional, const aclTensor *dropMaskOptional, const aclTensor *paddingMaskOptional,
    const aclTensor *attenMaskOptional, const aclTensor *softmaxMaxOptional, const aclTensor *softmaxSumOptional,
    const aclTensor * /* softmaxInOptional */, const aclTensor *attentionInOptional, const aclIntArray *prefixOptional,
    const aclIntArray *actualSeqQLenOptional, const aclIntArray *actualSeqKvLenOptional, double scaleValue,
    double keepProb, int64_t preTokens, int64_t nextTokens, int64_t headNum, char *inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor *dqOut, const aclTensor *dkOut, const aclTensor *dvOut,
    const aclTensor * /* dpseOut */, char *softmaxInLayout, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanUnpadding("aclnnFlashAttentionUnpaddingScoreGradV4",
                         {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional,
                          attenMaskOptional, softmaxMaxOptional, softmaxSumOptional, attentionInOptional, nullptr,
                          nullptr, nullptr},
                         {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, nullptr, nullptr},
                         {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode,
                          1, softmaxInLayout},
                         {dqOut, dkOut, dvOut}, {workspaceSize, executor});
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
    int64_t pseType, char *softmaxInLayout, const aclTensor *dqOut, const aclTensor * /* dqRopeOut */,
    const aclTensor *dkOut, const aclTensor * /* dkRopeOut */, const aclTensor *dvOut, const aclTensor * /* dpseOut */,
    const aclTensor * /* dsinkOut */, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    return PlanUnpadding(
        "aclnnFlashAttentionUnpaddingScoreGradV5",
        {query, keyIn, value, dy, pseShiftOptional, dropMaskOptional, paddingMaskOptional, attenMaskOptional,
         softmaxMaxOptional, softmaxSumOptional, attentionInOptional, queryRope, keyInRope, sinkInOptional},
        {prefixOptional, actualSeqQLenOptional, actualSeqKvLenOptional, qStartIdxOptional, kvStartIdxOptional},
        {scaleValue, keepProb, preTokens, nextTokens, headNum, inputLayout, innerPrecise, sparseMode, pseType,
         softmaxInLayout},
        {dqOut, dkOut, dvOut}, {workspaceSize, executor});
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
