// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The pairs of chunks of one round, heaviest first, as a sequence of positions to be dealt to the cores. Which core
// takes a pair changes no bit: inside a round no two pairs share an accumulator.
#ifndef FAG_PAIR_WALK_H
#define FAG_PAIR_WALK_H
#include "fag_buffers.h"
#include "fag_chunks.h"

// Queries [q0, q1) x keys [k0, k1).
struct FagScores {
    int64_t q0;
    int64_t q1;
    int64_t k0;
    int64_t k1;
};

// A pair of chunks of a segment, for all heads of one key head's group.
struct FagPair {
    FaSegment segment;
    FagScores scores;
    int64_t kvHead;
    int64_t kvTile;
};

class FagPairWalk {
public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData, const FaSegmentLists &lists)
    {
        tiling = &tilingData;
        begin.Init(tilingData.problem, lists);
    }

    // Finds the segments that have this round, which are among those that had the one before, and the levels of weight
    // that their pairs have.
    __aicore__ inline void BeginRound(int64_t index)
    {
        round = index;
        first = 0;
        levels = 0;
        walk = begin;
        FaSegmentWalk<FaSegmentLists> before = walk;
        while (NextSegment()) {
            if (levels == 0) {
                begin = before;
            }
            for (int64_t c = 0; c < chunks.qChunks; ++c) {
                levels |= 1 << LevelOf(c);
            }
            before = walk;
        }
        level = -1;
        more = NextLevel() && NextChunk();
    }

    // Pair at `position`, which may only grow inside a round; false behind the last one.
    __aicore__ inline bool At(int64_t position, FagPair &pair)
    {
        while (more && position >= first + groups) {
            first += groups;
            more = NextChunk();
        }
        if (more) {
            Fill(position - first, pair);
        }
        return more;
    }

private:
    // Work of a pair as a part of the largest possible one: from 3/4, 3/8 and 1/16 on, less, none at all.
    static constexpr int32_t LEVELS = 4;

    __aicore__ inline int64_t KeyChunkOf(int64_t c) const
    {
        return (round - c + chunks.rounds) % chunks.rounds;
    }

    __aicore__ inline int32_t LevelOf(int64_t c) const
    {
        const int64_t kvChunk = KeyChunkOf(c);
        if (kvChunk >= chunks.kvChunks) {
            return LEVELS;
        }
        const FagScores at = ScoresOf(c);
        const FaTileClass tileClass = FaClassifyTile(segment.mask, at.q0, at.q1, at.k0, at.k1);
        if (tileClass == FaTileClass::SKIP) {
            return LEVELS;
        }
        const int64_t scores = (at.q1 - at.q0) * (at.k1 - at.k0);
        const int64_t work = tileClass == FaTileClass::FULL ? 16 * scores : 8 * scores;
        const int64_t most = tiling->schedule.chunk * tiling->schedule.chunk;
        return work >= 12 * most ? 0 : work >= 6 * most ? 1 : work >= most ? 2 : 3;
    }

    __aicore__ inline FagScores ScoresOf(int64_t c) const
    {
        const int64_t q0 = c * chunks.chunk;
        const int64_t k0 = KeyChunkOf(c) * chunks.chunk;
        return {q0, FaMin(q0 + chunks.chunk, segment.s1), k0, FaMin(k0 + chunks.chunk, segment.s2)};
    }

    __aicore__ inline void Fill(int64_t group, FagPair &pair) const
    {
        const int64_t copy = group / tiling->problem.n2;
        pair.segment = segment;
        FaAdvanceSegment(pair.segment, copy);
        pair.kvHead = group % tiling->problem.n2;
        pair.scores = ScoresOf(qChunk);
        pair.kvTile = chunks.kvTile;
    }

    // The next segment that has this round.
    __aicore__ inline bool NextSegment()
    {
        int64_t copies = 0;
        while (walk.Next(segment, copies)) {
            chunks = FagChunksOf(segment.s1, segment.s2);
            if (round < chunks.rounds) {
                groups = copies * tiling->problem.n2;
                qChunk = -1;
                return true;
            }
        }
        return false;
    }

    __aicore__ inline bool NextLevel()
    {
        do {
            ++level;
        } while (level < LEVELS && (levels >> level & 1) == 0);
        walk = begin;
        return level < LEVELS && NextSegment();
    }

    // The next pair of this level, or of the next one.
    __aicore__ inline bool NextChunk()
    {
        do {
            while (++qChunk >= chunks.qChunks) {
                if (!NextSegment() && !NextLevel()) {
                    return false;
                }
            }
        } while (LevelOf(qChunk) != level);
        return true;
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    FaSegmentWalk<FaSegmentLists> begin; // stands before the first segment that has this round
    FaSegmentWalk<FaSegmentLists> walk;
    int64_t round = 0;
    int64_t groups = 1; // key heads of the segment and its copies: positions of a pair
    int64_t first = 0;  // position of the current pair in its first group
    int32_t levels = 0;
    int32_t level = 0;
    bool more = false;
    FaSegment segment;
    FagChunks chunks;
    int64_t qChunk = 0;
};
#endif
