// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Scalars reach GM through the core's data cache, a line at a time, which neither DMA nor other cores see.
#include "checker.h"

namespace ascendc_cpu {

void Checker::CheckCacheLines(Current &current, uint64_t begin, uint64_t end)
{
    const bool isScalarWrite = current.pipe == S_PIPE && current.access->kind == AccessKind::WRITE;
    for (auto it = lines.lower_bound(begin / CACHE_LINE_BYTES);
         it != lines.end() && it->first <= (end - 1) / CACHE_LINE_BYTES; ++it) {
        const Instruction &writer = log[it->second.write];
        const bool isOther = writer.core != current.coreIndex;
        if ((isScalarWrite && isOther && !IsOrdered(current, it->second.write)) ||
            (!isScalarWrite && it->second.isDirty && (isOther || current.pipe != S_PIPE))) {
            Finding finding = FindingOf(FindingKind::CACHE_LINE, current,
                                        isScalarWrite ? "two cores write scalars into one 64 B line"
                                                      : "scalars written here may still be in the writer's cache");
            finding.other = SideOf(it->second.write);
            findings.Add(std::move(finding));
        }
    }
    if (isScalarWrite) {
        lines[begin / CACHE_LINE_BYTES] = {current.id, true};
    }
}

void Checker::CleanCacheLines(const Current &current, const Access *accesses, int count)
{
    const bool isEntire = count == 0 || accesses[0].region.runBytes == 0;
    const uint64_t line = isEntire ? 0 : accesses[0].address / CACHE_LINE_BYTES;
    for (auto &each : lines) {
        if (log[each.second.write].core == current.coreIndex && (isEntire || each.first == line)) {
            each.second.isDirty = false;
        }
    }
}

} // namespace ascendc_cpu
