// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One vector instruction on an image of UB, all its fields taken from the tiling data.
#ifndef TESTS_KERNELS_VECTOR_CASE_H
#define TESTS_KERNELS_VECTOR_CASE_H

enum VectorForm : uint32_t { MASK_BITS, MASK_LANES, ELEMENT_COUNT };

struct VectorCase {
    uint32_t operation;
    uint32_t form;
    uint32_t isSetMask;
    uint32_t counterMode; // SetMaskCount before, SetMaskNorm after
    uint64_t mask[2];     // passed to the call, mask[0] alone when it is a number of lanes
    uint64_t registerMask[2];
    uint32_t repeats;
    uint32_t count;
    uint32_t offsets[4]; // bytes in UB: dst, src0, src1, bits or work
    uint32_t blockStrides[3];
    uint32_t repeatStrides[3];
    uint64_t scalar; // bits of one element
    uint32_t mode;   // rounding, comparison, selection, order or flag
    uint32_t ubBytes;
};

using namespace AscendC;

template <typename T>
__aicore__ inline T ElementOfBits(uint64_t bits)
{
    T value;
    uint8_t *to = reinterpret_cast<uint8_t *>(&value);
    for (uint32_t i = 0; i < sizeof(T); ++i) {
        to[i] = static_cast<uint8_t>(bits >> (8 * i));
    }
    return value;
}

// Run(): the instruction. Everything around it is the same for all of them.
class VectorCaseBase {
public:
    __aicore__ inline void Init(GM_ADDR image, const VectorCase &vectorCase)
    {
        c = vectorCase;
        ubImage.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t *>(image));
        ub = LocalTensor<uint8_t>(TPosition::VECCALC, 0, c.ubBytes);
        binary = BinaryRepeatParams(c.blockStrides[0], c.blockStrides[1], c.blockStrides[2], c.repeatStrides[0],
                                    c.repeatStrides[1], c.repeatStrides[2]);
        unary = UnaryRepeatParams(c.blockStrides[0], c.blockStrides[1], c.repeatStrides[0], c.repeatStrides[1]);
    }

    __aicore__ inline void Begin()
    {
        DataCopy(ub, ubImage, c.ubBytes);
        PipeBarrier<PIPE_ALL>();
        if (c.counterMode != 0) {
            SetMaskCount();
        }
        SetVectorMask<uint16_t, MaskMode::NORMAL>(c.registerMask[1], c.registerMask[0]);
    }

    __aicore__ inline void End()
    {
        SetMaskNorm();
        ResetMask();
        PipeBarrier<PIPE_ALL>();
        DataCopy(ubImage, ub, c.ubBytes);
    }

    template <typename E>
    __aicore__ inline LocalTensor<E> Operand(uint32_t index) const
    {
        return ub[c.offsets[index]].template ReinterpretCast<E>();
    }

    VectorCase c;
    BinaryRepeatParams binary;
    UnaryRepeatParams unary;

private:
    GlobalTensor<uint8_t> ubImage;
    LocalTensor<uint8_t> ub;
};

// The forms of an instruction f<TYPES, isSetMask>(operands..., mask, repeats, params) and f(operands..., count).
#define VECTOR_CASE_MASKED(name, types, params, ...)                                                                   \
    if (c.form == MASK_BITS && c.isSetMask != 0) {                                                                     \
        name<VECTOR_CASE_UNPACK types, true>(__VA_ARGS__, c.mask, static_cast<uint8_t>(c.repeats), params);            \
    } else if (c.form == MASK_BITS) {                                                                                  \
        name<VECTOR_CASE_UNPACK types, false>(__VA_ARGS__, c.mask, static_cast<uint8_t>(c.repeats), params);           \
    } else if (c.form == MASK_LANES && c.isSetMask != 0) {                                                             \
        name<VECTOR_CASE_UNPACK types, true>(__VA_ARGS__, c.mask[0], static_cast<uint8_t>(c.repeats), params);         \
    } else if (c.form == MASK_LANES) {                                                                                 \
        name<VECTOR_CASE_UNPACK types, false>(__VA_ARGS__, MASK_PLACEHOLDER, static_cast<uint8_t>(c.repeats), params); \
    }
#define VECTOR_CASE_UNPACK(...) __VA_ARGS__

#define VECTOR_CASE_ENTRY(entry, Kernel)                                                                               \
    extern "C" __global__ __aicore__ void entry(GM_ADDR image, GM_ADDR tiling)                                         \
    {                                                                                                                  \
        KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                                                \
        REGISTER_TILING_DEFAULT(VectorCase);                                                                           \
        GET_TILING_DATA(vectorCase, tiling);                                                                           \
        Kernel kernel;                                                                                                 \
        kernel.Init(image, vectorCase);                                                                                \
        kernel.Begin();                                                                                                \
        kernel.Run();                                                                                                  \
        kernel.End();                                                                                                  \
    }
#endif
