// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_TOOLCHAIN_LOG_TYPES_H
#define ASCENDC_CPU_TOOLCHAIN_LOG_TYPES_H

#define DLOG_DEBUG 0x0
#define DLOG_INFO 0x1
#define DLOG_WARN 0x2
#define DLOG_ERROR 0x3

#define MSG_LENGTH 1024 // longest record on CANN

enum { OP = 63 }; // module id of operators
#endif
