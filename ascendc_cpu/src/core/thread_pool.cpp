// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "thread_pool.h"
#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <system_error>
#include <thread>
#include <vector>
#include "runtime_mutex.h"

namespace ascendc_cpu {

namespace {

struct Request {
    const std::function<void()> *work;
    int wanted;
    int active = 0;
    std::condition_variable left;
};

struct Pool {
    std::vector<Request *> requests;
    std::condition_variable arrived;
    int threads = 0;
};

Pool *g_pool = nullptr; // guarded by RuntimeMutex; never destroyed, its threads end with the process

struct ExecutorOfThread {
    Executor execute = nullptr;
    void *context = nullptr;
    int most = 0;
};

thread_local ExecutorOfThread t_executor;
bool g_isForked = false;

Request *NextRequest(Pool &pool)
{
    for (Request *request : pool.requests) {
        if (request->wanted > 0) {
            return request;
        }
    }
    return nullptr;
}

void ThreadMain(Pool *pool)
{
    std::unique_lock<std::mutex> lock(RuntimeMutex());
    for (;;) {
        Request *request = NextRequest(*pool);
        if (request == nullptr) {
            pool->arrived.wait(lock);
            continue;
        }
        request->wanted--;
        request->active++;
        lock.unlock();
        (*request->work)();
        lock.lock();
        if (--request->active == 0) {
            request->left.notify_one();
        }
    }
}

// Signals belong to the application's own threads.
void StartThread(Pool *pool)
{
    sigset_t all;
    sigset_t saved;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    try {
        std::thread(ThreadMain, pool).detach();
        pool->threads++;
    } catch (const std::system_error &) { // fewer helpers
    }
    pthread_sigmask(SIG_SETMASK, &saved, nullptr);
}

} // namespace

void RunOnThreads(int threads, const std::function<void()> &work)
{
    if (threads <= 1) {
        work();
        return;
    }
    if (t_executor.execute != nullptr && threads <= t_executor.most && !g_isForked) {
        const auto call = [](void *argument) { (*static_cast<const std::function<void()> *>(argument))(); };
        t_executor.execute(t_executor.context, threads, call, const_cast<std::function<void()> *>(&work));
        work(); // should it have made no call
        return;
    }
    Request request{&work, threads - 1, 0, {}};
    std::unique_lock<std::mutex> lock(RuntimeMutex());
    if (g_pool == nullptr) {
        g_pool = new Pool;
    }
    Pool &pool = *g_pool;
    for (int missing = threads - 1 - pool.threads; missing > 0; missing--) {
        StartThread(&pool);
    }
    pool.requests.push_back(&request);
    pool.arrived.notify_all();
    lock.unlock();
    work();
    lock.lock();
    pool.requests.erase(std::find(pool.requests.begin(), pool.requests.end(), &request));
    request.left.wait(lock, [&] { return request.active == 0; });
}

void SetExecutor(Executor executor, void *context, int most)
{
    t_executor = {executor, context, most};
}

void ForgetThreadPool()
{
    g_pool = nullptr;
    g_isForked = true;
}

} // namespace ascendc_cpu
