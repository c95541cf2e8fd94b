// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Plain C entry points, for ctypes.
#include "c_api.h"
#include <exception>
#include <string>
#include "isa_select.h"
#include "launch.h"

namespace {

thread_local std::string t_error;

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
