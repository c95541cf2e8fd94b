// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Threads that stay between launches.
#ifndef ASCENDC_CPU_THREAD_POOL_H
#define ASCENDC_CPU_THREAD_POOL_H
#include <functional>

namespace ascendc_cpu {

// Run `work` on the calling thread and at the same time on up to threads - 1 others, whose floating point environment
// is any. Returns when all of them have left it. The others may come late or not at all (busy with another launch, or
// none could be created): work must not count on them.
void RunOnThreads(int threads, const std::function<void()> &work);

// Calls call(argument) on threads of its choice, `times` times if it can, and returns when all calls have.
using Executor = void (*)(void *context, int times, void (*call)(void *argument), void *argument);
// Who finds the others for this host thread from now on, where no more than `most` threads are wanted; nullptr, and in
// the child of a fork: the library.
void SetExecutor(Executor executor, void *context, int most);

// In the child of a fork: its parent's threads do not exist here, nor those of executors. Called with RuntimeMutex
// held.
void ForgetThreadPool();

} // namespace ascendc_cpu
#endif
