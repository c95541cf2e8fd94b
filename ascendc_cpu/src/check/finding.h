// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One thing that would hang or corrupt on the device.
#ifndef ASCENDC_CPU_FINDING_H
#define ASCENDC_CPU_FINDING_H
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ascendc_cpu {

enum class FindingKind : uint8_t {
    UNORDERED_READ,
    UNORDERED_WRITE,
    NEVER_WRITTEN,
    OUT_OF_BOUNDS,
    NOT_ALLOCATED,
    BUFFER_STATE,
    MISALIGNED,
    OVERWRITTEN_UNREAD,
    UNPAIRED_FLAG,
    DOUBLED_FLAG,
    CROSS_CORE_FLAG,
    DEADLOCK,
    LEAKED_BUFFER,
    QUEUE_MISUSE,
    NO_BUFFER,
    WRONG_MEMORY,
    ARGUMENT,
    TRUNCATION,
    STICKY_STATE,
    CACHE_LINE,
    SELECT_SCRATCH,
    GEMV,
    KERNEL_ERROR,
    COUNT
};

using Frames = std::vector<uintptr_t>; // return addresses, innermost first

struct Side {
    std::string core; // "AIV 3.1", "" for none
    std::string pipe;
    std::string api;
    Frames frames;
};

struct Finding {
    FindingKind kind = FindingKind::KERNEL_ERROR;
    bool isWrite = false;
    std::string message;
    std::string memory; // "UB", "" when no bytes are concerned
    uint64_t begin = 0; // bytes: offset in the memory; in GM in the launch argument `argument`
    uint64_t end = 0;
    int argument = -1;
    Side here;
    Side other;
    uint64_t count = 1; // times it was found at these two places
};

const char *KindName(FindingKind kind);
// npu_check's class, "" when it has none.
std::string OfficialClass(const Finding &finding);
const char *Advice(FindingKind kind);

// The launch's findings, each pair of places once.
class FindingList {
public:
    void Add(Finding &&finding);
    std::string Json() const;
    void Clear();

private:
    static constexpr size_t MOST = 200;
    std::vector<Finding> findings;
    std::map<std::tuple<FindingKind, Frames, Frames, std::string>, size_t> known;
    uint64_t dropped = 0;
};

} // namespace ascendc_cpu
#endif
