// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One lock for everything that lives as long as the process: kernel registry, arena free list, thread pool, ISA table.
// It is held for short moments only, and a fork takes it, so that the child finds all of them consistent.
#ifndef ASCENDC_CPU_RUNTIME_MUTEX_H
#define ASCENDC_CPU_RUNTIME_MUTEX_H
#include <mutex>

namespace ascendc_cpu {

std::mutex &RuntimeMutex();

} // namespace ascendc_cpu
#endif
