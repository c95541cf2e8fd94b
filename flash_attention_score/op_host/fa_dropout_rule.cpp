// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_dropout_rule.h"
#include "fa_packed_lists.h"
#include "fa_shape_checks.h"

namespace {
constexpr int64_t BITS = 8; // scores of a byte of drop_mask

// N1 * S1 * S2 of every batch or sequence.
int64_t CountScores(const FaCall &call, const FaProblem &problem)
{
    if (!FaIsPacked(call)) {
        return FaProduct({problem.b, problem.n1, problem.s1, problem.s2});
    }
    int64_t scores = 0;
    for (int64_t i = 0; i < problem.b; i++) {
        const FaLengths lengths = FaLengthsOf(problem, i);
        scores = FaSum(scores, FaProduct({problem.n1, lengths.s1, lengths.s2}));
    }
    return scores;
}
} // namespace

FaRefusal ParseFaDropout(const FaCall &call, FaProblem &problem)
{
    problem.dropout = FaDropoutParam{0, 1.0f};
    if (!(call.keepProb > 0.0f && call.keepProb <= 1.0f)) {
        return FA_REFUSE(KEEP_PROB, static_cast<double>(call.keepProb));
    }
    const FaTensor &tensor = call.inputs[FA_DROP_MASK];
    const int64_t scores = CountScores(call, problem);
    if (!FaIsGiven(tensor)) {
        return call.keepProb == 1.0f || scores == 0 ? FaRefusal()
                                                    : FA_REFUSE(DROP_MASK_MISSING, static_cast<double>(call.keepProb));
    }
    if (tensor.dtype != ge::DT_UINT8) {
        return FA_REFUSE(DROP_MASK_TYPE, FaTypeName(tensor.dtype).c_str());
    }
    int64_t bytes = 1;
    for (int64_t dim : tensor.shape) {
        bytes = FaProduct({bytes, dim});
    }
    const int64_t needed = scores / BITS + (scores % BITS != 0 ? 1 : 0);
    if (bytes < needed) {
        return FA_REFUSE(DROP_MASK_SIZE, needed, scores, bytes);
    }
    problem.dropout = FaDropoutParam{1, call.keepProb};
    return FaRefusal();
}
