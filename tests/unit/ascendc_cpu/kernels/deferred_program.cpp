// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A program of cube instructions from the tiling data: copies to L1, loads to L0, products, and reads of L1.
#include "kernel_operator.h"

enum Operation : uint32_t {
    ND2NZ,
    FILL,
    COPY,
    STORE,
    LOAD_KEY,
    LOAD_VALUE,
    LOAD_LEFT,
    MULTIPLY,
    FIXPIPE,
    POKE,
    BIAS,
    SPLIT, // Fixpipe to columns of 8
    REFER, // takes a reference into `out`
    HELD   // writes there
};

struct Step {
    uint32_t operation;
    uint32_t fromOut; // ND2NZ: source is `out` instead of `in`
    uint32_t l1, l0;  // offsets, elements; MULTIPLY, FIXPIPE: l1 is that of C
    uint32_t gm;
    uint32_t rows, columns, pitch;
    uint32_t m, n, k; // LOAD_LEFT: m blocks of 16 rows, 0 all of them, from block k on; LOAD_VALUE: m columns from k on
    uint32_t result;  // offset in `out`
};

constexpr uint32_t MOST_STEPS = 64;
constexpr uint32_t BIAS_ELEMENTS = 128;

struct DeferredProgram {
    uint32_t count;
    uint32_t reserved;
    Step steps[MOST_STEPS];
};

using namespace AscendC;

class DeferredProgramKernel {
public:
    __aicore__ inline void Init(GM_ADDR in, GM_ADDR out)
    {
        gmIn.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(in));
        gmOut.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out));
        l1 = LocalTensor<float>(TPosition::A1, 0, 128 * 1024);
        l0A = LocalTensor<float>(TPosition::A2, 0, 16 * 1024);
        l0B = LocalTensor<float>(TPosition::B2, 0, 16 * 1024);
        l0C = LocalTensor<float>(TPosition::CO1, 0, 32 * 1024);
        bias = LocalTensor<float>(TPosition::C2, 0, BIAS_ELEMENTS);
        DataCopy(l1, gmIn, 64 * 1024);
        InitConstValue(l0A, InitConstValueParams<float>(1, 128, 0, 1.5f));
        InitConstValue(l0B, InitConstValueParams<float>(1, 128, 0, 0.5f));
        PipeBarrier<PIPE_ALL>();
        DataCopy(bias, l1, BIAS_ELEMENTS);
        for (uint32_t half = 0; half < 2; ++half) { // later ones may accumulate
            Mmad(l0C[half * 16 * 1024], l0A, l0B, MmadParams(128, 128, 8, 0, false, true));
        }
        PipeBarrier<PIPE_ALL>();
    }

    __aicore__ inline void Run(const Step &s)
    {
        const uint32_t elements = s.rows * s.columns;
        switch (s.operation) {
        case ND2NZ:
            DataCopy(l1[s.l1], (s.fromOut != 0 ? gmOut : gmIn)[s.gm],
                     Nd2NzParams(1, s.rows, s.columns, 0, s.pitch, (s.rows + 15) / 16 * 16, 1, 0));
            break;
        case FILL:
            InitConstValue(l1[s.l1], InitConstValueParams<float>(1, elements / 8, 0, 2.0f));
            break;
        case COPY:
            DataCopy(l1[s.l1], gmIn[s.gm], elements);
            break;
        case STORE:
            DataCopy(gmOut[s.result], l1[s.l1], elements);
            break;
        case LOAD_KEY:
            LoadData(l0B[s.l0], l1[s.l1], LoadData2DParams(0, elements / 128, 1, 0, 0, false, 0));
            break;
        case LOAD_LEFT:
            LoadLeft(s);
            break;
        case LOAD_VALUE:
            LoadValue(s);
            break;
        default:
            RunProduct(s);
        }
        PipeBarrier<PIPE_ALL>();
    }

    __aicore__ inline LoadData3DParamsV2<float> Rectangle(const Step &s) const
    {
        LoadData3DParamsV2<float> load;
        load.l1H = 1;
        load.l1W = load.mExtension = s.rows;
        load.channelSize = load.kExtension = s.columns;
        return load;
    }

    __aicore__ inline void LoadValue(const Step &s)
    {
        LoadData3DParamsV2<float> load = Rectangle(s);
        if (s.m != 0) {
            load.kStartPt = s.k;
            load.kExtension = s.m;
        }
        LoadData(l0B[s.l0], l1[s.l1], load);
    }

    // Blocks of 16 rows from block k on, m of them or all; by one load from column `pitch` on if n says so.
    __aicore__ inline void LoadLeft(const Step &s)
    {
        const uint32_t blocks = s.m != 0 ? s.m : s.rows / 16;
        if (s.n != 0) {
            LoadData3DParamsV2<float> load = Rectangle(s);
            load.mStartPt = s.k * 16;
            load.mExtension = blocks * 16;
            load.kStartPt = s.pitch;
            load.kExtension = s.columns - s.pitch;
            LoadData(l0A, l1[s.l1], load);
            return;
        }
        for (uint32_t block = 0; block < blocks; ++block) {
            LoadData(l0A[block * 16 * s.columns], l1[s.l1],
                     LoadData2DParams(s.k + block, s.columns / 8, s.rows / 16, 0, 0, false, 0));
        }
    }

    __aicore__ inline void RunProduct(const Step &s)
    {
        switch (s.operation) {
        case MULTIPLY:
            if (s.pitch != 0) { // C starts from the bias
                Mmad(l0C[s.l1], l0A, l0B[s.l0], bias, MmadParams(s.m, s.n, s.k, 0, true, false));
            } else {
                Mmad(l0C[s.l1], l0A, l0B[s.l0], MmadParams(s.m, s.n, s.k, 0, false, s.rows == 0));
            }
            break;
        case POKE:
            gmOut.SetValue(s.result, static_cast<float>(s.gm));
            break;
        case REFER:
            held = &gmOut(s.result);
            break;
        case HELD:
            *held = static_cast<float>(s.gm);
            break;
        case BIAS:
            DataCopy(bias, l1[s.l1], BIAS_ELEMENTS);
            break;
        case SPLIT:
            Fixpipe<float, float, CFG_NZ>(
                gmOut[s.result], l0C[s.l1],
                FixpipeParamsV220(s.n, s.m, s.rows, s.pitch, false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, true));
            break;
        default: // rows: those of C's fractals; k: matrices, a fractal apart, if there is more than one
            Fixpipe<float, float, CFG_ROW_MAJOR>(gmOut[s.result], l0C[s.l1],
                                                 FixpipeParamsV220(s.n, s.m, s.rows, s.pitch, false,
                                                                   QuantMode_t::NoQuant, 0, s.k == 0 ? 1 : s.k, 1,
                                                                   s.m * s.pitch, 0));
        }
    }

private:
    GlobalTensor<float> gmIn, gmOut;
    LocalTensor<float> l1, l0A, l0B, l0C, bias;
    float *held = nullptr;
};

extern "C" __global__ __aicore__ void deferred_program(GM_ADDR in, GM_ADDR out, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    REGISTER_TILING_DEFAULT(DeferredProgram);
    GET_TILING_DATA(program, tiling);
    DeferredProgramKernel kernel;
    kernel.Init(in, out);
    for (uint32_t i = 0; i < program.count; ++i) {
        kernel.Run(program.steps[i]);
    }
}
