// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which dimension of query, key and value holds which axis, for every input_layout.
#ifndef FA_LAYOUT_AXES_H
#define FA_LAYOUT_AXES_H
#include <string>
#include "fa_shape_checks.h"

// -1: the layout has no such dimension of its own.
struct FaLayoutAxes {
    const char *name;
    size_t rank;
    int b; // -1: packed (TND), the lists tell where a sequence begins
    size_t s;
    int n; // -1: heads are folded into the last dimension
};

// nullptr: there is no such layout.
inline const FaLayoutAxes *FaFindAxes(const std::string &layout)
{
    static const FaLayoutAxes LAYOUTS[] = {
        {"BSH", 3, 0, 1, -1}, {"SBH", 3, 1, 0, -1}, {"BSND", 4, 0, 1, 2}, {"BNSD", 4, 0, 2, 1}, {"TND", 3, -1, 0, 1},
    };
    for (const FaLayoutAxes &each : LAYOUTS) {
        if (layout == each.name) {
            return &each;
        }
    }
    return nullptr;
}

// Of softmax_max and softmax_sum.
inline FaDims FaStatisticsShape(const FaLayoutAxes &layout, const FaDims &query, int64_t headNum)
{
    constexpr int64_t COPIES = 8; // of a row's max or sum, one 32-byte block
    if (layout.b < 0) {
        return FaDims{query[layout.s], headNum, COPIES};
    }
    return FaDims{query[static_cast<size_t>(layout.b)], headNum, query[layout.s], COPIES};
}
#endif
