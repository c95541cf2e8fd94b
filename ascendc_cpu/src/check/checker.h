// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Follows the instructions of one launch and finds what the device would not forgive. Groups run in one thread.
#ifndef ASCENDC_CPU_CHECKER_H
#define ASCENDC_CPU_CHECKER_H
#include "core_check.h"
#include "finding.h"
#include "sites.h"

namespace ascendc_cpu {

struct ArgumentRange {
    uint64_t begin;
    uint64_t end;
    int argument;
    bool isUnwritten; // its contents before the launch do not count
};

struct CheckOptions {
    bool autoSync = false; // the compiler orders V after V, and the scalar pipe of an AIV, as --cce-auto-sync=on does
    bool knowsArguments = false; // every GM address belongs to one of the ranges
};

constexpr uint64_t CACHE_LINE_BYTES = 64;

class Checker {
public:
    Checker(int blockDim, const CheckOptions &options, std::vector<ArgumentRange> ranges, FindingList &findings);

    void OnInstruction(CoreState &core, int pipe, const char *api, const Access *accesses, int count, uint16_t flags,
                       const void *frame);
    void OnLoad(CoreState &core, Memory to, uint64_t dst, uint64_t src, uint32_t elementBytes, uint32_t scale,
                bool transposed, const FractalGrid &grid);
    void OnSync(CoreState &core, SyncKind kind, int from, int to, int id, const void *frame);
    // Before the core waits for another one.
    void OnCrossCoreWait(CoreState &core, const void *frame);
    void OnBuffer(CoreState &core, BufferEvent event, Memory memory, uint32_t address, uint32_t bytes,
                  const void *frame);
    void OnTruncation(CoreState &core, const char *how, const char *type, long long value, const void *frame);
    // An API has refused its arguments; the core stops.
    void OnFail(CoreState &core, const char *api, const std::string &text, const void *frame);
    void OnCoreStart(CoreState &core);
    void OnCoreEnd(CoreState &core);
    // error: the runtime's own, "" for none
    void OnEnd(const std::string &error);
    // The last instruction would have touched memory that belongs to nobody: it must not be executed.
    bool MustStop() const
    {
        return hasFailed;
    }

private:
    // Writes are judged before the instruction's own reads are entered: it may read the bytes that it writes.
    enum class Phase : uint8_t { JUDGE_WRITES, READ, ENTER_WRITES };

    // The instruction that is being checked.
    struct Current {
        CoreState *state;
        CoreCheck *core;
        int coreIndex;
        int pipe;
        InstructionId id;
        uint16_t flags;
        Phase phase;
        const Access *access;
        uint64_t runBegin;
        uint64_t runEnd;
        Cell before; // the last cell that was looked up, and what it became
        Cell after;
    };

    CoreCheck &CheckOf(const CoreState &core);
    int IndexOf(const CoreState &core) const;
    size_t ClockIndex(int core, int pipe) const
    {
        return static_cast<size_t>(core) * PIPES + static_cast<size_t>(pipe);
    }
    uint32_t SiteOf(const CoreState &core, const void *frame);
    Side SideOf(InstructionId id) const;
    Side SideAt(const CoreCheck &core, const char *pipe, const char *api, uint32_t site) const;
    Finding FindingOf(FindingKind kind, const Current &current, std::string message) const;

    void CheckAccess(Current &current, const Access &access);
    const ArgumentRange *RangeAt(uint64_t address) const;
    bool CheckPlace(const Current &current, uint64_t begin, uint64_t end);
    bool CheckLocalPlace(const Current &current, uint64_t begin, uint64_t end);
    void CheckRun(Current &current, uint64_t begin, uint64_t end);
    void CheckCells(Current &current, ShadowBlock &block, uint64_t from, uint64_t to);
    void Update(Current &current, Cell &cell);
    Cell AfterRead(const Current &current, const Cell &cell);
    void JudgeWrite(const Current &current, const Cell &cell);
    void AddReader(const Current &current, Cell &cell);
    bool IsOrdered(const Current &current, InstructionId other) const;
    void ReportOrder(const Current &current, FindingKind kind, InstructionId other, const char *what);
    void CheckCacheLines(Current &current, uint64_t begin, uint64_t end);
    void CheckCachedRead(const Current &current, const Cell &cell);
    void CleanCacheLines(const Current &current, const Access *accesses, int count);
    void CheckSpecial(const Current &current, const Access *accesses, int count);
    void CheckBlockStride(const Current &current, const Access &write);
    void CheckOverlap(const Current &current, const Access &write, const Access &read, bool isSecond);
    void CheckVector(const Current &current, const Access *accesses, int count);
    void CheckUnitFlags(const Current &current, const Access *accesses, int count);
    bool IsVectorInFractals(const Current &current, const Access *accesses, int count) const;

    void SetFlag(CoreCheck &core, int coreIndex, int from, int to, int id, uint32_t site);
    void WaitFlag(CoreCheck &core, int from, int to, int id, uint32_t site);
    void Barrier(CoreCheck &core, int coreIndex, int pipe);
    Clock EndOf(const CoreCheck &core, int coreIndex, int pipe) const;
    void SetCrossCore(CoreState &state, CoreCheck &core, int pipe, int mode, int id);
    void SendFromAiv(const CoreState &state, int mode, int id, Clock clock);
    void SendToAll(const CoreState &state, CoreCheck &core, int id, const Clock &clock);
    void Deliver(int coreIndex, int id, const Clock &clock);
    void AcquireAll(CoreCheck &core, const Clock &clock);

    const int blockDim;
    const CheckOptions options;
    std::vector<ArgumentRange> ranges;
    FindingList &findings;
    std::vector<Instruction> log;
    std::vector<std::unique_ptr<CoreCheck>> cores; // [group][AIC, AIV 0, AIV 1]
    GlobalShadow global;
    SiteTable sites;
    struct Line {
        InstructionId write;
        bool isDirty;
    };
    std::map<uint64_t, Line> lines; // 64 B lines of GM that scalars have written
    struct Round {
        uint32_t arrived = 0;
        Clock clock;
    };
    std::map<std::tuple<bool, int, uint32_t>, Round> rounds; // mode 0: AIV, flag, round
    std::map<std::pair<int, uint32_t>, Clock> barriers;      // SyncAll: AIVs only, generation
    bool hasFailed = false;
};

const char *PipeName(int pipe);

} // namespace ascendc_cpu
#endif
