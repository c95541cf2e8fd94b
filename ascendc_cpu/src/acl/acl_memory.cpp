// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Device memory in the host's.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include "../host/platform_info.h"
#include "acl/acl.h"
#include "handle_table.h"

using namespace ascendc_cpu;

namespace {

constexpr size_t GM_ALIGNMENT = 512; // what the device allocator gives

struct Allocation {
    size_t size;
    aclrtMemLocationType location;
};

// Guarded by RuntimeMutex.
struct Allocations {
    std::map<uintptr_t, Allocation> byAddress;
    size_t deviceBytes = 0;
};

Allocations &All()
{
    static Allocations *allocations = new Allocations;
    return *allocations;
}

aclError Allocate(const char *function, void **pointer, size_t size, aclrtMemLocationType location)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        if (pointer == nullptr || size == 0) {
            Refuse(ACL_ERROR_INVALID_PARAM, function, "got a null pointer or size 0");
        }
        *pointer = nullptr;
        if (size <= SIZE_MAX - GM_ALIGNMENT) {
            *pointer = std::aligned_alloc(GM_ALIGNMENT, (size + GM_ALIGNMENT - 1) / GM_ALIGNMENT * GM_ALIGNMENT);
        }
        if (*pointer == nullptr) {
            Refuse(ACL_ERROR_BAD_ALLOC, function, "out of memory for " + std::to_string(size) + " bytes");
        }
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        All().byAddress[reinterpret_cast<uintptr_t>(*pointer)] = {size, location};
        All().deviceBytes += location == ACL_MEM_LOCATION_TYPE_DEVICE ? size : 0;
    });
}

aclError Release(const char *function, void *pointer, aclrtMemLocationType location)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require(function, "pointer", pointer);
        {
            const std::lock_guard<std::mutex> lock(RuntimeMutex());
            const auto found = All().byAddress.find(reinterpret_cast<uintptr_t>(pointer));
            if (found == All().byAddress.end() || found->second.location != location) {
                Refuse(ACL_ERROR_INVALID_PARAM, function, "the pointer does not come from its allocator, or is freed");
            }
            All().deviceBytes -= location == ACL_MEM_LOCATION_TYPE_DEVICE ? found->second.size : 0;
            All().byAddress.erase(found);
        }
        std::free(pointer);
    });
}

aclError Set(const char *function, void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        if (devPtr == nullptr || count > maxCount) {
            Refuse(ACL_ERROR_INVALID_PARAM, function,
                   "devPtr is nullptr, or count " + std::to_string(count) + " is above maxCount " +
                       std::to_string(maxCount));
        }
        memset(devPtr, value, count);
    });
}

aclError Copy(const char *function, void *dst, size_t destMax, const void *src, size_t count)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        if (dst == nullptr || src == nullptr || count > destMax) {
            Refuse(ACL_ERROR_INVALID_PARAM, function,
                   "dst or src is nullptr, or count " + std::to_string(count) + " is above destMax " +
                       std::to_string(destMax));
        }
        memmove(dst, src, count);
    });
}

} // namespace

extern "C" {

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy)
{
    return Allocate("aclrtMalloc", devPtr, size, ACL_MEM_LOCATION_TYPE_DEVICE);
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy)
{
    return Allocate("aclrtMallocAlign32", devPtr, size, ACL_MEM_LOCATION_TYPE_DEVICE);
}

aclError aclrtFree(void *devPtr)
{
    return Release("aclrtFree", devPtr, ACL_MEM_LOCATION_TYPE_DEVICE);
}

aclError aclrtMallocHost(void **hostPtr, size_t size)
{
    return Allocate("aclrtMallocHost", hostPtr, size, ACL_MEM_LOCATION_TYPE_HOST);
}

aclError aclrtFreeHost(void *hostPtr)
{
    return Release("aclrtFreeHost", hostPtr, ACL_MEM_LOCATION_TYPE_HOST);
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    return Set("aclrtMemset", devPtr, maxCount, value, count);
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream)
{
    return Set("aclrtMemsetAsync", devPtr, maxCount, value, count);
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind)
{
    return Copy("aclrtMemcpy", dst, destMax, src, count);
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind, aclrtStream)
{
    return Copy("aclrtMemcpyAsync", dst, destMax, src, count);
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t *free, size_t *total)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtGetMemInfo", "free", free);
        Require("aclrtGetMemInfo", "total", total);
        const size_t host = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
        *total = std::min<size_t>(host, fe::PlatFormInfos("").row.hbmBytes);
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        *free = *total - std::min(*total, All().deviceBytes);
    });
}

aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclrtPointerGetAttributes", "ptr", ptr);
        Require("aclrtPointerGetAttributes", "attributes", attributes);
        *attributes = {{0, ACL_MEM_LOCATION_TYPE_UNREGISTERED}, static_cast<uint32_t>(sysconf(_SC_PAGESIZE)), {}};
        const uintptr_t address = reinterpret_cast<uintptr_t>(ptr);
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        auto next = All().byAddress.upper_bound(address);
        if (next != All().byAddress.begin() && address - (--next)->first < next->second.size) {
            attributes->location.type = next->second.location;
        }
    });
}
}
