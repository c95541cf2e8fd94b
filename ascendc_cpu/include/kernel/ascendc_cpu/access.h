// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What an instruction tells the checked mode: the bytes it reads and writes, flags, and the life of buffers.
#ifndef ASCENDC_CPU_ACCESS_H
#define ASCENDC_CPU_ACCESS_H
#include "core_state.h"
#include "isa_cube.h"
#include "isa_vector.h"

namespace ascendc_cpu {

// `count` repetitions, `stride` bytes apart.
struct Axis {
    uint64_t count = 1;
    uint64_t stride = 0;
};

// Runs of bytes from the tensor's start, innermost axis first.
struct Region {
    uint64_t runBytes = 0;
    Axis inner = {};
    Axis middle = {};
    Axis outer = {};
};

// The active lanes of a vector operand.
struct LaneRegion {
    VectorStride stride;
    const VectorShape *shape;
};

enum class AccessKind : uint8_t {
    READ,
    LOAD, // a read that takes unwritten bytes along: RecordLoad
    WRITE,
    SPOIL, // written, with contents that nobody may use
    TOUCH, // a reference is handed out: only its place is checked
};

struct Access {
    AccessKind kind = AccessKind::READ;
    Memory memory = Memory::GM;
    uint8_t elementBytes = 1;
    uint16_t alignment = 1; // that the start must have
    uint64_t address = 0;   // of the tensor. GM: host address, else byte offset in the memory
    uint64_t offset = 0;    // bytes from there to the first run
    Region region;
    LaneRegion lanes = {{0, 0}, nullptr}; // shape not null: instead of region
};

enum class SyncKind : uint8_t {
    SetFlag,
    WaitFlag,
    PipeBarrier,
    DataSyncBarrier,
    CrossCoreSetFlag,  // from: pipe, to: mode
    CrossCoreWaitFlag, // from: mode
    SyncAll,           // arrived; id: AIVs only
    SyncAllDone,
    ClearUnitFlags
};

enum class BufferEvent : uint8_t { INIT, INIT_QUEUE, ALLOCATED, QUEUED, OUT, FREED, LEAKED, RESET };

// Properties of an instruction beyond its bytes.
enum InstructionFlags : uint16_t {
    PLAIN = 0,
    ATOMIC = 1,       // stores are read-modify-write
    ORDERED_MMAD = 2, // long enough that the next Mmad on the same C waits for it by itself
    CLEARS = 4,       // may be overwritten before anything is read
    UNIT_FLAG = 8,    // Mmad and Fixpipe with unitFlag 2 or 3, which wait for each other block by block of L0C
    LOGGED_FLAGS = 127,
    UNIT_FLAG_TURNS = 128, // unitFlag 3
    SELECT_SCRATCH = 256,  // uses the reserved end of UB
    GEMV = 512,
    CACHE_CLEAN = 1024
};

// Of Mmad's or Fixpipe's parameter unitFlag.
constexpr uint16_t UnitFlagOf(uint8_t unitFlag)
{
    return unitFlag == 3 ? UNIT_FLAG | UNIT_FLAG_TURNS : unitFlag == 2 ? UNIT_FLAG : PLAIN;
}

// Implemented in libascendc_cpu.so; nothing happens unless the launch is a checked one.
void RecordInstruction(int pipe, const char *api, const Access *accesses, int count, uint16_t flags);
// Fractals went from byte src of L1 to byte dst of L0A or L0B, `scale` arena bytes for a byte of the device's layout.
// transposed: the elements inside of 16 x 16 squares.
void RecordLoad(Memory to, uint64_t dst, uint64_t src, uint32_t elementBytes, uint32_t scale, bool transposed,
                const FractalGrid &grid);
void RecordSync(SyncKind kind, int from, int to, int id);
void RecordBuffer(BufferEvent event, Memory memory, uint32_t address, uint32_t bytes);
// how: "static_cast", "cast", "conversion"
void RecordTruncation(const char *how, const char *type, long long value);

} // namespace ascendc_cpu
#endif
