// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Attention sink: a logit of the head that every row has beside its keys. It takes weight and gives nothing, so a row
// starts as (max = sink, sum = 1, O = 0).
#ifndef FA_SINK_H
#define FA_SINK_H
#include "fa_online_softmax.h"
#include "fa_row_tiles.h"
#include "fa_seq_layout.h"

class FaSink {
public:
    __aicore__ inline void Init(bool isGiven, const AscendC::GlobalTensor<float> &sinks)
    {
        given = isGiven;
        global = sinks;
    }

    // The state that `rows` of `block` start a KV chunk with: the first one that has keys counts the sink.
    __aicore__ inline void Start(FaOnlineSoftmax &softmax, int32_t state, const FaRowBlock &block,
                                 const FaAivRows &rows, int64_t chunk) const
    {
        softmax.Reset(state);
        if (!given || rows.count == 0 || HasKeysBefore(block, chunk)) {
            return;
        }
        for (int64_t row = 0; row < rows.count;) {
            const FaRowPiece piece = FaPieceAt(block, rows.begin + row, rows.begin + rows.count);
            const uint64_t behind = row + piece.rows < FA_AIV_ROWS ? ~0ULL << (row + piece.rows) : 0;
            uint64_t lanes[2] = {(~0ULL << row) & ~behind, 0};
            AscendC::Duplicate(softmax.Max(state), global.GetValue(piece.n1), lanes, 1, 1, 8);
            row += piece.rows;
        }
        AscendC::Duplicate(softmax.Sum(state), 1.0f, FA_AIV_ROWS);
        FaVectorBarrier();
    }

private:
    __aicore__ inline bool HasKeysBefore(const FaRowBlock &block, int64_t chunk) const
    {
        for (int64_t before = 0; before < chunk; ++before) {
            const FaKeyRange keys = FaKeysOfBlock(block.segment, block.index, before);
            if (keys.begin < keys.end) {
                return true;
            }
        }
        return false;
    }

    bool given = false;
    AscendC::GlobalTensor<float> global; // [N1]
};
#endif
