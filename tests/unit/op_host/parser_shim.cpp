// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// C entry points of the parser and of its contract for ctypes.
#include <cstring>
#include "../../../flash_attention_score_grad/op_host/fag_problem_parser.h"

extern "C" {
struct ShimTensor {
    int64_t dtype; // ge::DataType, -1: absent
    int64_t rank;
    const int64_t *shape;
    const int64_t *values; // of a list, null: the host does not know them
};

struct ShimCall {
    const ShimTensor *inputs;
    const char *layout;
    const char *softmaxOutLayout;
    double scale;
    double keepProb;
    int64_t preTokens;
    int64_t nextTokens;
    int64_t headNum;
    int64_t sparseMode;
    int64_t pseType;
    int64_t outDtype;
};
}

namespace {
FaTensor TensorOf(const ShimTensor &given)
{
    FaTensor tensor;
    if (given.dtype < 0) {
        return tensor;
    }
    tensor.given = true;
    tensor.dtype = static_cast<ge::DataType>(given.dtype);
    tensor.shape.assign(given.shape, given.shape + given.rank);
    tensor.hasValues = given.values != nullptr;
    if (tensor.hasValues) {
        tensor.values.assign(given.values, given.values + given.shape[0]);
    }
    return tensor;
}

FaCall CallOf(const ShimCall &shim)
{
    FaCall call;
    for (size_t i = 0; i < FA_INPUTS; i++) {
        call.inputs[i] = TensorOf(shim.inputs[i]);
    }
    call.scale = static_cast<float>(shim.scale);
    call.keepProb = static_cast<float>(shim.keepProb);
    call.preTokens = shim.preTokens;
    call.nextTokens = shim.nextTokens;
    call.headNum = shim.headNum;
    call.layout = shim.layout;
    call.sparseMode = shim.sparseMode;
    call.pseType = shim.pseType;
    call.outDtype = shim.outDtype;
    call.softmaxOutLayout = shim.softmaxOutLayout;
    return call;
}

// "<row>\n<message>", empty: accepted.
void WriteRefusal(const FaRefusal &refusal, char *text, size_t capacity)
{
    const std::string both = refusal ? std::string(refusal.row) + "\n" + refusal.text : "";
    strncpy(text, both.c_str(), capacity - 1);
}
} // namespace

extern "C" {
// The rows, four lines each: id, argument, what is allowed, what is there instead.
const char *ShimContract()
{
#define ROW(id, argument, allowed, instead, cann) #id "\n" argument "\n" allowed "\n" instead "\n"
    return
#include "fa_contract_rows.h"
        ;
#undef ROW
}

// refusal: why the call is refused. data, if it is not: what the parser fills of it.
void ShimParse(const ShimCall *shim, const ShimTensor *outputs, FlashAttentionScoreTilingData *data, char *refusal,
               size_t capacity)
{
    FaProblem problem = FaProblem();
    FaCall call = CallOf(*shim);
    for (size_t i = 0; i < FA_OUTPUTS; i++) {
        call.outputs[i] = TensorOf(outputs[i]);
    }
    const FaRefusal found = ParseFaProblem(call, problem);
    WriteRefusal(found, refusal, capacity);
    if (!found) {
        data->problem = problem;
    }
}

// The same for a gradient. saved: dy, softmax_max, softmax_sum, attention_in, d_scale_dy, d_scale_o.
void ShimParseGradient(const ShimCall *shim, const ShimTensor *saved, const ShimTensor *gradients, char *refusal,
                       size_t capacity)
{
    FagCall call;
    call.forward = CallOf(*shim);
    call.dy = TensorOf(saved[0]);
    call.softmaxMax = TensorOf(saved[1]);
    call.softmaxSum = TensorOf(saved[2]);
    call.attentionIn = TensorOf(saved[3]);
    call.scales[0] = TensorOf(saved[4]);
    call.scales[1] = TensorOf(saved[5]);
    for (size_t i = 0; i < FAG_OUTPUTS; i++) {
        call.gradients[i] = TensorOf(gradients[i]);
    }
    FaProblem problem = FaProblem();
    FagResults results = FagResults();
    WriteRefusal(ParseFagProblem(call, problem, results), refusal, capacity);
}
}
