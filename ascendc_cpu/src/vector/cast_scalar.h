// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Conversions of one element in every rounding mode: integers saturate (NaN becomes 0), 16-bit floats overflow to
// infinity.
#ifndef ASCENDC_CPU_SRC_VECTOR_CAST_SCALAR_H
#define ASCENDC_CPU_SRC_VECTOR_CAST_SCALAR_H
#include <cmath>
#include <limits>
#include "cube/convert.h"
#include "simd.h"

namespace ascendc_cpu {

// The numbers of AscendC::RoundMode.
enum class Rounding : uint8_t { NONE, RINT, FLOOR, CEIL, ROUND, TRUNC, ODD };

// Drop the last `bits` of a magnitude.
inline uint64_t DropBits(uint64_t magnitude, uint32_t bits, bool isNegative, Rounding mode)
{
    if (bits == 0) {
        return magnitude;
    }
    const uint64_t kept = bits >= 64 ? 0 : magnitude >> bits;
    const uint64_t rest = bits >= 64 ? magnitude : magnitude & ((1ULL << bits) - 1);
    const uint64_t half = bits > 64 ? ~0ULL : 1ULL << (bits - 1); // beyond 64 bits nothing reaches the half
    const bool isOdd = (kept & 1) != 0;
    bool goesUp = false;
    switch (mode) {
    case Rounding::NONE:
    case Rounding::RINT:
        goesUp = rest > half || (rest == half && isOdd);
        break;
    case Rounding::FLOOR:
        goesUp = isNegative && rest != 0;
        break;
    case Rounding::CEIL:
        goesUp = !isNegative && rest != 0;
        break;
    case Rounding::ROUND:
        goesUp = rest >= half;
        break;
    case Rounding::TRUNC:
        break;
    case Rounding::ODD:
        goesUp = rest != 0 && !isOdd;
        break;
    }
    return kept + (goesUp ? 1 : 0);
}

inline uint16_t HalfOfFloat(float value, Rounding mode)
{
    constexpr uint32_t EXPONENT_SHIFT = 112u << 23; // bias 127 -> 15
    const uint32_t bits = BitsOfFloat(value);
    const uint32_t magnitude = bits & 0x7fffffffu;
    const bool isNegative = bits >> 31 != 0;
    const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
    if (magnitude > 0x7f800000u) {
        return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
    }
    if (magnitude >= 0x47800000u) { // 65536
        return static_cast<uint16_t>(sign | 0x7c00u);
    }
    if (magnitude >= 0x38800000u) { // normal in half; a carry out of the largest one gives infinity
        return static_cast<uint16_t>(sign | DropBits(magnitude - EXPONENT_SHIFT, 13, isNegative, mode));
    }
    const uint32_t exponent = magnitude >> 23;
    const uint32_t mantissa = (magnitude & 0x7fffffu) | (exponent != 0 ? 0x800000u : 0u);
    return static_cast<uint16_t>(sign | DropBits(mantissa, 126 - (exponent != 0 ? exponent : 1), isNegative, mode));
}

inline uint16_t Bfloat16OfFloat(float value, Rounding mode)
{
    const uint32_t bits = BitsOfFloat(value);
    const uint32_t magnitude = bits & 0x7fffffffu;
    const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
    if (magnitude > 0x7f800000u) {
        return static_cast<uint16_t>((bits >> 16) | 0x40u);
    }
    return static_cast<uint16_t>(sign | DropBits(magnitude, 16, bits >> 31 != 0, mode));
}

// Integer to the nearest float of `precision` bits in the direction of mode.
inline float FloatOfInteger(int64_t value, uint32_t precision, Rounding mode)
{
    const bool isNegative = value < 0;
    const uint64_t magnitude = isNegative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const uint32_t width = magnitude == 0 ? 0 : 64 - static_cast<uint32_t>(__builtin_clzll(magnitude));
    const uint32_t dropped = width > precision ? width - precision : 0;
    const float rounded =
        std::ldexp(static_cast<float>(DropBits(magnitude, dropped, isNegative, mode)), static_cast<int>(dropped));
    return isNegative ? -rounded : rounded;
}

inline double RoundToInteger(double value, Rounding mode)
{
    switch (mode) {
    case Rounding::FLOOR:
        return std::floor(value);
    case Rounding::CEIL:
        return std::ceil(value);
    case Rounding::ROUND:
        return std::round(value);
    case Rounding::TRUNC:
        return std::trunc(value);
    default:
        return std::nearbyint(value);
    }
}

template <typename I>
inline I Saturated(double value)
{
    constexpr double LOWEST = static_cast<double>(std::numeric_limits<I>::min());
    constexpr double HIGHEST = static_cast<double>(std::numeric_limits<I>::max()); // 2^63 for int64_t
    if (value != value) {
        return 0;
    }
    if (value <= LOWEST) {
        return std::numeric_limits<I>::min();
    }
    return value >= HIGHEST ? std::numeric_limits<I>::max() : static_cast<I>(value);
}

inline float FloatOf(float value)
{
    return value;
}
inline float FloatOf(Half value)
{
    return HalfToFloat(value.bits);
}
inline float FloatOf(Bfloat16 value)
{
    return Bf16ToFloat(value.bits);
}

template <typename D, typename S>
inline D CastElement(S value, Rounding mode)
{
    constexpr bool FROM_INTEGER = std::is_integral<S>::value;
    if constexpr (FROM_INTEGER && std::is_integral<D>::value) {
        return Saturated<D>(static_cast<double>(value));
    } else if constexpr (FROM_INTEGER && std::is_same<D, Half>::value) {
        return {FloatToHalf(FloatOfInteger(value, 11, mode))};
    } else if constexpr (FROM_INTEGER) {
        return FloatOfInteger(value, 24, mode);
    } else if constexpr (std::is_integral<D>::value) {
        return Saturated<D>(RoundToInteger(FloatOf(value), mode));
    } else if constexpr (std::is_same<D, Half>::value) {
        return {HalfOfFloat(value, mode)};
    } else if constexpr (std::is_same<D, Bfloat16>::value) {
        return {Bfloat16OfFloat(value, mode)};
    } else if constexpr (std::is_same<D, S>::value) {
        return static_cast<float>(RoundToInteger(value, mode)) + 0.0f; // the instruction turns -0 into +0
    } else {
        return FloatOf(value);
    }
}

} // namespace ascendc_cpu
#endif
