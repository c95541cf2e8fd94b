// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The hooks that kernel objects of the checked mode call.
#include "../core/group.h"
#include "../core/job.h"
#include "ascendc_cpu/access.h"
#include "checker.h"

namespace ascendc_cpu {

namespace {

// Of the launch that runs in this thread; null in fast launches, and outside of kernels.
Checker *ActiveChecker()
{
    return t_core == nullptr || t_core->group == nullptr ? nullptr : t_core->group->job->checker;
}

} // namespace

void RecordInstruction(int pipe, const char *api, const Access *accesses, int count, uint16_t flags)
{
    if (Checker *checker = ActiveChecker()) {
        checker->OnInstruction(Core(), pipe, api, accesses, count, flags, __builtin_frame_address(0));
        if (checker->MustStop()) {
            RecordFailure(Core(), std::string(api) + ": GM out of bounds");
            AbandonFiber();
        }
    }
}

void RecordLoad(Memory to, uint64_t dst, uint64_t src, uint32_t elementBytes, uint32_t scale, bool transposed,
                const FractalGrid &grid)
{
    if (Checker *checker = ActiveChecker()) {
        checker->OnLoad(Core(), to, dst, src, elementBytes, scale, transposed, grid);
    }
}

void RecordSync(SyncKind kind, int from, int to, int id)
{
    if (Checker *checker = ActiveChecker()) {
        checker->OnSync(Core(), kind, from, to, id, __builtin_frame_address(0));
    }
}

void RecordBuffer(BufferEvent event, Memory memory, uint32_t address, uint32_t bytes)
{
    if (Checker *checker = ActiveChecker()) {
        checker->OnBuffer(Core(), event, memory, address, bytes, __builtin_frame_address(0));
    }
}

void RecordTruncation(const char *how, const char *type, long long value)
{
    if (Checker *checker = ActiveChecker()) {
        checker->OnTruncation(Core(), how, type, value, __builtin_frame_address(0));
    }
}

} // namespace ascendc_cpu
