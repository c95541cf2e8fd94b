// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "shadow.h"

namespace ascendc_cpu {

void ShadowBlock::Split()
{
    if (bytes == nullptr) {
        bytes.reset(new Cell[SHADOW_BLOCK]);
        std::fill(bytes.get(), bytes.get() + SHADOW_BLOCK, cell);
    }
}

void ShadowBlock::Merge(const Cell &value)
{
    cell = value;
    bytes.reset();
}

ShadowBlock *LocalShadow::BlocksAt(uint64_t address, uint64_t capacity)
{
    if (blocks.empty()) {
        blocks.resize((capacity + SHADOW_BLOCK - 1) / SHADOW_BLOCK);
    }
    return &blocks[address / SHADOW_BLOCK];
}

void GlobalShadow::AddInitialised(uint64_t begin, uint64_t end)
{
    initialised.push_back({begin, end});
}

void GlobalShadow::Fill(Page &page, uint64_t start) const
{
    Cell host;
    host.write = BY_HOST;
    for (const Range &range : initialised) {
        const uint64_t begin = std::max(range.begin, start);
        const uint64_t end = std::min(range.end, start + PAGE_BYTES);
        for (uint64_t at = begin; at < end;) {
            ShadowBlock &block = page[(at - start) / SHADOW_BLOCK];
            const uint64_t blockStart = at / SHADOW_BLOCK * SHADOW_BLOCK;
            const uint64_t next = std::min(end, blockStart + SHADOW_BLOCK);
            if (next - at == SHADOW_BLOCK) {
                block.Merge(host);
            } else {
                block.Split();
                std::fill(block.bytes.get() + (at - blockStart), block.bytes.get() + (next - blockStart), host);
            }
            at = next;
        }
    }
}

ShadowBlock *GlobalShadow::BlocksAt(uint64_t address)
{
    const uint64_t key = address / PAGE_BYTES;
    if (key != lastKey) {
        std::unique_ptr<Page> &page = pages[key];
        if (page == nullptr) {
            page = std::make_unique<Page>(PAGE_BYTES / SHADOW_BLOCK);
            Fill(*page, key * PAGE_BYTES);
        }
        lastKey = key;
        lastPage = page.get();
    }
    return &(*lastPage)[address % PAGE_BYTES / SHADOW_BLOCK];
}

} // namespace ascendc_cpu
