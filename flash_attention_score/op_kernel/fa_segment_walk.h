// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The segments of a call in order. Shared by the tiling and the kernel.
#ifndef FA_SEGMENT_WALK_H
#define FA_SEGMENT_WALK_H
#include "flash_attention_score_tiling_data.h"

// Makes `segment` its copy with an index higher by `copies`.
FA_INLINE void FaAdvanceSegment(FaSegment &segment, int64_t copies)
{
    segment.index += copies;
    segment.rowsBefore += copies * segment.s1;
    segment.scoreBase += copies * segment.s1 * segment.s2;
}

// Lists has QueryEnd(i) and KeyEnd(i), cumulative without a leading 0, and Prefix(i). `tiles` of a segment is left
// alone.
template <typename Lists>
class FaSegmentWalk {
public:
    FA_INLINE void Init(const FaProblemData &problemData, const Lists &segmentLists)
    {
        problem = &problemData;
        lists = segmentLists;
    }

    // False after the last one. `copies`: segments from this one on that differ in their index only, the batches of a
    // dense layout; the next call continues behind them.
    FA_INLINE bool Next(FaSegment &segment, int64_t &copies)
    {
        const FaSequences &sequences = problem->sequences;
        const FaMaskRule &rule = problem->rule;
        if (index >= sequences.segments) {
            return false;
        }
        const bool packed = sequences.listed > 0 || sequences.tokens > 0;
        copies = packed || rule.hasPrefix != 0 ? 1 : sequences.segments;
        segment.index = index;
        segment.s1 = packed ? PackedQueries() : problem->s1;
        segment.s2 = packed ? PackedKeys() : problem->s2;
        segment.qToken = packed ? rowsBefore : 0;
        segment.kToken = packed ? keysBefore : 0;
        segment.rowsBefore = rowsBefore;
        segment.scoreBase = scoreBase;
        const bool listed = !packed || index < sequences.listed;
        const int64_t prefix = rule.hasPrefix != 0 && listed ? lists.Prefix(index) : 0;
        segment.mask = FaMaskOfSegment(rule, index, segment.s1, segment.s2, prefix);
        index += copies;
        rowsBefore += copies * segment.s1;
        keysBefore += copies * segment.s2;
        scoreBase += copies * segment.s1 * segment.s2;
        return true;
    }

private:
    // Rows past the last cumulative length form a segment without keys.
    FA_INLINE int64_t PackedQueries()
    {
        if (index >= problem->sequences.listed) {
            return problem->sequences.tokens - rowsBefore;
        }
        const int64_t before = queryEnd;
        queryEnd = lists.QueryEnd(index);
        return FaMax(queryEnd - before, 0);
    }

    FA_INLINE int64_t PackedKeys()
    {
        if (index >= problem->sequences.listed) {
            return 0;
        }
        const int64_t before = keyEnd;
        keyEnd = lists.KeyEnd(index);
        return FaMax(keyEnd - before, 0);
    }

    const FaProblemData *problem = nullptr;
    Lists lists;
    int64_t index = 0;
    int64_t queryEnd = 0;
    int64_t keyEnd = 0;
    int64_t rowsBefore = 0;
    int64_t keysBefore = 0;
    int64_t scoreBase = 0;
};
#endif
