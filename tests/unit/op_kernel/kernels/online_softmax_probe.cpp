// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// FaMask and FaOnlineSoftmax on tiles that a test chooses: up to 8 rows, keys in any pieces.
#include "kernel_operator.h"
#include "fa_online_softmax.h"

struct ProbeTiling {
    FaMaskParam mask;
    int64_t s1;
    int64_t s2;
    int64_t q0;    // query of the first row
    int64_t rows;  // at most 8
    int64_t pitch; // of scores in GM, a multiple of 8
    int64_t pieces;
    int64_t ends[32]; // key after each piece
};

class Probe {
public:
    __aicore__ inline void Run(const ProbeTiling &tiling, GM_ADDR scoresIn, GM_ADDR probsOut, GM_ADDR factorsOut,
                               GM_ADDR maxOut, GM_ADDR sumOut)
    {
        scores.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(scoresIn));
        probs.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(probsOut));
        factors.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(factorsOut));
        max.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(maxOut));
        sum.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(sumOut));
        ub.Init(pipe, FA_UB_BYTES);
        tile = ub.Take<float>(FA_PASS_ROWS * 512);
        mask.Init(FaClassifyTile(tiling.mask, 0, tiling.s1, 0, tiling.s2) != FaTileClass::FULL, ub);
        softmax.Init(ub, FA_PASS_ROWS, FA_PASS_ROWS);
        softmax.Reset(0);
        AscendC::Duplicate(tile, 0.0f, FA_PASS_ROWS * 512);
        int64_t begin = 0;
        for (int64_t piece = 0; piece < tiling.pieces; ++piece) {
            Step(tiling, begin, tiling.ends[piece], piece);
            begin = tiling.ends[piece];
        }
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(max, softmax.Max(0), FA_PASS_ROWS);
        AscendC::DataCopy(sum, softmax.Sum(0), FA_PASS_ROWS);
    }

private:
    __aicore__ inline void Step(const ProbeTiling &tiling, int64_t begin, int64_t end, int64_t piece)
    {
        const int64_t cols = end - begin;
        const int64_t pitch = FaAlign(cols, FA_LANES);
        AscendC::PipeBarrier<PIPE_ALL>();
        for (int64_t row = 0; row < tiling.rows; ++row) {
            AscendC::DataCopyExtParams params(1, static_cast<uint32_t>(cols * 4), 0, 0, 0);
            AscendC::DataCopyPadExtParams<float> pad;
            AscendC::DataCopyPad(tile[static_cast<uint32_t>(row * pitch)], scores[row * tiling.pitch + begin], params,
                                 pad);
        }
        AscendC::PipeBarrier<PIPE_ALL>();
        const FaScoreTile scoreTile = {tile, tiling.q0, begin, tiling.rows, cols, pitch};
        if (FaClassifyTile(tiling.mask, tiling.q0, tiling.q0 + tiling.rows, begin, end) != FaTileClass::FULL) {
            mask.Apply(tiling.mask, scoreTile);
        }
        mask.HideTail(scoreTile);
        softmax.BeginStack(0, 0, tiling.rows);
        softmax.Step(scoreTile, 0, 0);
        softmax.EndStack(0, 0, tiling.rows);
        AscendC::PipeBarrier<PIPE_ALL>();
        for (int64_t row = 0; row < tiling.rows; ++row) {
            AscendC::DataCopyExtParams params(1, static_cast<uint32_t>(cols * 4), 0, 0, 0);
            AscendC::DataCopyPad(probs[row * tiling.pitch + begin], tile[static_cast<uint32_t>(row * pitch)], params);
        }
        AscendC::DataCopy(factors[piece * FA_PASS_ROWS], softmax.Rescale(0), FA_PASS_ROWS);
    }

    AscendC::TPipe pipe;
    FaArena<AscendC::TPosition::VECCALC> ub;
    AscendC::GlobalTensor<float> scores;
    AscendC::GlobalTensor<float> probs;
    AscendC::GlobalTensor<float> factors; // [pieces][8]
    AscendC::GlobalTensor<float> max;
    AscendC::GlobalTensor<float> sum;
    AscendC::LocalTensor<float> tile;
    FaMask mask;
    FaOnlineSoftmax softmax;
};

extern "C" __global__ __aicore__ void online_softmax_probe(GM_ADDR scores, GM_ADDR probs, GM_ADDR factors, GM_ADDR max,
                                                           GM_ADDR sum, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(ProbeTiling);
    GET_TILING_DATA(tilingData, tiling);
    Probe probe;
    probe.Run(tilingData, scores, probs, factors, max, sum);
}
