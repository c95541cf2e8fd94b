// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "package_loader.h"
#include <dlfcn.h>
#include <map>
#include <set>
#include <sys/utsname.h>
#include "../core/kernel_table.h"
#include "../core/runtime_mutex.h"
#include "op_registry.h"
#include "status.h"

namespace ascendc_cpu {
namespace {

struct Packages {
    std::map<std::string, std::string> vendorOf; // OpType -> <...>/vendors/<vendor>; guarded by RuntimeMutex
    std::set<std::string> loaded;                // OpTypes whose host functions are there; guarded by LoadingMutex
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

std::string VendorOf(const std::string &opType)
{
    Packages &packages = ThePackages();
    const std::lock_guard<std::mutex> lock(RuntimeMutex());
    const auto found = packages.vendorOf.find(opType);
    if (found == packages.vendorOf.end()) {
        throw HostError(ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND,
                        opType + ": neither registered by a loaded library nor part of a loaded package");
    }
    return found->second;
}

void Load(const std::string &opType, const std::string &pathInVendor)
{
    const std::string path = VendorOf(opType) + "/" + pathInVendor;
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
        const char *reason = dlerror();
        throw HostError(ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND,
                        opType + ": cannot load " + path + ": " + (reason != nullptr ? reason : "unknown reason"));
    }
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
    const std::lock_guard<std::mutex> lock(RuntimeMutex());
    packages.vendorOf[opType] = ParentOf(ParentOf(ParentOf(info.dli_fname)));
}

void LoadHostFunctions(const std::string &opType)
{
    Packages &packages = ThePackages();
    const std::lock_guard<std::mutex> lock(LoadingMutex());
    if (packages.loaded.count(opType) > 0) {
        return;
    }
    const OpImpl impl = FindImpl(opType);
    const std::string machine = "lib/linux/" + Machine();
    if (impl.tiling == nullptr) {
        Load(opType, "op_impl/ai_core/tbe/op_tiling/" + machine + "/libcust_opmaster_rt2.0.so");
    }
    if (impl.inferShape == nullptr) {
        Load(opType, "op_proto/" + machine + "/libcust_opsproto_rt2.0.so");
    }
    packages.loaded.insert(opType);
}

void LoadKernels(const std::string &opType)
{
    const std::lock_guard<std::mutex> lock(LoadingMutex());
    if (!HasKernels(opType.c_str())) {
        const std::string name = SnakeCase(opType);
        Load(opType, "op_impl/ai_core/tbe/kernel/cpu/" + name + "/lib" + name + "_kernels.so");
    }
}

} // namespace ascendc_cpu
