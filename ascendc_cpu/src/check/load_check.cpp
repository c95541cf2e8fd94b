// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Loads from L1 to L0 move whole fractals. Rows and columns of padding that nobody has written come along, and Mmad
// ignores them: they stay unwritten in L0, where Mmad's reads below m, n and k are judged.
#include "../core/group.h"
#include "checker.h"

namespace ascendc_cpu {

namespace {

constexpr uint64_t FRACTAL_BYTES = 512;
constexpr uint32_t ROW_BYTES = 32;

// The bytes of one fractal in a core's memory.
class FractalShadow {
public:
    FractalShadow(LocalShadow &shadow, Memory memory, uint64_t address)
        : blocks(shadow.BlocksAt(address, MEMORY_CAPACITY[static_cast<int>(memory)])), shift(address % SHADOW_BLOCK)
    {
    }
    bool HasUnwritten() const
    {
        for (uint64_t i = 0; i < (shift + FRACTAL_BYTES) / SHADOW_BLOCK; i++) {
            if (blocks[i].bytes != nullptr || blocks[i].cell.write == NEVER_WRITTEN) {
                return true;
            }
        }
        return false;
    }
    bool IsUnwritten(uint64_t byte) const
    {
        const ShadowBlock &block = blocks[(byte + shift) / SHADOW_BLOCK];
        const Cell &cell = block.bytes == nullptr ? block.cell : block.bytes[(byte + shift) % SHADOW_BLOCK];
        return cell.write == NEVER_WRITTEN;
    }
    void Spoil(uint64_t byte)
    {
        ShadowBlock &block = blocks[(byte + shift) / SHADOW_BLOCK];
        block.Split();
        block.bytes[(byte + shift) % SHADOW_BLOCK] = Cell();
    }

private:
    ShadowBlock *blocks;
    uint64_t shift;
};

// Where a byte of source fractal `half` of a square comes to stand: fractal of the destination, byte in it.
struct Place {
    uint32_t half;
    uint64_t byte;
};

Place PlaceOf(uint64_t byte, uint32_t half, uint32_t elementBytes, bool transposed)
{
    if (!transposed) {
        return {half, byte};
    }
    const uint64_t row = byte / ROW_BYTES;
    const uint64_t perRow = ROW_BYTES / elementBytes;
    const uint64_t column = half * perRow + byte % ROW_BYTES / elementBytes;
    return {static_cast<uint32_t>(row / perRow),
            column * ROW_BYTES + row % perRow * elementBytes + byte % elementBytes};
}

} // namespace

void Checker::OnLoad(CoreState &state, Memory to, uint64_t dst, uint64_t src, uint32_t elementBytes, uint32_t scale,
                     bool transposed, const FractalGrid &grid)
{
    CoreCheck &core = CheckOf(state);
    LocalShadow &source = core.shadows[static_cast<int>(Memory::L1)];
    LocalShadow &target = core.shadows[static_cast<int>(to)];
    const bool isSquare = transposed && elementBytes == 4;
    const uint32_t halves = isSquare && !grid.srcPairMissing ? 2 : 1;
    for (uint32_t unit = 0; unit < grid.outer * grid.inner; unit++) {
        const int64_t outer = unit / grid.inner;
        const int64_t inner = unit % grid.inner;
        const uint64_t from = src + static_cast<uint64_t>(outer * grid.srcOuter + inner * grid.srcInner);
        const uint64_t into = dst + static_cast<uint64_t>((outer * grid.dstOuter + inner * grid.dstInner) / scale);
        for (uint32_t half = 0; half < halves; half++) {
            const FractalShadow read(source, Memory::L1, from + half * static_cast<uint64_t>(grid.srcPair));
            if (!read.HasUnwritten()) {
                continue;
            }
            for (uint64_t byte = 0; byte < FRACTAL_BYTES; byte++) {
                if (read.IsUnwritten(byte)) {
                    const Place place = PlaceOf(byte, half, elementBytes, transposed);
                    FractalShadow(target, to, into + place.half * static_cast<uint64_t>(grid.dstPair / scale))
                        .Spoil(place.byte);
                }
            }
        }
    }
}

} // namespace ascendc_cpu
