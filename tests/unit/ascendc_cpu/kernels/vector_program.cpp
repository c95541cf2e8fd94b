// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A program of vector instructions, copies and scalar accesses from the tiling data, all on one image of UB.
#include "kernel_operator.h"

enum Operation : uint32_t {
    MASKED,   // MASKED to COUNTED: two tensors, `function` says which instruction
    REGISTER, // the mask register is set before, in counter mode if count is not 0, and stays so if value is not 0
    AS_IS,    // the mask register is what it is
    COUNTED,
    EXP,
    EXP_MASKED,
    FILL,
    SCALE,
    ADD_SCALAR,
    ACCUMULATE,
    CAST,
    BROADCAST,
    REDUCE,
    SELECT,
    COPY_IN,
    COPY_OUT,
    STORE, // rows of `count`, `repeat` blocks apart; atomic addition if value is not 0
    COPY,
    GET,
    SET,
    REFER, // takes a reference to dst
    HELD,  // reads the reference that was taken, and writes there
    WAITS  // how many chunks of a chain wait, 100 for each number of what is done to its tile before, 1000 for sums
};

struct Step {
    uint32_t operation;
    uint32_t function;
    uint32_t dst, src0, src1; // elements; of GM where the copy says so
    uint32_t block[3];        // strides, of dst, src0 and src1
    uint32_t repeat[3];
    uint32_t repeats;
    uint32_t mask[2];
    uint32_t count;
    float value;
};

constexpr uint32_t MOST_STEPS = 64;
constexpr uint32_t UB_ELEMENTS = 48 * 1024;

struct VectorProgram {
    uint32_t count;
    uint32_t reserved;
    Step steps[MOST_STEPS];
};

using namespace AscendC;

class VectorProgramKernel {
public:
    __aicore__ inline void Init(GM_ADDR in, GM_ADDR out)
    {
        gmIn.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(in));
        gmOut.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out));
        ub = LocalTensor<float>(TPosition::VECCALC, 0, UB_ELEMENTS);
        DataCopy(ub, gmIn, UB_ELEMENTS);
        PipeBarrier<PIPE_ALL>();
    }

    // The image of UB goes to the start of `out`.
    __aicore__ inline void End()
    {
        DataCopy(gmOut, ub, UB_ELEMENTS);
    }

    __aicore__ inline void Run(const Step &step)
    {
        s = step;
        binary = BinaryRepeatParams(s.block[0], s.block[1], s.block[2], s.repeat[0], s.repeat[1], s.repeat[2]);
        unary = UnaryRepeatParams(s.block[0], s.block[1], s.repeat[0], s.repeat[1]);
        mask[0] = s.mask[0] | static_cast<uint64_t>(s.mask[1]) << 32;
        repeats = static_cast<uint8_t>(s.repeats);
        if (s.operation <= COUNTED) {
            RunBinary();
        } else if (s.operation < COPY_IN) {
            RunOther();
        } else {
            RunAccess();
        }
        PipeBarrier<PIPE_ALL>();
    }

private:
    __aicore__ inline void RunBinary()
    {
        switch (s.function) {
#define CASE_BINARY(number, name)                                                                                      \
    case number:                                                                                                       \
        if (s.operation == MASKED) {                                                                                   \
            name(ub[s.dst], ub[s.src0], ub[s.src1], mask, repeats, binary);                                            \
        } else if (s.operation == COUNTED) {                                                                           \
            name(ub[s.dst], ub[s.src0], ub[s.src1], static_cast<int32_t>(s.count));                                    \
        } else {                                                                                                       \
            SetRegister();                                                                                             \
            name<float, false>(ub[s.dst], ub[s.src0], ub[s.src1], mask, repeats, binary);                              \
            ClearRegister();                                                                                           \
        }                                                                                                              \
        break;
            CASE_BINARY(0, Add)
            CASE_BINARY(1, Sub)
            CASE_BINARY(2, Mul)
            CASE_BINARY(3, Div)
            CASE_BINARY(4, Max)
            CASE_BINARY(5, Min)
        default:
            break;
        }
    }

    __aicore__ inline void SetRegister()
    {
        if (s.operation == AS_IS) {
            return;
        }
        if (s.count != 0) {
            SetMaskCount();
            SetVectorMask<float, MaskMode::COUNTER>(static_cast<int32_t>(s.count));
        } else {
            SetVectorMask<float, MaskMode::NORMAL>(0, mask[0]);
        }
    }

    __aicore__ inline void ClearRegister()
    {
        if (s.value == 0) {
            SetMaskNorm();
            ResetMask();
        }
    }

    __aicore__ inline void RunOther()
    {
        switch (s.operation) {
        case EXP:
            Exp(ub[s.dst], ub[s.src0], static_cast<int32_t>(s.count));
            break;
        case EXP_MASKED:
            Exp(ub[s.dst], ub[s.src0], mask, repeats, unary);
            break;
        case FILL:
            Duplicate(ub[s.dst], s.value, static_cast<int32_t>(s.count));
            break;
        case SCALE:
            Muls(ub[s.dst], ub[s.src0], s.value, static_cast<int32_t>(s.count));
            break;
        case ADD_SCALAR:
            Adds(ub[s.dst], ub[s.src0], s.value, mask, repeats, unary);
            break;
        case ACCUMULATE:
            MulAddDst(ub[s.dst], ub[s.src0], ub[s.src1], mask, repeats, binary);
            break;
        case CAST:
            Cast(ub[s.dst].ReinterpretCast<half>(), ub[s.src0], RoundMode::CAST_RINT, s.count);
            break;
        case BROADCAST:
            Brcb(ub[s.dst], ub[s.src0], repeats, BrcbRepeatParams(1, 8));
            break;
        case REDUCE:
            WholeReduceSum(ub[s.dst], ub[s.src0], mask, s.repeats, 1, s.block[1], s.repeat[1]);
            break;
        default:
            Select(ub[s.dst], ub[s.src1].ReinterpretCast<uint8_t>(), ub[s.src0], s.value,
                   SELMODE::VSEL_TENSOR_SCALAR_MODE, s.count);
        }
    }

    __aicore__ inline void RunAccess()
    {
        switch (s.operation) {
        case COPY_IN:
            DataCopy(ub[s.dst], gmIn[s.src0], s.count);
            break;
        case COPY_OUT:
            DataCopy(gmOut[s.dst], ub[s.src0], s.count);
            break;
        case STORE:
            StoreRows();
            break;
        case COPY:
            DataCopy(ub[s.dst], ub[s.src0], s.count);
            break;
        case GET:
            gmOut.SetValue(s.dst, ub.GetValue(s.src0));
            break;
        case SET:
            ub.SetValue(s.dst, s.value);
            break;
        case REFER:
            held = &ub(s.dst);
            break;
        case WAITS:
            gmOut.SetValue(s.dst, static_cast<float>(WaitingChunks()));
            break;
        default:
            if (held != nullptr) {
                gmOut.SetValue(s.dst, *held);
                *held = s.value;
            }
        }
    }

    __aicore__ inline void StoreRows()
    {
        if (s.value != 0) {
            SetAtomicAdd<float>();
        }
        const uint32_t blocks = s.count / 8;
        DataCopy(gmOut[s.dst], ub[s.src0],
                 DataCopyParams(s.repeats, blocks, s.repeat[1] - blocks, s.repeat[0] - blocks));
        SetAtomicNone();
    }

    __aicore__ inline uint32_t WaitingChunks() const
    {
        using Chain = ascendc_cpu::VectorChain;
        const Chain &chain = ascendc_cpu::Core().deferred.chain;
        const uint32_t chunks = chain.kind == Chain::Kind::FOLD || chain.kind == Chain::Kind::ROWS ? chain.chunks : 0;
        return chunks + 100 * static_cast<uint32_t>(chain.before) + (chain.sums != nullptr ? 1000 : 0);
    }

    Step s;
    BinaryRepeatParams binary;
    UnaryRepeatParams unary;
    uint64_t mask[2] = {0, 0};
    uint8_t repeats = 0;
    float *held = nullptr;
    GlobalTensor<float> gmIn, gmOut;
    LocalTensor<float> ub;
};

extern "C" __global__ __aicore__ void vector_program(GM_ADDR in, GM_ADDR out, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(VectorProgram);
    GET_TILING_DATA(program, tiling);
    VectorProgramKernel kernel;
    kernel.Init(in, out);
    for (uint32_t i = 0; i < program.count; ++i) {
        kernel.Run(program.steps[i]);
    }
    kernel.End();
}
