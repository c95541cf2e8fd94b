// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Row kernels of the element-wise operations.
#ifndef ASCENDC_CPU_SRC_VECTOR_ELEMENTWISE_KERNEL_H
#define ASCENDC_CPU_SRC_VECTOR_ELEMENTWISE_KERNEL_H
#include "repeat_driver.h"
#include "vector_math.h"

namespace ascendc_cpu {

enum class Operands {
    ONE,        // Apply(a)
    TENSORS,    // Apply(a, b)
    SCALAR,     // Apply(a, scalar)
    FILL,       // Apply(scalar): no source
    ACCUMULATE, // Apply(dst, a, b)
    SCALE_ADD   // Apply(dst, a, scalar)
};

// Op::Apply works on vectors of computed lanes.
template <typename Op, Operands OPERANDS, typename D, typename S>
struct ElementwiseKernel {
    using Dst = D;
    using Src0 = S;
    using Src1 = S;
    static constexpr bool USES_SRC1 = OPERANDS == Operands::TENSORS || OPERANDS == Operands::ACCUMULATE;
    static constexpr bool USES_SCALAR =
        OPERANDS == Operands::SCALAR || OPERANDS == Operands::FILL || OPERANDS == Operands::SCALE_ADD;
    static constexpr bool USES_DST = OPERANDS == Operands::ACCUMULATE || OPERANDS == Operands::SCALE_ADD;
    using DstVec = ComputedVec<D>;
    using SrcVec = ComputedVec<S>;

    SrcVec scalar{};

    explicit ElementwiseKernel(const void *src1)
    {
        if constexpr (USES_SCALAR) {
            scalar = SplatOf(static_cast<const S *>(src1));
        }
    }

    DstVec Apply(DstVec old, SrcVec a, SrcVec b) const
    {
        if constexpr (OPERANDS == Operands::ONE) {
            return Op::Apply(a);
        } else if constexpr (OPERANDS == Operands::TENSORS) {
            return Op::Apply(a, b);
        } else if constexpr (OPERANDS == Operands::SCALAR) {
            return Op::Apply(a, scalar);
        } else if constexpr (OPERANDS == Operands::FILL) {
            return scalar;
        } else if constexpr (OPERANDS == Operands::ACCUMULATE) {
            return Op::Apply(old, a, b);
        } else {
            return Op::Apply(old, a, scalar);
        }
    }

    // secondAt(i, count): lanes [i, i + count) of the second source.
    template <typename Second>
    inline __attribute__((always_inline)) void RowWith(D *dst, const S *src0, uint32_t count,
                                                       const Second &secondAt) const
    {
        constexpr bool READS_SRC0 = OPERANDS != Operands::FILL;
        uint32_t i = 0;
        for (; i + LANES <= count; i += LANES) {
            DstVec old{};
            SrcVec first{};
            if constexpr (USES_DST) {
                old = Load(dst + i);
            }
            if constexpr (READS_SRC0) {
                first = Load(src0 + i);
            }
            Store(dst + i, Apply(old, first, secondAt(i, LANES)));
        }
        const uint32_t rest = count - i;
        if (rest != 0) {
            DstVec old{};
            SrcVec first{};
            if constexpr (USES_DST) {
                old = LoadFirst(dst + i, rest);
            }
            if constexpr (READS_SRC0) {
                first = LoadFirst(src0 + i, rest);
            }
            StoreFirst(dst + i, Apply(old, first, secondAt(i, rest)), rest);
        }
    }

    inline __attribute__((always_inline)) void Row(D *dst, const S *src0, const S *src1, uint32_t count,
                                                   uint32_t /*stream*/) const
    {
        RowWith(dst, src0, count, [src1](uint32_t i, uint32_t lanes) {
            if constexpr (USES_SRC1) {
                return lanes == LANES ? Load(src1 + i) : LoadFirst(src1 + i, lanes);
            } else {
                return SrcVec{};
            }
        });
    }

    inline __attribute__((always_inline)) void RowOfBlock(D *dst, const S *src0, const S *block, uint32_t count,
                                                          uint32_t /*stream*/) const
    {
        // dst may be the block's own tensor: the block is read before anything is written
        constexpr uint32_t PER_BLOCK = BLOCK_BYTES / sizeof(S);
        constexpr uint32_t VECTORS = PER_BLOCK > LANES ? PER_BLOCK / LANES : 1;
        SrcVec lanes[VECTORS];
        for (uint32_t i = 0; i < VECTORS; i++) {
            lanes[i] = LoadRepeatedBlock(block, i * LANES);
        }
        RowWith(dst, src0, count, [&lanes](uint32_t i, uint32_t) { return lanes[i / LANES % VECTORS]; });
    }
};

template <typename Kernel>
struct ElementwiseEntry {
    static void Count(void *dst, const void *src0, const void *src1, uint32_t count)
    {
        const Kernel kernel(src1);
        kernel.Row(static_cast<typename Kernel::Dst *>(dst), static_cast<const typename Kernel::Src0 *>(src0),
                   static_cast<const typename Kernel::Src1 *>(src1), count, 0);
    }
    static void Repeat(void *dst, const void *src0, const void *src1, const VectorShape &shape)
    {
        DriveRepeats(Kernel(src1), dst, src0, src1, shape);
    }
    static constexpr VectorEntry VALUE = {&Count, &Repeat, {}, nullptr};
};

} // namespace ascendc_cpu
#endif
