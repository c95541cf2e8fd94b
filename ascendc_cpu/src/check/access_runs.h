// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The bytes of an access as runs.
#ifndef ASCENDC_CPU_ACCESS_RUNS_H
#define ASCENDC_CPU_ACCESS_RUNS_H
#include "ascendc_cpu/access.h"
#include "shadow.h"

namespace ascendc_cpu {

// Calls body(begin, end) for every run of bytes, relative to the tensor's start; adjacent runs are joined.
template <typename Body>
class RunJoiner {
public:
    explicit RunJoiner(const Body &body) : body(body)
    {
    }
    ~RunJoiner()
    {
        Flush();
    }
    void Add(uint64_t runBegin, uint64_t runEnd)
    {
        if (runBegin != end) {
            Flush();
            begin = runBegin;
        }
        end = runEnd;
    }

private:
    void Flush()
    {
        if (begin != end) {
            body(begin, end);
        }
    }
    const Body &body;
    uint64_t begin = 0;
    uint64_t end = 0;
};

template <typename Body>
void ForEachGridRun(const Region &region, uint64_t start, const Body &body)
{
    if (region.runBytes == 0) {
        return;
    }
    RunJoiner<Body> joiner(body);
    uint64_t run = region.runBytes;
    Axis inner = region.inner;
    if (inner.stride == run || inner.count == 1) {
        run *= inner.count;
        inner = Axis();
    }
    for (uint64_t o = 0; o < region.outer.count; o++) {
        for (uint64_t m = 0; m < region.middle.count; m++) {
            for (uint64_t i = 0; i < inner.count; i++) {
                const uint64_t at = start + o * region.outer.stride + m * region.middle.stride + i * inner.stride;
                joiner.Add(at, at + run);
            }
        }
    }
}

// Of one repeat. add(begin, end)
template <typename Add>
void ForEachLaneRunOf(const LaneRegion &lanes, uint32_t repeat, uint32_t elementBytes, uint64_t start, const Add &add)
{
    using Bits = unsigned __int128;
    const VectorShape &shape = *lanes.shape;
    const uint32_t perBlock = SHADOW_BLOCK / elementBytes;
    const Bits blockBits = (static_cast<Bits>(1) << perBlock) - 1;
    Bits mask = static_cast<Bits>(shape.mask[1]) << 64 | shape.mask[0];
    if (repeat == shape.repeats) {
        mask = shape.tailLanes >= 128 ? ~static_cast<Bits>(0) : (static_cast<Bits>(1) << shape.tailLanes) - 1;
    }
    for (uint32_t block = 0; mask != 0; block++, mask >>= perBlock) {
        const uint64_t at = start + (static_cast<uint64_t>(repeat) * lanes.stride.repeat +
                                     static_cast<uint64_t>(block) * lanes.stride.block) *
                                        SHADOW_BLOCK;
        const uint32_t bits = static_cast<uint32_t>(mask & blockBits);
        if (bits == static_cast<uint32_t>(blockBits)) {
            add(at, at + SHADOW_BLOCK);
            continue;
        }
        for (uint32_t lane = 0; lane < perBlock; lane++) {
            if ((bits >> lane & 1) != 0) {
                add(at + lane * elementBytes, at + (lane + 1) * elementBytes);
            }
        }
    }
}

inline uint32_t RepeatsOf(const VectorShape &shape)
{
    return shape.repeats + (shape.tailLanes != 0);
}

template <typename Body>
void ForEachLaneRun(const LaneRegion &lanes, uint32_t elementBytes, uint64_t start, const Body &body)
{
    RunJoiner<Body> joiner(body);
    for (uint32_t repeat = 0; repeat < RepeatsOf(*lanes.shape); repeat++) {
        ForEachLaneRunOf(lanes, repeat, elementBytes, start,
                         [&joiner](uint64_t begin, uint64_t end) { joiner.Add(begin, end); });
    }
}

template <typename Body>
void ForEachRun(const Access &access, uint64_t start, const Body &body)
{
    if (access.lanes.shape != nullptr) {
        ForEachLaneRun(access.lanes, access.elementBytes, start, body);
    } else {
        ForEachGridRun(access.region, start, body);
    }
}

inline bool IsRead(const Access &access)
{
    return access.kind == AccessKind::READ || access.kind == AccessKind::LOAD;
}

} // namespace ascendc_cpu
#endif
