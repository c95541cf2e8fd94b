// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Compile-time choices: element type and strategy. Shapes are run-time values (FlashAttentionScoreTilingData).
#ifndef FA_STRATEGIES_H
#define FA_STRATEGIES_H
#include <cstdint>
#include "kernel_operator.h"
#include "fa_host_device.h"
#include "fa_tile_limits.h"

// Host choice: op_host/tiling_strategies. The literals of TILING_KEY_IS in flash_attention_score.cpp are these keys.
enum class FaStrategy : int32_t {
    DEFAULT = 0,   // any shape; the KV chunks of a row, if it is split, one after the other on one core
    SHORT_SEQ = 1, // all keys of a row in one stack: O is never rescaled
    LONG_SEQ = 2   // few rows, many keys: the KV chunks of a row are dealt to the cores
};

template <typename T, FaStrategy STRATEGY>
struct FaTraits {
    using Elem = T;
    static constexpr bool singleStack = STRATEGY == FaStrategy::SHORT_SEQ;
    static constexpr bool chunksAreDealt = STRATEGY == FaStrategy::LONG_SEQ;
    static constexpr int32_t elemBytes = static_cast<int32_t>(sizeof(T));
    static constexpr int32_t c0 = 32 / elemBytes; // elements of a 32 B block
    // A box of FA_BOX_BYTES fills half of L0A or L0B: 128 rows or columns times boxK of the matmul's K direction.
    static constexpr int32_t boxK = FA_BOX_BYTES / (128 * elemBytes);
    // fp32 needs no cast, so P overwrites the score tile; b16 has a P buffer of its own.
    static constexpr bool pInPlace = elemBytes == 4;
};

constexpr int64_t FA_BOX_ROWS = 128;                   // rows or columns of a box that are not in the K direction
constexpr int32_t FA_PASS_ROWS = 8;                    // one 32 B block of row state
constexpr int32_t FA_STAT_COPIES = 8;                  // softmax_max and softmax_sum keep 8 equal values a row
constexpr float FA_NEG = -3.4028234663852886e38f;      // -FLT_MAX: score of a masked key, max of a row that sees none
constexpr float FA_POS = 3.4028234663852886e38f;       // FLT_MAX: sum of a row that sees none
constexpr float FA_HALF_NEG = -1.7014117331926443e38f; // exp(FA_NEG - FA_HALF_NEG) is exactly 0

__aicore__ inline void FaVectorBarrier()
{
    AscendC::PipeBarrier<PIPE_V>();
}

// Group of this core: an AIC and its two AIVs share one.
__aicore__ inline int64_t FaGroupIndex()
{
    const int64_t index = AscendC::GetBlockIdx();
    if ASCEND_IS_AIV {
        return index / AscendC::GetSubBlockNum();
    } else {
        return index;
    }
}
#endif
