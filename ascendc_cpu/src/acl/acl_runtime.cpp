// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// aclInit, devices, memory and streams over the host.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "../host/platform_info.h"
#include "../host/status.h"
#include "acl/acl.h"

using namespace ascendc_cpu;

namespace {

constexpr size_t GM_ALIGNMENT = 512; // what the device allocator gives
std::atomic<bool> g_initialized{false};

aclError Refuse(aclError status, const std::string &text)
{
    ReportError(text);
    return status;
}

aclError CheckDevice(const char *function, int32_t deviceId)
{
    return deviceId == 0 ? ACL_SUCCESS
                         : Refuse(ACL_ERROR_INVALID_DEVICE, std::string(function) + ": deviceId: got " +
                                                                std::to_string(deviceId) + ", allowed: 0");
}

aclError Allocate(const char *function, void **pointer, size_t size)
{
    if (pointer == nullptr || size == 0) {
        return Refuse(ACL_ERROR_INVALID_PARAM, std::string(function) + ": got a null pointer or size 0");
    }
    if (size > SIZE_MAX - GM_ALIGNMENT) {
        return Refuse(ACL_ERROR_BAD_ALLOC, std::string(function) + ": size: got " + std::to_string(size));
    }
    *pointer = std::aligned_alloc(GM_ALIGNMENT, (size + GM_ALIGNMENT - 1) / GM_ALIGNMENT * GM_ALIGNMENT);
    return *pointer != nullptr ? ACL_SUCCESS
                               : Refuse(ACL_ERROR_BAD_ALLOC, std::string(function) + ": out of memory for " +
                                                                 std::to_string(size) + " bytes");
}

aclError Release(const char *function, void *pointer)
{
    if (pointer == nullptr) {
        return Refuse(ACL_ERROR_INVALID_PARAM, std::string(function) + ": got nullptr");
    }
    std::free(pointer);
    return ACL_SUCCESS;
}

} // namespace

extern "C" {

aclError aclInit(const char *configPath)
{
    if (configPath != nullptr && *configPath != '\0') {
        return Refuse(ACL_ERROR_INVALID_PARAM, std::string("aclInit: configPath: got '") + configPath +
                                                   "', allowed: nullptr, there is no device");
    }
    if (g_initialized.exchange(true)) {
        return Refuse(ACL_ERROR_REPEAT_INITIALIZE, "aclInit: already initialized");
    }
    static std::atomic<bool> announced{false};
    if (!announced.exchange(true)) {
        fprintf(stderr, "ascendc_cpu emulation\n");
    }
    return ACL_SUCCESS;
}

aclError aclFinalize()
{
    return g_initialized.exchange(false) ? ACL_SUCCESS
                                         : Refuse(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize: not initialized");
}

aclError aclrtSetDevice(int32_t deviceId)
{
    return CheckDevice("aclrtSetDevice", deviceId);
}

aclError aclrtResetDevice(int32_t deviceId)
{
    return CheckDevice("aclrtResetDevice", deviceId);
}

aclError aclrtGetDevice(int32_t *deviceId)
{
    if (deviceId == nullptr) {
        return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtGetDevice: deviceId: got nullptr");
    }
    *deviceId = 0;
    return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t *count)
{
    if (count == nullptr) {
        return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceCount: count: got nullptr");
    }
    *count = 1;
    return ACL_SUCCESS;
}

const char *aclrtGetSocName()
{
    const char *name = nullptr;
    Guarded(ACL_ERROR_INVALID_PARAM, [&] { name = fe::PlatFormInfos("").row.name; });
    return name;
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy)
{
    return Allocate("aclrtMalloc", devPtr, size);
}

aclError aclrtFree(void *devPtr)
{
    return Release("aclrtFree", devPtr);
}

aclError aclrtMallocHost(void **hostPtr, size_t size)
{
    return Allocate("aclrtMallocHost", hostPtr, size);
}

aclError aclrtFreeHost(void *hostPtr)
{
    return Release("aclrtFreeHost", hostPtr);
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    if (devPtr == nullptr || count > maxCount) {
        return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtMemset: devPtr is nullptr, or count " + std::to_string(count) +
                                                   " is above maxCount " + std::to_string(maxCount));
    }
    memset(devPtr, value, count);
    return ACL_SUCCESS;
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind)
{
    if (dst == nullptr || src == nullptr || count > destMax) {
        return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtMemcpy: dst or src is nullptr, or count " + std::to_string(count) +
                                                   " is above destMax " + std::to_string(destMax));
    }
    memcpy(dst, src, count);
    return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream *stream)
{
    if (stream == nullptr) {
        return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtCreateStream: stream: got nullptr");
    }
    *stream = new char;
    return ACL_SUCCESS;
}

aclError aclrtDestroyStream(aclrtStream stream)
{
    delete static_cast<char *>(stream);
    return ACL_SUCCESS;
}

aclError aclrtSynchronizeStream(aclrtStream)
{
    return ACL_SUCCESS;
}

aclError aclrtSynchronizeDevice()
{
    return ACL_SUCCESS;
}
}
