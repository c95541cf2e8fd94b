// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The AIC's five matmuls of a tile: S = Q K^T and dP = dY V^T; then dV += P^T dY, dK += dS^T Q and dQ += dS K, added to
// fp32 accumulators in GM.
#ifndef FAG_BLOCK_CUBE_H
#define FAG_BLOCK_CUBE_H
#include "fa_box_matmul.h"
#include "fag_round_cursor.h"

template <typename Traits>
class FagBlockCube {
    using T = typename Traits::Elem;

public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData,
                                const FagGlobalTensors<T> &globalTensors, AscendC::TPipe &pipe)
    {
        tiling = &tilingData;
        global = &globalTensors;
        matmul.Init(pipe, 0, tilingData.tile.l1Boxes);
        matmul.Open();
    }

    __aicore__ inline void Close()
    {
        matmul.Close();
    }

    __aicore__ inline void ComputeScores(const FagTile &tile)
    {
        const int64_t slotOffset = tile.slot * global->tileElems;
        const int64_t pitch = tiling->tile.kvTile;
        Multiply<FaOperand::ROWS, FaOperand::TRANSPOSED>({global->scores[slotOffset], pitch}, QueryOf(tile),
                                                         KeyOf(tile), {tile.block.rows, tile.cols, tiling->d});
        Multiply<FaOperand::ROWS, FaOperand::TRANSPOSED>({global->dp[slotOffset], pitch}, DyOf(tile), ValueOf(tile),
                                                         {tile.block.rows, tile.cols, tiling->dv});
        signals.scoresReady.Set();
    }

    __aicore__ inline void AddGradients(const FagTile &tile)
    {
        signals.probsReady.Wait();
        const Matrix probs = {global->probs[global->ProbsOffset(tile.slot)], global->probsPitch};
        const Matrix ds = {global->ds[global->ProbsOffset(tile.slot)], global->probsPitch};
        const FaRowBlock &block = tile.block;
        AscendC::SetAtomicAdd<float>();
        Multiply<FaOperand::TRANSPOSED, FaOperand::ROWS>(KeyRows(global->dvAcc, tile), probs, DyOf(tile),
                                                         {tile.cols, tiling->dv, block.rows});
        Multiply<FaOperand::TRANSPOSED, FaOperand::ROWS>(KeyRows(global->dkAcc, tile), ds, QueryOf(tile),
                                                         {tile.cols, tiling->d, block.rows});
        Multiply<FaOperand::ROWS, FaOperand::ROWS>(QueryRows(global->dqAcc, tile), ds, KeyOf(tile),
                                                   {block.rows, tiling->d, tile.cols});
        AscendC::SetAtomicNone();
        AscendC::PipeBarrier<PIPE_FIX>(); // the next tile may add to the same rows
    }

private:
    struct Matrix {
        AscendC::GlobalTensor<T> data;
        int64_t pitch;
    };
    struct Result {
        AscendC::GlobalTensor<float> data;
        int64_t pitch;
    };

    __aicore__ inline Matrix QueryOf(const FagTile &tile) const
    {
        return {global->query[QueryOffset(tiling->query, tile)], tiling->query.s};
    }
    __aicore__ inline Matrix DyOf(const FagTile &tile) const
    {
        return {global->dy[QueryOffset(tiling->out, tile)], tiling->out.s};
    }
    __aicore__ inline Matrix KeyOf(const FagTile &tile) const
    {
        return {global->key[KeyOffset(tiling->key, tile)], tiling->key.s};
    }
    __aicore__ inline Matrix ValueOf(const FagTile &tile) const
    {
        return {global->value[KeyOffset(tiling->value, tile)], tiling->value.s};
    }
    __aicore__ inline Result QueryRows(const FagAccumulator &accumulator, const FagTile &tile) const
    {
        return {accumulator.data[QueryOffset(accumulator.strides, tile)], accumulator.strides.s};
    }
    __aicore__ inline Result KeyRows(const FagAccumulator &accumulator, const FagTile &tile) const
    {
        return {accumulator.data[KeyOffset(accumulator.strides, tile)], accumulator.strides.s};
    }
    static __aicore__ inline int64_t QueryOffset(const FaTensorStrides &strides, const FagTile &tile)
    {
        return FaQueryOffset(strides, tile.block.segment, tile.block.n1, tile.block.q0);
    }
    static __aicore__ inline int64_t KeyOffset(const FaTensorStrides &strides, const FagTile &tile)
    {
        return FaKeyOffset(strides, tile.block.segment, tile.block.n2, tile.k0);
    }

    // C = A B in tiles of 128 x 128; both operands stream through the ring of boxes. `shape` is not padded.
    template <FaOperand A, FaOperand B>
    __aicore__ inline void Multiply(const Result &c, const Matrix &a, const Matrix &b, const FaMatmulShape &shape)
    {
        for (int64_t m0 = 0; m0 < shape.m; m0 += FA_BOX_ROWS) {
            const int64_t m = FaMin(FA_BOX_ROWS, shape.m - m0);
            for (int64_t n0 = 0; n0 < shape.n; n0 += FA_BOX_ROWS) {
                const int64_t n = FaMin(FA_BOX_ROWS, shape.n - n0);
                const AscendC::LocalTensor<float> tile = matmul.BeginTile();
                for (int64_t k0 = 0; k0 < shape.k; k0 += Traits::boxK) {
                    const int64_t k = FaMin(Traits::boxK, shape.k - k0);
                    const AscendC::LocalTensor<T> left = LoadOperand<A>(a, m0, m, k0, k);
                    const AscendC::LocalTensor<T> right = LoadOperand<Other(B)>(b, n0, n, k0, k);
                    matmul.template Multiply<A, B>(tile, left, right, {m, FaAlign(n, 16), k}, k0 == 0, 2);
                }
                matmul.StoreTile(c.data[m0 * c.pitch + n0], tile, m, FaAlign(n, 16), FaAlign(m, 16), c.pitch);
            }
        }
    }

    // B^T as ROWS has the same place in memory as A as ROWS: n or m rows of k.
    static constexpr __aicore__ inline FaOperand Other(FaOperand operand)
    {
        return operand == FaOperand::ROWS ? FaOperand::TRANSPOSED : FaOperand::ROWS;
    }

    // Rows [outer0, + outer) x k of an operand (ROWS), or k rows of `outer` columns (TRANSPOSED).
    template <FaOperand OPERAND>
    __aicore__ inline AscendC::LocalTensor<T> LoadOperand(const Matrix &matrix, int64_t outer0, int64_t outer,
                                                          int64_t k0, int64_t k)
    {
        if constexpr (OPERAND == FaOperand::ROWS) {
            return matmul.LoadBox(matrix.data[outer0 * matrix.pitch + k0],
                                  {outer, k, matrix.pitch, FaAlign(outer, 16), FaAlign(k, Traits::c0)});
        } else {
            return matmul.LoadBox(matrix.data[k0 * matrix.pitch + outer0],
                                  {k, outer, matrix.pitch, FaAlign(k, 16), FaAlign(outer, 16)});
        }
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    const FagGlobalTensors<T> *global = nullptr;
    FaBoxMatmul<Traits> matmul;
    FagTileSignals signals;
};
#endif
