// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "runtime_mutex.h"
#include <pthread.h>
#include "thread_pool.h"

namespace ascendc_cpu {

std::mutex &RuntimeMutex()
{
    static std::mutex *mutex = [] {
        auto *created = new std::mutex; // never destroyed: pool threads outlive static destructors
        pthread_atfork([] { RuntimeMutex().lock(); }, [] { RuntimeMutex().unlock(); },
                       [] {
                           ForgetThreadPool();
                           RuntimeMutex().unlock();
                       });
        return created;
    }();
    return *mutex;
}

} // namespace ascendc_cpu
