// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_ACL_STREAM_H
#define ASCENDC_CPU_ACL_STREAM_H
#include <cstdint>
#include "handle_table.h"

namespace ascendc_cpu {

struct Stream {
    int32_t id = 0;
};

// Throws for a stream that is neither nullptr, the default stream, nor alive.
std::shared_ptr<Stream> StreamOf(const char *function, const void *stream);

} // namespace ascendc_cpu
#endif
