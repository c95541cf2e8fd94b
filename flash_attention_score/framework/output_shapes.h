// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Shapes of the operator's results, which its callers have to allocate.
#ifndef OUTPUT_SHAPES_H
#define OUTPUT_SHAPES_H
#include <cstdint>
#include <string_view>
#include <vector>

struct OutputShapes {
    std::vector<int64_t> statistics; // [B, N1, S1, 8] or, for TND, [T, N1, 8]: eight equal copies of a row's max or sum
    std::vector<int64_t> attention;  // query's shape with Dv in place of D
    std::vector<int64_t> scores;     // [B, N1, S1, S2], empty for TND: full size of a mask

    // Sizes of query, key and value, negative = unknown. False for a call that the operator is going to refuse, for
    // instance one whose results would be larger than its inputs suggest.
    // Sizes: std::vector or at::IntArrayRef.
    template <typename Sizes>
    bool Set(const Sizes &query, const Sizes &key, const Sizes &value, int64_t headNum, std::string_view layout)
    {
        const bool folded = layout == "BSH" || layout == "SBH";
        const bool packed = layout == "TND";
        if (headNum <= 0 || (!folded && !packed && layout != "BSND" && layout != "BNSD")) {
            return false;
        }
        const size_t rank = folded || packed ? 3 : 4;
        if (query.size() != rank || key.size() != rank || value.size() != rank) {
            return false;
        }
        if (packed) {
            statistics = {query[0], query[1], STATISTICS};
        } else {
            const size_t length = layout == "SBH" ? 0 : layout == "BNSD" ? 2 : 1;
            statistics = {query[layout == "SBH" ? 1 : 0], headNum, query[length], STATISTICS};
            scores = {statistics[0], headNum, query[length], key[length]};
        }
        attention.assign(query.begin(), query.end());
        attention.back() = folded ? FoldedWidth(query[2], key[2], value[2], headNum) : value.back();
        const size_t heads = layout == "BNSD" || packed ? 1 : 2;
        const bool fits =
            folded ? query[2] < 0 || query[2] % headNum == 0 : query[heads] < 0 || query[heads] == headNum;
        return fits && attention.back() != 0 && (query.back() < 0 || attention.back() <= query.back());
    }

private:
    static constexpr int64_t STATISTICS = 8;

    // N1 * Dv; -1 if unknown, 0 if there is none.
    static int64_t FoldedWidth(int64_t query, int64_t key, int64_t value, int64_t headNum)
    {
        if (query < 0 || key < 0 || value < 0) {
            return -1;
        }
        const int64_t headDim = query / headNum;
        const int64_t keyHeads = headDim == 0 ? 0 : key / headDim;
        return keyHeads == 0 ? 0 : value / keyHeads * headNum;
    }
};
#endif
