// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The AIC's two matmuls of a stack: S = Q K^T and P V. Q and P stay in L1; K and V stream through a ring of boxes.
#ifndef FA_BLOCK_CUBE_H
#define FA_BLOCK_CUBE_H
#include "fa_buffers.h"
#include "fa_cube_copy.h"
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
        const int32_t boxes = static_cast<int32_t>(tilingData.tile.l1Boxes);
        l1.Init(pipe, static_cast<uint32_t>((queryElems + probsElems) * Traits::elemBytes + boxes * FA_BOX_BYTES));
        query = l1.template Take<T>(queryElems);
        probs = l1.template Take<T>(probsElems);
        boxTensor = l1.template Take<T>(boxes * FA_BOX_BYTES / Traits::elemBytes);
        l0a.Init(pipe, 2 * FA_BOX_BYTES);
        l0b.Init(pipe, 2 * FA_BOX_BYTES);
        l0c.Init(pipe, 4 * FA_BOX_BYTES);
        left = l0a.template Take<T>(2 * FA_BOX_BYTES / Traits::elemBytes);
        right = l0b.template Take<T>(2 * FA_BOX_BYTES / Traits::elemBytes);
        acc = l0c.template Take<float>(FA_BOX_BYTES);
        rings.Open(boxes);
    }

    __aicore__ inline void Close()
    {
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
            const AscendC::LocalTensor<float> tile = acc[rings.l0c.BeginWrite() * FA_BOX_BYTES / 2];
            for (int64_t d0 = 0; d0 < tiling->d; d0 += Traits::boxK) {
                const int64_t d = FaMin(Traits::boxK, tiling->d - d0);
                const Tensor box = LoadKeyBox(task, n0, keys, d0, d);
                MultiplyBox<false>(tile, query[static_cast<uint32_t>(d0 * paddedRows)], box,
                                   {paddedRows, FaAlign(keys, 16), d}, d0 == 0);
            }
            StoreTile(global->scores[global->ScoreOffset(task.slot) + n0], tile, task.block.rows, FaAlign(keys, 16),
                      paddedRows, tiling->tile.kvStack);
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
            const AscendC::LocalTensor<float> tile = acc[rings.l0c.BeginWrite() * FA_BOX_BYTES / 2];
            for (int64_t k0 = 0; k0 < task.cols; k0 += Traits::boxK) {
                const int64_t keys = FaMin(Traits::boxK, task.cols - k0);
                const Tensor box = LoadValueBox(task, k0, keys, dv0, dv);
                MultiplyBox<true>(tile, probs[static_cast<uint32_t>(k0 * paddedRows)], box,
                                  {paddedRows, FaAlign(dv, 16), keys}, k0 == 0);
            }
            StoreTile(global->pv[global->PvOffset(task.slot) + dv0], tile, task.block.rows, FaAlign(dv, 16), paddedRows,
                      global->pvPitch);
        }
        rings.probs.EndRead();
        signals.pvReady.Set();
    }

private:
    struct MatmulShape {
        int64_t m; // padded
        int64_t n; // padded
        int64_t k; // as it is
    };

    __aicore__ inline void LoadQuery(const FaRowBlock &block, int64_t paddedRows)
    {
        rings.query.BeginWrite();
        FaNzTile tile = {block.rows, tiling->d, tiling->query.s, paddedRows, FaAlign(tiling->d, Traits::c0)};
        FaClearNzPadding<Traits>(query, tile);
        for (int64_t row = 0; row < block.rows; row += tile.rows) {
            const FaRowPiece piece = FaPieceAt(block, tiling->s1, row, block.rows);
            tile.rows = piece.rows;
            FaCopyNd2Nz<Traits>(query, global->query[FaOffset(tiling->query, block.b, piece.n1, piece.q0)], tile, row);
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

    __aicore__ inline Tensor LoadBox(const AscendC::GlobalTensor<T> &src, const FaNzTile &tile)
    {
        const Tensor box =
            boxTensor[static_cast<uint32_t>(rings.box.BeginWrite() * (FA_BOX_BYTES / Traits::elemBytes))];
        FaClearNzPadding<Traits>(box, tile);
        FaCopyNd2Nz<Traits>(box, src, tile);
        rings.box.EndWrite();
        rings.box.BeginRead();
        return box;
    }

    __aicore__ inline Tensor LoadKeyBox(const FaTask &task, int64_t n0, int64_t keys, int64_t d0, int64_t d)
    {
        const int64_t offset = FaOffset(tiling->key, task.block.b, task.block.n2, task.k0 + n0) + d0;
        return LoadBox(global->key[offset], {keys, d, tiling->key.s, FaAlign(keys, 16), FaAlign(d, Traits::c0)});
    }

    __aicore__ inline Tensor LoadValueBox(const FaTask &task, int64_t k0, int64_t keys, int64_t dv0, int64_t dv)
    {
        const int64_t offset = FaOffset(tiling->value, task.block.b, task.block.n2, task.k0 + k0) + dv0;
        return LoadBox(global->value[offset], {keys, dv, tiling->value.s, FaAlign(keys, 16), FaAlign(dv, 16)});
    }

    // tile (+)= A B for one box; `left1` is A's slice in L1.
    template <bool B_IS_VALUE>
    __aicore__ inline void MultiplyBox(const AscendC::LocalTensor<float> &tile, const Tensor &left1, const Tensor &box,
                                       const MatmulShape &shape, bool init)
    {
        const uint32_t offset = static_cast<uint32_t>(rings.l0.BeginWrite() * (FA_BOX_BYTES / Traits::elemBytes));
        const int64_t paddedK = FaAlign(shape.k, Traits::c0);
        FaLoadLeft<Traits>(left[offset], left1, shape.m, paddedK);
        if constexpr (B_IS_VALUE) {
            FaLoadValues<Traits>(right[offset], box, FaAlign(shape.k, 16), shape.n);
        } else {
            FaLoadKeys<Traits>(right[offset], box, shape.n, paddedK);
        }
        rings.box.EndRead();
        rings.l0.EndWrite();
        rings.l0.BeginRead();
        AscendC::MmadParams params;
        params.m = static_cast<uint16_t>(shape.m);
        params.n = static_cast<uint16_t>(shape.n);
        params.k = static_cast<uint16_t>(shape.k);
        params.cmatrixInitVal = init;
        AscendC::Mmad(tile, left[offset], right[offset], params);
        if (shape.m / 16 * (shape.n / 16) < 10) { // small products may overtake each other on the same C
            AscendC::PipeBarrier<PIPE_M>();
        }
        rings.l0.EndRead();
    }

    __aicore__ inline void StoreTile(const AscendC::GlobalTensor<float> &dst, const AscendC::LocalTensor<float> &tile,
                                     int64_t rows, int64_t cols, int64_t paddedRows, int64_t pitch)
    {
        rings.l0c.EndWrite();
        rings.l0c.BeginRead();
        AscendC::FixpipeParamsV220 params;
        params.nSize = static_cast<uint16_t>(cols);
        params.mSize = static_cast<uint16_t>(rows);
        params.srcStride = static_cast<uint16_t>(paddedRows);
        params.dstStride = static_cast<uint32_t>(pitch);
        AscendC::Fixpipe<float, float, AscendC::CFG_ROW_MAJOR>(dst, tile, params);
        rings.l0c.EndRead();
    }

    const FlashAttentionScoreTilingData *tiling = nullptr;
    const FaGlobalTensors<T> *global = nullptr;
    FaArena<AscendC::TPosition::A1> l1;
    FaArena<AscendC::TPosition::A2> l0a;
    FaArena<AscendC::TPosition::B2> l0b;
    FaArena<AscendC::TPosition::CO1> l0c;
    Tensor query;                    // [D / c0][rows][c0], rows padded to 16
    Tensor probs;                    // [kvStack / c0][rows][c0]
    Tensor boxTensor;                // l1Boxes boxes
    Tensor left;                     // two halves of L0A
    Tensor right;                    // two halves of L0B
    AscendC::LocalTensor<float> acc; // two halves of L0C
    FaCubeRings rings;
    FaStackSignals signals;
};
#endif
