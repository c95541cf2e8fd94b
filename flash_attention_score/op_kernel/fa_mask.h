// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The mask rule applied to a tile of scores: hidden scores are replaced by FA_NEG. The rule itself is fa_mask_param.h.
#ifndef FA_MASK_H
#define FA_MASK_H
#include "fa_buffers.h"
#include "fa_mask_param.h"

// A tile of scores in UB: queries [q0, q0 + rows) x keys [k0, k0 + cols), row pitch in elements, a multiple of 64.
struct FaScoreTile {
    AscendC::LocalTensor<float> scores;
    int64_t q0;
    int64_t k0;
    int64_t rows; // for Apply at most FA_PASS_ROWS
    int64_t cols;
    int64_t pitch;
};

// Replaces instead of adding or taking a minimum, so that NaN in hidden scores does not survive.
class FaMask {
public:
    // hides: whether any rule of the call hides anything; else no table is needed.
    __aicore__ inline void Init(bool hides, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        neg = ub.template Take<float>(FA_LANES);
        table = ub.template Take<uint8_t>(COPIES * ROWS * ROW_BYTES);
        AscendC::LocalTensor<float> lanes = ub.template Take<float>(COPIES * FA_LANES);
        AscendC::Duplicate(neg, FA_NEG, FA_LANES);
        FaVectorBarrier();
        if (hides) {
            BuildTable(lanes);
        }
    }

    // Hides what the rule hides, one 64-column block at a time.
    __aicore__ inline void Apply(const FaMaskParam &param, const FaScoreTile &tile) const
    {
        for (int64_t c = 0; c < tile.cols; c += FA_LANES) {
            const int64_t k0 = tile.k0 + c;
            const int64_t lanes = FaMin(FA_LANES, tile.cols - c);
            const FaTileClass tileClass = FaClassifyTile(param, tile.q0, tile.q0 + tile.rows, k0, k0 + lanes);
            if (tileClass != FaTileClass::FULL) {
                ApplyToBlock(param, tile.scores[static_cast<uint32_t>(c)], tile, k0, lanes);
            }
        }
    }

    // Hides columns [cols, next multiple of 64): there is no such key.
    __aicore__ inline void HideTail(const FaScoreTile &tile) const
    {
        const int64_t used = tile.cols % FA_LANES;
        if (used == 0) {
            return;
        }
        uint64_t lanes[2] = {~0ULL << used, 0};
        AscendC::Duplicate(tile.scores[static_cast<uint32_t>(tile.cols - used)], FA_NEG, lanes,
                           static_cast<uint8_t>(tile.rows), 1, static_cast<uint8_t>(tile.pitch / 8));
        FaVectorBarrier();
    }

private:
    // Row t of the table is a 64-bit word with the low t bits set, t clamped to 0..64. Row i of a tile needs row
    // t + i, so one Select over consecutive rows masks a whole block. Select wants its bits 32 B aligned: four copies,
    // each shifted by one row.
    static constexpr int32_t FIRST_T = -8;
    static constexpr int32_t ROWS = 80;
    static constexpr int32_t COPIES = 4;
    static constexpr int32_t ROW_BYTES = 8;

    __aicore__ inline void BuildTable(AscendC::LocalTensor<float> &lanes)
    {
        // lanes[r][l] = l - r: bit (r, l) of a group of four rows from t on is l - r < t
        AscendC::CreateVecIndex(lanes, 0.0f, FA_LANES);
        FaVectorBarrier();
        AscendC::Adds(lanes[FA_LANES], lanes, -1.0f, FA_LANES);
        FaVectorBarrier();
        AscendC::Adds(lanes[2 * FA_LANES], lanes, -2.0f, 2 * FA_LANES);
        FaVectorBarrier();
        for (int32_t copy = 0; copy < COPIES; ++copy) {
            for (int32_t row = 0; row < ROWS; row += COPIES) {
                AscendC::CompareScalar(table[(copy * ROWS + row) * ROW_BYTES], lanes,
                                       static_cast<float>(FIRST_T + copy + row), AscendC::CMPMODE::LT,
                                       COPIES * FA_LANES);
            }
        }
        FaVectorBarrier();
    }

    // Bits for rows with t, t + 1, ... visible or hidden lanes.
    __aicore__ inline AscendC::LocalTensor<uint8_t> Bits(int64_t t) const
    {
        const int64_t row = t - FIRST_T;
        const int64_t copy = row % COPIES;
        return table[static_cast<uint32_t>((copy * ROWS + row - copy) * ROW_BYTES)];
    }

    // A block that is not full: keys [k0, k0 + lanes). Lanes of the prefix are left alone, so fewer than 64.
    __aicore__ inline void ApplyToBlock(const FaMaskParam &param, const AscendC::LocalTensor<float> &block,
                                        const FaScoreTile &tile, int64_t k0, int64_t lanes) const
    {
        const int64_t inPrefix = FaMax(param.prefix - k0, 0);
        uint64_t laneMask[2] = {~0ULL << inPrefix, 0};
        const uint8_t rows = static_cast<uint8_t>(tile.rows);
        const uint8_t pitch = static_cast<uint8_t>(tile.pitch / 8);
        if (FaClassifyTile(param, tile.q0, tile.q0 + tile.rows, k0 + inPrefix, k0 + lanes) == FaTileClass::SKIP) {
            AscendC::Duplicate(block, FA_NEG, laneMask, rows, 1, pitch);
            FaVectorBarrier();
            return;
        }
        // row i keeps its first keep + i lanes and loses its first lose + i lanes
        const int64_t keep = tile.q0 + param.hi - k0 + 1;
        const int64_t lose = tile.q0 + param.lo - k0;
        if (keep < lanes) {
            AscendC::Select(block, Bits(keep), block, neg, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, laneMask, rows,
                            {1, 1, 1, pitch, pitch, 0});
            FaVectorBarrier();
        }
        if (lose + tile.rows - 1 > inPrefix) {
            AscendC::Select(block, Bits(lose), neg, block, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, laneMask, rows,
                            {1, 1, 1, pitch, 0, pitch});
            FaVectorBarrier();
        }
    }

    AscendC::LocalTensor<float> neg;
    AscendC::LocalTensor<uint8_t> table;
};
#endif
