// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Threads that stay between launches.
#ifndef ASCENDC_CPU_THREAD_POOL_H
#define ASCENDC_CPU_THREAD_POOL_H
#include <functional>

namespace ascendc_cpu {

// Run `work` on the calling thread and on up to threads - 1 others. Returns when all of them have left it. The others
// may come late or not at all (busy with another launch, or none could be created): work must not count on them.
// A new thread inherits the caller's floating point environment (POSIX): call this in the one that `work` needs.
void RunOnThreads(int threads, const std::function<void()> &work);

// In the child of a fork: its parent's threads do not exist here. Called with RuntimeMutex held.
void ForgetThreadPool();

} // namespace ascendc_cpu
#endif
