// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "sites.h"

namespace ascendc_cpu {

Frames CaptureFrames(const void *frame, const void *limit)
{
    constexpr int MOST = 16;
    Frames frames;
    const uintptr_t end = reinterpret_cast<uintptr_t>(limit);
    uintptr_t at = reinterpret_cast<uintptr_t>(frame);
    for (int i = 0; i < MOST && at % sizeof(void *) == 0 && at + 2 * sizeof(void *) <= end; i++) {
        const auto *words = reinterpret_cast<const uintptr_t *>(at); // saved frame pointer, return address
        if (words[1] == 0) {
            break;
        }
        frames.push_back(words[1]);
        if (words[0] <= at) {
            break;
        }
        at = words[0];
    }
    return frames;
}

uint32_t SiteTable::Intern(const void *frame, const void *limit)
{
    Frames frames = CaptureFrames(frame, limit);
    if (frames == last) {
        return lastId;
    }
    const auto inserted = ids.emplace(frames, static_cast<uint32_t>(sites.size()));
    if (inserted.second) {
        sites.push_back(frames);
    }
    last = std::move(frames);
    lastId = inserted.first->second;
    return lastId;
}

} // namespace ascendc_cpu
