// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Rules of single instructions: GEMV, the scratch of Select.
#include <iterator>
#include "../core/group.h"
#include "../core/kernel_error.h"
#include "checker.h"

namespace ascendc_cpu {

namespace {

constexpr uint64_t SELECT_SCRATCH_BEGIN = 184 * 1024;

} // namespace

// Of an Mmad with m = 1: whether L0A holds all the fractals that A would have, 16 times its bytes, loaded and not read
// by any earlier Mmad. A plain vector has no use for the others. Inside one fractal a row and a plain vector are the
// same.
bool Checker::IsVectorInFractals(const Current &current, const Access *accesses, int count) const
{
    constexpr int L0A = static_cast<int>(Memory::L0A);
    constexpr uint64_t FRACTAL_BYTES = 512;
    const auto isForThis = [&](uint64_t address) {
        const ShadowBlock &block = *current.core->shadows[L0A].BlocksAt(address, MEMORY_CAPACITY[L0A]);
        const Cell &cell = block.bytes == nullptr ? block.cell : block.bytes[address % SHADOW_BLOCK];
        const bool isLoaded = cell.write > BY_HOST && (log[cell.write].flags & CLEARS) == 0;
        const auto isOther = [&](InstructionId reader) { return reader != 0 && reader != current.id; };
        return isLoaded && std::none_of(std::begin(cell.read), std::end(cell.read), isOther);
    };
    for (int i = 0; i < count; i++) {
        const Region &region = accesses[i].region;
        const bool isEmpty = region.inner.count * region.middle.count * region.outer.count == 0;
        const uint64_t bytes = isEmpty ? 0 : region.runBytes;
        if (accesses[i].memory != Memory::L0A || accesses[i].kind != AccessKind::READ || bytes <= SHADOW_BLOCK) {
            continue;
        }
        const uint64_t end = accesses[i].address + (bytes + SHADOW_BLOCK - 1) / SHADOW_BLOCK * FRACTAL_BYTES;
        bool isWhole = end <= MEMORY_CAPACITY[L0A];
        for (uint64_t fractal = accesses[i].address; isWhole && fractal < end; fractal += FRACTAL_BYTES) {
            isWhole = isForThis(fractal);
        }
        return isWhole;
    }
    return false;
}

void Checker::CheckSpecial(const Current &current, const Access *accesses, int count)
{
    if ((current.flags & CACHE_CLEAN) != 0) {
        CleanCacheLines(current, accesses, count);
    }
    if (current.pipe == V_PIPE) {
        CheckVector(current, accesses, count);
    }
    if ((current.flags & UNIT_FLAG) != 0) {
        CheckUnitFlags(current, accesses, count);
    }
    Current whole = current;
    whole.access = nullptr;
    if ((current.flags & GEMV) != 0 && IsVectorInFractals(current, accesses, count)) {
        findings.Add(FindingOf(FindingKind::GEMV, whole, "Mmad with m = 1 reads A as a plain vector, not as fractals"));
    }
    if ((current.flags & SELECT_SCRATCH) != 0) {
        for (const CheckedBuffer &buffer : current.core->buffers) {
            if (buffer.memory == Memory::UB && buffer.end > SELECT_SCRATCH_BEGIN) {
                Finding finding =
                    FindingOf(FindingKind::SELECT_SCRATCH, whole,
                              Format("Select overwrites 8 KiB of UB from 184 KiB on, a buffer ends at %u", buffer.end));
                finding.isWrite = true;
                findings.Add(std::move(finding));
                break;
            }
        }
    }
}

} // namespace ascendc_cpu
