// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// How queries and keys of one segment are cut: functions of its own lengths, so that the order of additions to its
// gradients depends on nothing else. C++11: the tiling uses it too.
#ifndef FAG_CHUNKS_H
#define FAG_CHUNKS_H
#include "fa_segment.h"

constexpr int64_t FAG_MAX_ROUNDS = 32; // barriers of all cores
constexpr int64_t FAG_MIN_CHUNK = 256;
constexpr int64_t FAG_CHUNK_UNIT = 128;
constexpr int64_t FAG_MAX_Q_TILE = 256;  // dK and dV leave L0C once per this many query rows
constexpr int64_t FAG_MAX_KV_TILE = 512; // dQ leaves L0C once per this many keys; 16 KiB of UB a pass

// Round s computes the pairs (query chunk c, key chunk (s - c) mod rounds) of every segment and key head: each chunk
// occurs once in a round, so that accumulators have one writer, and a barrier of all cores stands between rounds.
struct FagChunks {
    int64_t chunk; // rows or keys of a chunk
    int64_t qChunks;
    int64_t kvChunks;
    int64_t rounds; // max of both; 0 when there are no scores
    int64_t kvTile; // keys of a tile
};

FA_INLINE FagChunks FagChunksOf(int64_t s1, int64_t s2)
{
    FagChunks chunks = {FAG_MIN_CHUNK, 0, 0, 0, FAG_MIN_CHUNK};
    if (s1 > 0 && s2 > 0) {
        const int64_t share = FaCeilDiv(FaMax(s1, s2), FAG_MAX_ROUNDS);
        chunks.chunk = FaMax(FAG_MIN_CHUNK, FaAlign(share, FAG_CHUNK_UNIT));
        chunks.qChunks = FaCeilDiv(s1, chunks.chunk);
        chunks.kvChunks = FaCeilDiv(s2, chunks.chunk);
        chunks.rounds = FaMax(chunks.qChunks, chunks.kvChunks);
        chunks.kvTile = FaMin(FAG_MAX_KV_TILE, chunks.chunk);
    }
    return chunks;
}
#endif
