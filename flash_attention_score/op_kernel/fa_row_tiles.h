// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// How the rows of a segment are cut, and which keys a row block meets. Shared by the tiling, which counts, and the
// kernel.
#ifndef FA_ROW_TILES_H
#define FA_ROW_TILES_H
#include "flash_attention_score_tiling_data.h"

constexpr int64_t FA_ROW_UNIT = 16;        // rows of a cube block
constexpr int64_t FA_FEW_ROWS = 128;       // G * S1 up to which heads are packed and keys are split
constexpr int64_t FA_CHUNK_UNIT = 512;     // keys
constexpr int64_t FA_MAX_CHUNKS = 64;      // of a row, as long as chunks of 512 keys or more allow it
constexpr int64_t FA_CHUNK_KEYS_A_ROW = 8; // keeps partial states small next to the keys they stand for
constexpr int64_t FA_GRANULE = 128;        // keys that count as one unit of work

// Keys of a KV chunk, whole stacks; 0: the keys of a row are not split. `rows`: G * S1.
FA_INLINE int64_t FaChooseKvChunk(int64_t rows, int64_t s2, int64_t kvStack)
{
    if (rows > FA_FEW_ROWS) {
        return 0;
    }
    const int64_t least = FaMax(FA_CHUNK_UNIT, FaMax(FA_CHUNK_KEYS_A_ROW * rows, FaCeilDiv(s2, FA_MAX_CHUNKS)));
    const int64_t unit = FaAlign(FA_CHUNK_UNIT, kvStack);
    const int64_t chunk = FaAlign(least, unit);
    return s2 > chunk ? chunk : 0;
}

// group: query heads of one key head.
FA_INLINE FaRowTiles FaCutRows(const FaTileShape &tile, int64_t group, int64_t s1, int64_t s2)
{
    FaRowTiles tiles;
    tiles.headsPerTile = group * s1 <= FA_FEW_ROWS ? group : 1;
    const int64_t rows = tiles.headsPerTile * s1;
    tiles.qTile = FaMax(FA_ROW_UNIT, FaMin(tile.qTile, FaAlign(rows, FA_ROW_UNIT)));
    tiles.rowBlocks = FaCeilDiv(rows, tiles.qTile);
    tiles.kvChunk = FaChooseKvChunk(group * s1, s2, tile.kvStack);
    tiles.kvChunks = tiles.kvChunk == 0 ? 1 : FaCeilDiv(s2, tiles.kvChunk);
    return tiles;
}

// Keys of chunk `chunk` that some query of row block `block` sees. Starts at a multiple of 16; empty: begin == end.
FA_INLINE FaKeyRange FaKeysOfBlock(const FaSegment &segment, int64_t block, int64_t chunk)
{
    const FaRowTiles &tiles = segment.tiles;
    const bool packed = tiles.headsPerTile > 1; // rows of several heads: nearly every query is among them
    const int64_t q0 = packed ? 0 : block * tiles.qTile;
    const int64_t q1 = packed ? segment.s1 : FaMin(q0 + tiles.qTile, segment.s1);
    FaKeyRange keys = FaVisibleKeys(segment.mask, q0, q1, segment.s2);
    keys.begin = keys.begin / 16 * 16;
    if (tiles.kvChunks > 1) {
        keys.begin = FaMax(keys.begin, chunk * tiles.kvChunk);
        keys.end = FaMax(keys.begin, FaMin(keys.end, (chunk + 1) * tiles.kvChunk));
    }
    return keys;
}

FA_INLINE int64_t FaGranules(const FaKeyRange &keys)
{
    return keys.begin >= keys.end ? 0 : FaCeilDiv(keys.end, FA_GRANULE) - keys.begin / FA_GRANULE;
}
#endif
