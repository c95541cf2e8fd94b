// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The two slots in UB that the pv ring guards, for slices of P V and of partial states alike: the ring knows slots by
// number only, so that whoever loads something into one, it stands in the same place.
#ifndef FA_PV_SLOTS_H
#define FA_PV_SLOTS_H
#include "fa_buffers.h"

class FaPvSlots {
public:
    __aicore__ inline void Init(int64_t elements, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        slotElems = elements;
        slots = ub.template Take<float>(2 * elements);
    }
    __aicore__ inline AscendC::LocalTensor<float> operator[](int32_t slot) const
    {
        return slots[static_cast<uint32_t>(slot * slotElems)];
    }

private:
    int64_t slotElems = 0;
    AscendC::LocalTensor<float> slots;
};
#endif
