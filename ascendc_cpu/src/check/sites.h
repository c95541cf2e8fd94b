// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Call stacks of instructions, each kept once.
#ifndef ASCENDC_CPU_SITES_H
#define ASCENDC_CPU_SITES_H
#include <map>
#include "finding.h"

namespace ascendc_cpu {

// The stack from `frame` (a frame address) up to `limit` (end of the stack), through frame pointers.
Frames CaptureFrames(const void *frame, const void *limit);

class SiteTable {
public:
    uint32_t Intern(const void *frame, const void *limit);
    const Frames &At(uint32_t site) const
    {
        return sites[site];
    }

private:
    std::vector<Frames> sites{Frames()};
    std::map<Frames, uint32_t> ids;
    Frames last;
    uint32_t lastId = 0;
};

} // namespace ascendc_cpu
#endif
