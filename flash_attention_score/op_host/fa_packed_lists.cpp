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
std::string ParseEnds(const FaCall &call, const PackedSide &side, std::vector<int64_t> &ends, int64_t &longest)
{
    if (!call.inputs[side.list].given) {
        return FaFormat("%s is required for input_layout TND: cumulative lengths without a leading 0", side.listName);
    }
    std::vector<int64_t> values;
    const std::string refusal = FaReadList(call.inputs[side.list], side.listName, values);
    if (!refusal.empty()) {
        return refusal;
    }
    const int64_t tokens = call.inputs[side.tensor].shape[0];
    int64_t before = 0;
    int64_t end = 0;
    ends.clear();
    longest = 0;
    for (int64_t value : values) {
        if (value < 0) {
            return FaFormat("%s must not be negative, got %" PRId64, side.listName, value);
        }
        const int64_t length = FaMax(value - before, 0);
        if (length > tokens - end) {
            return FaFormat("%s has %" PRId64 " tokens, the sequences of %s more: sequence %zu ends at %" PRId64,
                            side.tensorName, tokens, side.listName, ends.size(), value);
        }
        before = value;
        end += length;
        longest = FaMax(longest, length);
        ends.push_back(end);
    }
    return "";
}

int64_t LengthAt(const std::vector<int64_t> &ends, size_t i)
{
    return i == 0 ? ends[0] : ends[i] - ends[i - 1];
}
} // namespace

std::string FaReadList(const FaTensor &list, const char *name, std::vector<int64_t> &values)
{
    values.clear();
    if (!FaIsGiven(list)) {
        return "";
    }
    if (list.shape.size() != 1) {
        return FaFormat("%s must have 1 dimension, got %s", name, FaShapeText(list.shape).c_str());
    }
    if (!list.hasValues) {
        return FaFormat("the values of %s must be known to the host", name);
    }
    values = list.values;
    return "";
}

std::string ParseFaPackedLists(const FaCall &call, FaProblem &problem)
{
    std::string refusal = ParseEnds(call, QUERY_SIDE, problem.queryEnds, problem.s1);
    if (refusal.empty()) {
        refusal = ParseEnds(call, KEY_SIDE, problem.keyEnds, problem.s2);
    }
    if (refusal.empty() && problem.queryEnds.size() != problem.keyEnds.size()) {
        refusal = FaFormat("actual_seq_qlen and actual_seq_kvlen must have one length, got %zu and %zu",
                           problem.queryEnds.size(), problem.keyEnds.size());
    }
    if (!refusal.empty()) {
        return refusal;
    }
    const int64_t tokens = call.inputs[FA_QUERY].shape[0];
    const int64_t end = problem.queryEnds.empty() ? 0 : problem.queryEnds.back();
    problem.b = static_cast<int64_t>(problem.queryEnds.size());
    problem.sequences.listed = problem.b;
    problem.sequences.segments = problem.b + (tokens > end ? 1 : 0);
    problem.sequences.tokens = tokens;
    problem.sequences.keyTokens = call.inputs[FA_KEY].shape[0];
    return "";
}

FaLengths FaLengthsOf(const FaProblem &problem, int64_t index)
{
    if (problem.sequences.listed == 0) {
        return FaLengths{problem.s1, problem.s2};
    }
    const size_t i = static_cast<size_t>(index);
    return FaLengths{LengthAt(problem.queryEnds, i), LengthAt(problem.keyEnds, i)};
}
