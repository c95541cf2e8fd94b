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
// "avx512", "avx2" or "generic"; null with an error.
const char *AscendcCpuIsaName();
// Of this thread's last failed call.
const char *AscendcCpuLastError();
}
#endif
