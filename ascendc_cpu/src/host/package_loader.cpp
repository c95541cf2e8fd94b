// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "package_loader.h"
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <set>
#include <sys/utsname.h>
#include "kernel_column.h"
#include "op_registry.h"
#include "status.h"

namespace ascendc_cpu {
namespace {

struct Packages {
    std::mutex mutex;
    std::map<std::string, std::string> vendorOf; // OpType -> <...>/vendors/<vendor>
    std::set<std::string> loaded;
};

Packages &ThePackages()
{
    static Packages *packages = new Packages;
    return *packages;
}

std::string ParentOf(const std::string &path)
{
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

// Loading runs static constructors, which register: the registries' own locks are not held here.
void LoadOnce(const std::string &opType, const std::string &pathInVendor)
{
    Packages &packages = ThePackages();
    const std::lock_guard<std::mutex> lock(packages.mutex);
    const auto found = packages.vendorOf.find(opType);
    if (found == packages.vendorOf.end()) {
        throw HostError(ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND,
                        opType + ": not registered by any loaded package or library");
    }
    const std::string path = found->second + "/" + pathInVendor;
    if (packages.loaded.count(path) > 0) {
        return;
    }
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
        const char *reason = dlerror();
        throw HostError(ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND,
                        opType + ": cannot load " + path + ": " + (reason != nullptr ? reason : "unknown reason"));
    }
    packages.loaded.insert(path);
}

std::string Machine()
{
    utsname names;
    return uname(&names) == 0 ? names.machine : "x86_64";
}

} // namespace

void RegisterPackage(const std::string &opType, const void *anchor)
{
    Dl_info info;
    if (dladdr(anchor, &info) == 0) {
        return; // the error comes, with the OpType, when something has to be loaded
    }
    // <vendor>/op_api/lib/libcust_opapi.so
    Packages &packages = ThePackages();
    const std::lock_guard<std::mutex> lock(packages.mutex);
    packages.vendorOf[opType] = ParentOf(ParentOf(ParentOf(info.dli_fname)));
}

void LoadHostFunctions(const std::string &opType)
{
    const OpImpl impl = FindImpl(opType);
    if (impl.tiling == nullptr) {
        LoadOnce(opType, "op_impl/ai_core/tbe/op_tiling/lib/linux/" + Machine() + "/libcust_opmaster_rt2.0.so");
    }
    if (impl.inferShape == nullptr) {
        LoadOnce(opType, "op_proto/lib/linux/" + Machine() + "/libcust_opsproto_rt2.0.so");
    }
}

void LoadKernels(const std::string &opType)
{
    if (!HasKernels(opType)) {
        const std::string name = SnakeCase(opType);
        LoadOnce(opType, "op_impl/ai_core/tbe/kernel/cpu/" + name + "/lib" + name + "_kernels.so");
    }
}

} // namespace ascendc_cpu
