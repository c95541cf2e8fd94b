// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Cast: the conversions that compilers' vectors have are rows of lanes, all others go element by element.
#include "cast_scalar.h"
#include "elementwise_ops.h"

namespace ascendc_cpu {

namespace {

template <typename D, typename S>
struct CastKernel {
    using Dst = D;
    using Src0 = S;
    using Src1 = S;
    static constexpr bool USES_SRC1 = false;
    Rounding mode;

    __attribute__((noinline)) void Row(D *dst, const S *src, const S *, uint32_t count, uint32_t) const
    {
        for (uint32_t i = 0; i < count; i++) {
            dst[i] = CastElement<D>(src[i], mode);
        }
    }
};

// Op: the conversion as rows of lanes, right for the modes NONE and RINT.
template <typename D, typename S, typename Op>
struct CastFunctions {
    using Lanes = ElementwiseKernel<Op, Operands::ONE, D, S>;
    static constexpr bool HAS_LANES = !std::is_same<Op, void>::value;

    static bool UsesLanes(uint8_t mode)
    {
        return HAS_LANES && mode <= static_cast<uint8_t>(Rounding::RINT);
    }
    static void Count(void *dst, const void *src, uint8_t mode, uint32_t count)
    {
        if constexpr (HAS_LANES) {
            if (UsesLanes(mode)) {
                ElementwiseEntry<Lanes>::Count(dst, src, nullptr, count);
                return;
            }
        }
        CastKernel<D, S>{static_cast<Rounding>(mode)}.Row(static_cast<D *>(dst), static_cast<const S *>(src), nullptr,
                                                          count, 0);
    }
    static void Repeat(void *dst, const void *src, uint8_t mode, const VectorShape &shape)
    {
        if constexpr (HAS_LANES) {
            if (UsesLanes(mode)) {
                ElementwiseEntry<Lanes>::Repeat(dst, src, nullptr, shape);
                return;
            }
        }
        DriveRepeats(CastKernel<D, S>{static_cast<Rounding>(mode)}, dst, src, nullptr, shape);
    }
};

template <typename D, typename S, typename Op = void>
void RegisterCast(VectorIsa &isa, CastPair pair)
{
    using Functions = CastFunctions<D, S, Op>;
    isa.cast[static_cast<int>(pair)] = {&Functions::Count, &Functions::Repeat};
}

} // namespace

void FillCastEntries(VectorIsa &isa)
{
    RegisterCast<Half, int8_t, ToFloatOp>(isa, CastPair::INT8_HALF);
    RegisterCast<Half, uint8_t, ToFloatOp>(isa, CastPair::UINT8_HALF);
    RegisterCast<Half, int16_t, ToFloatOp>(isa, CastPair::INT16_HALF);
    RegisterCast<float, int16_t, ToFloatOp>(isa, CastPair::INT16_FLOAT);
    RegisterCast<int8_t, Half>(isa, CastPair::HALF_INT8);
    RegisterCast<uint8_t, Half>(isa, CastPair::HALF_UINT8);
    RegisterCast<int16_t, Half>(isa, CastPair::HALF_INT16);
    RegisterCast<int32_t, Half>(isa, CastPair::HALF_INT32);
    RegisterCast<float, Half, IdentityOp>(isa, CastPair::HALF_FLOAT);
    RegisterCast<int32_t, Bfloat16>(isa, CastPair::BFLOAT16_INT32);
    RegisterCast<float, Bfloat16, IdentityOp>(isa, CastPair::BFLOAT16_FLOAT);
    RegisterCast<int16_t, int32_t>(isa, CastPair::INT32_INT16);
    RegisterCast<float, int32_t, ToFloatOp>(isa, CastPair::INT32_FLOAT);
    RegisterCast<int64_t, int32_t>(isa, CastPair::INT32_INT64);
    RegisterCast<int16_t, float>(isa, CastPair::FLOAT_INT16);
    RegisterCast<Half, float, IdentityOp>(isa, CastPair::FLOAT_HALF);
    RegisterCast<Bfloat16, float, IdentityOp>(isa, CastPair::FLOAT_BFLOAT16);
    RegisterCast<int32_t, float>(isa, CastPair::FLOAT_INT32);
    RegisterCast<float, float>(isa, CastPair::FLOAT_FLOAT);
    RegisterCast<int64_t, float>(isa, CastPair::FLOAT_INT64);
    RegisterCast<int32_t, int64_t>(isa, CastPair::INT64_INT32);
    RegisterCast<float, int64_t>(isa, CastPair::INT64_FLOAT);
}

} // namespace ascendc_cpu
