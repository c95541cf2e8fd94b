// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Checks of shapes that inference and tiling share, with their texts. An empty text means accepted.
#ifndef FA_SHAPE_CHECKS_H
#define FA_SHAPE_CHECKS_H
#include <cinttypes>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>
#include "exe_graph/runtime/shape.h"
#include "fa_reject.h"

constexpr int64_t FA_MAX_ELEMENTS = 1LL << 56; // so that no byte count of a tensor or workspace overflows

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

// INT64_MAX: that or more. Factors are not negative.
inline int64_t FaProduct(std::initializer_list<int64_t> factors)
{
    int64_t product = 1;
    for (int64_t factor : factors) {
        if (factor == 0) {
            return 0;
        }
    }
    for (int64_t factor : factors) {
        if (product > INT64_MAX / factor) {
            return INT64_MAX;
        }
        product *= factor;
    }
    return product;
}

inline int64_t FaSum(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

// Element strides of a tensor that stands for [B, N1, S1, S2], each dimension 1 (stride 0) or full, or for [S1, S2].
inline std::string FaBroadcast(const char *name, const FaDims &shape, const FaDims &full, FaDims &strides)
{
    if (shape.size() != 2 && shape.size() != 4) {
        return FaFormat("%s must have 2 or 4 dimensions, got %s", name, FaShapeText(shape).c_str());
    }
    const size_t first = 4 - shape.size();
    strides.assign(4, 0);
    int64_t stride = 1;
    for (size_t i = 4; i-- > first;) {
        const int64_t dim = shape[i - first];
        if (dim != 1 && dim != full[i]) {
            return shape.size() == 2
                       ? FaFormat("a 2-D %s is [S1, S2] = [%" PRId64 ", %" PRId64 "] (a dimension may be 1), got %s; "
                                  "pass one per batch as [B, 1, 1, S2]",
                                  name, full[2], full[3], FaShapeText(shape).c_str())
                       : FaFormat("%s must be [B, N1, S1, S2] = %s (a dimension may be 1), got %s", name,
                                  FaShapeText(full).c_str(), FaShapeText(shape).c_str());
        }
        strides[i] = dim == 1 ? 0 : stride;
        stride = FaProduct({stride, dim});
    }
    return stride <= FA_MAX_ELEMENTS
               ? ""
               : FaFormat("%s must have at most 2^56 elements, got %s", name, FaShapeText(shape).c_str());
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
