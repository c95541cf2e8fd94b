// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// unitFlag 2 and 3: every block of L0C has a flag. Mmad waits until it is clear and Fixpipe until it is set; 3 turns
// it.
#include <set>
#include "access_runs.h"
#include "checker.h"

namespace ascendc_cpu {

void Checker::CheckUnitFlags(const Current &current, const Access *accesses, int count)
{
    CoreCheck &core = *current.core;
    core.unitFlags.resize(MEMORY_CAPACITY[static_cast<int>(Memory::L0C)] / UNIT_BLOCK);
    const bool isMmad = current.pipe == M_PIPE;
    std::set<uint64_t> blocks;
    for (int i = 0; i < count; i++) {
        if (accesses[i].memory == Memory::L0C && accesses[i].kind == (isMmad ? AccessKind::WRITE : AccessKind::READ)) {
            ForEachRun(accesses[i], accesses[i].address + accesses[i].offset, [&](uint64_t begin, uint64_t end) {
                for (uint64_t block = begin / UNIT_BLOCK; block <= (end - 1) / UNIT_BLOCK; block++) {
                    blocks.insert(block);
                }
            });
        }
    }
    bool hangs = false;
    InstructionId other = 0;
    for (const uint64_t block : blocks) {
        if (block >= core.unitFlags.size()) {
            break; // out of bounds, reported
        }
        UnitFlag &flag = core.unitFlags[block];
        hangs |= flag.isFull == isMmad;
        other = std::max(other, flag.turned);
        if (flag.turned != 0 && log[flag.turned].pipe != current.pipe) {
            core.waited[current.pipe].Advance(ClockIndex(current.coreIndex, log[flag.turned].pipe), flag.turned);
        }
        if ((current.flags & UNIT_FLAG_TURNS) != 0) {
            flag = {isMmad, current.id};
        }
    }
    if (hangs) {
        Current whole = current;
        whole.access = nullptr;
        Finding finding = FindingOf(FindingKind::UNPAIRED_FLAG, whole,
                                    isMmad ? "Mmad waits for L0C that no Fixpipe with unitFlag 3 has emptied"
                                           : "Fixpipe waits for L0C that no Mmad with unitFlag 3 has filled");
        if (other != 0) {
            finding.other = SideOf(other);
        }
        findings.Add(std::move(finding));
    }
}

} // namespace ascendc_cpu
