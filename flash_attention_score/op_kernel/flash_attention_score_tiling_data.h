// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernel. Plain data, C++11, every field assigned by the tiling, size a multiple of 8.
// Symbols: B batch, N1 query heads, N2 key/value heads, G = N1 / N2, S1/S2 query/key length, D/Dv head dims.
#ifndef FLASH_ATTENTION_SCORE_TILING_DATA_H
#define FLASH_ATTENTION_SCORE_TILING_DATA_H
#include <cstdint>
#include "fa_mask_param.h"

// Element strides of one tensor: row (s), head (n) and batch (b). The head dim is contiguous.
struct FaTensorStrides {
    int64_t b;
    int64_t n;
    int64_t s;
};

// Caller's mask tensor, bytes, nonzero = masked out. A stride is 0 where the mask has dimension 1.
struct FaMaskTensorStrides {
    int64_t b;
    int64_t n;
    int64_t s1;
    int64_t s2; // 0 or 1
};

// Tile shape: functions of the problem and the tuning parameters only, never of the core count.
struct FaTileShape {
    int64_t qTile;        // query rows of a tile, multiple of 16, at most 128 and no more than there are
    int64_t kvStack;      // keys of a stack, multiple of 128
    int64_t rowsPerPass;  // rows of one vector pass, at most 8; cannot change bits
    int64_t preload;      // stacks that QK^T runs ahead of PV, 1 or 2; cannot change bits
    int64_t headsPerTile; // query heads whose rows share a tile: G when G * S1 <= 128 (packed), else 1
    int64_t l1Boxes;      // 32 KiB boxes in the L1 ring of K and V
    int64_t accInUb;      // 1: the O accumulator is in UB, 0: in the GM workspace
};

// Row blocks sorted by visible work and dealt to the cores in a snake (fa_block_scheduler.h).
struct FaSchedule {
    int64_t rowBlocks;     // row blocks of one head, ceil(S1 / qTile)
    int64_t heaviestBlock; // row block with the most visible key granules; weights fall off on both sides of it
    int64_t kvChunk;       // keys of one KV chunk, 0: the keys of a row are not split
    int64_t kvChunks;      // chunks of one row block, at least 1
};

// Byte offsets into the user workspace. Rings are per core, `slots` deep.
struct FaWorkspace {
    int64_t scoreRing; // core * scoreRingBytes; S in fp32, overwritten by P
    int64_t scoreRingBytes;
    int64_t pvRing;
    int64_t pvRingBytes;
    int64_t acc; // O accumulator of a core when it does not fit UB
    int64_t accBytes;
    int64_t partialOut; // partial states of KV chunks: O [row block][chunk][qTile][roundup(Dv, 16)] in fp32
    int64_t partialMax; // [row block][chunk][qTile] in fp32
    int64_t partialSum; // the same
};

struct FlashAttentionScoreTilingData {
    int64_t b;
    int64_t n1;
    int64_t n2;
    int64_t s1;
    int64_t s2;
    int64_t d;
    int64_t dv;
    FaTensorStrides query;
    FaTensorStrides key;
    FaTensorStrides value;
    FaTensorStrides out;
    FaMaskTensorStrides maskTensor;
    FaMaskParam mask;
    FaTileShape tile;
    FaSchedule schedule;
    FaWorkspace workspace;
    float scale;
    int32_t hasMaskTensor;
};
#endif
