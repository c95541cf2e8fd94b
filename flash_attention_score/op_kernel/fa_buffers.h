// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Every flag of the kernel: which pipes hand over what, with which ids. Waits and sets come in pairs, by construction.
#ifndef FA_BUFFERS_H
#define FA_BUFFERS_H
#include "fa_strategies.h"

// One on-chip memory, handed out front to back.
template <AscendC::TPosition POSITION>
class FaArena {
public:
    __aicore__ inline void Init(AscendC::TPipe &pipe, uint32_t bytes)
    {
        pipe.InitBuffer(buffer, bytes);
        memory = buffer.template Get<uint8_t>();
    }
    template <typename T>
    __aicore__ inline AscendC::LocalTensor<T> Take(int64_t elements)
    {
        const uint32_t offset = used;
        used += static_cast<uint32_t>(FaAlign(elements * static_cast<int64_t>(sizeof(T)), 32));
        return memory[offset].template ReinterpretCast<T>();
    }

    // Hands everything out again, behind all that the core has done with it.
    __aicore__ inline void Clear()
    {
        AscendC::PipeBarrier<PIPE_ALL>();
        used = 0;
    }

private:
    AscendC::TBuf<POSITION> buffer;
    AscendC::LocalTensor<uint8_t> memory;
    uint32_t used = 0;
};

// A ring of up to SLOTS buffers between a writing and a reading pipe. FULL: writer -> reader, FREE: the way back.
template <AscendC::HardEvent FULL, AscendC::HardEvent FREE, int32_t FIRST_ID, int32_t SLOTS>
class FaPipeRing {
public:
    __aicore__ inline void Open(int32_t usedSlots = SLOTS)
    {
        slots = usedSlots;
        for (int32_t i = 0; i < slots; ++i) {
            AscendC::SetFlag<FREE>(FIRST_ID + i);
        }
    }
    __aicore__ inline void Close()
    {
        for (int32_t i = 0; i < slots; ++i) {
            AscendC::WaitFlag<FREE>(FIRST_ID + i);
        }
    }
    __aicore__ inline int32_t BeginWrite()
    {
        AscendC::WaitFlag<FREE>(FIRST_ID + writeSlot);
        return writeSlot;
    }
    __aicore__ inline void EndWrite()
    {
        AscendC::SetFlag<FULL>(FIRST_ID + writeSlot);
        writeSlot = writeSlot + 1 == slots ? 0 : writeSlot + 1;
    }
    __aicore__ inline int32_t BeginRead()
    {
        const int32_t slot = readSlot;
        AscendC::WaitFlag<FULL>(FIRST_ID + slot);
        readSlot = slot + 1 == slots ? 0 : slot + 1;
        return slot;
    }
    // Frees the oldest buffer that is being read; several may be.
    __aicore__ inline void EndRead()
    {
        AscendC::SetFlag<FREE>(FIRST_ID + freeSlot);
        freeSlot = freeSlot + 1 == slots ? 0 : freeSlot + 1;
    }

private:
    int32_t slots = SLOTS;
    int32_t writeSlot = 0;
    int32_t readSlot = 0;
    int32_t freeSlot = 0;
};

// One flag from one pipe to another.
template <AscendC::HardEvent EVENT, int32_t ID>
struct FaPipeSignal {
    __aicore__ inline void Set() const
    {
        AscendC::SetFlag<EVENT>(ID);
    }
    __aicore__ inline void Wait() const
    {
        AscendC::WaitFlag<EVENT>(ID);
    }
};

// A mode 2 flag between the AIC and both AIVs of a group. Set fires after the work of SETTER so far.
template <pipe_t SETTER, uint16_t ID>
struct FaCoreSignal {
    __aicore__ inline void Set() const
    {
        AscendC::CrossCoreSetFlag<2, SETTER>(ID);
    }
    __aicore__ inline void Wait() const
    {
        AscendC::CrossCoreWaitFlag(ID);
    }
};

// The three hand-overs of a stack. No way back is needed: QK^T runs at most FA_RING_SLOTS stacks ahead, P of stack i is
// read by the AIC before it writes S of stack i + FA_RING_SLOTS, and an AIV has read PV of stack i before it hands over
// P of stack i + FA_RING_SLOTS.
struct FaStackSignals {
    FaCoreSignal<PIPE_FIX, 0> scoresReady; // AIC -> AIV: S in GM
    FaCoreSignal<PIPE_MTE3, 1> probsReady; // AIV -> AIC: P in GM, over S
    FaCoreSignal<PIPE_FIX, 2> pvReady;     // AIC -> AIV: P V in GM
};

// Flags of the AIC's box matmul. M_MTE1 ids 0-2 belong to TPipe.
struct FaMatmulRings {
    FaPipeRing<AscendC::HardEvent::MTE2_MTE1, AscendC::HardEvent::MTE1_MTE2, 0, 4> box; // boxes in L1
    FaPipeRing<AscendC::HardEvent::MTE1_M, AscendC::HardEvent::M_MTE1, 3, 2> l0; // L0A and L0B, or halves of them
    FaPipeRing<AscendC::HardEvent::M_FIX, AscendC::HardEvent::FIX_M, 0, 2> l0c;  // halves of L0C

    __aicore__ inline void Open(int32_t boxes, int32_t l0Slots)
    {
        box.Open(boxes);
        l0.Open(l0Slots);
        l0c.Open();
    }
    __aicore__ inline void Close()
    {
        box.Close();
        l0.Close();
        l0c.Close();
    }
};

// Flags of what the forward keeps in L1.
struct FaResidentRings {
    FaPipeRing<AscendC::HardEvent::MTE2_MTE1, AscendC::HardEvent::MTE1_MTE2, 4, 1> query; // Q tile
    FaPipeRing<AscendC::HardEvent::MTE2_MTE1, AscendC::HardEvent::MTE1_MTE2, 5, 1> probs; // P stack

    __aicore__ inline void Open()
    {
        query.Open();
        probs.Open();
    }
    __aicore__ inline void Close()
    {
        query.Close();
        probs.Close();
    }
};

// What is loaded beside a pass of scores: bytes of the mask tensor, elements of the shift, bits of dropout.
using FaPassInputsRing = FaPipeRing<AscendC::HardEvent::MTE2_V, AscendC::HardEvent::V_MTE2, 3, 2>;
// Buffers that V clears once, before the first copy into them.
using FaClearedSignal = FaPipeSignal<AscendC::HardEvent::V_MTE2, 7>;

// The score tile of fp32 becomes P in place and is free once MTE3 has stored it; that of b16 once V has cast it.
template <bool P_IN_PLACE>
struct FaScoreRing {
    using Type = FaPipeRing<AscendC::HardEvent::MTE2_V, AscendC::HardEvent::V_MTE2, 0, 2>;
};
template <>
struct FaScoreRing<true> {
    using Type = FaPipeRing<AscendC::HardEvent::MTE2_V, AscendC::HardEvent::MTE3_MTE2, 0, 3>;
};

// Flags of an AIV.
template <bool P_IN_PLACE>
struct FaVecRings {
    typename FaScoreRing<P_IN_PLACE>::Type scores;                                        // S tiles
    FaPipeRing<AscendC::HardEvent::V_MTE3, AscendC::HardEvent::MTE3_V, 0, 2> probs;       // P tiles
    FaPipeRing<AscendC::HardEvent::MTE2_V, AscendC::HardEvent::V_MTE2, 5, 2> pv;          // slices of P V
    FaPipeRing<AscendC::HardEvent::MTE2_V, AscendC::HardEvent::MTE3_MTE2, 7, 1> accSlice; // slice of O when in GM
    FaPipeRing<AscendC::HardEvent::V_MTE3, AscendC::HardEvent::MTE3_V, 2, 2> out;         // slices of the result
    FaPipeRing<AscendC::HardEvent::V_MTE3, AscendC::HardEvent::MTE3_V, 4, 1> stats;       // max and sum
    FaPipeRing<AscendC::HardEvent::V_MTE3, AscendC::HardEvent::MTE3_V, 6, 1> acc;         // O when in UB
    FaPipeSignal<AscendC::HardEvent::V_MTE3, 5> accToGm;        // slice of O is in UB before it goes to GM
    FaPipeSignal<AscendC::HardEvent::MTE3_MTE2, 3> accStored;   // O of a stack is in GM before the next one loads it
    FaPipeSignal<AscendC::HardEvent::MTE3_MTE2, 4> chunkStored; // partial states are in GM before they are merged

    __aicore__ inline void Open()
    {
        scores.Open();
        probs.Open();
        pv.Open();
        accSlice.Open();
        out.Open();
        stats.Open();
        acc.Open();
    }
    __aicore__ inline void Close()
    {
        scores.Close();
        probs.Close();
        pv.Close();
        accSlice.Close();
        out.Close();
        stats.Close();
        acc.Close();
    }
};
#endif
