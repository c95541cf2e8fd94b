// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Synchronisation between cores, implemented by the scheduler in libascendc_cpu.so. May switch to another fiber.
#ifndef ASCENDC_CPU_CROSS_CORE_H
#define ASCENDC_CPU_CROSS_CORE_H
#include <cstdint>

namespace ascendc_cpu {

// mode 0: all AICs or all AIVs of the launch; 1: the AIVs of one group; 2: AIC and AIVs of one group.
void CrossCoreSet(uint8_t mode, uint16_t flagId);
// mode is only reported: the hardware waits on the counter, whoever raised it.
void CrossCoreWait(uint8_t mode, uint16_t flagId);
// Barrier of all AIVs, or of every core of the launch.
void SyncAllCores(bool isAivOnly);
// 50 MHz counter.
int64_t SystemCycle();

} // namespace ascendc_cpu
#endif
