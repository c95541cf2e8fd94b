// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Queues of buffers between a producer and a consumer pipe.
#ifndef ASCENDC_CPU_KERNEL_TQUE_H
#define ASCENDC_CPU_KERNEL_TQUE_H
#include "kernel_operator_block_sync_intf.h"
#include "kernel_tensor.h"

ASCENDC_CPU_BEGIN

constexpr TEventID NO_EVENT_ID = -1;

// One buffer of a queue; it lives in the TPipe, which has to wait for the last free events.
struct QueueBuffer {
    enum class State : uint8_t { IDLE, ALLOCATED, QUEUED, OUT };

    uint32_t address = 0; // byte offset in `memory`
    ascendc_cpu::Memory memory = ascendc_cpu::Memory::GM;
    State state = State::IDLE;
    HardEvent freeEvent = HardEvent::MAX;
    TEventID freeId = NO_EVENT_ID;    // set by FreeTensor, waited for by the next AllocTensor
    TEventID forwardId = NO_EVENT_ID; // set by EnQue, waited for by DeQue
};

class TPipe;
__aicore__ inline TPipe *GetTPipePtr();

// depth: EnQue calls in a row without DeQue. Double buffering comes from num = 2 in InitBuffer.
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
public:
    template <typename T>
    __aicore__ inline LocalTensor<T> AllocTensor();
    template <typename T>
    __aicore__ inline void FreeTensor(LocalTensor<T> &tensor);
    template <typename T>
    __aicore__ inline bool EnQue(const LocalTensor<T> &tensor)
    {
        return EnQue<src, dst>(tensor);
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    __aicore__ inline bool EnQue(const LocalTensor<T> &tensor);
    template <typename T>
    __aicore__ inline LocalTensor<T> DeQue()
    {
        return DeQue<src, dst, T>();
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    __aicore__ inline LocalTensor<T> DeQue();

    __aicore__ inline bool VacantInQue() const
    {
        return queued < depth;
    }
    __aicore__ inline bool HasTensorInQue() const
    {
        return queued > 0;
    }
    __aicore__ inline int32_t GetTensorCountInQue() const
    {
        return queued;
    }
    __aicore__ inline bool HasIdleBuffer() const
    {
        return taken < bufferCount;
    }
    // Wait for every pending free event now instead of at the next AllocTensor.
    __aicore__ inline void FreeAllEvent();

protected:
    friend class TPipe;

    static constexpr TPosition POSITION = MemoryOf(dst) == ascendc_cpu::Memory::GM ? src : dst;
    static constexpr QueueEvents EVENTS = QueueEventsOf(src, dst);
    static_assert(depth > 0, "depth is at least 1");
    static_assert(src != TPosition::VECCALC && dst != TPosition::VECCALC, "VECCALC has no queue");
    static_assert(EVENTS.forward != HardEvent::MAX, "the hardware has no path between these positions");

    template <typename T>
    __aicore__ inline LocalTensor<T> TensorOf(const QueueBuffer &buffer) const
    {
        return LocalTensor<T>(POSITION, buffer.address, bufferBytes / sizeof(T));
    }
    // The buffer that the tensor was made from, in the state that the call needs.
    __aicore__ inline uint8_t Find(const char *api, uint64_t address, bool isOutAllowed) const;
    __aicore__ inline void WaitUntilFree(QueueBuffer &buffer);

    QueueBuffer *buffers = nullptr; // in the TPipe
    uint32_t bufferBytes = 0;
    uint8_t bufferCount = 0;
    uint8_t cursor = 0; // where AllocTensor looks first
    uint8_t taken = 0;  // buffers not idle
    uint8_t head = 0;   // of queue
    uint8_t queued = 0;
    uint8_t queue[depth] = {};
};

constexpr TPosition QueueSource(TPosition position)
{
    switch (position) {
    case TPosition::A2:
        return TPosition::A1;
    case TPosition::B2:
        return TPosition::B1;
    case TPosition::C2:
        return TPosition::C1;
    case TPosition::C2PIPE2GM:
        return TPosition::B1;
    case TPosition::CO1:
    case TPosition::VECOUT:
        return position;
    default:
        return TPosition::GM;
    }
}

constexpr TPosition QueueTarget(TPosition position)
{
    return position == TPosition::CO1 ? TPosition::CO2 : position == TPosition::VECOUT ? TPosition::GM : position;
}

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<QueueSource(pos), QueueTarget(pos), depth, mask> {};

ASCENDC_CPU_END
#endif
