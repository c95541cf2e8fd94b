// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "launch.h"
#include <algorithm>
#include <cfenv>
#include <cstdlib>
#include <thread>
#include "../check/checked_launch.h"
#include "isa_select.h"
#include "job.h"
#include "kernel_error.h"
#include "thread_pool.h"

namespace ascendc_cpu {

namespace {

// Round to nearest, no flush to zero, whatever the application has set.
class DefaultFloatEnvironment {
public:
    DefaultFloatEnvironment()
    {
        std::fegetenv(&saved);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFloatEnvironment()
    {
        std::fesetenv(&saved);
    }

private:
    std::fenv_t saved;
};

WaitingCopies WaitingCopiesOf(uint8_t *const *args, int argCount, const LaunchOptions &options)
{
    WaitingCopies copies;
    const char *eager = getenv("ASCENDC_CPU_EAGER_COPIES");
    copies.allowed = eager == nullptr || eager[0] == '\0';
    for (int i = 0; copies.allowed && options.argIsConstant != nullptr && options.argBytes != nullptr && i < argCount;
         i++) {
        if (options.argIsConstant[i] != 0 && options.argBytes[i] != 0) {
            copies.constants.push_back({args[i], args[i] + options.argBytes[i]});
        }
    }
    return copies;
}

} // namespace

void CheckLaunch(const Kernel &kernel, const char *op, int blockDim, int argCount)
{
    if (blockDim < 1 || blockDim > MAX_GROUPS) {
        throw KernelError(Format("kernel %s: blockDim is %d, allowed are 1 to %d", op, blockDim, MAX_GROUPS));
    }
    if (argCount != kernel.ArgCount()) {
        throw KernelError(Format("kernel %s takes %d arguments, got %d", op, kernel.ArgCount(), argCount));
    }
}

int DefaultThreads()
{
    const char *text = getenv("ASCENDC_CPU_NUM_THREADS");
    if (text == nullptr || text[0] == '\0') {
        return std::max(1u, std::thread::hardware_concurrency());
    }
    char *end = nullptr;
    const long threads = strtol(text, &end, 10);
    if (*end != '\0' || threads < 1 || threads > 4096) {
        throw KernelError(Format("ASCENDC_CPU_NUM_THREADS is \"%s\", allowed are 1 to 4096", text));
    }
    return static_cast<int>(threads);
}

void Launch(const char *op, const char *column, uint64_t key, int blockDim, int threads, uint8_t *const *args,
            int argCount, const LaunchOptions &options)
{
    SelectIsa();
    if (IsCheckSessionOpen()) {
        const DefaultFloatEnvironment environment;
        LaunchInSession(op, column, key, blockDim, args, argCount, options);
        return;
    }
    const Kernel kernel = FindKernel(op, column, key);
    CheckLaunch(kernel, op, blockDim, argCount);
    Job job(kernel, blockDim, args, WaitingCopiesOf(args, argCount, options));
    RunOnThreads(std::min(threads > 0 ? threads : DefaultThreads(), blockDim), [&job] {
        const DefaultFloatEnvironment environment;
        job.Work();
    });
    job.ThrowIfFailed();
}

} // namespace ascendc_cpu
