// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Fast mode: instructions are executed and not recorded. The include path picks this header or another mode's.
#ifndef ASCENDC_CPU_TRACE_H
#define ASCENDC_CPU_TRACE_H
#include <cstdint>

// ASCENDC_CPU_TRACE(pipe, api, access...): one instruction on `pipe`, before it is executed; an access is
// ascendc_cpu::Read(tensor, region) or Load, Write, Spoil; regions in access.h. Must not have side effects.
#define ASCENDC_CPU_TRACE(...) ((void)0)
// The same for an instruction whose accesses are known at run time only, in an AccessList.
#define ASCENDC_CPU_TRACE_LIST(...) ((void)0)
// Flags of the instruction that is traced next, InstructionFlags.
#define ASCENDC_CPU_TRACE_FLAGS(flags) ((void)0)
// ASCENDC_CPU_LOADED(...): RecordLoad's arguments, after the trace of a load from L1.
#define ASCENDC_CPU_LOADED(...) ((void)0)
// ASCENDC_CPU_SYNC(kind, from, to, id): a SyncKind.
#define ASCENDC_CPU_SYNC(...) ((void)0)
// ASCENDC_CPU_BUFFER(event, memory, address, bytes): a BufferEvent of what TPipe and the queues hand out.
#define ASCENDC_CPU_BUFFER(...) ((void)0)

namespace ascendc_cpu {

struct AccessList {
    // `bytes` from byte `offset` of the tensor on
    template <typename Tensor>
    void AddRead(const Tensor &, uint64_t /*offset*/, uint64_t /*bytes*/)
    {
    }
    template <typename Tensor>
    void AddWrite(const Tensor &, uint64_t /*offset*/, uint64_t /*bytes*/)
    {
    }
};

} // namespace ascendc_cpu
#endif
