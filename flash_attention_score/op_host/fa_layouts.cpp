// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_layouts.h"

namespace {
constexpr int64_t MAX_LENGTH = INT32_MAX; // so that windows of INT32_MAX hide nothing
const char *const NAMES[] = {"query", "key", "value"};

FaRefusal CheckCommonAxes(const FaCall &call, const FaLayoutAxes &layout)
{
    const FaDims &query = call.inputs[FA_QUERY].shape;
    const FaDims &key = call.inputs[FA_KEY].shape;
    const FaDims &value = call.inputs[FA_VALUE].shape;
    for (int i = FA_QUERY; i <= FA_VALUE; i++) {
        const FaRefusal refusal = FaCheckRank(NAMES[i], call.inputs[i].shape, layout.rank, layout.name);
        if (refusal) {
            return refusal;
        }
    }
    if (layout.b >= 0) {
        const size_t b = static_cast<size_t>(layout.b);
        if (key[b] != query[b] || value[b] != query[b]) {
            return FA_REFUSE(BATCH, query[b], key[b], value[b]);
        }
    }
    if (key[layout.s] != value[layout.s]) {
        return FA_REFUSE(KEY_LENGTH, key[layout.s], value[layout.s]);
    }
    return FaRefusal();
}

FaRefusal SplitHeads(const FaCall &call, const FaLayoutAxes &layout, FaProblem &problem)
{
    FaHeads heads = FaHeads();
    const FaRefusal refusal = FaSplitHeads(layout.name, call.inputs[FA_QUERY].shape[2], call.inputs[FA_KEY].shape[2],
                                           call.inputs[FA_VALUE].shape[2], call.headNum, heads);
    problem.n1 = call.headNum;
    problem.n2 = heads.n2;
    problem.d = heads.d;
    problem.dv = heads.dv;
    return refusal;
}

FaRefusal TakeHeads(const FaCall &call, const FaLayoutAxes &layout, FaProblem &problem)
{
    const size_t n = static_cast<size_t>(layout.n);
    const FaDims &query = call.inputs[FA_QUERY].shape;
    const FaDims &key = call.inputs[FA_KEY].shape;
    const FaDims &value = call.inputs[FA_VALUE].shape;
    problem.n1 = query[n];
    problem.n2 = key[n];
    problem.d = query.back();
    problem.dv = value.back();
    if (problem.n1 != call.headNum) {
        return FA_REFUSE(HEADS_OF_QUERY, n, layout.name, call.headNum, FaShapeText(query).c_str());
    }
    if (value[n] != problem.n2) {
        return FA_REFUSE(KEY_HEADS, problem.n2, value[n]);
    }
    if (key.back() != problem.d) {
        return FA_REFUSE(ONE_HEAD_DIM, problem.d, key.back());
    }
    return FaRefusal();
}

FaRefusal CheckHeads(const FaProblem &problem)
{
    if (problem.n2 <= 0 || problem.n1 % problem.n2 != 0) {
        return FA_REFUSE(GROUPS, problem.n1, problem.n2);
    }
    if (problem.d <= 0 || problem.d > FA_MAX_HEAD_DIM) {
        return FA_REFUSE(HEAD_DIM, FA_MAX_HEAD_DIM, problem.d);
    }
    if (problem.dv <= 0 || problem.dv > problem.d) {
        return FA_REFUSE(VALUE_HEAD_DIM, problem.d, problem.dv);
    }
    return FaRefusal();
}

// Empty axes count as 1: strides do not know them.
bool HasTooManyElements(int64_t b, int64_t n, int64_t s, int64_t d)
{
    return FaProduct({FaMax(b, 1), FaMax(n, 1), FaMax(s, 1), FaMax(d, 1)}) > FA_MAX_ELEMENTS;
}

FaRefusal CheckSizes(const FaProblem &problem)
{
    const struct {
        const char *tensor;
        const char *length;
        int64_t heads;
        int64_t rows;
    } sides[] = {{"query", "S1", problem.n1, problem.s1}, {"key", "S2", problem.n2, problem.s2}};
    for (const auto &side : sides) {
        if (side.rows > MAX_LENGTH) {
            return FA_REFUSE(LENGTH, side.length, side.tensor, MAX_LENGTH, side.rows);
        }
        if (HasTooManyElements(problem.b, side.heads, side.rows, problem.d)) {
            const std::string sizes = FaShapeText({problem.b, side.heads, side.rows, problem.d});
            return FA_REFUSE(ELEMENTS, side.tensor, ("[B, N, S, D] = " + sizes).c_str());
        }
    }
    return FaRefusal();
}

// Every layout is read in place: only the row pitch and the order of the axes differ.
FaTensorStrides Strides(const FaLayoutAxes &layout, const FaProblem &problem, int64_t heads, int64_t length,
                        int64_t dim)
{
    const int64_t row = heads * dim; // all heads of one token
    if (layout.b < 0) {
        return FaTensorStrides{0, dim, row};
    }
    if (layout.n == 1) {
        return FaTensorStrides{heads * length * dim, length * dim, dim};
    }
    if (layout.s == 0) {
        return FaTensorStrides{row, dim, problem.b * row};
    }
    return FaTensorStrides{length * row, dim, row};
}
} // namespace

FaRefusal FindFaLayout(const FaCall &call, FaProblem &problem)
{
    problem.layout = FaFindAxes(call.layout);
    return problem.layout != nullptr ? FaRefusal() : FA_REFUSE(INPUT_LAYOUT, call.layout.c_str());
}

FaRefusal ParseFaLayout(const FaCall &call, FaProblem &problem)
{
    const FaLayoutAxes &layout = *problem.layout;
    FaRefusal refusal = CheckCommonAxes(call, layout);
    if (!refusal) {
        refusal = layout.n < 0 ? SplitHeads(call, layout, problem) : TakeHeads(call, layout, problem);
    }
    if (!refusal) {
        refusal = CheckHeads(problem);
    }
    if (refusal) {
        return refusal;
    }
    problem.b = layout.b < 0 ? 1 : call.inputs[FA_QUERY].shape[static_cast<size_t>(layout.b)];
    problem.s1 = call.inputs[FA_QUERY].shape[layout.s];
    problem.s2 = call.inputs[FA_KEY].shape[layout.s];
    problem.query = Strides(layout, problem, problem.n1, problem.s1, problem.d);
    problem.key = Strides(layout, problem, problem.n2, problem.s2, problem.d);
    problem.value = Strides(layout, problem, problem.n2, problem.s2, problem.dv);
    problem.out = Strides(layout, problem, problem.n1, problem.s1, problem.dv);
    problem.sequences = FaSequences{problem.b, 0, 0, 0, 0, 0};
    return CheckSizes(problem);
}

FaDims FaAttentionShape(const FaCall &call, const FaProblem &problem)
{
    FaDims shape = call.inputs[FA_QUERY].shape;
    shape.back() = problem.layout->n < 0 ? problem.n1 * problem.dv : problem.dv;
    return shape;
}
