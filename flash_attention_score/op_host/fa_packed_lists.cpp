// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_packed_lists.h"
#include "fa_shape_checks.h"

namespace {
struct PackedSide {
    FaInput list;
    const char *listName;
    FaInput tensor;
    const char *tensorName;
};

const PackedSide QUERY_SIDE = {FA_ACTUAL_SEQ_QLEN, "actual_seq_qlen", FA_QUERY, "query"};
const PackedSide KEY_SIDE = {FA_ACTUAL_SEQ_KVLEN, "actual_seq_kvlen", FA_KEY, "key"};

// From cumulative values to the ends of the sequences, which never go back.
FaRefusal ParseEnds(const FaCall &call, const PackedSide &side, std::vector<int64_t> &ends, int64_t &longest)
{
    if (!call.inputs[side.list].given) {
        return FA_REFUSE(LIST_MISSING, side.listName);
    }
    std::vector<int64_t> values;
    const FaRefusal refusal = FaReadList(call.inputs[side.list], side.listName, values);
    if (refusal) {
        return refusal;
    }
    const int64_t tokens = call.inputs[side.tensor].shape[0];
    int64_t before = 0;
    int64_t end = 0;
    ends.clear();
    longest = 0;
    for (int64_t value : values) {
        if (value < 0) {
            return FA_REFUSE(LIST_NEGATIVE, side.listName, value);
        }
        const int64_t length = FaMax(value - before, 0);
        if (length > tokens - end) {
            return FA_REFUSE(TOKENS, side.tensorName, tokens, ends.size(), side.listName, value);
        }
        before = value;
        end += length;
        longest = FaMax(longest, length);
        ends.push_back(end);
    }
    return FaRefusal();
}

int64_t LengthAt(const std::vector<int64_t> &ends, size_t i)
{
    return i == 0 ? ends[0] : ends[i] - ends[i - 1];
}
} // namespace

FaRefusal FaReadList(const FaTensor &list, const char *name, std::vector<int64_t> &values)
{
    values.clear();
    if (!FaIsGiven(list)) {
        return FaRefusal();
    }
    if (list.shape.size() != 1) {
        return FA_REFUSE(LIST_RANK, name, FaShapeText(list.shape).c_str());
    }
    if (!list.hasValues) {
        return FA_REFUSE(LIST_VALUES, name, FaShapeText(list.shape).c_str());
    }
    values = list.values;
    return FaRefusal();
}

FaRefusal ParseFaPackedLists(const FaCall &call, FaProblem &problem)
{
    FaRefusal refusal = ParseEnds(call, QUERY_SIDE, problem.queryEnds, problem.s1);
    if (!refusal) {
        refusal = ParseEnds(call, KEY_SIDE, problem.keyEnds, problem.s2);
    }
    if (!refusal && problem.queryEnds.size() != problem.keyEnds.size()) {
        refusal = FA_REFUSE(LIST_LENGTHS, problem.queryEnds.size(), problem.keyEnds.size());
    }
    if (refusal) {
        return refusal;
    }
    const int64_t tokens = call.inputs[FA_QUERY].shape[0];
    const int64_t end = problem.queryEnds.empty() ? 0 : problem.queryEnds.back();
    problem.b = static_cast<int64_t>(problem.queryEnds.size());
    problem.sequences.listed = problem.b;
    problem.sequences.segments = problem.b + (tokens > end ? 1 : 0);
    problem.sequences.tokens = tokens;
    problem.sequences.keyTokens = call.inputs[FA_KEY].shape[0];
    return FaRefusal();
}

FaLengths FaLengthsOf(const FaProblem &problem, int64_t index)
{
    if (problem.sequences.listed == 0) {
        return FaLengths{problem.s1, problem.s2};
    }
    const size_t i = static_cast<size_t>(index);
    return FaLengths{LengthAt(problem.queryEnds, i), LengthAt(problem.keyEnds, i)};
}
