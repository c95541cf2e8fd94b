// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Select: bit 1 takes src0, bit 0 takes src1 or the scalar; lanes outside the mask keep the old dst.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_VEC_SEL_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_VEC_SEL_INTF_H
#include "kernel_operator_vec_binary_intf.h"

ASCENDC_CPU_BEGIN

// Modes 1 and 2 keep a block of scratch here, so UB ends at 184 KiB for whoever uses them.
constexpr uint32_t SELECT_SCRATCH_ADDRESS = 184 * 1024;
constexpr uint32_t SELECT_SCRATCH_BYTES = 128;

inline void SpoilSelectScratch()
{
    memset(ascendc_cpu::Core().memory[static_cast<int>(ascendc_cpu::Memory::UB)].base + SELECT_SCRATCH_ADDRESS, 0xff,
           SELECT_SCRATCH_BYTES);
}

template <typename T>
inline const ascendc_cpu::SelectEntry &SelectEntryOf()
{
    static_assert(IsOneOf<T, half, float>(), "Select: the element type must be half or float");
    return ascendc_cpu::g_isa->vector.select[static_cast<int>(VectorTypeOf<T>())];
}

template <typename Operand>
inline void CheckSelectMode(SELMODE selMode)
{
    const bool isScalarMode = selMode == SELMODE::VSEL_TENSOR_SCALAR_MODE;
    if (ASCENDC_CPU_UNLIKELY(isScalarMode == Operand::IS_TENSOR || selMode > SELMODE::VSEL_TENSOR_TENSOR_MODE)) {
        ascendc_cpu::Fail("Select", "selMode is %u, allowed with %s: %s", static_cast<uint32_t>(selMode),
                          Operand::IS_TENSOR ? "a tensor src1" : "a scalar src1",
                          Operand::IS_TENSOR ? "VSEL_CMPMASK_SPR, VSEL_TENSOR_TENSOR_MODE" : "VSEL_TENSOR_SCALAR_MODE");
    }
}

// bits: host address of the selection; reuse: every repeat takes the first bits again.
template <uint32_t LANES, typename T, typename Operand>
inline void RunSelectBits(const LocalTensor<T> &dst, const uint8_t *bits, bool reuse, const LocalTensor<T> &src0,
                          const Operand &src1, VectorCall<LANES> &call, const ElementwiseStrides &strides)
{
    call.shape.dst = strides.dst;
    call.shape.src0 = strides.src0;
    call.shape.src1 = strides.src1;
    CheckVectorOperand("Select", "dst", dst, call.template Extent<T>(strides.dst));
    CheckVectorOperand("Select", "src0", src0, call.template Extent<T>(strides.src0));
    src1.Check("Select", call, strides.src1);
    const ascendc_cpu::SelectEntry &entry = SelectEntryOf<T>();
    if constexpr (Operand::IS_TENSOR) {
        entry.tensor(dst.Address(), bits, src0.Address(), src1.Address(), reuse, call.shape);
    } else {
        entry.scalar(dst.Address(), bits, src0.Address(), src1.Address(), reuse, call.shape);
    }
}

template <uint32_t LANES, typename T, typename U, typename Operand>
inline void RunSelect(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
                      const Operand &src1, SELMODE selMode, VectorCall<LANES> &call, const ElementwiseStrides &strides)
{
    static_assert(IsOneOf<U, uint8_t, uint16_t, uint32_t, uint64_t, int8_t>(),
                  "Select: the type of selMask must be one of uint8_t, uint16_t, uint32_t, uint64_t, int8_t");
    CheckSelectMode<Operand>(selMode);
    if (call.isEmpty) {
        return;
    }
    const bool reuse = selMode == SELMODE::VSEL_CMPMASK_SPR;
    const uint64_t lanes = reuse ? LANES : static_cast<uint64_t>(call.shape.repeats) * LANES + call.shape.tailLanes;
    CheckVectorOperand("Select", "selMask", selMask, (lanes + 7) / 8);
    if (!reuse) {
        SpoilSelectScratch();
        ASCENDC_CPU_TRACE_FLAGS(ascendc_cpu::SELECT_SCRATCH);
    }
    if constexpr (Operand::IS_TENSOR) {
        ASCENDC_CPU_TRACE(PIPE_V, "Select", ascendc_cpu::Write(dst, ASCENDC_CPU_VECTOR_REGION(strides.dst, call.shape)),
                          ascendc_cpu::Read(selMask, ascendc_cpu::Region{(lanes + 7) / 8}),
                          ascendc_cpu::Read(src0, ASCENDC_CPU_VECTOR_REGION(strides.src0, call.shape)),
                          ascendc_cpu::Read(src1.tensor, ASCENDC_CPU_VECTOR_REGION(strides.src1, call.shape)));
    } else {
        ASCENDC_CPU_TRACE(PIPE_V, "Select", ascendc_cpu::Write(dst, ASCENDC_CPU_VECTOR_REGION(strides.dst, call.shape)),
                          ascendc_cpu::Read(selMask, ascendc_cpu::Region{(lanes + 7) / 8}),
                          ascendc_cpu::Read(src0, ASCENDC_CPU_VECTOR_REGION(strides.src0, call.shape)));
    }
    RunSelectBits(dst, reinterpret_cast<const uint8_t *>(selMask.Address()), reuse, src0, src1, call, strides);
}

#define ASCENDC_CPU_SELECT(Src1, Operand)                                                                              \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask,                            \
                                  const LocalTensor<T> &src0, Src1 src1, SELMODE selMode, uint64_t mask[],             \
                                  ascendc_cpu::FieldValue<uint8_t> repeatTime, const BinaryRepeatParams &repeatParams) \
    {                                                                                                                  \
        WriteMask<isSetMask>(mask);                                                                                    \
        VectorCall<LanesOf<T, T>()> call(repeatTime);                                                                  \
        RunSelect(dst, selMask, src0, Operand, selMode, call, StridesOf(repeatParams));                                \
    }                                                                                                                  \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask,                            \
                                  const LocalTensor<T> &src0, Src1 src1, SELMODE selMode, uint64_t mask,               \
                                  ascendc_cpu::FieldValue<uint8_t> repeatTime, const BinaryRepeatParams &repeatParams) \
    {                                                                                                                  \
        WriteMask<isSetMask>("Select", mask);                                                                          \
        VectorCall<LanesOf<T, T>()> call(repeatTime);                                                                  \
        RunSelect(dst, selMask, src0, Operand, selMode, call, StridesOf(repeatParams));                                \
    }                                                                                                                  \
    template <typename T, typename U>                                                                                  \
    __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask,                            \
                                  const LocalTensor<T> &src0, Src1 src1, SELMODE selMode, uint32_t count)              \
    {                                                                                                                  \
        auto call = VectorCall<LanesOf<T, T>()>::ForElements(count);                                                   \
        RunSelect(dst, selMask, src0, Operand, selMode, call,                                                          \
                  {{1, DEFAULT_REPEAT_STRIDE}, {1, DEFAULT_REPEAT_STRIDE}, {1, DEFAULT_REPEAT_STRIDE}});               \
        LeaveCountForm();                                                                                              \
    }

ASCENDC_CPU_SELECT(const LocalTensor<T> &, TensorOperand<T>{src1})
ASCENDC_CPU_SELECT(T, ScalarOperand{&src1})
#undef ASCENDC_CPU_SELECT

// With the mask register and the bits in CMPMASK (SetCmpMask, Compare without dst).
template <typename T, SELMODE selMode>
__aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                              ascendc_cpu::FieldValue<uint8_t> repeatTime, const BinaryRepeatParams &repeatParams)
{
    static_assert(selMode == SELMODE::VSEL_CMPMASK_SPR,
                  "Select without selMask: only VSEL_CMPMASK_SPR is implemented by ascendc_cpu");
    VectorCall<LanesOf<T, T>()> call(repeatTime);
    if (call.isEmpty) {
        return;
    }
    const ElementwiseStrides strides = StridesOf(repeatParams);
    ASCENDC_CPU_TRACE(PIPE_V, "Select", ascendc_cpu::Write(dst, ASCENDC_CPU_VECTOR_REGION(strides.dst, call.shape)),
                      ascendc_cpu::Read(src0, ASCENDC_CPU_VECTOR_REGION(strides.src0, call.shape)),
                      ascendc_cpu::Read(src1, ASCENDC_CPU_VECTOR_REGION(strides.src1, call.shape)));
    RunSelectBits(dst, reinterpret_cast<const uint8_t *>(ascendc_cpu::Core().sticky.cmpMask), true, src0,
                  TensorOperand<T>{src1}, call, strides);
}

ASCENDC_CPU_END
#endif
