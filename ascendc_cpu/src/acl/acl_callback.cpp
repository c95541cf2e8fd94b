// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Host functions and callbacks of streams.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <pthread.h>
#include "acl/acl.h"
#include "acl_stream.h"

using namespace ascendc_cpu;

namespace {

struct Callback {
    aclrtCallback function;
    void *userData;
    bool done = false;
};

// Guarded by RuntimeMutex.
struct Subscriptions {
    std::condition_variable changed;
    std::map<const void *, uint64_t> threadOf;                           // stream -> thread
    std::map<uint64_t, std::deque<std::shared_ptr<Callback>>> waitingOf; // thread -> callbacks in launch order
};

Subscriptions &All()
{
    static Subscriptions *subscriptions = new Subscriptions;
    return *subscriptions;
}

uint64_t ThisThread()
{
    return static_cast<uint64_t>(pthread_self());
}

} // namespace

extern "C" {

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtLaunchHostFunc", "fn", reinterpret_cast<const void *>(fn));
        (void)StreamOf("aclrtLaunchHostFunc", stream);
        fn(args);
    });
}

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        (void)StreamOf("aclrtSubscribeReport", stream);
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        if (!All().threadOf.emplace(stream, threadId).second) {
            Refuse(ACL_ERROR_REPEAT_SUBSCRIBE, "aclrtSubscribeReport", "the stream has a thread already");
        }
        All().waitingOf[threadId];
    });
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        const auto found = All().threadOf.find(stream);
        if (found == All().threadOf.end() || found->second != threadId) {
            Refuse(ACL_ERROR_THREAD_NOT_SUBSCRIBE, "aclrtUnSubscribeReport",
                   "the thread has not subscribed the stream");
        }
        All().threadOf.erase(found);
        const auto isThread = [&](const auto &each) { return each.second == threadId; };
        if (std::none_of(All().threadOf.begin(), All().threadOf.end(), isThread)) {
            All().waitingOf.erase(threadId);
            All().changed.notify_all();
        }
    });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, aclrtStream stream)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtLaunchCallback", "fn", reinterpret_cast<const void *>(fn));
        std::unique_lock<std::mutex> lock(RuntimeMutex());
        const auto found = All().threadOf.find(stream);
        if (found == All().threadOf.end()) {
            Refuse(ACL_ERROR_STREAM_NOT_SUBSCRIBE, "aclrtLaunchCallback", "no thread has subscribed the stream");
        }
        const uint64_t thread = found->second;
        if (blockType == ACL_CALLBACK_BLOCK && thread == ThisThread()) {
            Refuse(ACL_ERROR_FEATURE_UNSUPPORTED, "aclrtLaunchCallback",
                   "a blocking callback from the thread that processes it: streams are synchronous here, it would wait "
                   "for itself");
        }
        const auto callback = std::make_shared<Callback>(Callback{fn, userData});
        All().waitingOf[thread].push_back(callback);
        All().changed.notify_all();
        if (blockType == ACL_CALLBACK_BLOCK) {
            All().changed.wait(lock, [&] { return callback->done || All().waitingOf.count(thread) == 0; });
            if (!callback->done) {
                Refuse(ACL_ERROR_THREAD_NOT_SUBSCRIBE, "aclrtLaunchCallback", "its thread unsubscribed meanwhile");
            }
        }
    });
}

aclError aclrtProcessReport(int32_t timeout)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        const uint64_t thread = ThisThread();
        std::unique_lock<std::mutex> lock(RuntimeMutex());
        if (All().waitingOf.count(thread) == 0) {
            Refuse(ACL_ERROR_THREAD_NOT_SUBSCRIBE, "aclrtProcessReport", "this thread has subscribed no stream");
        }
        const auto ready = [&] { return All().waitingOf.count(thread) == 0 || !All().waitingOf[thread].empty(); };
        if (timeout < 0) {
            All().changed.wait(lock, ready);
        } else if (!All().changed.wait_for(lock, std::chrono::milliseconds(timeout), ready)) {
            throw HostError(ACL_ERROR_WAIT_CALLBACK_TIMEOUT,
                            "aclrtProcessReport: no callback within " + std::to_string(timeout) + " ms");
        }
        const auto mine = All().waitingOf.find(thread);
        if (mine == All().waitingOf.end()) {
            return; // unsubscribed meanwhile
        }
        const auto callback = mine->second.front();
        mine->second.pop_front();
        lock.unlock();
        callback->function(callback->userData);
        lock.lock();
        callback->done = true;
        All().changed.notify_all();
    });
}
}
