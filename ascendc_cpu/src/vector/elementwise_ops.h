// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One struct per operation; V is a vector of float, int32 or uint32 lanes.
#ifndef ASCENDC_CPU_SRC_VECTOR_ELEMENTWISE_OPS_H
#define ASCENDC_CPU_SRC_VECTOR_ELEMENTWISE_OPS_H
#include "chain_kernel.h"
#include "vector_isa.h"

namespace ascendc_cpu {

// Signed lanes wrap on overflow, as the hardware does outside its saturation mode.
template <typename V, typename Function>
inline V Wrapping(V a, V b, const Function &function)
{
    if constexpr (std::is_same<V, I32>::value) {
        return BitCast<V>(function(BitCast<U32>(a), BitCast<U32>(b)));
    } else {
        return function(a, b);
    }
}

struct AddOp {
    template <typename V>
    static V Apply(V a, V b)
    {
        return Wrapping(a, b, [](auto x, auto y) { return x + y; });
    }
};
struct SubOp {
    template <typename V>
    static V Apply(V a, V b)
    {
        return Wrapping(a, b, [](auto x, auto y) { return x - y; });
    }
};
struct MulOp {
    template <typename V>
    static V Apply(V a, V b)
    {
        return Wrapping(a, b, [](auto x, auto y) { return x * y; });
    }
};
struct DivOp {
    static F32 Apply(F32 a, F32 b)
    {
        return a / b;
    }
};
struct MaxOp {
    template <typename V>
    static V Apply(V a, V b)
    {
        return MaxOf(a, b);
    }
};
struct MinOp {
    template <typename V>
    static V Apply(V a, V b)
    {
        return MinOf(a, b);
    }
};
struct AndOp {
    template <typename V>
    static V Apply(V a, V b)
    {
        return a & b;
    }
};
struct OrOp {
    template <typename V>
    static V Apply(V a, V b)
    {
        return a | b;
    }
};
struct NotOp {
    template <typename V>
    static V Apply(V a)
    {
        return ~a;
    }
};
// The product is rounded before the sum.
struct MulAddOp {
    static F32 Apply(F32 old, F32 a, F32 b)
    {
        return old + a * b;
    }
};
struct ShiftLeftOp {
    template <typename V>
    static V Apply(V a, V distance)
    {
        if constexpr (std::is_same<V, I32>::value) {
            return BitCast<V>(ShiftLeftOf(BitCast<U32>(a), BitCast<U32>(distance)));
        } else {
            return ShiftLeftOf(a, distance);
        }
    }
};
struct ShiftRightOp {
    template <typename V>
    static V Apply(V a, V distance)
    {
        return ShiftRightOf(a, distance);
    }
};
struct ShiftRightRoundOp {
    static I32 Apply(I32 a, I32 distance)
    {
        return ShiftRightRounded(a, distance);
    }
};
struct ExpOp {
    static F32 Apply(F32 a)
    {
        return ExpOf(a);
    }
};
struct LnOp {
    static F32 Apply(F32 a)
    {
        return LnOf(a);
    }
};
struct AbsOp {
    static F32 Apply(F32 a)
    {
        return BitCast<F32>(BitCast<U32>(a) & 0x7fffffffu);
    }
};
struct SqrtOp {
    static F32 Apply(F32 a)
    {
        return SqrtOf(a);
    }
};
struct RsqrtOp {
    static F32 Apply(F32 a)
    {
        return 1.0f / SqrtOf(a);
    }
};
struct ReciprocalOp {
    static F32 Apply(F32 a)
    {
        return 1.0f / a;
    }
};
// -0 and everything below 0 become +0, NaN stays.
struct ReluOp {
    template <typename V>
    static V Apply(V a)
    {
        return a <= 0 ? V{} : a;
    }
};
struct LeakyReluOp {
    static F32 Apply(F32 a, F32 slope)
    {
        return a >= 0 ? a : a * slope;
    }
};
struct IdentityOp {
    template <typename V>
    static V Apply(V a)
    {
        return a;
    }
};
struct ToFloatOp {
    template <typename V>
    static F32 Apply(V a)
    {
        return __builtin_convertvector(a, F32);
    }
};

template <typename Op, Operands OPERANDS, typename D, typename S = D>
inline void Register(VectorIsa &isa, VectorOp op, VectorType type)
{
    using Kernel = ElementwiseKernel<Op, OPERANDS, D, S>;
    VectorEntry &entry = isa.elementwise[static_cast<int>(op)][static_cast<int>(type)];
    entry = ElementwiseEntry<Kernel>::VALUE;
    if constexpr (OPERANDS == Operands::TENSORS && std::is_same<D, float>::value) {
        ChainEntry<Kernel>::FillIn(entry);
    }
}

} // namespace ascendc_cpu
#endif
