// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Checks of shapes that inference and tiling share, with their texts. An empty text means accepted.
#ifndef FA_SHAPE_CHECKS_H
#define FA_SHAPE_CHECKS_H
#include <cinttypes>
#include <cstdint>
#include <string>
#include <vector>
#include "exe_graph/runtime/shape.h"
#include "fa_reject.h"

using FaDims = std::vector<int64_t>;

inline FaDims FaDimsOf(const gert::Shape &shape)
{
    FaDims dims(shape.GetDimNum());
    for (size_t i = 0; i < dims.size(); i++) {
        dims[i] = shape.GetDim(i);
    }
    return dims;
}

// "[2, 8, 128, 64]"
inline std::string FaShapeText(const FaDims &shape)
{
    std::string text = "[";
    for (size_t i = 0; i < shape.size(); i++) {
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    }
    return text + "]";
}

inline std::string FaCheckHeadNum(int64_t headNum)
{
    return headNum > 0 ? "" : FaFormat("head_num must be > 0, got %" PRId64, headNum);
}

inline std::string FaCheckRank(const char *name, const FaDims &shape, size_t rank, const char *layout)
{
    return shape.size() == rank ? ""
                                : FaFormat("%s must have %zu dimensions for input_layout %s, got %s", name, rank,
                                           layout, FaShapeText(shape).c_str());
}

struct FaHeads {
    int64_t n2;
    int64_t d;
    int64_t dv;
};

// BSH and SBH fold heads into the last dimension: query N1 * D, key N2 * D, value N2 * Dv, with N1 = head_num > 0.
inline std::string FaSplitHeads(const char *layout, int64_t queryH, int64_t keyH, int64_t valueH, int64_t headNum,
                                FaHeads &heads)
{
    if (queryH <= 0 || queryH % headNum != 0) {
        return FaFormat("query's last dimension must be a positive multiple of head_num %" PRId64
                        " for input_layout %s, got %" PRId64,
                        headNum, layout, queryH);
    }
    heads.d = queryH / headNum;
    if (keyH <= 0 || keyH % heads.d != 0) {
        return FaFormat("key's last dimension must be a positive multiple of the head dim %" PRId64 " (query's %" PRId64
                        " / head_num %" PRId64 "), got %" PRId64,
                        heads.d, queryH, headNum, keyH);
    }
    heads.n2 = keyH / heads.d;
    if (valueH <= 0 || valueH % heads.n2 != 0) {
        return FaFormat("value's last dimension must be a positive multiple of key's %" PRId64 " heads, got %" PRId64,
                        heads.n2, valueH);
    }
    heads.dv = valueH / heads.n2;
    return "";
}
#endif
