// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Comparisons to packed bits, and selection by packed bits.
#include "elementwise_ops.h"

namespace ascendc_cpu {

namespace {

// The numbers of AscendC::CMPMODE.
enum class Comparison : uint8_t { LT, GT, EQ, LE, GE, NE };

template <Comparison MODE, typename V>
inline I32 Compared(V a, V b)
{
    if constexpr (MODE == Comparison::LT) {
        return a < b;
    } else if constexpr (MODE == Comparison::GT) {
        return a > b;
    } else if constexpr (MODE == Comparison::EQ) {
        return a == b;
    } else if constexpr (MODE == Comparison::LE) {
        return a <= b;
    } else if constexpr (MODE == Comparison::GE) {
        return a >= b;
    } else {
        return a != b;
    }
}

template <typename T>
constexpr uint32_t RepeatLanes()
{
    return REPEAT_BYTES / sizeof(T);
}

// One repeat whose blocks are apart, made a row.
template <typename T>
inline const T *PackedRepeat(const T *src, VectorStride stride, T *buffer)
{
    if (stride.block == 1) {
        return src;
    }
    for (uint32_t block = 0; block < REPEAT_BYTES / BLOCK_BYTES; block++) {
        memcpy(Advance(buffer, block), Advance(src, static_cast<uint64_t>(block) * stride.block), BLOCK_BYTES);
    }
    return buffer;
}

// SECOND_IS_TENSOR: src1 is a row, else one scalar for all lanes.
template <typename T, Comparison MODE, bool SECOND_IS_TENSOR>
void CompareRepeats(uint8_t *bits, const T *src0, const T *src1, const VectorShape &shape)
{
    constexpr uint32_t COUNT = RepeatLanes<T>();
    ComputedVec<T> scalar{};
    if constexpr (!SECOND_IS_TENSOR) {
        scalar = SplatOf(src1);
    }
    T buffers[2][COUNT];
    for (uint64_t repeat = 0; repeat < shape.repeats; repeat++) {
        const T *first = PackedRepeat(Advance(src0, repeat * shape.src0.repeat), shape.src0, buffers[0]);
        const T *second = src1;
        if constexpr (SECOND_IS_TENSOR) {
            second = PackedRepeat(Advance(src1, repeat * shape.src1.repeat), shape.src1, buffers[1]);
        }
        uint64_t words[COUNT / 64] = {};
        for (uint32_t i = 0; i < COUNT; i += LANES) {
            const ComputedVec<T> b = SECOND_IS_TENSOR ? Load(second + i) : scalar;
            words[i / 64] |= static_cast<uint64_t>(LaneBits(Compared<MODE>(Load(first + i), b))) << (i % 64);
        }
        memcpy(bits + repeat * sizeof(words), words, sizeof(words));
    }
}

template <typename T, bool SECOND_IS_TENSOR>
void CompareAs(uint8_t *bits, const void *src0, const void *src1, uint8_t mode, const VectorShape &shape)
{
    const T *a = static_cast<const T *>(src0);
    const T *b = static_cast<const T *>(src1);
    switch (static_cast<Comparison>(mode)) {
    case Comparison::LT:
        return CompareRepeats<T, Comparison::LT, SECOND_IS_TENSOR>(bits, a, b, shape);
    case Comparison::GT:
        return CompareRepeats<T, Comparison::GT, SECOND_IS_TENSOR>(bits, a, b, shape);
    case Comparison::EQ:
        return CompareRepeats<T, Comparison::EQ, SECOND_IS_TENSOR>(bits, a, b, shape);
    case Comparison::LE:
        return CompareRepeats<T, Comparison::LE, SECOND_IS_TENSOR>(bits, a, b, shape);
    case Comparison::GE:
        return CompareRepeats<T, Comparison::GE, SECOND_IS_TENSOR>(bits, a, b, shape);
    case Comparison::NE:
        return CompareRepeats<T, Comparison::NE, SECOND_IS_TENSOR>(bits, a, b, shape);
    }
}

// `count` bits from bit `first` of a stream; reads no byte that holds none of them.
inline uint32_t ReadBits(const uint8_t *stream, uint32_t first, uint32_t count)
{
    const uint8_t *bytes = stream + first / 8;
    const uint32_t shift = first % 8;
    if constexpr (LANES >= 8) {
        if (shift == 0 && count == LANES) {
            return LoadBytes<typename std::conditional<LANES == 16, uint16_t, uint8_t>::type>(bytes);
        }
    }
    uint32_t word = 0;
    for (uint32_t i = 0; i * 8 < shift + count; i++) {
        word |= static_cast<uint32_t>(bytes[i]) << (8 * i);
    }
    return word >> shift;
}

inline F32 Choose(uint32_t bits, F32 a, F32 b)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    return BitCast<F32>(_mm512_mask_blend_ps(static_cast<__mmask16>(bits), BitCast<__m512>(b), BitCast<__m512>(a)));
#else
    const I32 lanes = (I32{} + 1) << LaneNumbers();
    return (lanes & static_cast<int32_t>(bits)) != 0 ? a : b;
#endif
}

template <typename T, bool SECOND_IS_TENSOR>
struct SelectKernel {
    using Dst = T;
    using Src0 = T;
    using Src1 = T;
    static constexpr bool USES_SRC1 = SECOND_IS_TENSOR;
    const uint8_t *bits;
    uint32_t wrap; // mask of the bit number: every repeat starts again, or all bits of the stream
    ComputedVec<T> scalar{};

    template <typename Second>
    inline __attribute__((always_inline)) void RowWith(T *dst, const T *src0, uint32_t count, uint32_t stream,
                                                       const Second &secondAt) const
    {
        for (uint32_t i = 0; i < count; i += LANES) {
            const uint32_t lanes = Smaller(LANES, count - i);
            const uint32_t chosen = ReadBits(bits, (stream + i) & wrap, lanes);
            if (lanes == LANES) {
                Store(dst + i, Choose(chosen, Load(src0 + i), secondAt(i, LANES)));
            } else {
                StoreFirst(dst + i, Choose(chosen, LoadFirst(src0 + i, lanes), secondAt(i, lanes)), lanes);
            }
        }
    }
    inline __attribute__((always_inline)) void Row(T *dst, const T *src0, const T *src1, uint32_t count,
                                                   uint32_t stream) const
    {
        RowWith(dst, src0, count, stream, [this, src1](uint32_t i, uint32_t lanes) {
            if constexpr (SECOND_IS_TENSOR) {
                return lanes == LANES ? Load(src1 + i) : LoadFirst(src1 + i, lanes);
            } else {
                return scalar;
            }
        });
    }
    void RowOfBlock(T *dst, const T *src0, const T *block, uint32_t count, uint32_t stream) const
    {
        T copy[BLOCK_BYTES / sizeof(T)]; // dst may be the block's own tensor
        memcpy(copy, block, BLOCK_BYTES);
        RowWith(dst, src0, count, stream, [&copy](uint32_t i, uint32_t) { return LoadRepeatedBlock(copy, i); });
    }
};

template <typename T, bool SECOND_IS_TENSOR>
void SelectAs(void *dst, const uint8_t *bits, const void *src0, const void *src1, bool reuseBits,
              const VectorShape &shape)
{
    SelectKernel<T, SECOND_IS_TENSOR> kernel{bits, reuseBits ? RepeatLanes<T>() - 1 : ~0u};
    if constexpr (!SECOND_IS_TENSOR) {
        kernel.scalar = SplatOf(static_cast<const T *>(src1));
    }
    DriveRepeats(kernel, dst, src0, src1, shape);
}

template <typename T>
void FillCompare(VectorIsa &isa, VectorType type)
{
    isa.compare[static_cast<int>(type)] = {&CompareAs<T, true>, &CompareAs<T, false>};
}

template <typename T>
void FillSelect(VectorIsa &isa, VectorType type)
{
    isa.select[static_cast<int>(type)] = {&SelectAs<T, true>, &SelectAs<T, false>};
}

} // namespace

void FillCompareSelectEntries(VectorIsa &isa)
{
    FillCompare<Half>(isa, VectorType::HALF);
    FillCompare<float>(isa, VectorType::FLOAT);
    FillCompare<int32_t>(isa, VectorType::INT32);
    FillSelect<Half>(isa, VectorType::HALF);
    FillSelect<float>(isa, VectorType::FLOAT);
}

} // namespace ascendc_cpu
