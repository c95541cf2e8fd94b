// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Multiply-adds on registers only: what one core can do with the flags of an instruction set library.
#include <cstdint>
#if defined(__AVX512BF16__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
constexpr int VECTOR_BYTES = 64;
constexpr int CHAINS = 24; // more than latency times throughput, and fits in the registers
#elif defined(__AVX__)
constexpr int VECTOR_BYTES = 32;
constexpr int CHAINS = 12;
#else
constexpr int VECTOR_BYTES = 16;
constexpr int CHAINS = 12;
#endif
using Vector = float __attribute__((vector_size(VECTOR_BYTES)));

struct MulAdd {
    static constexpr uint64_t OPERATIONS = VECTOR_BYTES / 4 * 2;
    static Vector Step(Vector sum, Vector factor)
    {
        return sum * factor + factor;
    }
};

#if defined(__AVX512BF16__)
struct Bf16Dot {
    static constexpr uint64_t OPERATIONS = 64;
    static Vector Step(Vector sum, Vector factor)
    {
        return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(factor), reinterpret_cast<__m512bh>(factor));
    }
};
#else
using Bf16Dot = MulAdd; // bf16 is widened to float there
#endif

// Returns the floating-point operations done.
template <class Operation>
uint64_t Run(uint64_t rounds)
{
    Vector sums[CHAINS] = {};
    Vector factor = Vector{} + 0.5F;
    for (uint64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 24
        for (int c = 0; c < CHAINS; ++c) {
            sums[c] = Operation::Step(sums[c], factor);
            asm("" : "+x"(sums[c]));
        }
    }
    Vector all = {};
#pragma GCC unroll 24
    for (int c = 0; c < CHAINS; ++c) { // constant indices: a variable one would keep the sums in memory
        all += sums[c];
    }
    volatile float sink = all[0];
    (void)sink;
    return rounds * CHAINS * Operation::OPERATIONS;
}

extern "C" uint64_t FmaPeak(uint64_t rounds)
{
    return Run<MulAdd>(rounds);
}

extern "C" uint64_t Bf16Peak(uint64_t rounds)
{
    return Run<Bf16Dot>(rounds);
}
