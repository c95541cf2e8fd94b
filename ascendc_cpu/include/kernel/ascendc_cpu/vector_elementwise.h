// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The three forms of every element-wise instruction: mask bits, number of lanes, number of elements.
#ifndef ASCENDC_CPU_VECTOR_ELEMENTWISE_H
#define ASCENDC_CPU_VECTOR_ELEMENTWISE_H
#include "access.h"
#include "chain_vector.h"
#include "vector_call.h"

ASCENDC_CPU_BEGIN

// Second operand of a two-tensor instruction. READS_*: of the other operands.
template <typename T>
struct TensorOperand {
    static constexpr bool IS_TENSOR = true;
    static constexpr bool READS_DST = false;
    static constexpr bool READS_SRC0 = true;
    const LocalTensor<T> &tensor;

    const void *Address() const
    {
        return tensor.Address();
    }
    template <typename Call>
    void Check(const char *api, const Call &call, ascendc_cpu::VectorStride stride) const
    {
        CheckVectorRoom(api, "src1", tensor, call.template Extent<T>(stride));
    }
    void CheckCountForm(const char *api, uint64_t bytes) const
    {
        CheckVectorOperand(api, "src1", tensor, bytes);
    }
};

// A scalar, or nothing (null).
struct ScalarOperand {
    static constexpr bool IS_TENSOR = false;
    static constexpr bool READS_DST = false;
    static constexpr bool READS_SRC0 = true;
    const void *scalar;

    const void *Address() const
    {
        return scalar;
    }
    template <typename Call>
    void Check(const char *, const Call &, ascendc_cpu::VectorStride) const
    {
    }
    void CheckCountForm(const char *, uint64_t) const
    {
    }
};

// The scalar is all that the instruction reads; dst is passed as src0 too.
struct FillOperand : ScalarOperand {
    static constexpr bool READS_SRC0 = false;
};

// dst takes part in the result.
template <typename Operand>
struct Accumulate : Operand {
    static constexpr bool READS_DST = true;
};

// `where(stride, element size)`: region of an operand.
template <typename D, typename S, typename Operand, typename Where>
inline void TraceElementwise([[maybe_unused]] const char *api, [[maybe_unused]] const LocalTensor<D> &dst,
                             [[maybe_unused]] const LocalTensor<S> &src0, [[maybe_unused]] const Operand &src1,
                             [[maybe_unused]] const Where &where)
{
    if constexpr (Operand::IS_TENSOR && Operand::READS_DST) {
        ASCENDC_CPU_TRACE(PIPE_V, api, ascendc_cpu::Read(src0, where(1, sizeof(S))),
                          ascendc_cpu::Read(src1.tensor, where(2, sizeof(S))),
                          ascendc_cpu::Read(dst, where(0, sizeof(D))), ascendc_cpu::Write(dst, where(0, sizeof(D))));
    } else if constexpr (Operand::IS_TENSOR) {
        ASCENDC_CPU_TRACE(PIPE_V, api, ascendc_cpu::Read(src0, where(1, sizeof(S))),
                          ascendc_cpu::Read(src1.tensor, where(2, sizeof(S))),
                          ascendc_cpu::Write(dst, where(0, sizeof(D))));
    } else if constexpr (Operand::READS_DST) {
        ASCENDC_CPU_TRACE(PIPE_V, api, ascendc_cpu::Read(src0, where(1, sizeof(S))),
                          ascendc_cpu::Read(dst, where(0, sizeof(D))), ascendc_cpu::Write(dst, where(0, sizeof(D))));
    } else if constexpr (Operand::READS_SRC0) {
        ASCENDC_CPU_TRACE(PIPE_V, api, ascendc_cpu::Read(src0, where(1, sizeof(S))),
                          ascendc_cpu::Write(dst, where(0, sizeof(D))));
    } else {
        ASCENDC_CPU_TRACE(PIPE_V, api, ascendc_cpu::Write(dst, where(0, sizeof(D))));
    }
}

// dst: LocalTensor<D>, src0: LocalTensor<S>. The mask register has been written.
template <typename D, typename S, typename Operand>
inline void RunMasked(const char *api, const ascendc_cpu::VectorEntry &entry, const LocalTensor<D> &dst,
                      const LocalTensor<S> &src0, const Operand &src1, uint32_t repeats,
                      const ElementwiseStrides &strides)
{
    constexpr bool canChain = std::is_same<D, float>::value && std::is_same<S, float>::value && Operand::IS_TENSOR;
    if constexpr (canChain) {
        if (ExtendChain(entry, dst, src0, src1.tensor, repeats, strides)) {
            return;
        }
    }
    VectorCall<LanesOf<D, S>()> call(repeats);
    if (call.isEmpty) {
        return;
    }
    call.shape.dst = strides.dst;
    call.shape.src0 = strides.src0;
    call.shape.src1 = strides.src1;
    CheckVectorRoom(api, "dst", dst, call.template Extent<D>(strides.dst));
    CheckVectorRoom(api, "src0", src0, call.template Extent<S>(strides.src0));
    src1.Check(api, call, strides.src1);
    TraceElementwise(api, dst, src0, src1, [&](int operand, size_t) {
        return ASCENDC_CPU_VECTOR_REGION(operand == 0   ? strides.dst
                                         : operand == 1 ? strides.src0
                                                        : strides.src1,
                                         call.shape);
    });
    if constexpr (canChain) {
        const RowsOfChunks rows = {dst.Address(), src0.Address(), src1.tensor.Address(), call.shape.repeats, strides};
        if (WaitsInChain(entry, rows, call.shape)) {
            return;
        }
    } else {
        ascendc_cpu::SettleVector();
    }
    entry.repeat(dst.Address(), src0.Address(), src1.Address(), call.shape);
}

template <bool isSetMask, typename D, typename S, typename Operand>
inline void RunMaskBits(const char *api, const ascendc_cpu::VectorEntry &entry, const LocalTensor<D> &dst,
                        const LocalTensor<S> &src0, const Operand &src1, const uint64_t mask[], uint32_t repeats,
                        const ElementwiseStrides &strides)
{
    WriteMask<isSetMask>(mask);
    RunMasked(api, entry, dst, src0, src1, repeats, strides);
}

template <bool isSetMask, typename D, typename S, typename Operand>
inline void RunLanes(const char *api, const ascendc_cpu::VectorEntry &entry, const LocalTensor<D> &dst,
                     const LocalTensor<S> &src0, const Operand &src1, uint64_t lanes, uint32_t repeats,
                     const ElementwiseStrides &strides)
{
    WriteMask<isSetMask>(api, lanes);
    RunMasked(api, entry, dst, src0, src1, repeats, strides);
}

// isSetMask = false: the register says how many elements (counter mode) or lanes of one repeat.
template <bool isSetMask = true, typename D, typename S, typename Operand>
inline void RunCount(const char *api, const ascendc_cpu::VectorEntry &entry, const LocalTensor<D> &dst,
                     const LocalTensor<S> &src0, const Operand &src1, int32_t count)
{
    if constexpr (!isSetMask) {
        constexpr uint32_t WIDEST = sizeof(D) > sizeof(S) ? sizeof(D) : sizeof(S);
        constexpr uint16_t DST_REPEAT = DEFAULT_REPEAT_STRIDE * sizeof(D) / WIDEST;
        constexpr uint16_t SRC_REPEAT = DEFAULT_REPEAT_STRIDE * sizeof(S) / WIDEST;
        RunMasked(api, entry, dst, src0, src1, 1, {{1, DST_REPEAT}, {1, SRC_REPEAT}, {1, SRC_REPEAT}});
    } else {
        constexpr bool canWait = std::is_same<D, float>::value && std::is_same<S, float>::value &&
                                 !Operand::IS_TENSOR && !Operand::READS_DST;
        const uint64_t elements = CheckCount(api, count);
        if constexpr (canWait) {
            if (ExpOfChain(entry, dst.Address(), src0.Address(), elements)) {
                LeaveCountForm();
                return;
            }
        }
        CheckVectorOperand(api, "dst", dst, elements * sizeof(D));
        CheckVectorOperand(api, "src0", src0, elements * sizeof(S));
        src1.CheckCountForm(api, elements * sizeof(S));
        TraceElementwise(api, dst, src0, src1,
                         [&](int, size_t elementBytes) { return ascendc_cpu::Region{elements * elementBytes}; });
        if constexpr (canWait) {
            if (ScaleWaits(entry, dst.Address(), src0.Address(), src1.Address(), elements)) {
                LeaveCountForm();
                return;
            }
        }
        entry.count(dst.Address(), src0.Address(), src1.Address(), static_cast<uint32_t>(elements));
        LeaveCountForm();
    }
}

ASCENDC_CPU_END
#endif
