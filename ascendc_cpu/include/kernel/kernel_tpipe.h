// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// TPipe: hands out the memories of the core and the ids of its events. TBuf: a buffer without synchronisation.
#ifndef ASCENDC_CPU_KERNEL_TPIPE_H
#define ASCENDC_CPU_KERNEL_TPIPE_H
#include "kernel_tque.h"

ASCENDC_CPU_BEGIN

template <TPosition pos = TPosition::LCM>
class TBuf {
public:
    template <typename T>
    __aicore__ inline LocalTensor<T> Get() const
    {
        return Get<T>(bytes / static_cast<uint32_t>(sizeof(T)));
    }
    template <typename T>
    __aicore__ inline LocalTensor<T> Get(uint32_t elements) const
    {
        return GetWithOffset<T>(elements, 0);
    }
    // byteOffset: a multiple of 32
    template <typename T>
    __aicore__ inline LocalTensor<T> GetWithOffset(uint32_t elements, uint32_t byteOffset) const
    {
        if (ASCENDC_CPU_UNLIKELY(bytes == 0)) {
            return LocalTensor<T>(pos); // of no buffer: whoever uses it fails
        }
        const uint64_t end = byteOffset + static_cast<uint64_t>(elements) * sizeof(T);
        if (ASCENDC_CPU_UNLIKELY(end > bytes || byteOffset % ONE_BLK_SIZE != 0)) {
            ascendc_cpu::Fail("TBuf",
                              "%u elements of %u bytes at byte offset %u: the buffer has %u bytes, offsets are "
                              "multiples of %u",
                              elements, static_cast<unsigned>(sizeof(T)), byteOffset, bytes, ONE_BLK_SIZE);
        }
        return LocalTensor<T>(pos, address + byteOffset, elements);
    }

private:
    friend class TPipe;
    static_assert(MemoryOf(pos) != ascendc_cpu::Memory::GM, "a buffer is in one of the core's own memories");

    uint32_t address = 0; // byte offset in its memory
    uint32_t bytes = 0;
};

class TPipe {
public:
    __aicore__ inline TPipe()
    {
        Init();
    }
    __aicore__ inline ~TPipe()
    {
        Destroy();
    }
    TPipe(const TPipe &) = delete;
    TPipe &operator=(const TPipe &) = delete;

    __aicore__ inline void Init();
    // Wait for everything pending; buffers already taken stay usable, flags belong to the caller from here on.
    __aicore__ inline void Destroy();
    // As Destroy, and all memory is free again.
    __aicore__ inline void Reset();

    // num buffers of bytes each, rounded up to 32
    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    __aicore__ inline bool InitBuffer(TQueBind<src, dst, depth, mask> &queue, ascendc_cpu::FieldValue<uint8_t> num,
                                      uint32_t bytes);
    template <TPosition pos>
    __aicore__ inline bool InitBuffer(TBuf<pos> &buffer, uint32_t bytes);

    template <HardEvent event>
    __aicore__ inline TEventID AllocEventID();
    template <HardEvent event>
    __aicore__ inline void ReleaseEventID(TEventID id)
    {
        eventsInUse[static_cast<int>(event)] &= static_cast<uint8_t>(~(1u << id));
    }
    // The lowest free id, which stays free.
    template <HardEvent event>
    __aicore__ inline TEventID FetchEventID()
    {
        return FetchEventID(event);
    }
    __aicore__ inline TEventID FetchEventID(HardEvent event);

private:
    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    friend class TQueBind;

    static constexpr uint32_t MAX_BUFFERS = 64;
    static constexpr uint8_t RESERVED_M_MTE1 = 0b111; // ids that the device's TPipe takes for itself on an AIC

    __aicore__ inline uint32_t Take(ascendc_cpu::Memory memory, uint32_t count, uint32_t bytes);

    QueueBuffer buffers[MAX_BUFFERS];
    uint32_t bufferCount = 0; // of every kind
    uint8_t eventsInUse[static_cast<int>(HardEvent::MAX)] = {};
};

__aicore__ inline TPipe *GetTPipePtr()
{
    return static_cast<TPipe *>(ascendc_cpu::Core().pipe);
}

ASCENDC_CPU_END
using AscendC::GetTPipePtr; // CANN has it in the global namespace
#include "kernel_tpipe_impl.h"
#endif
