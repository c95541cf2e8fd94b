// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Scalar types and the enumerations that several APIs share.
#ifndef ASCENDC_CPU_KERNEL_TYPE_H
#define ASCENDC_CPU_KERNEL_TYPE_H
#include <cstdint>
#include <cstring>
#include <type_traits>
#include "kernel_macros.h"
#include "ascendc_cpu/core_state.h"
#include "ascendc_cpu/field.h"

using half = _Float16;

// Storage type: AscendC has no bfloat16 arithmetic on A2. Scalar conversions round to nearest even.
struct bfloat16_t {
    uint16_t bits = 0;
    bfloat16_t() = default;
    explicit bfloat16_t(float value)
    {
        uint32_t word;
        memcpy(&word, &value, sizeof(word));
        const bool isNan = (word & 0x7fffffffu) > 0x7f800000u;
        bits = isNan ? static_cast<uint16_t>((word >> 16) | 0x40u)
                     : static_cast<uint16_t>((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
    }
    explicit operator float() const
    {
        const uint32_t word = static_cast<uint32_t>(bits) << 16;
        float value;
        memcpy(&value, &word, sizeof(value));
        return value;
    }
};

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

ASCENDC_CPU_BEGIN

constexpr int32_t MIX = 0;
constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;
#if defined(__DAV_C220_CUBE__)
constexpr int32_t g_coreType = AIC;
#else
constexpr int32_t g_coreType = AIV;
#endif

enum class TPosition : uint8_t {
    GM,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
    VECIN,
    VECOUT,
    VECCALC,
    LCM = VECCALC,
    SPM,
    SHM = SPM,
    TSCM,
    C2PIPE2GM,
    C2PIPE2LOCAL,
    MAX
};
using QuePosition = TPosition;

constexpr ascendc_cpu::Memory MemoryOf(TPosition position)
{
    switch (position) {
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::SPM:
    case TPosition::TSCM:
        return ascendc_cpu::Memory::L1;
    case TPosition::A2:
        return ascendc_cpu::Memory::L0A;
    case TPosition::B2:
        return ascendc_cpu::Memory::L0B;
    case TPosition::C2:
        return ascendc_cpu::Memory::BT;
    case TPosition::CO1:
        return ascendc_cpu::Memory::L0C;
    case TPosition::C2PIPE2GM:
        return ascendc_cpu::Memory::FB;
    case TPosition::VECIN:
    case TPosition::VECOUT:
    case TPosition::VECCALC:
        return ascendc_cpu::Memory::UB;
    default:
        return ascendc_cpu::Memory::GM;
    }
}

enum class HardEvent : uint8_t {
    MTE2_MTE1,
    MTE1_MTE2,
    MTE1_M,
    M_MTE1,
    MTE2_V,
    V_MTE2,
    MTE3_V,
    V_MTE3,
    M_V,
    V_M,
    V_V,
    MTE3_MTE1,
    MTE1_MTE3,
    MTE1_V,
    MTE2_M,
    M_MTE2,
    V_MTE1,
    M_FIX,
    FIX_M,
    MTE3_MTE2,
    MTE2_MTE3,
    S_V,
    V_S,
    S_MTE2,
    MTE2_S,
    S_MTE3,
    MTE3_S,
    MTE2_FIX,
    FIX_MTE2,
    FIX_S,
    M_S,
    FIX_MTE3,
    MTE1_FIX,
    FIX_MTE1,
    FIX_FIX,
    MAX
};

enum class RoundMode : uint8_t { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class MaskMode : uint8_t { NORMAL, COUNTER };
enum class CacheMode : uint8_t {
    CACHE_MODE_DISABLE = 0,
    CACHE_MODE_NORMAL = 1,
    CACHE_MODE_LAST = 2,
    CACHE_MODE_PERSISTENT = 4
};
enum class CacheLine : uint8_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst : uint8_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class MemDsbT : uint8_t { ALL, DDR, UB, SEQ };

constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr uint8_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t DEFAULT_DATA_COPY_STRIDE = 0;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr int32_t MAX_REPEAT_TIMES = 255;
constexpr int32_t DEFAULT_C0_SIZE = 32;

template <bool condition, typename T, typename U>
struct Conditional : std::conditional<condition, T, U> {};

template <typename T, typename U>
struct IsSameType : std::is_same<T, U> {};

__aicore__ constexpr inline uint32_t DivCeil(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

ASCENDC_CPU_END
using AscendC::g_coreType; // CANN has it in the global namespace
#endif
