// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "copy_bytes.h"
#include "copy_isa.h"
#include "../cube/convert.h"

namespace ascendc_cpu {

void CopyBlocks(const BlockCopy &copy)
{
    if (copy.dstPitch == copy.bytes && copy.srcPitch == copy.bytes) {
        const uint64_t all = static_cast<uint64_t>(copy.count) * copy.bytes;
        if (all <= UINT32_MAX) {
            CopyRun(copy.dst, copy.src, static_cast<uint32_t>(all));
            return;
        }
    }
    uint8_t *dst = copy.dst;
    const uint8_t *src = copy.src;
    for (uint32_t i = 0; i < copy.count; ++i, dst += copy.dstPitch, src += copy.srcPitch) {
        CopyRun(dst, src, copy.bytes);
    }
}

// Both kinds of memory fill in units of 32 B.
void FillWithPattern(const FillBlocks &fill)
{
    constexpr uint32_t UNIT = 32;
    uint32_t words[UNIT / sizeof(fill.pattern)];
    for (uint32_t &word : words) {
        word = fill.pattern;
    }
    uint8_t *dst = fill.dst;
    for (uint32_t i = 0; i < fill.count; ++i, dst += fill.dstPitch) {
        for (uint32_t at = 0; at < fill.bytes; at += UNIT) {
            memcpy(dst + at, words, UNIT);
        }
    }
}

void CopyHalfToFloat(const BlockCopy &copy)
{
    for (uint32_t i = 0; i < copy.count; ++i) {
        uint8_t *dst = copy.dst + i * copy.dstPitch;
        const uint8_t *src = copy.src + i * copy.srcPitch;
        for (uint32_t at = 0; at < copy.bytes; at += 64) {
            float lanes[16];
            HalfToFloat16(lanes, src + at / 2);
            memcpy(dst + at, lanes, sizeof(lanes));
        }
    }
}

const CopyIsa COPY_ISA = {CopyBlocks, CopyBlocksAtomic, CopyPadded, CopyNd2Nz, FillWithPattern, CopyHalfToFloat};

} // namespace ascendc_cpu
