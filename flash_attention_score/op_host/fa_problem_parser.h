// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// From the shapes and attributes of a call to the problem that is planned, or to the reason why the call is refused.
#ifndef FA_PROBLEM_PARSER_H
#define FA_PROBLEM_PARSER_H
#include <cstdint>
#include <string>
#include <vector>
#include "graph/types.h"
#include "../op_kernel/flash_attention_score_tiling_data.h"
#include "fa_contract.h"
#include "fa_op_indices.h"
#include "fa_tuning.h"

struct FaTensor {
    bool given;
    ge::DataType dtype;
    std::vector<int64_t> shape;
    bool hasValues; // the host could read the list
    std::vector<int64_t> values;

    FaTensor() : given(false), dtype(ge::DT_UNDEFINED), hasValues(false)
    {
    }
};

// A tensor of shape [0] is how some callers leave one out.
inline bool FaIsGiven(const FaTensor &tensor)
{
    return tensor.given && !(tensor.shape.size() == 1 && tensor.shape[0] == 0);
}

// A call as the framework hands it over; the defaults are those of the operator definition.
struct FaCall {
    FaTensor inputs[FA_INPUTS];
    FaTensor outputs[FA_OUTPUTS]; // checked where given
    float scale;
    float keepProb;
    int64_t preTokens;
    int64_t nextTokens;
    int64_t headNum;
    std::string layout;
    int64_t sparseMode;
    int64_t pseType;
    int64_t outDtype;
    std::string softmaxOutLayout;

    FaCall()
        : scale(1.0f), keepProb(1.0f), preTokens(INT32_MAX), nextTokens(INT32_MAX), headNum(0), sparseMode(0),
          pseType(1), outDtype(0)
    {
    }
};

struct FaLayoutAxes; // fa_layout_axes.h

struct FaProblem : FaProblemData {
    ge::DataType dtype;
    const FaLayoutAxes *layout;
    FaMaskParam mask;               // of every segment when they are alike, i.e. outside TND and without a prefix
    std::vector<int64_t> queryEnds; // running sums of the lengths, TND only; s1 and s2 are then the maxima
    std::vector<int64_t> keyEnds;
    std::vector<int64_t> prefixes; // sparse_mode 5 and 6
    FaTuning tuning;
};

// d_scale_* belong to 8-bit inputs.
FaRefusal FaCheckNoScale(const FaTensor &scale, const char *name);

// Accepted: every field of problem but tuning is assigned.
FaRefusal ParseFaProblem(const FaCall &call, FaProblem &problem);
#endif
