// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The AIC's two matmuls of a stack: S = Q K^T, with rotary parts beside Q and K, and P V. Q and P stay in L1; K and V
// stream through a ring of boxes.
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
        head = {globalTensors.query,    globalTensors.key,    tilingData.problem.query,
                tilingData.problem.key, tilingData.problem.d, Tensor()};
        const FaRopeParam &rope = tilingData.problem.rope;
        rotary = {globalTensors.queryRope, globalTensors.keyRope, rope.query, rope.key, rope.d, Tensor()};
        const int64_t headElems = tilingData.tile.qTile * FaAlign(head.d, Traits::c0);
        const int64_t rotaryElems = tilingData.tile.qTile * FaAlign(rotary.d, Traits::c0);
        const int64_t probsElems = tilingData.tile.qTile * tilingData.tile.kvStack;
        matmul.Init(pipe, headElems + rotaryElems + probsElems, tilingData.tile.l1Boxes, tilingData.tile.boxBytes);
        head.resident = matmul.TakeL1(headElems);
        rotary.resident = matmul.TakeL1(rotaryElems);
        probs = matmul.TakeL1(probsElems);
        matmul.Open();
        rings.Open();
    }

    __aicore__ inline void Close()
    {
        matmul.Close();
        rings.Close();
    }

    // S of one stack into the score ring. Chunks of a row block share its Q.
    __aicore__ inline void ComputeScores(const FaTask &task)
    {
        if (task.cols > 0) {
            const int64_t paddedRows = FaAlign(task.block.rows, 16);
            if (!hasQueries) {
                LoadQueries(task.block, paddedRows);
            }
            for (int64_t n0 = 0; n0 < task.cols; n0 += FA_BOX_ROWS) {
                const int64_t keys = FaMin(FA_BOX_ROWS, task.cols - n0);
                const AscendC::LocalTensor<float> tile = matmul.BeginTile();
                AddProducts(tile, head, task, n0, keys, true);
                AddProducts(tile, rotary, task, n0, keys, false);
                matmul.StoreTile(global->scores[global->ScoreOffset(task.slot) + n0], tile, task.block.rows,
                                 FaAlign(keys, 16), paddedRows, tiling->tile.kvStack);
            }
            signals.scoresReady.Set();
        }
        if (hasQueries && task.blockDone) {
            rings.query.EndRead();
            hasQueries = false;
        }
    }

    // P V of one stack into the PV ring.
    __aicore__ inline void ComputePv(const FaTask &task)
    {
        const int64_t paddedRows = FaAlign(task.block.rows, 16);
        signals.probsReady.Wait();
        LoadProbs(task, paddedRows);
        const int64_t boxKeys = BoxKeys(task, tiling->problem.dv, Traits::boxK);
        const int64_t boxDv = matmul.BoxElems() / boxKeys;
        for (int64_t dv0 = 0; dv0 < tiling->problem.dv; dv0 += boxDv) {
            const int64_t dv = FaMin(boxDv, tiling->problem.dv - dv0);
            const AscendC::LocalTensor<float> tile = matmul.BeginTile();
            for (int64_t k0 = 0; k0 < task.cols; k0 += boxKeys) {
                const int64_t keys = FaMin(boxKeys, task.cols - k0);
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
    // Query and key, or their rotary parts, which add to the same scores; d 0: there is none.
    struct Part {
        AscendC::GlobalTensor<T> query;
        AscendC::GlobalTensor<T> key;
        FaTensorStrides queryStrides;
        FaTensorStrides keyStrides;
        int64_t d;
        Tensor resident; // query in L1: [d / c0][rows][c0], rows padded to 16
    };

    __aicore__ inline void LoadQueries(const FaRowBlock &block, int64_t paddedRows)
    {
        rings.query.BeginWrite();
        LoadQuery(head, block, paddedRows);
        if (rotary.d > 0) {
            LoadQuery(rotary, block, paddedRows);
        }
        rings.query.EndWrite();
        rings.query.BeginRead();
        hasQueries = true;
    }

    __aicore__ inline void LoadQuery(const Part &part, const FaRowBlock &block, int64_t paddedRows)
    {
        FaNzTile tile = {block.rows, part.d, part.queryStrides.s, paddedRows, FaAlign(part.d, Traits::c0)};
        FaClearNzPadding<Traits>(part.resident, tile);
        for (int64_t row = 0; row < block.rows; row += tile.rows) {
            const FaRowPiece piece = FaPieceAt(block, row, block.rows);
            tile.rows = piece.rows;
            FaCopyNd2Nz<Traits>(part.resident,
                                part.query[FaQueryOffset(part.queryStrides, block.segment, piece.n1, piece.q0)], tile,
                                row);
        }
    }

    // Keys of a box of K or V that has `usual` of them and BoxElems() / `usual` columns. In fp32 and beside few rows of
    // Q and P, a box has whole rows of GM instead, which stand there side by side.
    __aicore__ inline int64_t BoxKeys(const FaTask &task, int64_t columns, int64_t usual) const
    {
        if (Traits::elemBytes != 4 || task.block.rows > FA_PASS_ROWS) {
            return usual;
        }
        int64_t keys = FA_BOX_ROWS;
        while (keys > 16 && matmul.BoxElems() / keys < columns) {
            keys /= 2;
        }
        return keys;
    }

    // tile (+)= query key^T for keys [n0, n0 + keys) of the stack.
    __aicore__ inline void AddProducts(const AscendC::LocalTensor<float> &tile, const Part &part, const FaTask &task,
                                       int64_t n0, int64_t keys, bool init)
    {
        const int64_t paddedRows = FaAlign(task.block.rows, 16);
        const int64_t boxKeys = BoxKeys(task, part.d, FA_BOX_ROWS);
        const int64_t boxD = matmul.BoxElems() / boxKeys;
        for (int64_t k0 = 0; k0 < keys; k0 += boxKeys) {
            const int64_t count = FaMin(boxKeys, keys - k0);
            const int64_t key = FaKeyOffset(part.keyStrides, task.block.segment, task.block.n2, task.k0 + n0 + k0);
            for (int64_t d0 = 0; d0 < part.d; d0 += boxD) {
                const int64_t d = FaMin(boxD, part.d - d0);
                const Tensor box = matmul.LoadBox(
                    part.key[key + d0], {count, d, part.keyStrides.s, FaAlign(count, 16), FaAlign(d, Traits::c0)});
                matmul.template Multiply<FaOperand::ROWS, FaOperand::TRANSPOSED>(
                    tile[static_cast<uint32_t>(k0 * paddedRows)], part.resident[static_cast<uint32_t>(d0 * paddedRows)],
                    box, {task.block.rows, FaAlign(count, 16), d}, init && d0 == 0, 1);
            }
        }
    }

    __aicore__ inline void LoadProbs(const FaTask &task, int64_t paddedRows)
    {
        rings.probs.BeginWrite();
        const int64_t paddedCols = FaAlign(task.cols, 16);
        const FaNzTile tile = {task.block.rows, paddedCols, global->probsPitch, paddedRows, paddedCols};
        if (tile.rows != cleared.rows || paddedRows != cleared.paddedRows || paddedCols > cleared.cols) {
            FaClearNzPadding<Traits>(probs, tile); // copies of as many rows leave it as it is
            cleared = tile;
        }
        FaCopyNd2Nz<Traits>(probs, global->probs[global->ProbsOffset(task.slot)], tile);
        rings.probs.EndWrite();
        rings.probs.BeginRead();
    }

    __aicore__ inline Tensor LoadValueBox(const FaTask &task, int64_t k0, int64_t keys, int64_t dv0, int64_t dv)
    {
        const int64_t offset =
            FaKeyOffset(tiling->problem.value, task.block.segment, task.block.n2, task.k0 + k0) + dv0;
        return matmul.LoadBox(global->value[offset],
                              {keys, dv, tiling->problem.value.s, FaAlign(keys, 16), FaAlign(dv, 16)});
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    const FaGlobalTensors<T> *global = nullptr;
    FaBoxMatmul<Traits> matmul;
    Part head;
    Part rotary;
    Tensor probs; // [kvStack / c0][rows][c0]
    FaNzTile cleared = {0, 0, 0, 0, 0};
    bool hasQueries = false;
    FaResidentRings rings;
    FaStackSignals signals;
};
#endif
