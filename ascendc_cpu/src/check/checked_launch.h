// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Checked launches: kernels compiled with mode/checked, which the runtime keeps under <op>@checked.
#ifndef ASCENDC_CPU_CHECKED_LAUNCH_H
#define ASCENDC_CPU_CHECKED_LAUNCH_H
#include <cstdint>
#include <string>
#include "checker.h"

namespace ascendc_cpu {

struct LaunchOptions;

// Findings are kept until they are taken. While a session is open, every launch of the process is a checked one.
void OpenCheckSession(bool autoSync);
std::string CloseCheckSession();
bool IsCheckSessionOpen();

// Runs all groups in this thread; the findings go to the session. Throws KernelError when there is no such kernel.
void LaunchInSession(const char *op, const char *column, uint64_t key, int blockDim, uint8_t *const *args, int argCount,
                     const LaunchOptions &options);

} // namespace ascendc_cpu
#endif
