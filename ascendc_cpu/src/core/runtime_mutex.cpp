// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "runtime_mutex.h"
#include <pthread.h>
#include "isa_select.h"
#include "thread_pool.h"

namespace ascendc_cpu {

namespace {

struct Mutexes {
    std::mutex check;
    std::mutex loading;
    std::mutex runtime;
};

Mutexes &All()
{
    static auto *mutexes = new Mutexes; // never destroyed: pool threads outlive static destructors
    return *mutexes;
}

void Lock()
{
    All().check.lock();
    All().loading.lock();
    All().runtime.lock();
}

void Unlock()
{
    All().runtime.unlock();
    All().loading.unlock();
    All().check.unlock();
}

void UnlockInChild()
{
    FreeAtomicLocks();
    ForgetThreadPool();
    Unlock();
}

// When the library is loaded, thus before any other thread calls it.
[[maybe_unused]] const int g_registered = (All(), pthread_atfork(Lock, Unlock, UnlockInChild));

} // namespace

std::mutex &CheckMutex()
{
    return All().check;
}

std::mutex &LoadingMutex()
{
    return All().loading;
}

std::mutex &RuntimeMutex()
{
    return All().runtime;
}

} // namespace ascendc_cpu
