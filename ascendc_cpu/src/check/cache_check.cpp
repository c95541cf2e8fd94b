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
    if (current.pipe == S_PIPE) {
        current.core->cachedLines.emplace(begin / CACHE_LINE_BYTES, current.id);
    }
    if (isScalarWrite) {
        lines[begin / CACHE_LINE_BYTES] = {current.id, true};
    }
}

// The line stays as it was when it came, whatever DMA or another core has written since.
void Checker::CheckCachedRead(const Current &current, const Cell &cell)
{
    const Instruction &writer = log[cell.write];
    const auto line = current.core->cachedLines.find(current.runBegin / CACHE_LINE_BYTES);
    const bool isOwnScalar = writer.core == current.coreIndex && writer.pipe == S_PIPE;
    if (line != current.core->cachedLines.end() && cell.write > line->second && !isOwnScalar) {
        Finding finding = FindingOf(FindingKind::CACHE_LINE, current,
                                    "the line was in this core's cache before it was written here, and may be still");
        finding.other = SideOf(cell.write);
        findings.Add(std::move(finding));
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
    if (isEntire) {
        current.core->cachedLines.clear();
    } else {
        current.core->cachedLines.erase(line);
    }
}

} // namespace ascendc_cpu
