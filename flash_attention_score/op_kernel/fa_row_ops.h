// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// dst = src op value, one fp32 value a row: the value is broadcast to a 32 B block and that block is read for all
// lanes.
#ifndef FA_ROW_OPS_H
#define FA_ROW_OPS_H
#include "fa_buffers.h"

enum class FaRowOp : int32_t { SUB, MUL, DIV };

// Rows of a tile in UB, `pitch` elements each (a multiple of 8). The values of a pass stand in one 32 B block;
// `firstValue` is that of the first row.
struct FaRows {
    int64_t count;
    int64_t pitch;
    int64_t firstValue;
};

class FaRowOps {
public:
    __aicore__ inline void Init(FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        broadcast = ub.template Take<float>(FA_PASS_ROWS * 8);
    }

    template <FaRowOp OP>
    __aicore__ inline void Apply(const AscendC::LocalTensor<float> &dst, const AscendC::LocalTensor<float> &src,
                                 const AscendC::LocalTensor<float> &values, const FaRows &rows) const
    {
        AscendC::Brcb(broadcast, values, 1, {1, 8});
        FaVectorBarrier();
        const AscendC::LocalTensor<float> value = broadcast[static_cast<uint32_t>(rows.firstValue * 8)];
        const uint8_t stride = static_cast<uint8_t>(rows.pitch / 8);
        const AscendC::BinaryRepeatParams params(1, 1, 0, stride, stride, 1);
        for (int64_t c = 0; c < rows.pitch; c += FA_LANES) {
            const uint64_t lanes = static_cast<uint64_t>(FaMin(FA_LANES, rows.pitch - c));
            const uint32_t offset = static_cast<uint32_t>(c);
            const uint8_t repeats = static_cast<uint8_t>(rows.count);
            if constexpr (OP == FaRowOp::SUB) {
                AscendC::Sub(dst[offset], src[offset], value, lanes, repeats, params);
            } else if constexpr (OP == FaRowOp::MUL) {
                AscendC::Mul(dst[offset], src[offset], value, lanes, repeats, params);
            } else {
                AscendC::Div(dst[offset], src[offset], value, lanes, repeats, params);
            }
        }
        FaVectorBarrier();
    }

private:
    AscendC::LocalTensor<float> broadcast; // [8][8]
};
#endif
