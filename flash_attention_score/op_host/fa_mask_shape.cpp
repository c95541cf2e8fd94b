// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_mask_shape.h"
#include "fa_mask_rule.h"
#include "fa_packed_lists.h"
#include "fa_shape_checks.h"

namespace {
constexpr int64_t COMPRESSED_KEYS = 2048;
constexpr int64_t COMPRESSED_QUERIES = 2048;
constexpr int64_t PREFIX_QUERIES = 3072;

// Such a mode is arithmetic: its tensor is accepted for the sake of callers that must pass it elsewhere.
FaRefusal CheckCompressedMask(const FaCall &call)
{
    const int64_t rows = call.sparseMode == FA_PREFIX_COMPRESSED ? PREFIX_QUERIES : COMPRESSED_QUERIES;
    const FaDims &shape = call.inputs[FA_ATTEN_MASK].shape;
    const size_t rank = shape.size();
    const bool fits = rank >= 2 && shape[rank - 2] == rows && shape[rank - 1] == COMPRESSED_KEYS;
    if (fits && (rank == 2 || (rank == 4 && shape[0] == 1 && shape[1] == 1))) {
        return FaRefusal();
    }
    return FA_REFUSE(MASK_COMPRESSED, rows, COMPRESSED_KEYS, call.sparseMode, FaShapeText(shape).c_str());
}

bool IsOneOr(int64_t dim, int64_t full)
{
    return dim == 1 || dim == full;
}

// TND: [max S1, max S2], read at the places inside a sequence, or [sum of S1, sum of S2], read at the tokens.
FaRefusal ParsePackedMask(const FaDims &shape, FaProblem &problem)
{
    const int64_t queries = problem.b == 0 ? 0 : problem.queryEnds.back();
    const int64_t keys = problem.b == 0 ? 0 : problem.keyEnds.back();
    const bool local = IsOneOr(shape[0], problem.s1) && IsOneOr(shape[1], problem.s2);
    if (!local && !(IsOneOr(shape[0], queries) && IsOneOr(shape[1], keys))) {
        return FA_REFUSE(MASK_PACKED, problem.s1, problem.s2, queries, keys, FaShapeText(shape).c_str());
    }
    problem.sequences.maskPerToken = local ? 0 : 1;
    problem.maskTensor.s1 = shape[0] == 1 ? 0 : shape[1];
    problem.maskTensor.s2 = shape[1] == 1 ? 0 : 1;
    return FaRefusal();
}

FaRefusal ParseFullMask(const FaDims &shape, bool packed, FaProblem &problem)
{
    if (packed && shape.size() == 2) {
        return ParsePackedMask(shape, problem);
    }
    FaDims strides;
    const FaRefusal refusal =
        FaBroadcast("atten_mask", shape, {problem.b, problem.n1, problem.s1, problem.s2}, strides);
    if (!refusal) {
        problem.maskTensor = FaMaskTensorStrides{strides[0], strides[1], strides[2], strides[3]};
    }
    return refusal;
}
} // namespace

FaRefusal ParseFaMaskTensor(const FaCall &call, FaProblem &problem)
{
    problem.hasMaskTensor = false;
    problem.maskTensor = FaMaskTensorStrides{0, 0, 0, 0};
    const FaTensor &tensor = call.inputs[FA_ATTEN_MASK];
    if (!tensor.given) {
        return FaRefusal();
    }
    if (tensor.dtype != ge::DT_BOOL && tensor.dtype != ge::DT_UINT8) {
        return FA_REFUSE(MASK_TYPE, FaTypeName(tensor.dtype).c_str());
    }
    const bool full = call.sparseMode < FA_LEFT_UP_CAUSAL || call.sparseMode == FA_PREFIX_MASKED;
    if (!full) {
        return CheckCompressedMask(call);
    }
    problem.hasMaskTensor = true;
    return ParseFullMask(tensor.shape, FaIsPacked(call), problem);
}
