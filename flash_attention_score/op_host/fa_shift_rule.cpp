// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
//   pse_type  real_shift                      data type
//   0, 1      [B, N1, S1, S2], each           query's; pse_type 0 also float32
//             dimension 1 or full, [S1, S2];
//             S1, S2 of the longest of TND
//             alibi: [B, N1, 1024, S2]
//             TND: [N1 * sum of S2],
//             [N1 * sum of S1 * S2]
//   2, 3      slopes: [N1] or [B, N1]         float32
#include "fa_shift_rule.h"
#include "../op_kernel/fa_tile_limits.h"
#include "fa_mask_rule.h"
#include "fa_packed_lists.h"
#include "fa_shape_checks.h"

namespace {
constexpr int64_t MAX_DISTANCE = 1LL << 24; // up to which float32 counts exactly

enum PseType { ADD_THEN_SCALE = 1, SCALE_THEN_ADD = 0, SLOPES = 2, SQRT_SLOPES = 3 };

struct PackedSizes {
    int64_t row;  // elements of [N1][1][S2] of all sequences
    int64_t full; // of [N1][S1][S2]
    bool differ;  // false: both are the same elements
};

PackedSizes CountPacked(const FaProblem &problem)
{
    PackedSizes sizes = {0, 0, false};
    for (int64_t i = 0; i < problem.b; i++) {
        const FaLengths lengths = FaLengthsOf(problem, i);
        sizes.row += problem.n1 * lengths.s2;
        sizes.full = FaSum(sizes.full, FaProduct({problem.n1, lengths.s1, lengths.s2}));
        sizes.differ = sizes.differ || (lengths.s1 != 1 && lengths.s2 > 0);
    }
    return sizes;
}

// The other dimensions are 1.
bool IsFlat(const FaDims &shape)
{
    for (size_t i = 1; i < shape.size(); i++) {
        if (shape[i] != 1) {
            return false;
        }
    }
    return !shape.empty();
}

FaRefusal ParsePackedShift(const PackedSizes &sizes, const FaDims &shape, FaProblem &problem)
{
    if (sizes.row == sizes.full && sizes.differ) {
        return FA_REFUSE(SHIFT_AMBIGUOUS, FaShapeText(shape).c_str());
    }
    problem.shift.place = shape[0] == sizes.row ? FA_SHIFT_PACKED_ROW : FA_SHIFT_PACKED_FULL;
    problem.shift.s2 = 1;
    return FaRefusal();
}

// The rows that the table does not hold follow from those that it does, if shift is a function of j - i.
FaRefusal CheckAlibi(const FaCall &call, const FaProblem &problem)
{
    const FaMaskRule &rule = problem.rule;
    for (int64_t i = 0; i < problem.b; i++) {
        const FaLengths lengths = FaLengthsOf(problem, i);
        const bool empty = lengths.s1 == 0 && lengths.s2 == 0;
        if (!empty && (lengths.s1 != problem.s2 || lengths.s2 != problem.s2)) {
            return FA_REFUSE(ALIBI_LENGTHS, lengths.s1, lengths.s2, problem.s2);
        }
        const FaMaskParam mask = FaMaskOfSegment(rule, i, lengths.s1, lengths.s2, 0);
        if (!empty && (mask.hi != 0 || mask.lo > 1 - lengths.s1 || rule.hasPrefix != 0 || rule.bandSegment >= 0)) {
            return FA_REFUSE(ALIBI_CAUSAL, call.sparseMode, call.preTokens, call.nextTokens);
        }
    }
    return FaRefusal();
}

void SetStrides(const FaDims &strides, FaShiftParam &shift)
{
    shift.b = strides[0];
    shift.n = strides[1];
    shift.s1 = strides[2];
    shift.s2 = strides[3];
}

FaRefusal ParseAlibi(const FaCall &call, FaProblem &problem)
{
    const FaDims &shape = call.inputs[FA_REAL_SHIFT].shape;
    if (problem.s1 < FA_ALIBI_ROWS) {
        return FA_REFUSE(ALIBI_ROWS, problem.s1);
    }
    FaDims strides;
    FaRefusal refusal = FaBroadcast("real_shift", shape, {problem.b, problem.n1, FA_ALIBI_ROWS, problem.s2}, strides);
    if (!refusal && shape[3] != problem.s2) {
        refusal = FA_REFUSE(ALIBI_KEYS, problem.s2, FaShapeText(shape).c_str());
    }
    if (!refusal) {
        refusal = CheckAlibi(call, problem);
    }
    if (refusal) {
        return refusal;
    }
    problem.shift.place = FA_SHIFT_ALIBI;
    SetStrides(strides, problem.shift);
    return FaRefusal();
}

FaRefusal ParseShiftTensor(const FaCall &call, FaProblem &problem)
{
    const FaTensor &tensor = call.inputs[FA_REAL_SHIFT];
    const bool isFloat = tensor.dtype == ge::DT_FLOAT;
    if (tensor.dtype != problem.dtype && !(isFloat && call.pseType == SCALE_THEN_ADD)) {
        return FA_REFUSE(SHIFT_TYPE, FaTypeName(problem.dtype).c_str(), call.pseType,
                         call.pseType == SCALE_THEN_ADD ? " or be float32" : "", FaTypeName(tensor.dtype).c_str());
    }
    problem.shift.kind = call.pseType == ADD_THEN_SCALE ? FA_SHIFT_BEFORE_SCALE : FA_SHIFT_AFTER_SCALE;
    problem.shift.isFloat = isFloat ? 1 : 0;
    const FaDims &shape = tensor.shape;
    const bool packed = FaIsPacked(call);
    const PackedSizes sizes = packed ? CountPacked(problem) : PackedSizes{0, 0, false};
    if (packed && IsFlat(shape) && (shape[0] == sizes.row || shape[0] == sizes.full)) {
        return ParsePackedShift(sizes, shape, problem);
    }
    if (shape.size() == 4 && shape[2] == FA_ALIBI_ROWS && problem.s1 != FA_ALIBI_ROWS) {
        return ParseAlibi(call, problem);
    }
    FaDims strides;
    const FaRefusal refusal =
        FaBroadcast("real_shift", shape, {problem.b, problem.n1, problem.s1, problem.s2}, strides);
    if (refusal) {
        return packed
                   ? FA_REFUSE(SHIFT_PACKED, sizes.row, sizes.full, problem.s1, problem.s2, FaShapeText(shape).c_str())
                   : refusal;
    }
    SetStrides(strides, problem.shift);
    return FaRefusal();
}

// A list of one index each; no list: 0, and the two come together.
FaRefusal ReadStart(const FaCall &call, int64_t &start)
{
    std::vector<int64_t> query;
    std::vector<int64_t> key;
    FaRefusal refusal = FaReadList(call.inputs[FA_Q_START_IDX], "q_start_idx", query);
    if (!refusal) {
        refusal = FaReadList(call.inputs[FA_KV_START_IDX], "kv_start_idx", key);
    }
    if (refusal) {
        return refusal;
    }
    if (query.size() > 1 || key.size() > 1) {
        return FA_REFUSE(START_COUNT, query.size(), key.size());
    }
    const int64_t queryStart = query.empty() ? 0 : query[0];
    const int64_t keyStart = key.empty() ? 0 : key[0];
    const bool nothing = queryStart == 0 && keyStart == 0;
    if (query.empty() != key.empty() && !nothing) {
        return FA_REFUSE(START_ALONE, query.empty() ? "kv_start_idx" : "q_start_idx");
    }
    if (!nothing && call.pseType != SLOPES && call.pseType != SQRT_SLOPES) {
        return FA_REFUSE(START_TYPE, queryStart, keyStart, call.pseType);
    }
    for (int64_t index : {queryStart, keyStart}) {
        if (index > MAX_DISTANCE || index < -MAX_DISTANCE) {
            return FA_REFUSE(START_RANGE, index);
        }
    }
    start = keyStart - queryStart;
    return FaRefusal();
}

// Distances count from the start of a sequence; only the band of sparse_mode 8 continues an earlier one.
FaRefusal CheckBandStart(const FaProblem &problem)
{
    for (int64_t i = 0; i < problem.b; i++) {
        const FaLengths lengths = FaLengthsOf(problem, i);
        const int64_t start = i == problem.rule.bandSegment ? problem.shift.start : 0;
        if (lengths.s1 > 0 && lengths.s1 - lengths.s2 != start) {
            return FA_REFUSE(SLOPES_BAND, lengths.s1, lengths.s2, start, i);
        }
    }
    return FaRefusal();
}

FaRefusal ParseSlopes(const FaCall &call, FaProblem &problem)
{
    const FaTensor &tensor = call.inputs[FA_REAL_SHIFT];
    const FaDims &shape = tensor.shape;
    if (tensor.dtype != ge::DT_FLOAT) {
        return FA_REFUSE(SLOPES_TYPE, call.pseType, FaTypeName(tensor.dtype).c_str());
    }
    const bool perBatch = shape.size() == 2 && (shape[0] == problem.b || shape[0] == 1);
    if ((shape.size() != 1 && !perBatch) || shape.back() != problem.n1) {
        return FA_REFUSE(SLOPES_SHAPE, call.pseType, problem.b, problem.n1, FaShapeText(shape).c_str());
    }
    if (call.sparseMode == FA_RIGHT_DOWN_CAUSAL_BAND) {
        return FA_REFUSE(SLOPES_MODE, call.pseType);
    }
    FaShiftParam &shift = problem.shift;
    if (FaMax(problem.s1, problem.s2) + FaMax(shift.start, -shift.start) > MAX_DISTANCE) {
        return FA_REFUSE(SLOPES_DISTANCE, problem.s1, problem.s2, shift.start);
    }
    shift.kind = call.pseType == SLOPES ? FA_SHIFT_SLOPE : FA_SHIFT_SLOPE_SQRT;
    shift.isFloat = 1;
    shift.n = 1;
    shift.b = perBatch && shape[0] != 1 ? problem.n1 : 0;
    if (call.sparseMode != FA_LEFT_UP_CAUSAL_BAND) {
        return FaRefusal();
    }
    shift.onlyInBand = 1;
    return CheckBandStart(problem);
}
} // namespace

FaRefusal ParseFaShift(const FaCall &call, FaProblem &problem)
{
    problem.shift = FaShiftParam(); // FA_SHIFT_NONE, FA_SHIFT_STRIDED
    if (call.pseType < 0 || call.pseType > 3) {
        return FA_REFUSE(PSE_TYPE, call.pseType);
    }
    const FaRefusal refusal = ReadStart(call, problem.shift.start);
    if (refusal) {
        return refusal;
    }
    if (!FaIsGiven(call.inputs[FA_REAL_SHIFT])) {
        return call.pseType == ADD_THEN_SCALE ? FaRefusal() : FA_REFUSE(PSE_TYPE_ALONE, call.pseType);
    }
    return call.pseType == SLOPES || call.pseType == SQRT_SLOPES ? ParseSlopes(call, problem)
                                                                 : ParseShiftTensor(call, problem);
}
