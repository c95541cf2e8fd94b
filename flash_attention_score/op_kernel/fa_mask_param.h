// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The mask rule of every sparse mode, shared by the tiling (which counts visible tiles) and the kernel (which visits
// them): key j is visible to query i  <=>  lo <= j - i <= hi  or  j < prefix.
// docs: sparse_mode of FlashAttentionScore; table of modes in fa_problem_parser.cpp.
#ifndef FA_MASK_PARAM_H
#define FA_MASK_PARAM_H
#include <cstdint>
#include "fa_host_device.h"

struct FaMaskParam {
    int64_t lo;
    int64_t hi;
    int64_t prefix;
};

// The rule of a call, from which every segment gets its own: limits count from the top left corner of the score matrix,
// or from its bottom right corner (then S2 - S1 is added).
struct FaMaskRule {
    int64_t lo;
    int64_t hi;
    int64_t loFromBottom; // 0 or 1
    int64_t hiFromBottom;
    int64_t bandSegment; // segment whose upper limit is bandHi from the bottom instead (sparse_mode 7 and 8), -1: none
    int64_t bandHi;
    int64_t hasPrefix; // 1: prefix[segment] comes from a list (sparse_mode 5 and 6)
};

// Half-open range of keys.
struct FaKeyRange {
    int64_t begin;
    int64_t end;
};

enum class FaTileClass : int32_t { SKIP, FULL, PARTIAL };

constexpr int64_t FA_MASK_UNBOUNDED = 1LL << 40; // larger than any length, safe to add

FA_INLINE FaMaskParam FaMaskOfSegment(const FaMaskRule &rule, int64_t segment, int64_t s1, int64_t s2, int64_t prefix)
{
    const int64_t delta = s2 - s1;
    FaMaskParam mask = {rule.lo + rule.loFromBottom * delta, rule.hi + rule.hiFromBottom * delta, prefix};
    if (segment == rule.bandSegment) {
        mask.hi = rule.bandHi + delta;
    }
    return mask;
}

// Whether the rule may hide a score in some segment of up to s1 x s2.
FA_INLINE bool FaRuleHides(const FaMaskRule &rule, int64_t s1, int64_t s2)
{
    const int64_t below = rule.loFromBottom != 0 ? s2 : s1;
    const int64_t above = rule.hiFromBottom != 0 ? s1 : s2;
    return rule.hasPrefix != 0 || rule.bandSegment >= 0 || rule.lo > 1 - below || rule.hi < above - 1;
}

// Smallest range that holds every key visible to some query of [q0, q1); empty ranges have begin == end.
FA_INLINE FaKeyRange FaVisibleKeys(const FaMaskParam &mask, int64_t q0, int64_t q1, int64_t s2)
{
    FaKeyRange band = {FaMax(q0 + mask.lo, 0), FaMin(q1 - 1 + mask.hi + 1, s2)};
    const bool bandEmpty = mask.lo > mask.hi || band.begin >= band.end;
    if (bandEmpty) {
        band.begin = 0;
        band.end = 0;
    }
    if (mask.prefix > 0) {
        band.begin = 0;
        band.end = FaMax(band.end, FaMin(mask.prefix, s2));
    }
    return band;
}

// What the rule says about queries [q0, q1) x keys [k0, k1), both non-empty.
FA_INLINE FaTileClass FaClassifyTile(const FaMaskParam &mask, int64_t q0, int64_t q1, int64_t k0, int64_t k1)
{
    const int64_t k = FaMax(k0, mask.prefix);
    if (k >= k1 || (k - (q1 - 1) >= mask.lo && k1 - 1 - q0 <= mask.hi)) {
        return FaTileClass::FULL;
    }
    if (mask.prefix <= k0 && (k1 - 1 - q0 < mask.lo || k0 - (q1 - 1) > mask.hi || mask.lo > mask.hi)) {
        return FaTileClass::SKIP;
    }
    return FaTileClass::PARTIAL;
}
#endif
