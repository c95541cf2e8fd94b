// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Plain C entry points, for ctypes.
#include "c_api.h"
#include <exception>
#include <string>
#include "isa_select.h"
#include "../check/checked_launch.h"
#include "launch.h"

namespace {

thread_local std::string t_error;
thread_local std::string t_report;

template <typename Call>
bool Guard(Call call)
{
    try {
        call();
        return true;
    } catch (const std::exception &exception) {
        t_error = exception.what();
        return false;
    }
}

} // namespace

int AscendcCpuLaunch(const char *op, const char *column, uint64_t key, int blockDim, int threads, uint8_t *const *args,
                     int argCount)
{
    return Guard([&] { ascendc_cpu::Launch(op, column, key, blockDim, threads, args, argCount); }) ? 0 : 1;
}

int AscendcCpuLaunchWithConstants(const char *op, const char *column, uint64_t key, int blockDim, int threads,
                                  uint8_t *const *args, int argCount, const uint64_t *argBytes,
                                  const uint8_t *argIsConstant)
{
    ascendc_cpu::LaunchOptions options;
    options.argBytes = argBytes;
    options.argIsConstant = argIsConstant;
    return Guard([&] { ascendc_cpu::Launch(op, column, key, blockDim, threads, args, argCount, options); }) ? 0 : 1;
}

const char *AscendcCpuLaunchChecked(const char *op, const char *column, uint64_t key, int blockDim,
                                    uint8_t *const *args, int argCount, const uint64_t *argBytes,
                                    const uint8_t *argIsUnwritten, int autoSync)
{
    ascendc_cpu::LaunchOptions options;
    options.argBytes = argBytes;
    options.argIsUnwritten = argIsUnwritten;
    ascendc_cpu::OpenCheckSession(autoSync != 0);
    const bool isDone = Guard([&] { ascendc_cpu::Launch(op, column, key, blockDim, 1, args, argCount, options); });
    t_report = ascendc_cpu::CloseCheckSession();
    return isDone ? t_report.c_str() : nullptr;
}

void AscendcCpuOpenCheckSession(int autoSync)
{
    ascendc_cpu::OpenCheckSession(autoSync != 0);
}

const char *AscendcCpuCloseCheckSession()
{
    t_report = ascendc_cpu::CloseCheckSession();
    return t_report.c_str();
}

const char *AscendcCpuIsaName()
{
    const char *name = nullptr;
    Guard([&] { name = ascendc_cpu::SelectIsa(); });
    return name;
}

const char *AscendcCpuLastError()
{
    return t_error.c_str();
}
