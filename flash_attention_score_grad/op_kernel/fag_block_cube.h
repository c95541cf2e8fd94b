// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The AIC's five matmuls of a tile: S = Q K^T and dP = dY V^T; then dV += P^T dY, dK += dS^T Q and dQ += dS K, added to
// fp32 accumulators in GM.
#ifndef FAG_BLOCK_CUBE_H
#define FAG_BLOCK_CUBE_H
#include "fa_box_matmul.h"
#include "fag_tile.h"

template <typename Traits>
class FagBlockCube {
    using T = typename Traits::Elem;

public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData,
                                const FagGlobalTensors<T> &globalTensors, AscendC::TPipe &pipe)
    {
        tiling = &tilingData;
        global = &globalTensors;
        matmul.Init(pipe, 0, tilingData.tile.l1Boxes, FA_BOX_BYTES);
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
        const int64_t rows = tile.block.rows;
        const Result scores = {global->scores[slotOffset], pitch};
        const Result dp = {global->dp[slotOffset], pitch};
        const FaRopeParam &rope = tiling->problem.rope;
        Multiply<FaOperand::ROWS, FaOperand::TRANSPOSED>(
            scores, rows, tile.cols, {QueryOf(tile), KeyOf(tile), tiling->problem.d},
            {QueryRows(global->queryRope, rope.query, tile), KeyRows(global->keyRope, rope.key, tile), rope.d});
        Multiply<FaOperand::ROWS, FaOperand::TRANSPOSED>(dp, rows, tile.cols,
                                                         {DyOf(tile), ValueOf(tile), tiling->problem.dv});
        signals.scoresReady.Set();
    }

    // Until the AIVs are done with the tile after the last one that was waited for.
    __aicore__ inline void WaitForVectors() const
    {
        signals.probsReady.Wait();
    }

    __aicore__ inline void AddGradients(const FagTile &tile)
    {
        WaitForVectors();
        const Matrix probs = {global->probs[global->ProbsOffset(tile.slot)], global->probsPitch};
        const Matrix ds = {global->ds[global->ProbsOffset(tile.slot)], global->probsPitch};
        AscendC::SetAtomicAdd<float>();
        AddToKeys(global->dvAcc, tile, tiling->problem.dv, probs, DyOf(tile));
        AddToKeys(global->dkAcc, tile, tiling->problem.d, ds, QueryOf(tile));
        AddToQueries(global->dqAcc, tile, tiling->problem.d, ds, KeyOf(tile));
        const FaRopeParam &rope = tiling->problem.rope;
        if (tiling->storesDkRope != 0) {
            AddToKeys(global->dkRopeAcc, tile, rope.d, ds, QueryRows(global->queryRope, rope.query, tile));
        }
        if (tiling->storesDqRope != 0) {
            AddToQueries(global->dqRopeAcc, tile, rope.d, ds, KeyRows(global->keyRope, rope.key, tile));
        }
        AscendC::SetAtomicNone();
        AscendC::PipeBarrier<PIPE_FIX>(); // the next tile may add to the same rows
    }

private:
    template <typename E>
    struct Rows {
        AscendC::GlobalTensor<E> data;
        int64_t pitch;
    };
    using Matrix = Rows<T>;
    using Result = Rows<float>;

    // One part of a sum of products: k columns of A times as many rows of B.
    struct Operands {
        Matrix a;
        Matrix b;
        int64_t k; // not padded, 0: nothing
    };

    __aicore__ inline Matrix QueryOf(const FagTile &tile) const
    {
        return QueryRows(global->query, tiling->problem.query, tile);
    }
    __aicore__ inline Matrix DyOf(const FagTile &tile) const
    {
        return QueryRows(global->dy, tiling->problem.out, tile);
    }
    __aicore__ inline Matrix KeyOf(const FagTile &tile) const
    {
        return KeyRows(global->key, tiling->problem.key, tile);
    }
    __aicore__ inline Matrix ValueOf(const FagTile &tile) const
    {
        return KeyRows(global->value, tiling->problem.value, tile);
    }

    // The rows of a tensor, and of an accumulator, that belong to a tile.
    template <typename E>
    static __aicore__ inline Rows<E> QueryRows(const AscendC::GlobalTensor<E> &tensor, const FaTensorStrides &strides,
                                               const FagTile &tile)
    {
        return {tensor[FaQueryOffset(strides, tile.block.segment, tile.block.n1, tile.block.q0)], strides.s};
    }
    template <typename E>
    static __aicore__ inline Rows<E> KeyRows(const AscendC::GlobalTensor<E> &tensor, const FaTensorStrides &strides,
                                             const FagTile &tile)
    {
        return {tensor[FaKeyOffset(strides, tile.block.segment, tile.block.n2, tile.k0)], strides.s};
    }

    // accumulator += weights^T rows: for the keys of a tile.
    __aicore__ inline void AddToKeys(const FagAccumulator &accumulator, const FagTile &tile, int64_t headDim,
                                     const Matrix &weights, const Matrix &rows)
    {
        Multiply<FaOperand::TRANSPOSED, FaOperand::ROWS>(KeyRows(accumulator.data, accumulator.strides, tile),
                                                         tile.cols, headDim, {weights, rows, tile.block.rows});
    }

    // accumulator += weights rows: for its queries.
    __aicore__ inline void AddToQueries(const FagAccumulator &accumulator, const FagTile &tile, int64_t headDim,
                                        const Matrix &weights, const Matrix &rows)
    {
        Multiply<FaOperand::ROWS, FaOperand::ROWS>(QueryRows(accumulator.data, accumulator.strides, tile),
                                                   tile.block.rows, headDim, {weights, rows, tile.cols});
    }

    // C = A B, m x n, or the sum of two such products, in tiles of 128 x 128; operands stream through the ring of
    // boxes.
    template <FaOperand A, FaOperand B>
    __aicore__ inline void Multiply(const Result &c, int64_t rows, int64_t cols, const Operands &first,
                                    const Operands &second = {})
    {
        for (int64_t m0 = 0; m0 < rows; m0 += FA_BOX_ROWS) {
            const int64_t m = FaMin(FA_BOX_ROWS, rows - m0);
            for (int64_t n0 = 0; n0 < cols; n0 += FA_BOX_ROWS) {
                const int64_t n = FaMin(FA_BOX_ROWS, cols - n0);
                const AscendC::LocalTensor<float> tile = matmul.BeginTile();
                AddProducts<A, B>(tile, first, {m0, m, n0, n}, true);
                AddProducts<A, B>(tile, second, {m0, m, n0, n}, false);
                matmul.StoreTile(c.data[m0 * c.pitch + n0], tile, m, FaAlign(n, 16), FaAlign(m, 16), c.pitch);
            }
        }
    }

    // Rows [m0, m0 + m) and columns [n0, n0 + n) of C.
    struct Part {
        int64_t m0;
        int64_t m;
        int64_t n0;
        int64_t n;
    };

    template <FaOperand A, FaOperand B>
    __aicore__ inline void AddProducts(const AscendC::LocalTensor<float> &tile, const Operands &operands,
                                       const Part &part, bool init)
    {
        for (int64_t k0 = 0; k0 < operands.k; k0 += Traits::boxK) {
            const int64_t k = FaMin(Traits::boxK, operands.k - k0);
            const AscendC::LocalTensor<T> left = LoadOperand<A>(operands.a, part.m0, part.m, k0, k);
            const AscendC::LocalTensor<T> right = LoadOperand<Other(B)>(operands.b, part.n0, part.n, k0, k);
            matmul.template Multiply<A, B>(tile, left, right, {part.m, FaAlign(part.n, 16), k}, init && k0 == 0, 2);
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
