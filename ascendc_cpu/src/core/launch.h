// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Running a registered kernel.
#ifndef ASCENDC_CPU_LAUNCH_H
#define ASCENDC_CPU_LAUNCH_H
#include <cstdint>

namespace ascendc_cpu {

// What is known of the arguments.
struct LaunchOptions {
    const uint64_t *argBytes = nullptr; // of each argument's memory, 0 for scalars; null: unknown
    // Not 0: contents before the launch do not count. For checked launches.
    const uint8_t *argIsUnwritten = nullptr;
    // Not 0: nobody writes the memory during the launch, so copies from it may wait. For the others; needs argBytes.
    const uint8_t *argIsConstant = nullptr;
};

// Run blockDim groups (1 to 64) on up to `threads` threads, the caller being one of them; threads <= 0:
// DefaultThreads(). args: the entry's arguments in its order (KernelRecord::invoke), argCount of them. Several threads
// may launch at once. The floating point environment is the default one inside, and the caller's again afterwards.
// Throws KernelError: unknown kernel, bad arguments, or the first error of a core ("AIV 3.1: DataCopy: ...").
void Launch(const char *op, const char *column, uint64_t key, int blockDim, int threads, uint8_t *const *args,
            int argCount, const LaunchOptions &options = LaunchOptions());

// ASCENDC_CPU_NUM_THREADS, or the number of host cores. Throws KernelError for a value that is not a positive number.
int DefaultThreads();

struct Kernel;
// Throws KernelError for a blockDim or a number of arguments that the kernel cannot be launched with.
void CheckLaunch(const Kernel &kernel, const char *op, int blockDim, int argCount);

} // namespace ascendc_cpu
#endif
