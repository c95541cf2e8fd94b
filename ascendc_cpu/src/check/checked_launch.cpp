// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "checked_launch.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include "../core/isa_select.h"
#include "../core/job.h"
#include "../core/kernel_error.h"
#include "../core/launch.h"
#include "../core/runtime_mutex.h"

namespace ascendc_cpu {

namespace {

constexpr uint8_t POISON = 0xff; // NaN in every floating point type

// Guarded by CheckMutex.
struct Session {
    std::atomic<bool> isOpen{false};
    bool autoSync = false;
    FindingList findings;
};

Session &TheSession()
{
    static auto *session = new Session; // outlives every kernel
    return *session;
}

// Results that share memory with something else are updated in place: what stands there counts.
bool IsInPlace(const ArgumentRange &result, const std::vector<ArgumentRange> &ranges)
{
    return std::any_of(ranges.begin(), ranges.end(), [&result](const ArgumentRange &other) {
        return !other.isUnwritten && other.begin < result.end && result.begin < other.end;
    });
}

std::vector<ArgumentRange> RangesOf(uint8_t *const *args, int argCount, const LaunchOptions &options)
{
    std::vector<ArgumentRange> ranges;
    for (int i = 0; options.argBytes != nullptr && i < argCount; i++) {
        if (args[i] == nullptr || options.argBytes[i] == 0) {
            continue;
        }
        const uint64_t begin = reinterpret_cast<uint64_t>(args[i]);
        const bool isUnwritten = options.argIsUnwritten != nullptr && options.argIsUnwritten[i] != 0;
        ranges.push_back({begin, begin + options.argBytes[i], i, isUnwritten});
    }
    const std::vector<ArgumentRange> given = ranges;
    for (ArgumentRange &range : ranges) {
        range.isUnwritten = range.isUnwritten && !IsInPlace(range, given);
        if (range.isUnwritten) {
            memset(args[range.argument], POISON, range.end - range.begin);
        }
    }
    return ranges;
}

} // namespace

void OpenCheckSession(bool autoSync)
{
    Session &session = TheSession();
    std::lock_guard<std::mutex> lock(CheckMutex());
    session.isOpen = true;
    session.autoSync = autoSync;
    session.findings.Clear();
}

std::string CloseCheckSession()
{
    Session &session = TheSession();
    std::lock_guard<std::mutex> lock(CheckMutex());
    session.isOpen = false;
    return session.findings.Json();
}

bool IsCheckSessionOpen()
{
    return TheSession().isOpen;
}

void LaunchInSession(const char *op, const char *column, uint64_t key, int blockDim, uint8_t *const *args, int argCount,
                     const LaunchOptions &options)
{
    Session &session = TheSession();
    std::lock_guard<std::mutex> lock(CheckMutex());
    const Kernel kernel = FindKernel((std::string(op) + "@checked").c_str(), column, key);
    CheckLaunch(kernel, op, blockDim, argCount);
    CheckOptions check;
    check.autoSync = session.autoSync;
    check.knowsArguments = options.argBytes != nullptr;
    Checker checker(blockDim, check, RangesOf(args, argCount, options), session.findings);
    std::string error;
    Job job(kernel, blockDim, args);
    job.checker = &checker;
    job.Work();
    try {
        job.ThrowIfFailed();
    } catch (const KernelError &failure) {
        error = failure.what();
    }
    checker.OnEnd(error);
}

} // namespace ascendc_cpu
