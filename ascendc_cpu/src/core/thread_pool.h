// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Threads that stay between launches.
#ifndef ASCENDC_CPU_THREAD_POOL_H
#define ASCENDC_CPU_THREAD_POOL_H
#include <functional>

namespace ascendc_cpu {

// Run `work` on the calling thread and on up to threads - 1 others. Returns when all of them have left it. The others
// may come late or not at all (busy with another launch, or none could be created): work must not count on them.
// Their floating point environment is any.
void RunOnThreads(int threads, const std::function<void()> &work);

// Calls call(argument) `times` times, from threads of its choice, and returns when all calls have.
using Executor = void (*)(void *context, int times, void (*call)(void *argument), void *argument);
// Who runs the work of this host thread from now on, if it is for no more than `most` threads; nullptr: the library.
void SetExecutor(Executor executor, void *context, int most);

// In the child of a fork: its parent's threads do not exist here, nor those of executors. Called with RuntimeMutex
// held.
void ForgetThreadPool();

} // namespace ascendc_cpu
#endif
