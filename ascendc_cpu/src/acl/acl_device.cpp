// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The host as device 0, and contexts.
#include <unistd.h>
#include "../host/platform_info.h"
#include "acl/acl.h"
#include "handle_table.h"
#include "tiling/platform/platform_ascendc.h"

using namespace ascendc_cpu;

namespace {

constexpr const char *DEFAULT_SOC = "Ascend910B1"; // of the row `cpu`, whose cores are most like it

struct Context {};

HandleTable<Context> &Contexts()
{
    static auto *contexts = new HandleTable<Context>("context");
    return *contexts;
}

void *PrimaryContext()
{
    static void *const primary = Contexts().Add(std::make_shared<Context>());
    return primary;
}

thread_local void *t_context = nullptr;

void CheckDevice(const char *function, int64_t deviceId)
{
    if (deviceId != 0) {
        Refuse(ACL_ERROR_INVALID_DEVICE, function, "deviceId: got " + std::to_string(deviceId) + ", allowed: 0");
    }
}

} // namespace

extern "C" {

aclError aclrtSetDevice(int32_t deviceId)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        CheckDevice("aclrtSetDevice", deviceId);
        t_context = PrimaryContext();
    });
}

aclError aclrtResetDevice(int32_t deviceId)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        CheckDevice("aclrtResetDevice", deviceId);
        t_context = nullptr;
    });
}

aclError aclrtGetDevice(int32_t *deviceId)
{
    if (t_context == nullptr) {
        return ACL_ERROR_RT_CONTEXT_NULL; // an answer rather than an error: no text
    }
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtGetDevice", "deviceId", deviceId);
        *deviceId = 0;
    });
}

aclError aclrtGetDeviceCount(uint32_t *count)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtGetDeviceCount", "count", count);
        *count = 1;
    });
}

aclError aclrtGetLogicDevIdByUserDevId(int32_t userDevid, int32_t *logicDevId)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtGetLogicDevIdByUserDevId", "logicDevId", logicDevId);
        CheckDevice("aclrtGetLogicDevIdByUserDevId", userDevid);
        *logicDevId = 0;
    });
}

aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtGetRunMode", "runMode", runMode);
        *runMode = ACL_HOST;
    });
}

const char *aclrtGetSocName()
{
    const char *name = nullptr;
    Guarded(ACL_ERROR_INVALID_PARAM, [&] {
        const fe::PlatFormInfos platform("");
        name = std::string(platform.row.name) == "cpu" ? DEFAULT_SOC : platform.row.name;
    });
    return name;
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclGetDeviceCapability", "value", value);
        CheckDevice("aclGetDeviceCapability", deviceId);
        fe::PlatFormInfos infos("");
        const platform_ascendc::PlatformAscendC platform(&infos);
        switch (deviceInfo) {
        case ACL_DEVICE_INFO_AI_CORE_NUM:
            *value = platform.GetCoreNumAic();
            return;
        case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
            *value = platform.GetCoreNumAiv();
            return;
        case ACL_DEVICE_INFO_L2_SIZE:
            *value = static_cast<int64_t>(infos.row.l2Bytes);
            return;
        default:
            Refuse(ACL_ERROR_INVALID_PARAM, "aclGetDeviceCapability",
                   "deviceInfo: got " + std::to_string(deviceInfo) + ", allowed: 0 to 2");
        }
    });
}

aclError aclrtDeviceGetBareTgid(int32_t *pid)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtDeviceGetBareTgid", "pid", pid);
        *pid = getpid();
    });
}

aclError aclrtSynchronizeDevice()
{
    return ACL_SUCCESS;
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t)
{
    return ACL_SUCCESS;
}

aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtDeviceCanAccessPeer", "canAccessPeer", canAccessPeer);
        CheckDevice("aclrtDeviceCanAccessPeer", deviceId);
        CheckDevice("aclrtDeviceCanAccessPeer", peerDeviceId);
        *canAccessPeer = 0; // a device is not its own peer
    });
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        if (mode != ACL_RT_OVERFLOW_MODE_INFNAN) {
            Refuse(ACL_ERROR_FEATURE_UNSUPPORTED, "aclrtSetDeviceSatMode",
                   "mode: got " + std::to_string(mode) + ", allowed: 1 (infinity)");
        }
    });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtGetDeviceSatMode", "mode", mode);
        *mode = ACL_RT_OVERFLOW_MODE_INFNAN;
    });
}

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtCreateContext", "context", context);
        CheckDevice("aclrtCreateContext", deviceId);
        t_context = *context = Contexts().Add(std::make_shared<Context>());
    });
}

aclError aclrtDestroyContext(aclrtContext context)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        if (context == PrimaryContext()) {
            Refuse(ACL_ERROR_INVALID_PARAM, "aclrtDestroyContext", "the device's own context goes by aclrtResetDevice");
        }
        Contexts().Remove("aclrtDestroyContext", context);
        if (t_context == context) {
            t_context = nullptr;
        }
    });
}

aclError aclrtSetCurrentContext(aclrtContext context)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        (void)Contexts().Get("aclrtSetCurrentContext", context);
        t_context = context;
    });
}

aclError aclrtGetCurrentContext(aclrtContext *context)
{
    if (t_context == nullptr) {
        return ACL_ERROR_RT_CONTEXT_NULL;
    }
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtGetCurrentContext", "context", context);
        *context = t_context;
    });
}
}
