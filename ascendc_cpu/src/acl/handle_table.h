// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Live contexts, streams or events. A handle that is not in its table is refused: never created, of another kind, or
// destroyed before.
#ifndef ASCENDC_CPU_ACL_HANDLE_TABLE_H
#define ASCENDC_CPU_ACL_HANDLE_TABLE_H
#include <map>
#include <memory>
#include <string>
#include "../core/runtime_mutex.h"
#include "../host/status.h"
#include "acl/acl_base.h"

namespace ascendc_cpu {

template <typename Object>
class HandleTable {
public:
    // `name` of the kind of object, for errors.
    explicit HandleTable(const char *kindName) : name(kindName)
    {
    }

    void *Add(std::shared_ptr<Object> object)
    {
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        Object *const handle = object.get();
        objects[handle] = std::move(object);
        return handle;
    }

    // Shared, so that the object outlives a concurrent destruction.
    std::shared_ptr<Object> Get(const char *function, const void *handle)
    {
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        return Find(function, handle)->second;
    }

    void Remove(const char *function, const void *handle)
    {
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        objects.erase(Find(function, handle));
    }

private:
    using Objects = std::map<const void *, std::shared_ptr<Object>>;

    typename Objects::iterator Find(const char *function, const void *handle)
    {
        const auto found = objects.find(handle);
        if (found == objects.end()) {
            throw HostError(ACL_ERROR_INVALID_RESOURCE_HANDLE,
                            std::string(function) + ": " + name + ": got " +
                                (handle == nullptr ? "nullptr" : "a handle that does not exist (any more)"));
        }
        return found;
    }

    const char *const name;
    Objects objects;
};

// Throws unless `pointer` is there.
inline void Require(const char *function, const char *argument, const void *pointer)
{
    if (pointer == nullptr) {
        throw HostError(ACL_ERROR_INVALID_PARAM, std::string(function) + ": " + argument + ": got nullptr");
    }
}

[[noreturn]] inline void Refuse(int status, const char *function, const std::string &text)
{
    throw HostError(status, std::string(function) + ": " + text);
}

} // namespace ascendc_cpu
#endif
