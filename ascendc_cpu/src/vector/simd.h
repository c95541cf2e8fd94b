// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Compiler vectors of the native width. Every element type is computed in lanes of 32 bits: half and bfloat16 as float,
// small integers as (u)int32, converted by Load and Store, so that one operation serves all of them.
#ifndef ASCENDC_CPU_SRC_VECTOR_SIMD_H
#define ASCENDC_CPU_SRC_VECTOR_SIMD_H
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#if defined(__F16C__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace ascendc_cpu {

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define ASCENDC_CPU_VECTOR_AVX512 1
constexpr int LANES = 16;
#elif defined(__AVX2__)
constexpr int LANES = 8;
#else
constexpr int LANES = 4;
#endif

constexpr uint32_t BLOCK_BYTES = 32;
constexpr uint32_t REPEAT_BYTES = 256;

template <typename E, int N>
struct VectorTypeOf {
    typedef E Type __attribute__((vector_size(N * sizeof(E))));
};
template <typename E, int N = LANES>
using Vec = typename VectorTypeOf<E, N>::Type;
using F32 = Vec<float>;
using I32 = Vec<int32_t>;
using U32 = Vec<uint32_t>;

// Storage types of the 16-bit floats.
struct Half {
    uint16_t bits;
};
struct Bfloat16 {
    uint16_t bits;
};

template <typename T>
struct Computed {
    using Type = typename std::conditional<std::is_unsigned<T>::value, uint32_t, int32_t>::type;
};
template <>
struct Computed<float> {
    using Type = float;
};
template <>
struct Computed<Half> {
    using Type = float;
};
template <>
struct Computed<Bfloat16> {
    using Type = float;
};
template <typename T>
using ComputedVec = Vec<typename Computed<T>::Type>;

template <typename To, typename From>
inline To BitCast(From value)
{
    static_assert(sizeof(To) == sizeof(From), "bits of another width");
    To result;
    memcpy(&result, &value, sizeof(result));
    return result;
}

// Of a comparison: whether it holds for a lane.
inline bool IsAny(I32 lanes)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    return _mm512_movepi32_mask(BitCast<__m512i>(lanes)) != 0;
#elif defined(__AVX2__)
    return _mm256_movemask_epi8(BitCast<__m256i>(lanes)) != 0;
#else
    int32_t any = 0;
    for (int i = 0; i < LANES; i++) {
        any |= lanes[i];
    }
    return any != 0;
#endif
}

template <typename V>
inline V LoadBytes(const void *address)
{
    V value;
    memcpy(&value, address, sizeof(value));
    return value;
}

template <typename V, typename E>
inline V Splat(E value)
{
    return value - V{};
}

inline I32 LaneNumbers()
{
    I32 numbers;
    for (int lane = 0; lane < LANES; lane++) {
        numbers[lane] = lane;
    }
    return numbers;
}

template <int STEP, std::size_t... I>
inline F32 RotateLanes(F32 value, std::index_sequence<I...>)
{
    return __builtin_shufflevector(value, value, static_cast<int>((I + STEP) % LANES)...);
}
// Lane i takes lane (i + STEP) % LANES.
template <int STEP>
inline F32 Rotated(F32 value)
{
    return RotateLanes<STEP>(value, std::make_index_sequence<LANES>());
}

template <int ODD, std::size_t... I>
inline F32 ShuffleAlternate(F32 first, F32 second, std::index_sequence<I...>)
{
    return __builtin_shufflevector(first, second, static_cast<int>(2 * I + ODD)...);
}
// Even (0) or odd (1) lanes of two vectors in a row.
template <int ODD>
inline F32 Alternate(F32 first, F32 second)
{
    return ShuffleAlternate<ODD>(first, second, std::make_index_sequence<LANES>());
}

inline F32 WidenHalf(Vec<uint16_t> halves)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    return BitCast<F32>(_mm512_maskz_cvtph_ps(0xffff, BitCast<__m256i>(halves)));
#elif defined(__F16C__) && defined(__AVX2__)
    return BitCast<F32>(_mm256_cvtph_ps(BitCast<__m128i>(halves)));
#else
    const U32 bits = __builtin_convertvector(halves, U32);
    const U32 magnitude = (bits & 0x7fffu) << 13;
    const F32 scaled = BitCast<F32>(magnitude) * BitCast<float>(0x77800000u); // 2^112 rebiases, denormals included
    const U32 infinite = BitCast<U32>(magnitude >= 0x0f800000u) & 0x7f800000u;
    const U32 quiet = BitCast<U32>(magnitude > 0x0f800000u) & 0x400000u;
    return BitCast<F32>(BitCast<U32>(scaled) | infinite | quiet | (bits & 0x8000u) << 16);
#endif
}

// To nearest even.
inline Vec<uint16_t> NarrowToHalf(F32 value)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    return BitCast<Vec<uint16_t>>(_mm512_maskz_cvtps_ph(0xffff, BitCast<__m512>(value), _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__) && defined(__AVX2__)
    return BitCast<Vec<uint16_t>>(_mm256_cvtps_ph(BitCast<__m256>(value), _MM_FROUND_TO_NEAREST_INT));
#else
    const U32 bits = BitCast<U32>(value);
    const U32 magnitude = bits & 0x7fffffffu;
    const U32 normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u) >> 13;
    // adding 0.5 leaves the denormal half in the last bits, rounded
    const U32 denormal = BitCast<U32>(BitCast<F32>(magnitude) + 0.5f) - 0x3f000000u;
    const U32 nan = ((magnitude >> 13) & 0x3ffu) | 0x7e00u;
    U32 result = magnitude < 0x38800000u ? denormal : normal;
    result = magnitude >= 0x47800000u ? Splat<U32>(0x7c00u) : result;
    result = magnitude > 0x7f800000u ? nan : result;
    return __builtin_convertvector(result | ((bits >> 16) & 0x8000u), Vec<uint16_t>);
#endif
}

// To nearest even, denormals kept (the AVX-512 instruction would flush them).
inline Vec<uint16_t> NarrowToBfloat16(F32 value)
{
    const U32 bits = BitCast<U32>(value);
    const U32 rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const U32 result = (bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16) | 0x40u : rounded;
#if !defined(ASCENDC_CPU_VECTOR_AVX512) && defined(__AVX2__)
    const __m256i words = BitCast<__m256i>(result);
    return BitCast<Vec<uint16_t>>(_mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
#else
    return __builtin_convertvector(result, Vec<uint16_t>);
#endif
}

template <typename T>
inline ComputedVec<T> FromStorage(Vec<T> stored)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    if constexpr (sizeof(T) == 1) { // GCC would go lane by lane
        const __m128i bytes = BitCast<__m128i>(stored);
        return BitCast<ComputedVec<T>>(std::is_signed<T>::value ? _mm512_maskz_cvtepi8_epi32(0xffff, bytes)
                                                                : _mm512_maskz_cvtepu8_epi32(0xffff, bytes));
    }
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 1) {
        const __m128i bytes = _mm_cvtsi64_si128(BitCast<int64_t>(stored));
        return BitCast<ComputedVec<T>>(std::is_signed<T>::value ? _mm256_cvtepi8_epi32(bytes)
                                                                : _mm256_cvtepu8_epi32(bytes));
    }
#endif
    return __builtin_convertvector(stored, ComputedVec<T>);
}

template <typename T>
inline ComputedVec<T> Load(const T *address)
{
    if constexpr (std::is_same<T, Half>::value) {
        return WidenHalf(LoadBytes<Vec<uint16_t>>(address));
    } else if constexpr (std::is_same<T, Bfloat16>::value) {
        return BitCast<F32>(__builtin_convertvector(LoadBytes<Vec<uint16_t>>(address), U32) << 16);
    } else {
        return FromStorage<T>(LoadBytes<Vec<T>>(address));
    }
}

template <typename T>
inline void Store(T *address, ComputedVec<T> value)
{
    if constexpr (std::is_same<T, Half>::value) {
        const Vec<uint16_t> narrow = NarrowToHalf(value);
        memcpy(address, &narrow, sizeof(narrow));
    } else if constexpr (std::is_same<T, Bfloat16>::value) {
        const Vec<uint16_t> narrow = NarrowToBfloat16(value);
        memcpy(address, &narrow, sizeof(narrow));
    } else {
        const Vec<T> narrow = __builtin_convertvector(value, Vec<T>);
        memcpy(address, &narrow, sizeof(narrow));
    }
}

// The first `count` lanes (below LANES); the others are 0 and their bytes are not touched.
template <typename T>
inline ComputedVec<T> LoadFirst(const T *address, uint32_t count)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    const __mmask16 lanes = static_cast<__mmask16>((1u << count) - 1);
    if constexpr (sizeof(T) == 4) {
        return BitCast<ComputedVec<T>>(_mm512_maskz_loadu_epi32(lanes, address));
    } else if constexpr (sizeof(T) == 2) {
        const __m256i stored = _mm256_maskz_loadu_epi16(lanes, address);
        T buffer[LANES];
        memcpy(buffer, &stored, sizeof(stored));
        return Load(buffer);
    } else
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) {
        const I32 lanes = LaneNumbers() < static_cast<int32_t>(count);
        return BitCast<ComputedVec<T>>(
            _mm256_maskload_epi32(reinterpret_cast<const int *>(address), BitCast<__m256i>(lanes)));
    } else
#endif
    {
        T buffer[LANES] = {};
        for (uint32_t lane = 0; lane < count; lane++) {
            buffer[lane] = address[lane];
        }
        return Load(buffer);
    }
}

template <typename T>
inline void StoreFirst(T *address, ComputedVec<T> value, uint32_t count)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    const __mmask16 lanes = static_cast<__mmask16>((1u << count) - 1);
    if constexpr (sizeof(T) == 4) {
        _mm512_mask_storeu_epi32(address, lanes, BitCast<__m512i>(value));
    } else if constexpr (sizeof(T) == 2) {
        T buffer[LANES];
        Store(buffer, value);
        _mm256_mask_storeu_epi16(address, lanes, LoadBytes<__m256i>(buffer));
    } else
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) {
        const I32 lanes = LaneNumbers() < static_cast<int32_t>(count);
        _mm256_maskstore_epi32(reinterpret_cast<int *>(address), BitCast<__m256i>(lanes), BitCast<__m256i>(value));
    } else
#endif
    {
        T buffer[LANES];
        Store(buffer, value);
        for (uint32_t lane = 0; lane < count; lane++) {
            address[lane] = buffer[lane];
        }
    }
}

template <typename T, std::size_t... I>
inline Vec<T> RepeatBlock(const T *block, std::index_sequence<I...>)
{
    constexpr int PER_BLOCK = BLOCK_BYTES / sizeof(T);
    const auto stored = LoadBytes<Vec<T, PER_BLOCK>>(block);
    return __builtin_shufflevector(stored, stored, static_cast<int>(I % PER_BLOCK)...);
}

// Lanes [first, first + LANES) of a block of 32 B that repeats for ever. first: multiple of LANES.
template <typename T>
inline ComputedVec<T> LoadRepeatedBlock(const T *block, uint32_t first)
{
    constexpr int PER_BLOCK = BLOCK_BYTES / sizeof(T);
    if constexpr (PER_BLOCK >= LANES) {
        return Load(block + first % PER_BLOCK);
    } else {
        return FromStorage<T>(RepeatBlock(block, std::make_index_sequence<LANES>()));
    }
}

template <typename T>
inline ComputedVec<T> SplatOf(const T *scalar)
{
    T buffer[LANES];
    for (T &lane : buffer) {
        lane = *scalar;
    }
    return Load(buffer);
}

// a * b + c, fused where the instruction set has it.
inline F32 MultiplyAdd(F32 a, F32 b, F32 c)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    return BitCast<F32>(_mm512_fmadd_ps(BitCast<__m512>(a), BitCast<__m512>(b), BitCast<__m512>(c)));
#elif defined(__AVX2__) && defined(__FMA__)
    return BitCast<F32>(_mm256_fmadd_ps(BitCast<__m256>(a), BitCast<__m256>(b), BitCast<__m256>(c)));
#else
    return a * b + c;
#endif
}

// One bit per lane of a comparison result.
inline uint32_t LaneBits(I32 comparison)
{
#if defined(ASCENDC_CPU_VECTOR_AVX512)
    return _mm512_movepi32_mask(BitCast<__m512i>(comparison));
#elif defined(__AVX2__)
    return static_cast<uint32_t>(_mm256_movemask_ps(BitCast<__m256>(comparison)));
#else
    uint32_t bits = 0;
    for (int lane = 0; lane < LANES; lane++) {
        bits |= static_cast<uint32_t>(comparison[lane] & 1) << lane;
    }
    return bits;
#endif
}

} // namespace ascendc_cpu
#endif
