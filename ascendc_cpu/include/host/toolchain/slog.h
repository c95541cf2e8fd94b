// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// How operators report. On CANN this goes to the plog; here an error record ends in aclGetRecentErrMsg (one made by
// inference or tiling: when that fails), and other levels are dropped, as CANN does at its default log level.
#ifndef ASCENDC_CPU_TOOLCHAIN_SLOG_H
#define ASCENDC_CPU_TOOLCHAIN_SLOG_H
#include <stdint.h>
#include "toolchain/log_types.h"

extern "C" void DlogRecord(int32_t moduleId, int32_t level, const char *format, ...)
    __attribute__((weak, format(printf, 3, 4)));
#endif
