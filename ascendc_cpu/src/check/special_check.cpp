// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Rules of single instructions: GEMV, the scratch of Select.
#include "../core/group.h"
#include "../core/kernel_error.h"
#include "checker.h"

namespace ascendc_cpu {

namespace {

constexpr uint64_t SELECT_SCRATCH_BEGIN = 184 * 1024;

} // namespace

// Of an Mmad with m = 1: whether one load has written A and all the fractals that A would have, 16 times its bytes.
// Inside one fractal a row and a plain vector are the same.
bool Checker::IsVectorInFractals(const Current &current, const Access *accesses, int count) const
{
    constexpr int L0A = static_cast<int>(Memory::L0A);
    const auto writerAt = [&](uint64_t address) {
        LocalShadow &shadow = current.core->shadows[L0A];
        const ShadowBlock &block = *shadow.BlocksAt(address, MEMORY_CAPACITY[L0A]);
        return block.bytes == nullptr ? block.cell.write : block.bytes[address % SHADOW_BLOCK].write;
    };
    for (int i = 0; i < count; i++) {
        const Region &region = accesses[i].region;
        const bool isEmpty = region.inner.count * region.middle.count * region.outer.count == 0;
        const uint64_t bytes = isEmpty ? 0 : region.runBytes;
        if (accesses[i].memory != Memory::L0A || accesses[i].kind != AccessKind::READ || bytes <= SHADOW_BLOCK) {
            continue;
        }
        const uint64_t end = accesses[i].address + (bytes + SHADOW_BLOCK - 1) / SHADOW_BLOCK * SHADOW_BLOCK * 16;
        return end <= MEMORY_CAPACITY[L0A] && writerAt(end - 1) == writerAt(accesses[i].address);
    }
    return false;
}

void Checker::CheckSpecial(const Current &current, const Access *accesses, int count)
{
    if ((current.flags & CACHE_CLEAN) != 0) {
        CleanCacheLines(current, accesses, count);
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
