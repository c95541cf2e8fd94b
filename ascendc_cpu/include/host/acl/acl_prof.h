// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
/* What a program says to CANN's profiler when it starts. There is none here, so a callback is never called. */
#ifndef ASCENDC_CPU_ACL_PROF_H
#define ASCENDC_CPU_ACL_PROF_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t (*ProfCommandHandle)(uint32_t type, void *data, uint32_t length);

int32_t MsprofRegisterCallback(uint32_t moduleId, ProfCommandHandle handle);
/* Nanoseconds of a clock that never goes back. */
uint64_t MsprofSysCycleTime();

#ifdef __cplusplus
}
#endif
#endif
