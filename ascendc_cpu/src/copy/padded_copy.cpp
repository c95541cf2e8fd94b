// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "copy_bytes.h"
#include "copy_isa.h"

namespace ascendc_cpu {
namespace {

constexpr uint32_t BLOCK_BYTES = 32;

void FillElements(uint8_t *dst, uint32_t bytes, const void *element, uint32_t elementBytes)
{
    for (uint32_t at = 0; at < bytes; ++at) {
        dst[at] = static_cast<const uint8_t *>(element)[at % elementBytes];
    }
}

} // namespace

void CopyPadded(const PaddedCopy &copy)
{
    const BlockCopy &blocks = copy.blocks;
    const uint32_t head = copy.leftBytes + blocks.bytes;
    const uint32_t tail = copy.rightBytes + (BLOCK_BYTES - (head + copy.rightBytes) % BLOCK_BYTES) % BLOCK_BYTES;
    if (tail == 0 && copy.leftBytes == 0) {
        CopyBlocks(blocks);
        return;
    }
    uint8_t *dst = blocks.dst;
    const uint8_t *src = blocks.src;
    for (uint32_t i = 0; i < blocks.count; ++i, dst += blocks.dstPitch, src += blocks.srcPitch) {
        const void *element = copy.fillWithFirst ? static_cast<const void *>(src) : &copy.fill;
        FillElements(dst, copy.leftBytes, element, copy.elementBytes);
        CopyRun(dst + copy.leftBytes, src, blocks.bytes);
        FillElements(dst + head, tail, element, copy.elementBytes);
    }
}

} // namespace ascendc_cpu
