// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Streams and events. Work is done when its call returns, so nothing is ever pending.
#include "acl_stream.h"
#include <atomic>
#include <chrono>
#include "acl/acl.h"

using namespace ascendc_cpu;

namespace {

using Clock = std::chrono::steady_clock;

// recorded and time are guarded by RuntimeMutex.
struct Event {
    bool mayWaitUnrecorded; // of aclrtCreateEventExWithFlag
    bool recorded = false;
    Clock::time_point time;
};

HandleTable<Stream> &Streams()
{
    static auto *streams = new HandleTable<Stream>("stream");
    return *streams;
}

HandleTable<Event> &Events()
{
    static auto *events = new HandleTable<Event>("event");
    return *events;
}

aclError CreateEvent(const char *function, aclrtEvent *event, bool mayWaitUnrecorded)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require(function, "event", event);
        auto created = std::make_shared<Event>();
        created->mayWaitUnrecorded = mayWaitUnrecorded;
        *event = Events().Add(std::move(created));
    });
}

bool IsRecorded(Event &event, Clock::time_point *time = nullptr)
{
    const std::lock_guard<std::mutex> lock(RuntimeMutex());
    if (time != nullptr) {
        *time = event.time;
    }
    return event.recorded;
}

void RequireRecorded(const char *function, Event &event, Clock::time_point *time = nullptr)
{
    if (!IsRecorded(event, time)) {
        Refuse(ACL_ERROR_INVALID_PARAM, function, "the event is not recorded");
    }
}

aclError CheckStream(const char *function, aclrtStream stream)
{
    return Guarded(ACL_ERROR_FAILURE, [&] { (void)StreamOf(function, stream); });
}

aclError CheckEvent(const char *function, aclrtEvent event)
{
    return Guarded(ACL_ERROR_FAILURE, [&] { RequireRecorded(function, *Events().Get(function, event)); });
}

} // namespace

std::shared_ptr<Stream> ascendc_cpu::StreamOf(const char *function, const void *stream)
{
    static const auto defaultStream = std::make_shared<Stream>();
    return stream == nullptr ? defaultStream : Streams().Get(function, stream);
}

extern "C" {

aclError aclrtCreateStream(aclrtStream *stream)
{
    return aclrtCreateStreamWithConfig(stream, 0, 0);
}

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t, uint32_t)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtCreateStream", "stream", stream);
        static std::atomic<int32_t> created{0};
        auto added = std::make_shared<Stream>();
        added->id = ++created;
        *stream = Streams().Add(std::move(added));
    });
}

aclError aclrtDestroyStream(aclrtStream stream)
{
    return Guarded(ACL_ERROR_FAILURE, [&] { Streams().Remove("aclrtDestroyStream", stream); });
}

aclError aclrtDestroyStreamForce(aclrtStream stream)
{
    return Guarded(ACL_ERROR_FAILURE, [&] { Streams().Remove("aclrtDestroyStreamForce", stream); });
}

aclError aclrtSynchronizeStream(aclrtStream stream)
{
    return CheckStream("aclrtSynchronizeStream", stream);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t)
{
    return CheckStream("aclrtSynchronizeStreamWithTimeout", stream);
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtStreamQuery", "status", status);
        (void)StreamOf("aclrtStreamQuery", stream);
        *status = ACL_STREAM_STATUS_COMPLETE;
    });
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtStreamGetId", "streamId", streamId);
        *streamId = StreamOf("aclrtStreamGetId", stream)->id;
    });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        (void)StreamOf("aclrtStreamWaitEvent", stream);
        const auto waited = Events().Get("aclrtStreamWaitEvent", event);
        if (!waited->mayWaitUnrecorded) {
            RequireRecorded("aclrtStreamWaitEvent", *waited);
        }
    });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtGetStreamOverflowSwitch", "flag", flag);
        (void)StreamOf("aclrtGetStreamOverflowSwitch", stream);
        *flag = 0;
    });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        (void)StreamOf("aclrtSetStreamOverflowSwitch", stream);
        if (flag != 0) {
            Refuse(ACL_ERROR_FEATURE_UNSUPPORTED, "aclrtSetStreamOverflowSwitch",
                   "flag: got " + std::to_string(flag) + ", allowed: 0");
        }
    });
}

aclError aclrtCreateEvent(aclrtEvent *event)
{
    return CreateEvent("aclrtCreateEvent", event, false);
}

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t)
{
    return CreateEvent("aclrtCreateEventWithFlag", event, false);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t)
{
    return CreateEvent("aclrtCreateEventExWithFlag", event, true);
}

aclError aclrtDestroyEvent(aclrtEvent event)
{
    return Guarded(ACL_ERROR_FAILURE, [&] { Events().Remove("aclrtDestroyEvent", event); });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        (void)StreamOf("aclrtRecordEvent", stream);
        const auto target = Events().Get("aclrtRecordEvent", event);
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        target->recorded = true;
        target->time = Clock::now();
    });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        (void)StreamOf("aclrtResetEvent", stream);
        const auto target = Events().Get("aclrtResetEvent", event);
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        target->recorded = false;
    });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtQueryEventStatus", "status", status);
        const bool recorded = IsRecorded(*Events().Get("aclrtQueryEventStatus", event));
        *status = recorded ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtQueryEventWaitStatus", "status", status);
        (void)Events().Get("aclrtQueryEventWaitStatus", event);
        *status = ACL_EVENT_WAIT_STATUS_COMPLETE; // a wait returns when it is over
    });
}

aclError aclrtSynchronizeEvent(aclrtEvent event)
{
    return CheckEvent("aclrtSynchronizeEvent", event);
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t)
{
    return CheckEvent("aclrtSynchronizeEventWithTimeout", event);
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtEventElapsedTime", "ms", ms);
        Clock::time_point start, end;
        RequireRecorded("aclrtEventElapsedTime", *Events().Get("aclrtEventElapsedTime", startEvent), &start);
        RequireRecorded("aclrtEventElapsedTime", *Events().Get("aclrtEventElapsedTime", endEvent), &end);
        *ms = std::chrono::duration<float, std::milli>(end - start).count();
    });
}
}
