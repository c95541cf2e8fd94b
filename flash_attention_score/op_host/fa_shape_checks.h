// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Checks of shapes that inference and tiling share.
#ifndef FA_SHAPE_CHECKS_H
#define FA_SHAPE_CHECKS_H
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>
#include "exe_graph/runtime/shape.h"
#include "fa_contract.h"

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

inline FaRefusal FaCheckHeadNum(int64_t headNum)
{
    return headNum > 0 ? FaRefusal() : FA_REFUSE(HEAD_NUM, headNum);
}

inline FaRefusal FaCheckRank(const char *name, const FaDims &shape, size_t rank, const char *layout)
{
    return shape.size() == rank ? FaRefusal() : FA_REFUSE(RANK, name, rank, layout, FaShapeText(shape).c_str());
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
inline FaRefusal FaBroadcast(const char *name, const FaDims &shape, const FaDims &full, FaDims &strides)
{
    const std::string got = FaShapeText(shape);
    if (shape.size() != 2 && shape.size() != 4) {
        return FA_REFUSE(BROADCAST_RANK, name, got.c_str());
    }
    const size_t first = 4 - shape.size();
    strides.assign(4, 0);
    int64_t stride = 1;
    for (size_t i = 4; i-- > first;) {
        const int64_t dim = shape[i - first];
        if (dim != 1 && dim != full[i]) {
            return shape.size() == 2 ? FA_REFUSE(BROADCAST_2D, name, full[2], full[3], got.c_str())
                                     : FA_REFUSE(BROADCAST_4D, name, FaShapeText(full).c_str(), got.c_str());
        }
        strides[i] = dim == 1 ? 0 : stride;
        stride = FaProduct({stride, dim});
    }
    return stride <= FA_MAX_ELEMENTS ? FaRefusal() : FA_REFUSE(ELEMENTS, name, got.c_str());
}

struct FaHeads {
    int64_t n2;
    int64_t d;
    int64_t dv;
};

// BSH and SBH fold heads into the last dimension: query N1 * D, key N2 * D, value N2 * Dv, with N1 = head_num > 0.
inline FaRefusal FaSplitHeads(const char *layout, int64_t queryH, int64_t keyH, int64_t valueH, int64_t headNum,
                              FaHeads &heads)
{
    if (queryH <= 0 || queryH % headNum != 0) {
        return FA_REFUSE(QUERY_WIDTH, headNum, layout, queryH);
    }
    heads.d = queryH / headNum;
    if (keyH <= 0 || keyH % heads.d != 0) {
        return FA_REFUSE(KEY_WIDTH, heads.d, queryH, headNum, keyH);
    }
    heads.n2 = keyH / heads.d;
    if (valueH <= 0 || valueH % heads.n2 != 0) {
        return FA_REFUSE(VALUE_WIDTH, heads.n2, valueH);
    }
    heads.dv = valueH / heads.n2;
    return FaRefusal();
}
#endif
