// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Gradient of the sinks: dsink[n] = -sum of exp(sink - max) / sum * delta over all rows of head n, by one AIV a head,
// so that the order of additions does not depend on the number of cores.
#ifndef FAG_SINK_H
#define FAG_SINK_H
#include "fag_buffers.h"

template <typename T>
class FagSink {
    using Floats = AscendC::LocalTensor<float>;

public:
    __aicore__ inline void Init(const FlashAttentionScoreGradTilingData &tilingData,
                                const FagGlobalTensors<T> &globalTensors, FaArena<AscendC::TPosition::VECCALC> &ub)
    {
        tiling = &tilingData;
        global = &globalTensors;
        statistics = ub.template Take<float>(2 * STATISTICS * ELEMS);
        totals = ub.template Take<float>(2 * ELEMS);
        rings.Open();
    }

    __aicore__ inline void Close()
    {
        rings.Close();
    }

    __aicore__ inline void Store()
    {
        const int64_t aivs = AscendC::GetBlockNum() * AscendC::GetSubBlockNum();
        for (int64_t n = AscendC::GetBlockIdx(); n < tiling->problem.n1; n += aivs) {
            StoreHead(n);
        }
    }

private:
    static constexpr int32_t ROWS = 64; // of a pass, a power of 2
    static constexpr int32_t ELEMS = ROWS * FA_STAT_COPIES;
    static constexpr int32_t STATISTICS = 3; // max, sum, delta

    __aicore__ inline void StoreHead(int64_t n)
    {
        const float sink = global->sink.GetValue(static_cast<uint64_t>(n));
        const Floats total = totals[static_cast<uint32_t>(rings.out.BeginWrite() * ELEMS)];
        AscendC::Duplicate(total, 0.0f, ELEMS);
        FaVectorBarrier();
        FaSegmentWalk<FaSegmentLists> walk;
        walk.Init(tiling->problem, global->lists);
        FaSegment segment;
        int64_t copies = 0;
        while (walk.Next(segment, copies)) {
            const int64_t rows = segment.s2 > 0 ? segment.s1 : 0; // without keys delta is 0
            for (int64_t copy = 0; copy < copies; ++copy) {
                for (int64_t row = 0; row < rows; row += ROWS) {
                    AddPass(total, {segment, n, row, FaMin(ROWS, rows - row)}, sink);
                }
                FaAdvanceSegment(segment, 1);
            }
        }
        for (int32_t elems = ELEMS / 2; elems >= FA_STAT_COPIES; elems /= 2) {
            AscendC::Add(total, total, total[elems], elems);
            FaVectorBarrier();
        }
        rings.out.EndWrite();
        rings.out.BeginRead();
        AscendC::DataCopyExtParams params(1, static_cast<uint32_t>(sizeof(float)), 0, 0, 0);
        AscendC::DataCopyPad(global->dsink[n], total, params);
        rings.out.EndRead();
    }

    // max is at least the sink, except in a row that sees no key: its delta is 0, and the factor stays finite.
    __aicore__ inline void AddPass(const Floats &total, const FagRowRange &rows, float sink)
    {
        const int32_t slot = rings.in.BeginWrite();
        const Floats max = statistics[static_cast<uint32_t>(slot * STATISTICS * ELEMS)];
        const Floats sum = max[ELEMS];
        const Floats delta = max[2 * ELEMS];
        global->LoadStatistics(*tiling, rows, max, sum, delta);
        rings.in.EndWrite();
        rings.in.BeginRead();
        const int32_t count = static_cast<int32_t>(rows.count * FA_STAT_COPIES);
        AscendC::Muls(max, max, -1.0f, count);
        FaVectorBarrier();
        AscendC::Adds(max, max, sink, count);
        FaVectorBarrier();
        AscendC::Mins(max, max, 0.0f, count);
        FaVectorBarrier();
        AscendC::Exp(max, max, count);
        FaVectorBarrier();
        AscendC::Div(max, max, sum, count);
        FaVectorBarrier();
        AscendC::Mul(max, max, delta, count);
        FaVectorBarrier();
        AscendC::Sub(total, total, max, count);
        rings.in.EndRead();
        FaVectorBarrier();
    }

    const FlashAttentionScoreGradTilingData *tiling = nullptr;
    const FagGlobalTensors<T> *global = nullptr;
    Floats statistics; // [2][max, sum, delta][64 rows][8]
    Floats totals;     // [2][64][8]
    FagRowRings rings;
};
#endif
