// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A segment: queries that meet keys. A batch of a dense layout is one, and so is a sequence of the packed layout TND,
// whose lengths stand in cumulative lists. Shared by the tiling, which counts, and the kernel, which walks.
// Everything here is a function of the segment's own lengths, so that its bits do not depend on its neighbours.
#ifndef FA_SEGMENT_H
#define FA_SEGMENT_H
#include <cstdint>
#include "fa_mask_param.h"

// How the rows of one segment are cut.
struct FaRowTiles {
    int64_t headsPerTile; // query heads whose rows share a tile: G when G * S1 <= 128 (packed), else 1
    int64_t qTile;        // query rows of a tile, multiple of 16, at most that of the tile shape
    int64_t rowBlocks;    // of one pack of heads, ceil(headsPerTile * S1 / qTile)
    int64_t kvChunk;      // keys of one KV chunk, 0: the keys of a row are not split
    int64_t kvChunks;     // chunks of one row block, at least 1
};

struct FaSegment {
    int64_t index;      // batch; coordinate of the batch strides
    int64_t s1;         // queries
    int64_t s2;         // keys; 0 for the rows past the last cumulative length, which see nothing
    int64_t qToken;     // first row of the query's token axis, 0 outside TND
    int64_t kToken;     // the same for keys
    int64_t rowsBefore; // query rows of the segments before: place in softmax_max and softmax_sum
    int64_t scoreBase;  // sum of S1 * S2 over the segments before: place (times N1) in drop_mask and packed pse
    FaMaskParam mask;
    FaRowTiles tiles;
};
#endif
