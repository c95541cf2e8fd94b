// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Who touched each byte last. Blocks of 32 bytes share one cell as long as they were touched alike.
#ifndef ASCENDC_CPU_SHADOW_H
#define ASCENDC_CPU_SHADOW_H
#include <memory>
#include <unordered_map>
#include <vector>
#include "clock.h"

namespace ascendc_cpu {

constexpr InstructionId NEVER_WRITTEN = 0;
constexpr InstructionId BY_HOST = 1; // before the launch
constexpr uint32_t SHADOW_BLOCK = 32;

struct Cell {
    static constexpr int READERS = 3;
    InstructionId write = NEVER_WRITTEN;
    InstructionId read[READERS] = {0, 0, 0}; // since that write, one a pipe

    bool operator==(const Cell &other) const
    {
        return write == other.write && read[0] == other.read[0] && read[1] == other.read[1] && read[2] == other.read[2];
    }
};

struct ShadowBlock {
    Cell cell;
    std::unique_ptr<Cell[]> bytes; // set while its bytes differ

    void Split();
    void Merge(const Cell &value);
};

// Blocks of one memory of a core.
class LocalShadow {
public:
    ShadowBlock *BlocksAt(uint64_t address, uint64_t capacity);

private:
    std::vector<ShadowBlock> blocks;
};

// Blocks of GM, in pages that appear when they are touched.
class GlobalShadow {
public:
    static constexpr uint64_t PAGE_BYTES = 4096;

    // Bytes that hold data before the launch.
    void AddInitialised(uint64_t begin, uint64_t end);
    ShadowBlock *BlocksAt(uint64_t address);

private:
    struct Range {
        uint64_t begin;
        uint64_t end;
    };
    using Page = std::vector<ShadowBlock>;

    void Fill(Page &page, uint64_t start) const;

    std::vector<Range> initialised;
    std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
    uint64_t lastKey = ~0ULL;
    Page *lastPage = nullptr;
};

} // namespace ascendc_cpu
#endif
