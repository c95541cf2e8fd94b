// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the checker knows about one core.
#ifndef ASCENDC_CPU_CORE_CHECK_H
#define ASCENDC_CPU_CORE_CHECK_H
#include <deque>
#include <map>
#include <string>
#include "ascendc_cpu/access.h"
#include "shadow.h"

namespace ascendc_cpu {

constexpr int PIPES = 8; // pipe_t's values; PIPE_ALL is not a pipe
constexpr int S_PIPE = 0;
constexpr int V_PIPE = 1;
constexpr int M_PIPE = 2;
constexpr int MTE2_PIPE = 4;
constexpr int ALL_PIPES = 6;
constexpr int EVENT_IDS = 8;

// One entry of the launch's log.
struct Instruction {
    const char *api;
    uint32_t site;
    uint16_t core;
    uint8_t pipe;
    uint8_t flags; // InstructionFlags, LOGGED_FLAGS of them, or WAS_READ
};
constexpr uint8_t WAS_READ = 128; // somebody has read what it wrote

// The flag of one block of L0C: full between an Mmad and a Fixpipe with unitFlag 3.
constexpr uint32_t UNIT_BLOCK = 512;
struct UnitFlag {
    bool isFull = false;
    InstructionId turned = 0; // by whom, 0: never
};

// A flag between two pipes: set or not, and what had ended when it was set.
struct PipeFlag {
    bool isSet = false;
    uint32_t site = 0;
    Clock clock;
};

struct CheckedBuffer {
    Memory memory;
    uint32_t begin;
    uint32_t end;
    bool isQueue;
    BufferEvent state; // of a queue's buffer
};

struct CoreCheck {
    std::string name;
    bool isAiv = false;
    bool hasPipe = false; // a TPipe has lived here
    bool hasRun = false;
    Clock clocks[PIPES]; // what is known to have ended when the pipe's next instruction starts
    Clock waited[PIPES]; // and what instructions of the pipe have waited for by unitFlag: ended when they have
    std::vector<UnitFlag> unitFlags;               // of L0C
    std::map<uint64_t, InstructionId> cachedLines; // of GM in its data cache, since when
    InstructionId issued[PIPES] = {};
    LocalShadow shadows[MEMORY_COUNT];
    PipeFlag flags[PIPES][PIPES][EVENT_IDS];
    std::vector<CheckedBuffer> buffers;
    std::deque<Clock> arrivals[CROSS_CORE_FLAGS]; // one for each count of a cross-core counter
    std::deque<Clock> sent[3][CROSS_CORE_FLAGS];  // sets of an AIV that still miss the other's, by mode
    uint32_t sentRounds[CROSS_CORE_FLAGS] = {};   // mode 0
    uint32_t barriers[2] = {0, 0};                // SyncAll calls, by AIVs only
    uint32_t waitSite = 0;                        // of its last cross-core wait
};

} // namespace ascendc_cpu
#endif
