// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The locks of what lives as long as the process. A fork takes all of them, so that the child finds everything
// consistent and nothing held by a thread that it does not have: there are no others but those of one launch.
// Where one is taken while another is held, in the order below.
#ifndef ASCENDC_CPU_RUNTIME_MUTEX_H
#define ASCENDC_CPU_RUNTIME_MUTEX_H
#include <mutex>

namespace ascendc_cpu {

// Held during a checked launch: one at a time.
std::mutex &CheckMutex();
// Held while a library is loaded, so that a second caller waits until all of it has registered. Constructors of
// libraries, which run under the loader's lock, never take it.
std::mutex &LoadingMutex();
// Guards registries, arenas, thread pool and handles; held for short moments only.
std::mutex &RuntimeMutex();

} // namespace ascendc_cpu
#endif
