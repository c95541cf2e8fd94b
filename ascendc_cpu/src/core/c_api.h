// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Plain C entry points, for ctypes.
#ifndef ASCENDC_CPU_C_API_H
#define ASCENDC_CPU_C_API_H
#include <cstdint>

extern "C" {
// ascendc_cpu::Launch; 0 on success, else AscendcCpuLastError() has the text.
int AscendcCpuLaunch(const char *op, const char *column, uint64_t key, int blockDim, int threads, uint8_t *const *args,
                     int argCount);
// The same with the size of each argument's memory (0 for scalars), and whether nobody writes it during the launch:
// copies from such memory may wait.
int AscendcCpuLaunchWithConstants(const char *op, const char *column, uint64_t key, int blockDim, int threads,
                                  uint8_t *const *args, int argCount, const uint64_t *argBytes,
                                  const uint8_t *argIsConstant);
// AscendcCpuLaunch in the checked mode, with the size of each argument's memory (0 for scalars) and whether its
// contents do not count. Returns the findings as JSON, valid until this thread's next call; null when the launch was
// not possible.
const char *AscendcCpuLaunchChecked(const char *op, const char *column, uint64_t key, int blockDim,
                                    uint8_t *const *args, int argCount, const uint64_t *argBytes,
                                    const uint8_t *argIsUnwritten, int autoSync);
// From Open to Close every launch of the process is a checked one; Close returns the findings as JSON.
void AscendcCpuOpenCheckSession(int autoSync);
const char *AscendcCpuCloseCheckSession();
// "avx512", "avx2" or "generic"; null with an error.
const char *AscendcCpuIsaName();
// Of this thread's last failed call.
const char *AscendcCpuLastError();
}
#endif
