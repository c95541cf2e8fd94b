// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernel. Plain data, C++11, every field assigned by the tiling, size a multiple of 8.
// Symbols: B batch, N1 query heads, N2 key/value heads, G = N1 / N2, S1/S2 query/key length, D/Dv head dims.
#ifndef FLASH_ATTENTION_SCORE_TILING_DATA_H
#define FLASH_ATTENTION_SCORE_TILING_DATA_H
#include <cstdint>
#include "fa_segment.h"

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

// Positional shift (pse) and additive float mask.
enum FaShiftKind : int32_t {
    FA_SHIFT_NONE = 0,
    FA_SHIFT_BEFORE_SCALE = 1, // scale * (QK + pse), pse_type 1
    FA_SHIFT_AFTER_SCALE = 2,  // scale * QK + pse, pse_type 0 and float masks
    FA_SHIFT_SLOPE = 3,        // scale * QK - slope[n] * |j - i + start|, pse_type 2
    FA_SHIFT_SLOPE_SQRT = 4    // scale * QK - slope[n] * sqrt(|j - i + start|), pse_type 3
};

// Where the elements of a packed (TND) pse stand; a dense one uses strides.
enum FaShiftPlace : int32_t {
    FA_SHIFT_STRIDED = 0,     // [B, N1, S1, S2], each dimension 1 or full (stride 0)
    FA_SHIFT_PACKED_ROW = 1,  // segment after segment [N1][1][S2]
    FA_SHIFT_PACKED_FULL = 2, // segment after segment [N1][S1][S2]
    FA_SHIFT_ALIBI = 3        // the last 1024 rows [B, N1, 1024, S2]; a function of j - i, so earlier rows follow
};

struct FaShiftParam {
    int32_t kind;       // FaShiftKind
    int32_t place;      // FaShiftPlace
    int32_t isFloat;    // 1: float32, 0: query's type
    int32_t onlyInBand; // 1: `start` holds for the band segment only (sparse_mode 8), 0 elsewhere
    int64_t start;      // kv_start - q_start
    int64_t b;          // element strides; slopes: b and n
    int64_t n;
    int64_t s1;
    int64_t s2;
};

// Dropout bits, LSB first, 1 = keep: bit ((scoreBase * N1) + n * S1 * S2 + i * S2 + j).
struct FaDropoutParam {
    int32_t given;
    float keepProb;
};

// Packed sequences, and places that depend on them.
struct FaSequences {
    int64_t segments;       // B; TND: sequences, and one more for rows past the last cumulative length
    int64_t listed;         // sequences of the lists; 0 outside TND
    int64_t tokens;         // TND: T1
    int64_t keyTokens;      // TND: T2
    int32_t statsLikeInput; // 1: softmax_max and sum are [T1, N1, 8] (softmax_out_layout same_as_input)
    int32_t maskPerToken;   // 1: the mask tensor of TND is [sum S1, sum S2], 0: [max S1, max S2]
};

// Rotary part of query and key: score = scale * (q k + q_rope k_rope).
struct FaRopeParam {
    int64_t d; // 0: none
    FaTensorStrides query;
    FaTensorStrides key;
};

// What is to be computed, for the forward and for its gradient.
struct FaProblemData {
    int64_t b;
    int64_t n1;
    int64_t n2;
    int64_t s1;
    int64_t s2;
    int64_t d;
    int64_t dv;
    FaTensorStrides query; // of query and dq
    FaTensorStrides key;   // of key and dk
    FaTensorStrides value; // of value and dv
    FaTensorStrides out;   // of attention_out, attention_in and dy
    FaMaskTensorStrides maskTensor;
    FaMaskRule rule;
    FaSequences sequences;
    FaShiftParam shift;
    FaDropoutParam dropout;
    FaRopeParam rope;
    float scale;
    int32_t hasMaskTensor;
    int32_t hasSink;
    int32_t reserved; // 0
};

// What all segments share of the tile shape: functions of the problem and the tuning parameters only, never of the core
// count. The rest follows from the lengths of a segment (fa_row_tiles.h).
struct FaTileShape {
    int64_t qTile;       // query rows of the largest tile of any segment, multiple of 16, at most 128
    int64_t kvStack;     // keys of a stack, multiple of 128
    int64_t rowsPerPass; // rows of one vector pass, 8 or 16; cannot change bits
    int64_t preload;     // stacks that QK^T runs ahead of PV, 1 or 2; cannot change bits
    int64_t l1Boxes;     // boxes in the L1 ring of K and V
    int64_t boxBytes;    // of each: half of L0B or all of it; cannot change bits
    int64_t accInUb;     // 1: the O accumulator is in UB, 0: in the GM workspace
    int64_t sliceRows;   // rows of O that are loaded or stored at once, 2 to 64; cannot change bits
    int64_t splitsKeys;  // 1: the keys of some segment are split into chunks, whose partial states are merged
};

// Byte offsets into the user workspace. Rings are per core, `slots` deep.
struct FaWorkspace {
    int64_t scoreRing; // core * scoreRingBytes; S in fp32, overwritten by P
    int64_t scoreRingBytes;
    int64_t pvRing;
    int64_t pvRingBytes;
    int64_t acc; // O accumulator of a core when it does not fit UB
    int64_t accBytes;
    int64_t partialOut; // partial states of KV chunks: O [row block][chunk][qTile of the segment][roundup(Dv, 16)]
    int64_t partialMax; // [row block][chunk][qTile] in fp32
    int64_t partialSum; // the same
};

struct FlashAttentionScoreTilingData {
    FaProblemData problem;
    FaTileShape tile;
    FaWorkspace workspace;
};
#endif
