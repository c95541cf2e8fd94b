// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Fast mode: instructions are executed and not recorded. The include path picks this header or another mode's.
#ifndef ASCENDC_CPU_TRACE_H
#define ASCENDC_CPU_TRACE_H

// ASCENDC_CPU_TRACE(pipe, api, access...): one instruction on `pipe`; each access is ascendc_cpu::Read(tensor, region)
// or ascendc_cpu::Write(tensor, region), a Region being the bytes touched from the tensor's start:
// Region{runBytes, {count0, stride0Bytes}, {count1, stride1Bytes}} (innermost run first). Must not have side effects.
#define ASCENDC_CPU_TRACE(...) ((void)0)
// ASCENDC_CPU_SYNC(kind, from, to, id): SetFlag, WaitFlag, PipeBarrier, cross-core flags, queue hand-overs.
#define ASCENDC_CPU_SYNC(...) ((void)0)
#endif
