// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the host tells the gradient kernel. Plain data, C++11, every field assigned by the tiling, size a multiple of 8.
// Symbols as in flash_attention_score_tiling_data.h.
#ifndef FLASH_ATTENTION_SCORE_GRAD_TILING_DATA_H
#define FLASH_ATTENTION_SCORE_GRAD_TILING_DATA_H
#include <cstdint>
#include "flash_attention_score_tiling_data.h"

struct FagTileShape {
    int64_t qTile;       // query rows of the largest tile, multiple of 16
    int64_t kvTile;      // keys of the largest tile, multiple of 64, at most 512; row pitch in GM
    int64_t rowsPerPass; // rows of one vector pass, at most 8; cannot change bits
    int64_t l1Boxes;     // 32 KiB boxes in the L1 ring
};

// Chunks of a segment follow from its own lengths (fag_chunks.h).
struct FagSchedule {
    int64_t chunk;  // of the longest segment
    int64_t rounds; // of the segment with the most of them
};

// Rows as gradients and accumulators see them: batch after batch, or in TND the tokens as one batch, those past the
// last cumulative length included.
struct FagRowSpace {
    int64_t batches;
    int64_t queries; // of a batch
    int64_t keys;
};

// The gradient of a positional shift. Each element is that of one score, and stored with dS, or it is summed in fp32
// after the rounds, in the shape of the shift.
struct FagShiftSums {
    int64_t elems;  // summed elements, 0: there is nothing to sum
    int64_t copies; // 2: one for each AIV of a core, where both may add to the same element
    int64_t stored; // elements that are stored with dS, 0: none
};

constexpr int64_t FAG_SHIFT_UNIT = 16; // a copy begins at a multiple of these elements

// Byte offsets into the user workspace. Accumulators are fp32, dense, row pitch a multiple of 16.
struct FagWorkspace {
    int64_t scoreRing; // core * scoreRingBytes; S in fp32, overwritten by P: [slot][qTile][kvTile]
    int64_t scoreRingBytes;
    int64_t dpRing;   // the same for dP, overwritten by dS
    int64_t delta;    // rowsum(dY * O): [batches, N1, queries, 8], 8 equal values
    int64_t dq;       // [batches, N1, queries, roundup(D, 16)]
    int64_t dk;       // [batches, N2, keys, roundup(D, 16)], right behind dq
    int64_t dv;       // [batches, N2, keys, roundup(Dv, 16)], right behind dk
    int64_t dqRope;   // as dq and dk with the rotary part's head dim, right behind dv
    int64_t dkRope;   // right behind dqRope
    int64_t dpse;     // [copies][roundup(elems, FAG_SHIFT_UNIT)], right behind dkRope
    int64_t accBytes; // of all accumulators from dq on
};

struct FlashAttentionScoreGradTilingData {
    FaProblemData problem;
    FagShiftSums shiftSums;
    FagRowSpace rows;
    FagTileShape tile;
    FagSchedule schedule;
    FagWorkspace workspace;
    int32_t storesDsink; // 1: the caller wants it
    int32_t storesDqRope;
    int32_t storesDkRope;
    int32_t reserved; // 0
};
#endif
