// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Bodies of TPipe and of the queues, which need each other.
#ifndef ASCENDC_CPU_KERNEL_TPIPE_IMPL_H
#define ASCENDC_CPU_KERNEL_TPIPE_IMPL_H
#include "kernel_tpipe.h"

ASCENDC_CPU_BEGIN

__aicore__ inline void TPipe::Init()
{
    ascendc_cpu::CoreState &core = ascendc_cpu::Core();
    core.pipe = this;
    ASCENDC_CPU_BUFFER(RESET, ascendc_cpu::Memory::GM, 0, 0);
    for (ascendc_cpu::MemoryRegion &region : core.memory) {
        region.used = 0;
    }
    bufferCount = 0;
    for (uint8_t &used : eventsInUse) {
        used = 0;
    }
    if constexpr (g_coreType == AIC) {
        eventsInUse[static_cast<int>(HardEvent::M_MTE1)] = RESERVED_M_MTE1;
        for (int id = 0; (RESERVED_M_MTE1 >> id) != 0; id++) {
            SetFlag<HardEvent::M_MTE1>(id);
        }
    }
}

__aicore__ inline void TPipe::Destroy()
{
    for (uint32_t i = 0; i < bufferCount; i++) {
        if (buffers[i].state != QueueBuffer::State::IDLE) {
            ASCENDC_CPU_BUFFER(LEAKED, buffers[i].memory, buffers[i].address, 0);
        }
        if (buffers[i].freeId != NO_EVENT_ID) {
            ASCENDC_CPU_SYNC(WaitFlag, PipesOf(buffers[i].freeEvent).source, PipesOf(buffers[i].freeEvent).target,
                             buffers[i].freeId);
            eventsInUse[static_cast<int>(buffers[i].freeEvent)] &= static_cast<uint8_t>(~(1u << buffers[i].freeId));
            buffers[i].freeId = NO_EVENT_ID;
        }
    }
    uint8_t &reserved = eventsInUse[static_cast<int>(HardEvent::M_MTE1)];
    if constexpr (g_coreType == AIC) {
        if ((reserved & RESERVED_M_MTE1) == RESERVED_M_MTE1) {
            for (int id = 0; (RESERVED_M_MTE1 >> id) != 0; id++) {
                WaitFlag<HardEvent::M_MTE1>(id);
            }
            reserved &= static_cast<uint8_t>(~RESERVED_M_MTE1);
        }
    }
    PipeBarrier<PIPE_ALL>();
}

__aicore__ inline void TPipe::Reset()
{
    Destroy();
    Init();
}

__aicore__ inline uint32_t TPipe::Take(ascendc_cpu::Memory memory, uint32_t count, uint32_t bytes)
{
    if (ASCENDC_CPU_UNLIKELY(bytes == 0 || count == 0)) {
        ascendc_cpu::Fail("InitBuffer", "%u buffers of %u bytes: both must be at least 1", count, bytes);
    }
    const uint64_t asked = count * ((static_cast<uint64_t>(bytes) + ONE_BLK_SIZE - 1) / ONE_BLK_SIZE * ONE_BLK_SIZE);
    // Not the region's own capacity: code shared by both sides may take memory that this core does not have.
    const uint32_t capacity = ascendc_cpu::MEMORY_CAPACITY[static_cast<int>(memory)];
    uint32_t &used = ascendc_cpu::Core().memory[static_cast<int>(memory)].used;
    if (ASCENDC_CPU_UNLIKELY(asked > capacity - used)) {
        ascendc_cpu::Fail("InitBuffer", "%llu bytes of %s asked, %u of %u are left",
                          static_cast<unsigned long long>(asked), ascendc_cpu::MemoryName(memory), capacity - used,
                          capacity);
    }
    if (ASCENDC_CPU_UNLIKELY(bufferCount + count > MAX_BUFFERS)) {
        ascendc_cpu::Fail("InitBuffer", "%u buffers asked, %u of %u are left", count, MAX_BUFFERS - bufferCount,
                          MAX_BUFFERS);
    }
    const uint32_t address = used;
    used += static_cast<uint32_t>(asked);
    for (uint32_t i = 0; i < count; i++) {
        buffers[bufferCount] = QueueBuffer();
        buffers[bufferCount].memory = memory;
        buffers[bufferCount++].address = address + i * static_cast<uint32_t>(asked / count);
    }
    return address;
}

template <TPosition src, TPosition dst, int32_t depth, auto mask>
__aicore__ inline bool TPipe::InitBuffer(TQueBind<src, dst, depth, mask> &queue, ascendc_cpu::FieldValue<uint8_t> num,
                                         uint32_t bytes)
{
    using Queue = TQueBind<src, dst, depth, mask>;
    Take(MemoryOf(Queue::POSITION), num, bytes);
    queue = Queue();
    queue.buffers = buffers + bufferCount - num;
    queue.bufferCount = num;
    queue.bufferBytes = (bytes + ONE_BLK_SIZE - 1) / ONE_BLK_SIZE * ONE_BLK_SIZE;
    for (uint8_t i = 0; i < num; i++) {
        queue.buffers[i].freeEvent = Queue::EVENTS.free;
        ASCENDC_CPU_BUFFER(INIT_QUEUE, MemoryOf(Queue::POSITION), queue.buffers[i].address, queue.bufferBytes);
    }
    return true;
}

template <TPosition pos>
__aicore__ inline bool TPipe::InitBuffer(TBuf<pos> &buffer, uint32_t bytes)
{
    buffer.address = Take(MemoryOf(pos), 1, bytes);
    buffer.bytes = (bytes + ONE_BLK_SIZE - 1) / ONE_BLK_SIZE * ONE_BLK_SIZE;
    ASCENDC_CPU_BUFFER(INIT, MemoryOf(pos), buffer.address, buffer.bytes);
    return true;
}

__aicore__ inline TEventID TPipe::FetchEventID(HardEvent event)
{
    const int used = eventsInUse[static_cast<int>(event)];
    if (ASCENDC_CPU_UNLIKELY(used == 0xff)) {
        ascendc_cpu::Fail("AllocEventID", "all %d ids of HardEvent %d are in use", QUE_MAX_EVENT,
                          static_cast<int>(event));
    }
    return static_cast<TEventID>(__builtin_ctz(~static_cast<unsigned>(used)));
}

template <HardEvent event>
__aicore__ inline TEventID TPipe::AllocEventID()
{
    const TEventID id = FetchEventID(event);
    eventsInUse[static_cast<int>(event)] |= static_cast<uint8_t>(1u << id);
    return id;
}

template <TPosition src, TPosition dst, int32_t depth, auto mask>
__aicore__ inline void TQueBind<src, dst, depth, mask>::WaitUntilFree(QueueBuffer &buffer)
{
    if (buffer.freeId != NO_EVENT_ID) {
        WaitFlag<EVENTS.free>(buffer.freeId);
        GetTPipePtr()->template ReleaseEventID<EVENTS.free>(buffer.freeId);
        buffer.freeId = NO_EVENT_ID;
    }
}

template <TPosition src, TPosition dst, int32_t depth, auto mask>
template <typename T>
__aicore__ inline LocalTensor<T> TQueBind<src, dst, depth, mask>::AllocTensor()
{
    if (ASCENDC_CPU_UNLIKELY(taken == bufferCount)) {
        ascendc_cpu::Fail("AllocTensor", "none of the queue's %d buffers is idle", bufferCount);
    }
    while (buffers[cursor].state != QueueBuffer::State::IDLE) {
        cursor = cursor + 1 == bufferCount ? 0 : cursor + 1;
    }
    QueueBuffer &buffer = buffers[cursor];
    cursor = cursor + 1 == bufferCount ? 0 : cursor + 1;
    WaitUntilFree(buffer);
    buffer.state = QueueBuffer::State::ALLOCATED;
    ASCENDC_CPU_BUFFER(ALLOCATED, buffer.memory, buffer.address, bufferBytes);
    taken++;
    return TensorOf<T>(buffer);
}

template <TPosition src, TPosition dst, int32_t depth, auto mask>
__aicore__ inline uint8_t TQueBind<src, dst, depth, mask>::Find(const char *api, uint64_t address,
                                                                bool isOutAllowed) const
{
    for (uint8_t i = 0; i < bufferCount; i++) {
        if (address >= buffers[i].address && address - buffers[i].address < bufferBytes) {
            if (buffers[i].state == QueueBuffer::State::ALLOCATED ||
                (isOutAllowed && buffers[i].state == QueueBuffer::State::OUT)) {
                return i;
            }
            ascendc_cpu::Fail(api, "the tensor's buffer is %s",
                              buffers[i].state == QueueBuffer::State::IDLE     ? "idle: it was freed or never allocated"
                              : buffers[i].state == QueueBuffer::State::QUEUED ? "in the queue"
                                                                               : "out of the queue already");
        }
    }
    ascendc_cpu::Fail(api, "the tensor is not one of this queue's");
}

template <TPosition src, TPosition dst, int32_t depth, auto mask>
template <TPosition srcUserPos, TPosition dstUserPos, typename T>
__aicore__ inline bool TQueBind<src, dst, depth, mask>::EnQue(const LocalTensor<T> &tensor)
{
    constexpr HardEvent event = QueueEventsOf(srcUserPos, dstUserPos).forward;
    // A buffer that came out may go in again: VECIN -> VECOUT queues are filled in place.
    QueueBuffer &buffer = buffers[Find("EnQue", tensor.GetPhyAddr(), true)];
    if (ASCENDC_CPU_UNLIKELY(queued == depth)) {
        ascendc_cpu::Fail("EnQue", "the queue's depth is %d, and as many tensors are in it", depth);
    }
    buffer.forwardId = GetTPipePtr()->template AllocEventID<event>();
    SetFlag<event>(buffer.forwardId);
    buffer.state = QueueBuffer::State::QUEUED;
    ASCENDC_CPU_BUFFER(QUEUED, buffer.memory, buffer.address, bufferBytes);
    queue[(head + queued) % depth] = static_cast<uint8_t>(&buffer - buffers);
    queued++;
    return true;
}

template <TPosition src, TPosition dst, int32_t depth, auto mask>
template <TPosition srcUserPos, TPosition dstUserPos, typename T>
__aicore__ inline LocalTensor<T> TQueBind<src, dst, depth, mask>::DeQue()
{
    constexpr HardEvent event = QueueEventsOf(srcUserPos, dstUserPos).forward;
    if (ASCENDC_CPU_UNLIKELY(queued == 0)) {
        ascendc_cpu::Fail("DeQue", "the queue is empty");
    }
    QueueBuffer &buffer = buffers[queue[head]];
    head = static_cast<uint8_t>((head + 1) % depth);
    queued--;
    WaitFlag<event>(buffer.forwardId);
    GetTPipePtr()->template ReleaseEventID<event>(buffer.forwardId);
    buffer.forwardId = NO_EVENT_ID;
    buffer.state = QueueBuffer::State::OUT;
    ASCENDC_CPU_BUFFER(OUT, buffer.memory, buffer.address, bufferBytes);
    return TensorOf<T>(buffer);
}

template <TPosition src, TPosition dst, int32_t depth, auto mask>
template <typename T>
__aicore__ inline void TQueBind<src, dst, depth, mask>::FreeTensor(LocalTensor<T> &tensor)
{
    QueueBuffer &buffer = buffers[Find("FreeTensor", tensor.GetPhyAddr(), true)];
    buffer.freeId = GetTPipePtr()->template AllocEventID<EVENTS.free>();
    SetFlag<EVENTS.free>(buffer.freeId);
    buffer.state = QueueBuffer::State::IDLE;
    ASCENDC_CPU_BUFFER(FREED, buffer.memory, buffer.address, bufferBytes);
    taken--;
}

template <TPosition src, TPosition dst, int32_t depth, auto mask>
__aicore__ inline void TQueBind<src, dst, depth, mask>::FreeAllEvent()
{
    for (uint8_t i = 0; i < bufferCount; i++) {
        WaitUntilFree(buffers[i]);
    }
}

ASCENDC_CPU_END
#endif
