// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// State of one emulated AI core, shared by every API header. Everything that is not inline lives in libascendc_cpu.so.
#ifndef ASCENDC_CPU_CORE_STATE_H
#define ASCENDC_CPU_CORE_STATE_H
#include <cstdint>
#include "deferred_copies.h"

namespace ascendc_cpu {

enum class Memory : uint8_t { GM, UB, L1, L0A, L0B, L0C, BT, FB, COUNT };
constexpr int MEMORY_COUNT = static_cast<int>(Memory::COUNT);

// Capacities of dav-c220, in bytes. The GM entry is unused.
constexpr uint32_t MEMORY_CAPACITY[MEMORY_COUNT] = {0,         192 * 1024, 512 * 1024, 64 * 1024,
                                                    64 * 1024, 128 * 1024, 1024,       7 * 1024};
// L0A and L0B have two arenas behind them: the plain one, then one twice as large in which half operands stand widened
// to float (byte 2 * x for the logical offset x). Apart, so that operands of different types never share host bytes.
constexpr uint32_t L0_ARENA_SCALE = 3;

enum class CoreType : uint8_t { MIX = 0, AIC = 1, AIV = 2 };
enum class AtomicOp : uint8_t { NONE, ADD, MAX, MIN };
enum class AtomicType : uint8_t { NONE, FLOAT, HALF, BF16, INT8, INT16, INT32 };

constexpr int CROSS_CORE_FLAGS = 16;
constexpr int CROSS_CORE_FLAG_MAX = 15; // 4-bit counters

struct MemoryRegion {
    uint8_t *base = nullptr;
    uint32_t capacity = 0; // logical bytes, as on the device
    uint32_t used = 0;     // bytes handed out by TPipe
};

// Registers that keep their value between instructions.
struct StickyState {
    uint64_t mask[2] = {~0ULL, ~0ULL};
    bool counterMode = false;
    uint64_t cmpMask[2] = {0, 0}; // CMPMASK, written by the Compare without destination
    AtomicOp atomicOp = AtomicOp::NONE;
    AtomicType atomicType = AtomicType::NONE;
    uint16_t fmatrixLeft[2] = {0, 0};  // l1H, l1W
    uint16_t fmatrixRight[2] = {0, 0}; // l1H, l1W
    uint8_t fmatrixPadLeft[4] = {0, 0, 0, 0};
    uint8_t fmatrixPadRight[4] = {0, 0, 0, 0};
    uint64_t loadDataPadValue = 0;
    uint64_t copyPadValue = 0;
};

// Rows of GM that the next copies will probably read; Mmad prefetches them a few lines at a time.
struct PrefetchRows {
    const uint8_t *next = nullptr;
    uint32_t rows = 0;
    uint32_t rowBytes = 0;
    uint64_t pitch = 0;
    uint32_t column = 0; // bytes done in the current row
};

struct PrefetchQueue {
    static constexpr uint32_t SLOTS = 4;
    PrefetchRows slots[SLOTS];
    uint32_t head = 0;
};

struct Group; // one AIC and its AIVs, defined in src/core

struct CoreState {
    CoreType type = CoreType::MIX;
    int32_t subBlock = 0;    // 0 or 1 on AIV, 0 on AIC
    int32_t subBlockNum = 1; // AIVs in the group, 1 on AIC
    int32_t block = 0;       // group index, 0 .. blockNum - 1
    int32_t blockNum = 1;
    MemoryRegion memory[MEMORY_COUNT];
    uint8_t crossCoreCounter[CROSS_CORE_FLAGS] = {};
    StickyState sticky;
    PrefetchQueue prefetch;
    const uint8_t *nextLoad = nullptr; // where the next large load to UB will probably read
    DeferredCopies deferred;
    void *pipe = nullptr; // the live TPipe
    Group *group = nullptr;
};

// initial-exec: one fs-relative load per use, and never a cached __tls_get_addr result across a fiber switch. __thread:
// no question at each use whether it has been initialised.
extern __attribute__((tls_model("initial-exec"))) __thread CoreState *t_core;

inline CoreState &Core()
{
    return *t_core;
}

// End the launch with an error that names core, API and the given text (printf style). In a kernel the fiber stops here
// without unwinding, so that this may be called from destructors too; outside of one, KernelError is thrown.
[[noreturn]] void Fail(const char *api, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same for a tensor argument: wrong memory, or more bytes than are left in it.
[[noreturn]] void FailTensor(const char *api, const char *argument, Memory memory, Memory allowed, const void *address,
                             uint64_t bytes, uint64_t room);

const char *MemoryName(Memory memory);

// Carries out what is deferred into these bytes of L1, L0A or L0B.
void SettleDeferred(Memory memory, const void *begin, uint64_t bytes);
// Carries out what is deferred from these bytes of L1 to L0A.
void SettleDeferredFrom(const void *begin, uint64_t bytes);
// A deferred right operand as it would stand in L0B, kept by this thread until the launch ends, or null.
const uint8_t *PackedRight(const DeferredCopy &right);
// Carries out the Mmad that waits.
void SettleProduct();
// Copies C of the group's products that stand in GM to L0C.
void SettleProductsInGm();
// Carries out the chain of vector instructions that waits.
void CarryOutChain();
// The same, if there is one.
inline void SettleVector()
{
    if (__builtin_expect(Core().deferred.chain.kind != VectorChain::Kind::NONE, 0)) {
        CarryOutChain();
    }
}
// Carries out the group's copy that waits although its source may change, and a product that may read there.
void SettleChanging();
// Before rows of GM are overwritten.
inline void SettleForStore(const RowsInGm &rows)
{
    const ChangingCopy *changing = Core().deferred.changing;
    if (__builtin_expect(changing->ComesFrom(rows.begin, rows.Span()), 0)) {
        SettleChanging();
    }
    if (__builtin_expect(Core().deferred.inGm->Overlap(rows), 0)) {
        SettleProductsInGm();
    }
}
// Before a reference into GM is handed out.
inline void ForbidChanging()
{
    Core().deferred.changing->forbidden = true;
    SettleChanging();
    SettleProductsInGm();
}

} // namespace ascendc_cpu
#endif
