// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Vector clocks over all pipes of a launch. Time is the number of an instruction in the launch's log.
#ifndef ASCENDC_CPU_CLOCK_H
#define ASCENDC_CPU_CLOCK_H
#include <algorithm>
#include <cstdint>
#include <vector>

namespace ascendc_cpu {

using InstructionId = uint32_t;

// The last instruction of each pipe that is known to have ended.
class Clock {
public:
    explicit Clock(size_t pipes = 0) : ended(pipes, 0)
    {
    }
    InstructionId operator[](size_t pipe) const
    {
        return ended[pipe];
    }
    void Advance(size_t pipe, InstructionId id)
    {
        ended[pipe] = std::max(ended[pipe], id);
    }
    void Join(const Clock &other)
    {
        if (ended.size() < other.ended.size()) {
            ended.resize(other.ended.size(), 0);
        }
        for (size_t i = 0; i < other.ended.size(); i++) {
            ended[i] = std::max(ended[i], other.ended[i]);
        }
    }

private:
    std::vector<InstructionId> ended;
};

} // namespace ascendc_cpu
#endif
