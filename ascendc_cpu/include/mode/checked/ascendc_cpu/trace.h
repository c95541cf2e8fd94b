// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Checked mode: instructions are recorded, then executed.
#ifndef ASCENDC_CPU_TRACE_H
#define ASCENDC_CPU_TRACE_H
#include <type_traits>
#include <vector>
#include "../../../kernel/ascendc_cpu/access.h"

#define ASCENDC_CPU_TRACE(pipe, api, ...)                                                                              \
    do {                                                                                                               \
        const ascendc_cpu::Access ascendcCpuAccesses[] = {__VA_ARGS__};                                                \
        ascendc_cpu::RecordInstruction(pipe, api, ascendcCpuAccesses,                                                  \
                                       sizeof(ascendcCpuAccesses) / sizeof(ascendcCpuAccesses[0]),                     \
                                       ascendc_cpu::TakeFlags());                                                      \
    } while (false)
#define ASCENDC_CPU_TRACE_LIST(pipe, api, list)                                                                        \
    ascendc_cpu::RecordInstruction(pipe, api, (list).accesses.data(), static_cast<int>((list).accesses.size()),        \
                                   ascendc_cpu::TakeFlags())
#define ASCENDC_CPU_TRACE_FLAGS(flags) ascendc_cpu::t_flags = static_cast<uint16_t>(ascendc_cpu::t_flags | (flags))
#define ASCENDC_CPU_LOADED(...) ascendc_cpu::RecordLoad(__VA_ARGS__)
#define ASCENDC_CPU_SYNC(kind, from, to, id)                                                                           \
    ascendc_cpu::RecordSync(ascendc_cpu::SyncKind::kind, static_cast<int>(from), static_cast<int>(to),                 \
                            static_cast<int>(id))
#define ASCENDC_CPU_BUFFER(event, memory, address, bytes)                                                              \
    ascendc_cpu::RecordBuffer(ascendc_cpu::BufferEvent::event, memory, address, bytes)

namespace ascendc_cpu {

// Flags of the instruction that is recorded next.
inline thread_local uint16_t t_flags = 0;

inline uint16_t TakeFlags()
{
    const uint16_t flags = t_flags;
    t_flags = 0;
    return flags;
}

constexpr uint16_t AlignmentOf(Memory memory)
{
    return memory == Memory::UB || memory == Memory::L1     ? 32
           : memory == Memory::L0A || memory == Memory::L0B ? 512
           : memory == Memory::GM                           ? 1
                                                            : 64;
}

template <typename Tensor>
inline Access AccessOf(AccessKind kind, const Tensor &tensor)
{
    using T = typename Tensor::PrimType;
    Access access;
    access.kind = kind;
    access.elementBytes = sizeof(T);
    if constexpr (std::is_pointer<decltype(tensor.GetPhyAddr())>::value) {
        access.address = reinterpret_cast<uint64_t>(tensor.GetPhyAddr());
        access.alignment = sizeof(T);
    } else {
        access.memory = tensor.GetMemory();
        access.address = tensor.GetPhyAddr();
        access.alignment = AlignmentOf(access.memory);
    }
    return access;
}

template <typename Tensor>
inline Access AccessOf(AccessKind kind, const Tensor &tensor, const Region &region)
{
    Access access = AccessOf(kind, tensor);
    access.region = region;
    return access;
}

template <typename Tensor>
inline Access AccessOf(AccessKind kind, const Tensor &tensor, const LaneRegion &lanes)
{
    Access access = AccessOf(kind, tensor);
    access.lanes = lanes;
    return access;
}

template <typename Tensor, typename Where>
inline Access Read(const Tensor &tensor, const Where &where)
{
    return AccessOf(AccessKind::READ, tensor, where);
}

template <typename Tensor, typename Where>
inline Access Load(const Tensor &tensor, const Where &where)
{
    return AccessOf(AccessKind::LOAD, tensor, where);
}

template <typename Tensor, typename Where>
inline Access Write(const Tensor &tensor, const Where &where)
{
    return AccessOf(AccessKind::WRITE, tensor, where);
}

template <typename Tensor, typename Where>
inline Access Spoil(const Tensor &tensor, const Where &where)
{
    return AccessOf(AccessKind::SPOIL, tensor, where);
}

// From byte `offset` of the tensor on.
inline Access At(Access access, uint64_t offset)
{
    access.offset += offset;
    return access;
}

struct AccessList {
    std::vector<Access> accesses;

    template <typename Tensor>
    void AddRead(const Tensor &tensor, uint64_t offset, uint64_t bytes)
    {
        accesses.push_back(At(Read(tensor, Region{bytes}), offset));
    }
    template <typename Tensor>
    void AddWrite(const Tensor &tensor, uint64_t offset, uint64_t bytes)
    {
        accesses.push_back(At(Write(tensor, Region{bytes}), offset));
    }
};

// For results that need less than the memory's alignment.
inline Access Aligned(Access access, uint32_t alignment)
{
    access.alignment = static_cast<uint16_t>(alignment);
    return access;
}

// One element of a scalar access.
template <typename Tensor>
inline Access Element(AccessKind kind, const Tensor &tensor, uint64_t index)
{
    using T = typename Tensor::PrimType;
    Access access = AccessOf(kind, tensor, Region{sizeof(T)});
    access.offset = index * sizeof(T);
    access.alignment = sizeof(T);
    return access;
}

} // namespace ascendc_cpu
#endif
