// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A gradient call: the forward call that it belongs to, and what comes on top.
#ifndef FAG_PROBLEM_PARSER_H
#define FAG_PROBLEM_PARSER_H
#include <string>
#include "../../flash_attention_score/op_host/fa_problem_parser.h"
#include "fag_op_indices.h"

struct FagCall {
    FaCall forward; // without outputs
    FaTensor dy;
    FaTensor softmaxMax;
    FaTensor softmaxSum;
    FaTensor attentionIn;
    FaTensor scales[2];              // d_scale_dy, d_scale_o
    FaTensor gradients[FAG_OUTPUTS]; // checked where given
};

// What the caller wants beside the gradients of query, key and value: an output without elements is of no use to it.
struct FagResults {
    int64_t shiftElems; // elements of dpse
    bool queryRope;
    bool keyRope;
    bool sink;
};

// Accepted: every field of problem and results is assigned.
FaRefusal ParseFagProblem(const FagCall &call, FaProblem &problem, FagResults &results);
#endif
