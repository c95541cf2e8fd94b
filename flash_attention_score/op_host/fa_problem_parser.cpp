// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_problem_parser.h"
#include "fa_mask_rule.h"
#include "fa_shape_checks.h"

namespace {
constexpr int64_t MAX_HEAD_DIM = 768;
constexpr int64_t MAX_LENGTH = INT32_MAX;   // so that windows of INT32_MAX hide nothing
constexpr int64_t MAX_ELEMENTS = 1LL << 56; // so that no byte count of a tensor or workspace overflows
constexpr int64_t STATISTICS = 8;           // equal copies of a row's max or sum

// Dimension that holds each axis; -1: heads are folded into the last dimension.
struct LayoutAxes {
    const char *name;
    size_t rank;
    size_t b;
    size_t s;
    int n;
};

const LayoutAxes LAYOUTS[] = {
    {"BSH", 3, 0, 1, -1},
    {"SBH", 3, 1, 0, -1},
    {"BSND", 4, 0, 1, 2},
    {"BNSD", 4, 0, 2, 1},
};

struct NotYet {
    FaInput input;
    const char *name;
    const char *reason;
};

// Inputs that the interface has and this version does not compute with. An empty list counts as absent.
const NotYet NOT_YET[] = {
    {FA_REAL_SHIFT, "real_shift (pse)", "positional shift is not supported yet"},
    {FA_DROP_MASK, "drop_mask", "dropout is not supported yet"},
    {FA_PADDING_MASK, "padding_mask", "it is reserved; put padding into atten_mask, [B, 1, 1, S2]"},
    {FA_PREFIX, "prefix", "sparse_mode 5 and 6 are not supported yet"},
    {FA_ACTUAL_SEQ_QLEN, "actual_seq_qlen", "input_layout TND is not supported yet"},
    {FA_ACTUAL_SEQ_KVLEN, "actual_seq_kvlen", "input_layout TND is not supported yet"},
    {FA_Q_START_IDX, "q_start_idx", "pse_type 2 and 3 are not supported yet"},
    {FA_KV_START_IDX, "kv_start_idx", "pse_type 2 and 3 are not supported yet"},
    {FA_D_SCALE_Q, "d_scale_q", "it belongs to 8-bit inputs, which are not supported"},
    {FA_D_SCALE_K, "d_scale_k", "it belongs to 8-bit inputs, which are not supported"},
    {FA_D_SCALE_V, "d_scale_v", "it belongs to 8-bit inputs, which are not supported"},
    {FA_QUERY_ROPE, "query_rope", "rotary parts are not supported yet"},
    {FA_KEY_ROPE, "key_rope", "rotary parts are not supported yet"},
    {FA_SINK, "sink", "it is not supported yet"},
};

bool IsEmpty(const FaTensor &tensor)
{
    for (int64_t dim : tensor.shape) {
        if (dim == 0) {
            return true;
        }
    }
    return false;
}

std::string CheckInputs(const FaCall &call)
{
    static const char *const NAMES[] = {"query", "key", "value"};
    for (int i = FA_QUERY; i <= FA_VALUE; i++) {
        if (!call.inputs[i].given) {
            return FaFormat("%s is required", NAMES[i]);
        }
    }
    for (const NotYet &entry : NOT_YET) {
        if (call.inputs[entry.input].given && !IsEmpty(call.inputs[entry.input])) {
            return FaFormat("%s must not be given: %s", entry.name, entry.reason);
        }
    }
    const ge::DataType type = call.inputs[FA_QUERY].dtype;
    if (type != ge::DT_FLOAT && type != ge::DT_FLOAT16 && type != ge::DT_BF16) {
        return FaFormat("query must be float32, float16 or bfloat16, got data type %d", static_cast<int>(type));
    }
    for (int i = FA_KEY; i <= FA_VALUE; i++) {
        if (call.inputs[i].dtype != type) {
            return FaFormat("query, key and value must have one data type, got %d for query and %d for %s",
                            static_cast<int>(type), static_cast<int>(call.inputs[i].dtype), NAMES[i]);
        }
    }
    return "";
}

std::string CheckAttributes(const FaCall &call)
{
    const std::string refusal = FaCheckHeadNum(call.headNum);
    if (!refusal.empty()) {
        return refusal;
    }
    if (!(call.keepProb > 0.0f && call.keepProb <= 1.0f)) {
        return FaFormat("keep_prob must be in (0, 1], got %g", static_cast<double>(call.keepProb));
    }
    if (call.keepProb < 1.0f) {
        return FaFormat("keep_prob must be 1, got %g: dropout is not supported yet",
                        static_cast<double>(call.keepProb));
    }
    if (call.pseType < 0 || call.pseType > 3) {
        return FaFormat("pse_type must be 0, 1, 2 or 3, got %" PRId64, call.pseType);
    }
    if (call.pseType != 1) {
        return FaFormat("pse_type must be 1 when real_shift (pse) is absent, got %" PRId64, call.pseType);
    }
    if (call.outDtype != 0) {
        return FaFormat("out_dtype must be 0 (that of query), got %" PRId64, call.outDtype);
    }
    if (!call.softmaxOutLayout.empty()) {
        return FaFormat("softmax_out_layout must be empty outside input_layout TND, got %s",
                        call.softmaxOutLayout.c_str());
    }
    return "";
}

std::string FindLayout(const std::string &name, const LayoutAxes **layout)
{
    for (const LayoutAxes &candidate : LAYOUTS) {
        if (name == candidate.name) {
            *layout = &candidate;
            return "";
        }
    }
    if (name == "TND") {
        return "input_layout TND is not supported yet; allowed: BSH, SBH, BSND, BNSD";
    }
    return FaFormat("input_layout must be BSH, SBH, BSND or BNSD (upper case), got \"%s\"", name.c_str());
}

std::string CheckCommonAxes(const FaCall &call, const LayoutAxes &layout)
{
    static const char *const NAMES[] = {"query", "key", "value"};
    const FaDims &query = call.inputs[FA_QUERY].shape;
    const FaDims &key = call.inputs[FA_KEY].shape;
    const FaDims &value = call.inputs[FA_VALUE].shape;
    for (int i = FA_QUERY; i <= FA_VALUE; i++) {
        const std::string refusal = FaCheckRank(NAMES[i], call.inputs[i].shape, layout.rank, layout.name);
        if (!refusal.empty()) {
            return refusal;
        }
    }
    if (key[layout.b] != query[layout.b] || value[layout.b] != query[layout.b]) {
        return FaFormat("query, key and value must have one batch size, got %" PRId64 ", %" PRId64 " and %" PRId64,
                        query[layout.b], key[layout.b], value[layout.b]);
    }
    if (key[layout.s] != value[layout.s]) {
        return FaFormat("key and value must have one sequence length, got %" PRId64 " and %" PRId64, key[layout.s],
                        value[layout.s]);
    }
    return "";
}

std::string SplitHeads(const FaCall &call, const LayoutAxes &layout, FaProblem &problem)
{
    FaHeads heads = FaHeads();
    const std::string refusal = FaSplitHeads(layout.name, call.inputs[FA_QUERY].shape[2], call.inputs[FA_KEY].shape[2],
                                             call.inputs[FA_VALUE].shape[2], call.headNum, heads);
    problem.n1 = call.headNum;
    problem.n2 = heads.n2;
    problem.d = heads.d;
    problem.dv = heads.dv;
    return refusal;
}

std::string TakeHeads(const FaCall &call, const LayoutAxes &layout, FaProblem &problem)
{
    const size_t n = static_cast<size_t>(layout.n);
    const FaDims &query = call.inputs[FA_QUERY].shape;
    const FaDims &key = call.inputs[FA_KEY].shape;
    const FaDims &value = call.inputs[FA_VALUE].shape;
    problem.n1 = query[n];
    problem.n2 = key[n];
    problem.d = query[3];
    problem.dv = value[3];
    if (problem.n1 != call.headNum) {
        return FaFormat("head_num must equal query's dimension %zu for input_layout %s: got head_num %" PRId64
                        " and query %s",
                        n, layout.name, call.headNum, FaShapeText(query).c_str());
    }
    if (value[n] != problem.n2) {
        return FaFormat("key and value must have one number of heads, got %" PRId64 " and %" PRId64, problem.n2,
                        value[n]);
    }
    if (key[3] != problem.d) {
        return FaFormat("query and key must have one head dim, got %" PRId64 " and %" PRId64, problem.d, key[3]);
    }
    return "";
}

std::string CheckHeads(const FaProblem &problem)
{
    if (problem.n2 <= 0 || problem.n1 % problem.n2 != 0) {
        return FaFormat("query's heads must be a multiple of key's heads, got %" PRId64 " and %" PRId64, problem.n1,
                        problem.n2);
    }
    if (problem.d <= 0 || problem.d > MAX_HEAD_DIM) {
        return FaFormat("head dim of query and key must be 1..%" PRId64 ", got %" PRId64, MAX_HEAD_DIM, problem.d);
    }
    if (problem.dv <= 0 || problem.dv > problem.d) {
        return FaFormat("head dim of value must be 1..%" PRId64 " (that of key), got %" PRId64, problem.d, problem.dv);
    }
    return "";
}

// Elements of [b, n, s, d]; more than MAX_ELEMENTS: MAX_ELEMENTS + 1. Empty axes count as 1: strides do not know them.
int64_t CountElements(int64_t b, int64_t n, int64_t s, int64_t d)
{
    int64_t count = 1;
    for (int64_t size : {b, n, s, d}) {
        if (FaMax(size, 1) > MAX_ELEMENTS / count) {
            return MAX_ELEMENTS + 1;
        }
        count *= FaMax(size, 1);
    }
    return count;
}

std::string CheckSizes(const FaProblem &problem)
{
    const struct {
        const char *tensor;
        const char *length;
        int64_t heads;
        int64_t rows;
    } sides[] = {{"query", "S1", problem.n1, problem.s1}, {"key", "S2", problem.n2, problem.s2}};
    for (const auto &side : sides) {
        if (side.rows > MAX_LENGTH) {
            return FaFormat("%s, the length of %s, must be at most %" PRId64 ", got %" PRId64, side.length, side.tensor,
                            MAX_LENGTH, side.rows);
        }
        if (CountElements(problem.b, side.heads, side.rows, problem.d) > MAX_ELEMENTS) {
            return FaFormat("%s must have at most 2^56 elements, got B %" PRId64 ", N %" PRId64 ", S %" PRId64
                            ", D %" PRId64,
                            side.tensor, problem.b, side.heads, side.rows, problem.d);
        }
    }
    return "";
}

// Every layout is read in place: only the row pitch and the order of the axes differ.
FaTensorStrides Strides(const LayoutAxes &layout, const FaProblem &problem, int64_t heads, int64_t length, int64_t dim)
{
    const int64_t row = heads * dim; // all heads of one token
    if (layout.n == 1) {
        return FaTensorStrides{heads * length * dim, length * dim, dim};
    }
    if (layout.s == 0) {
        return FaTensorStrides{row, dim, problem.b * row};
    }
    return FaTensorStrides{length * row, dim, row};
}

void SetStrides(const LayoutAxes &layout, FaProblem &problem)
{
    problem.query = Strides(layout, problem, problem.n1, problem.s1, problem.d);
    problem.key = Strides(layout, problem, problem.n2, problem.s2, problem.d);
    problem.value = Strides(layout, problem, problem.n2, problem.s2, problem.dv);
    problem.out = Strides(layout, problem, problem.n1, problem.s1, problem.dv);
}
std::string CheckOutput(const FaTensor &output, const char *name, const FaDims &expected)
{
    if (!output.given || output.shape == expected) {
        return "";
    }
    return FaFormat("%s must be %s, got %s", name, FaShapeText(expected).c_str(), FaShapeText(output.shape).c_str());
}

// Outputs come from the caller: a smaller one than the kernel writes must not get through.
std::string CheckOutputs(const FaCall &call, const LayoutAxes &layout, const FaProblem &problem)
{
    FaDims attention = call.inputs[FA_QUERY].shape;
    attention.back() = layout.n < 0 ? problem.n1 * problem.dv : problem.dv;
    const FaDims statistics = {problem.b, problem.n1, problem.s1, STATISTICS};
    std::string refusal = CheckOutput(call.outputs[FA_ATTENTION_OUT], "attention_out", attention);
    if (refusal.empty()) {
        refusal = CheckOutput(call.outputs[FA_SOFTMAX_MAX], "softmax_max", statistics);
    }
    return !refusal.empty() ? refusal : CheckOutput(call.outputs[FA_SOFTMAX_SUM], "softmax_sum", statistics);
}
} // namespace

std::string ParseFaProblem(const FaCall &call, FaProblem &problem)
{
    const LayoutAxes *layout = nullptr;
    std::string refusal = FindLayout(call.layout, &layout);
    if (refusal.empty()) {
        refusal = CheckInputs(call);
    }
    if (refusal.empty()) {
        refusal = CheckAttributes(call);
    }
    if (refusal.empty()) {
        refusal = CheckCommonAxes(call, *layout);
    }
    if (refusal.empty()) {
        refusal = layout->n < 0 ? SplitHeads(call, *layout, problem) : TakeHeads(call, *layout, problem);
    }
    if (refusal.empty()) {
        refusal = CheckHeads(problem);
    }
    if (!refusal.empty()) {
        return refusal;
    }
    problem.dtype = call.inputs[FA_QUERY].dtype;
    problem.b = call.inputs[FA_QUERY].shape[layout->b];
    problem.s1 = call.inputs[FA_QUERY].shape[layout->s];
    problem.s2 = call.inputs[FA_KEY].shape[layout->s];
    problem.scale = call.scale;
    refusal = CheckSizes(problem);
    if (!refusal.empty()) {
        return refusal;
    }
    SetStrides(*layout, problem);
    problem.sequences = FaSequences{problem.b, 0, 0, 0, 0, 0};
    problem.shift = FaShiftParam{FA_SHIFT_NONE, FA_SHIFT_STRIDED, 0, 0, 0, 0, 0, 0, 0};
    problem.dropout = FaDropoutParam{0, 1.0f};
    problem.rope = FaRopeParam{0, {0, 0, 0}, {0, 0, 0}};
    problem.hasSink = false;
    refusal = ParseFaMask(call, problem);
    return !refusal.empty() ? refusal : CheckOutputs(call, *layout, problem);
}
