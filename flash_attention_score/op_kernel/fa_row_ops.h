// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// dst = src op value, one fp32 value a row: the value is broadcast to a 32 B block and that block is read for all
// lanes.
#ifndef FA_ROW_OPS_H
#define FA_ROW_OPS_H
#include "fa_buffers.h"

enum class FaRowOp : int32_t { ADD, SUB, MUL, DIV };

// Rows of a tile in UB, `pitch` elements each (a multiple of 8). The values of eight rows stand in one 32 B block;
// `firstValue`, below 8, is that of the first row.
struct FaRows {
    int64_t count;
    int64_t pitch;
    int64_t firstValue;
};

// values: the 32 B blocks, one a row.
template <FaRowOp OP>
__aicore__ inline void FaApplyRowBlocks(const AscendC::LocalTensor<float> &dst, const AscendC::LocalTensor<float> &src,
                                        const AscendC::LocalTensor<float> &blocks, const FaRows &rows)
{
    const AscendC::LocalTensor<float> value = blocks[static_cast<uint32_t>(rows.firstValue * 8)];
    const uint8_t stride = static_cast<uint8_t>(rows.pitch / 8);
    const AscendC::BinaryRepeatParams params(1, 1, 0, stride, stride, 1);
    for (int64_t c = 0; c < rows.pitch; c += FA_LANES) {
        const uint64_t lanes = static_cast<uint64_t>(FaMin(FA_LANES, rows.pitch - c));
        const uint32_t offset = static_cast<uint32_t>(c);
        const uint8_t repeats = static_cast<uint8_t>(rows.count);
        if constexpr (OP == FaRowOp::ADD) {
            AscendC::Add(dst[offset], src[offset], value, lanes, repeats, params);
        } else if constexpr (OP == FaRowOp::SUB) {
            AscendC::Sub(dst[offset], src[offset], value, lanes, repeats, params);
        } else if constexpr (OP == FaRowOp::MUL) {
            AscendC::Mul(dst[offset], src[offset], value, lanes, repeats, params);
        } else {
            AscendC::Div(dst[offset], src[offset], value, lanes, repeats, params);
        }
    }
    FaVectorBarrier();
}

enum class FaReduce : int32_t { MAX, SUM };

// Row maxima or sums of rows of `pitch` lanes, a multiple of 64: 64-lane chunks are folded on each other in `fold`
// ([rows][64]), then reduced across lanes.
template <FaReduce OP>
__aicore__ inline void FaReduceRows(const AscendC::LocalTensor<float> &result, const AscendC::LocalTensor<float> &src,
                                    const AscendC::LocalTensor<float> &fold, int64_t rowCount, int64_t pitch)
{
    const uint8_t rows = static_cast<uint8_t>(rowCount);
    const uint8_t stride = static_cast<uint8_t>(pitch / 8);
    const uint64_t lanes = FA_LANES;
    for (int64_t c = FA_LANES; c < pitch; c += FA_LANES) {
        const bool first = c == FA_LANES;
        const AscendC::LocalTensor<float> chunk = src[static_cast<uint32_t>(c)];
        const AscendC::BinaryRepeatParams params(1, 1, 1, 8, first ? stride : 8, stride);
        if constexpr (OP == FaReduce::MAX) {
            AscendC::Max(fold, first ? src : fold, chunk, lanes, rows, params);
        } else {
            AscendC::Add(fold, first ? src : fold, chunk, lanes, rows, params);
        }
        FaVectorBarrier();
    }
    const AscendC::LocalTensor<float> last = pitch == FA_LANES ? src : fold;
    if constexpr (OP == FaReduce::MAX) {
        AscendC::WholeReduceMax(result, last, FA_LANES, rows, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
    } else {
        AscendC::WholeReduceSum(result, last, FA_LANES, rows, 1, 1, 8);
    }
    FaVectorBarrier();
}

class FaRowOps {
public:
    // mostRows: of a call, a multiple of 8.
    __aicore__ inline void Init(FaArena<AscendC::TPosition::VECCALC> &ub, int64_t mostRows)
    {
        broadcast = ub.template Take<float>(mostRows * 8);
    }

    template <FaRowOp OP>
    __aicore__ inline void Apply(const AscendC::LocalTensor<float> &dst, const AscendC::LocalTensor<float> &src,
                                 const AscendC::LocalTensor<float> &values, const FaRows &rows) const
    {
        AscendC::Brcb(broadcast, values, static_cast<uint8_t>(FaCeilDiv(rows.firstValue + rows.count, 8)), {1, 8});
        FaVectorBarrier();
        FaApplyRowBlocks<OP>(dst, src, broadcast, rows);
    }

private:
    AscendC::LocalTensor<float> broadcast; // [rows][8]
};
#endif
