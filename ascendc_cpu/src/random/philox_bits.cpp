// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "philox_bits.h"
#include <cmath>

namespace ascendc_cpu {
namespace {
constexpr int WORDS = 4;
constexpr int LANES = KEEP_BITS_BLOCK / WORDS; // Philox blocks that are computed next to each other
constexpr int ROUNDS = 10;
constexpr uint32_t MULTIPLIERS[] = {0xD2511F53U, 0xCD9E8D57U};
constexpr uint32_t WEYL[] = {0x9E3779B9U, 0xBB67AE85U};

struct Words {
    uint32_t of[WORDS][LANES];
};

uint32_t Low(uint64_t value)
{
    return static_cast<uint32_t>(value);
}

uint32_t High(uint64_t value)
{
    return static_cast<uint32_t>(value >> 32);
}

void Round(Words &words, uint32_t key0, uint32_t key1)
{
    for (int lane = 0; lane < LANES; lane++) {
        const uint64_t product0 = static_cast<uint64_t>(words.of[0][lane]) * MULTIPLIERS[0];
        const uint64_t product1 = static_cast<uint64_t>(words.of[2][lane]) * MULTIPLIERS[1];
        words.of[0][lane] = High(product1) ^ words.of[1][lane] ^ key0;
        words.of[2][lane] = High(product0) ^ words.of[3][lane] ^ key1;
        words.of[1][lane] = Low(product1);
        words.of[3][lane] = Low(product0);
    }
}

void FillBlock(const KeepBits &bits, uint64_t threshold, uint64_t counter, uint8_t *bytes)
{
    Words words;
    for (int lane = 0; lane < LANES; lane++) {
        words.of[0][lane] = Low(counter + static_cast<uint64_t>(lane));
        words.of[1][lane] = High(counter + static_cast<uint64_t>(lane));
        words.of[2][lane] = Low(bits.offset);
        words.of[3][lane] = High(bits.offset);
    }
    uint32_t key0 = Low(bits.seed);
    uint32_t key1 = High(bits.seed);
    for (int round = 0; round < ROUNDS; round++) {
        Round(words, key0, key1);
        key0 += WEYL[0];
        key1 += WEYL[1];
    }
    for (int byte = 0; byte < KEEP_BITS_BLOCK / 8; byte++) {
        uint32_t value = 0;
        for (int bit = 0; bit < 8; bit++) {
            const int place = byte * 8 + bit;
            value |= (words.of[place % WORDS][place / WORDS] >= threshold ? 1U : 0U) << bit;
        }
        bytes[byte] = static_cast<uint8_t>(value);
    }
}

} // namespace

void FillKeepBits(const KeepBits &bits, int64_t firstBlock, int64_t endBlock, uint8_t *out)
{
    const auto threshold = static_cast<uint64_t>(std::nearbyint(std::ldexp(bits.dropProbability, 32)));
    for (int64_t block = firstBlock; block < endBlock; block++) {
        FillBlock(bits, threshold, static_cast<uint64_t>(block) * LANES, out + block * (KEEP_BITS_BLOCK / 8));
    }
}

} // namespace ascendc_cpu
