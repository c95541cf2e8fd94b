// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The AIC's two matmuls of a stack: S = Q K^T and P V. Q and P stay in L1; K and V stream through a ring of boxes.
#ifndef FA_BLOCK_CUBE_H
#define FA_BLOCK_CUBE_H
#include "fa_box_matmul.h"
#include "fa_task.h"

template <typename Traits>
class FaBlockCube {
    using T = typename Traits::Elem;
    using Tensor = AscendC::LocalTensor<T>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreTilingData &tilingData,
                                const FaGlobalTensors<T> &globalTensors, AscendC::TPipe &pipe)
    {
        tiling = &tilingData;
        global = &globalTensors;
        const int64_t queryElems = tilingData.tile.qTile * FaAlign(tilingData.d, Traits::c0);
        const int64_t probsElems = tilingData.tile.qTile * tilingData.tile.kvStack;
        matmul.Init(pipe, queryElems + probsElems, tilingData.tile.l1Boxes);
        query = matmul.TakeL1(queryElems);
        probs = matmul.TakeL1(probsElems);
        matmul.Open();
        rings.Open();
    }

    __aicore__ inline void Close()
    {
        matmul.Close();
        rings.Close();
    }

    // S of one stack into the score ring.
    __aicore__ inline void ComputeScores(const FaTask &task)
    {
        const int64_t paddedRows = FaAlign(task.block.rows, 16);
        if (task.first) {
            LoadQuery(task.block, paddedRows);
        }
        for (int64_t n0 = 0; n0 < task.cols; n0 += FA_BOX_ROWS) {
            const int64_t keys = FaMin(FA_BOX_ROWS, task.cols - n0);
            const AscendC::LocalTensor<float> tile = matmul.BeginTile();
            for (int64_t d0 = 0; d0 < tiling->d; d0 += Traits::boxK) {
                const int64_t d = FaMin(Traits::boxK, tiling->d - d0);
                const Tensor box = LoadKeyBox(task, n0, keys, d0, d);
                matmul.template Multiply<FaOperand::ROWS, FaOperand::TRANSPOSED>(
                    tile, query[static_cast<uint32_t>(d0 * paddedRows)], box, {task.block.rows, FaAlign(keys, 16), d},
                    d0 == 0, 1);
            }
            matmul.StoreTile(global->scores[global->ScoreOffset(task.slot) + n0], tile, task.block.rows,
                             FaAlign(keys, 16), paddedRows, tiling->tile.kvStack);
        }
        if (task.last) {
            rings.query.EndRead();
        }
        signals.scoresReady.Set();
    }

    // P V of one stack into the PV ring.
    __aicore__ inline void ComputePv(const FaTask &task)
    {
        const int64_t paddedRows = FaAlign(task.block.rows, 16);
        signals.probsReady.Wait();
        LoadProbs(task, paddedRows);
        for (int64_t dv0 = 0; dv0 < tiling->dv; dv0 += FA_BOX_ROWS) {
            const int64_t dv = FaMin(FA_BOX_ROWS, tiling->dv - dv0);
            const AscendC::LocalTensor<float> tile = matmul.BeginTile();
            for (int64_t k0 = 0; k0 < task.cols; k0 += Traits::boxK) {
                const int64_t keys = FaMin(Traits::boxK, task.cols - k0);
                const Tensor box = LoadValueBox(task, k0, keys, dv0, dv);
                matmul.template Multiply<FaOperand::ROWS, FaOperand::ROWS>(
                    tile, probs[static_cast<uint32_t>(k0 * paddedRows)], box, {task.block.rows, FaAlign(dv, 16), keys},
                    k0 == 0, 1);
            }
            matmul.StoreTile(global->pv[global->PvOffset(task.slot) + dv0], tile, task.block.rows, FaAlign(dv, 16),
                             paddedRows, global->pvPitch);
        }
        rings.probs.EndRead();
        signals.pvReady.Set();
    }

private:
    __aicore__ inline void LoadQuery(const FaRowBlock &block, int64_t paddedRows)
    {
        rings.query.BeginWrite();
        FaNzTile tile = {block.rows, tiling->d, tiling->query.s, paddedRows, FaAlign(tiling->d, Traits::c0)};
        FaClearNzPadding<Traits>(query, tile);
        for (int64_t row = 0; row < block.rows; row += tile.rows) {
            const FaRowPiece piece = FaPieceAt(block, row, block.rows);
            tile.rows = piece.rows;
            FaCopyNd2Nz<Traits>(query, global->query[FaQueryOffset(tiling->query, block.segment, piece.n1, piece.q0)],
                                tile, row);
        }
        rings.query.EndWrite();
        rings.query.BeginRead();
    }

    __aicore__ inline void LoadProbs(const FaTask &task, int64_t paddedRows)
    {
        rings.probs.BeginWrite();
        const int64_t paddedCols = FaAlign(task.cols, 16);
        const FaNzTile tile = {task.block.rows, paddedCols, global->probsPitch, paddedRows, paddedCols};
        FaClearNzPadding<Traits>(probs, tile);
        FaCopyNd2Nz<Traits>(probs, global->probs[global->ProbsOffset(task.slot)], tile);
        rings.probs.EndWrite();
        rings.probs.BeginRead();
    }

    __aicore__ inline Tensor LoadKeyBox(const FaTask &task, int64_t n0, int64_t keys, int64_t d0, int64_t d)
    {
        const int64_t offset = FaKeyOffset(tiling->key, task.block.segment, task.block.n2, task.k0 + n0) + d0;
        return matmul.LoadBox(global->key[offset], {keys, d, tiling->key.s, FaAlign(keys, 16), FaAlign(d, Traits::c0)});
    }

    __aicore__ inline Tensor LoadValueBox(const FaTask &task, int64_t k0, int64_t keys, int64_t dv0, int64_t dv)
    {
        const int64_t offset = FaKeyOffset(tiling->value, task.block.segment, task.block.n2, task.k0 + k0) + dv0;
        return matmul.LoadBox(global->value[offset], {keys, dv, tiling->value.s, FaAlign(keys, 16), FaAlign(dv, 16)});
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    const FaGlobalTensors<T> *global = nullptr;
    FaBoxMatmul<Traits> matmul;
    Tensor query; // [D / c0][rows][c0], rows padded to 16
    Tensor probs; // [kvStack / c0][rows][c0]
    FaResidentRings rings;
    FaStackSignals signals;
};
#endif
