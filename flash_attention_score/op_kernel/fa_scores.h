// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// From Q K^T to what the softmax sees, and dropout after it, for passes of a few rows: scale and shift, mask tensor,
// mask rule, tail. What has to be loaded for a pass shares one flag; a call without any of it loads and waits for
// nothing.
#ifndef FA_SCORES_H
#define FA_SCORES_H
#include "fa_dropout.h"
#include "fa_mask_tensor.h"
#include "fa_pse.h"

struct FaScoresParam {
    FaPseParam pse;
    FaMaskTensorParam mask;
    FaDropoutShape dropout;
    bool ruleHides; // whether the rule of sparse_mode hides anything at all
};

// cols: of the largest tile.
__aicore__ inline FaScoresParam FaScoresParamOf(const FaProblemData &problem, int64_t cols)
{
    return {{problem.shift, problem.scale, problem.n1, problem.rule.bandSegment, cols},
            {problem.hasMaskTensor != 0, problem.sequences.maskPerToken != 0, problem.maskTensor, cols},
            {problem.dropout.given != 0, problem.n1, cols, FA_AIV_ROWS},
            FaRuleHides(problem.rule, problem.s1, problem.s2)};
}

struct FaScoresInputs {
    GM_ADDR pse;
    AscendC::GlobalTensor<uint8_t> mask;
    AscendC::GlobalTensor<uint8_t> dropMask;
};

template <typename T>
class FaScores {
public:
    __aicore__ inline void Init(const FaScoresParam &param, const FaScoresInputs &inputs,
                                FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        mask.Init(param.ruleHides, ub);
        pse.Init(param.pse, inputs.pse, ub);
        AscendC::LocalTensor<half> wide;
        if (pse.HasScratch()) {
            wide = pse.Scratch().template ReinterpretCast<half>();
        } else if (param.mask.given) {
            wide = ub.template Take<half>(FA_PASS_ROWS * param.mask.tileCols);
        }
        maskTensor.Init(param.mask, inputs.mask, wide, ub);
        dropout.Init(param.dropout, inputs.dropMask, ub);
        loads = pse.Loads() || maskTensor.Loads() || dropout.Given();
    }

    __aicore__ inline void Open()
    {
        ring.Open();
    }
    __aicore__ inline void Close()
    {
        ring.Close();
    }

    // Before the passes of some rows of a block against one stack of keys.
    __aicore__ inline void Begin(const FaAivRows &rows)
    {
        stackRows = rows;
        bitsToLoad = dropout.Given();
        bitsToAlign = bitsToLoad;
    }

    // Starts the copies that go with a pass.
    __aicore__ inline void Load(const FaRowBlock &block, const FaPass &pass)
    {
        if (!loads) {
            return;
        }
        const int32_t slot = ring.BeginWrite();
        if (pse.Loads()) {
            pse.Load(slot, block, pass);
        }
        if (maskTensor.Loads()) {
            maskTensor.Load(slot, block, pass);
        }
        if (bitsToLoad) {
            dropout.Load(block, stackRows, pass.k0, pass.cols);
            bitsToLoad = false;
        }
        ring.EndWrite();
    }

    // Products become scores; hidden ones -FLT_MAX. tile.q0 is not used.
    __aicore__ inline void Finish(const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow)
    {
        int32_t slot = 0;
        if (loads) {
            slot = ring.BeginRead();
        }
        if (bitsToAlign) {
            dropout.Align();
            bitsToAlign = false;
        }
        pse.Apply(slot, tile, block, tileRow);
        maskTensor.Apply(slot, tile, block, tileRow);
        ApplyRule(tile, block, tileRow);
        mask.HideTail(tile);
    }

    // Zeroes what dropout drops of a tile as large as that of Finish.
    __aicore__ inline void Drop(const AscendC::LocalTensor<float> &data, const FaScoreTile &tile, int64_t tileRow) const
    {
        if (dropout.Given()) {
            dropout.Apply(data, tile.rows, tile.pitch, tileRow - stackRows.begin);
        }
    }

    // What a slope is multiplied with, for its gradient.
    __aicore__ inline void TimesDistance(const AscendC::LocalTensor<float> &data, const FaScoreTile &tile,
                                         const FaRowBlock &block, int64_t tileRow) const
    {
        pse.TimesDistance(data, tile, block, tileRow);
    }

    // After the last use of a pass.
    __aicore__ inline void End()
    {
        if (loads) {
            ring.EndRead();
        }
    }

private:
    // The rule sees queries, a tile has rows: one call for at most 8 rows of one head.
    __aicore__ inline void ApplyRule(const FaScoreTile &tile, const FaRowBlock &block, int64_t tileRow) const
    {
        const FaMaskParam &rule = block.segment.mask;
        for (int64_t row = 0; row < tile.rows;) {
            const FaRowPiece piece = FaPieceAt(block, tileRow + row, tileRow + FaMin(row + FA_PASS_ROWS, tile.rows));
            if (FaClassifyTile(rule, piece.q0, piece.q0 + piece.rows, tile.k0, tile.k0 + tile.cols) !=
                FaTileClass::FULL) {
                mask.Apply(rule, {tile.scores[static_cast<uint32_t>(row * tile.pitch)], piece.q0, tile.k0, piece.rows,
                                  tile.cols, tile.pitch});
            }
            row += piece.rows;
        }
    }

    FaPassInputsRing ring;
    FaPse<T> pse;
    FaMaskTensor maskTensor;
    FaMask mask;
    FaDropout dropout;
    FaAivRows stackRows;
    bool loads = false;
    bool bitsToLoad = false;
    bool bitsToAlign = false;
};
#endif
