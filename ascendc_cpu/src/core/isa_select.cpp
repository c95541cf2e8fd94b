// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "isa_select.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include "ascendc_cpu/isa_table.h"
#include "kernel_error.h"
#include "runtime_mutex.h"

namespace ascendc_cpu {

const IsaTable *g_isa = nullptr;

namespace {

void (*g_freeAtomicLocks)() = nullptr; // of the loaded library; guarded by LoadingMutex

struct Isa {
    const char *name;
    bool (*isSupported)();
};

#if defined(__x86_64__)
bool HasAvx2()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

bool HasAvx512()
{
    return HasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bf16");
}
#else
bool HasAvx2()
{
    return false;
}

bool HasAvx512()
{
    return false;
}
#endif

bool Always()
{
    return true;
}

const Isa ISAS[] = {{"avx512", HasAvx512}, {"avx2", HasAvx2}, {"generic", Always}}; // best first

std::string LibraryPath(const char *name)
{
    Dl_info info;
    if (dladdr(reinterpret_cast<const void *>(&SelectIsa), &info) == 0) {
        throw KernelError("the folder of libascendc_cpu.so is unknown");
    }
    const std::string self = info.dli_fname;
    const size_t slash = self.rfind('/');
    return (slash == std::string::npos ? "" : self.substr(0, slash + 1)) + "libascendc_cpu_isa_" + name + ".so";
}

const IsaTable *Load(const std::string &path)
{
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw KernelError(dlerror());
    }
    auto table = reinterpret_cast<const IsaTable *(*)()>(dlsym(library, "AscendcCpuIsaTable"));
    auto freeLocks = reinterpret_cast<void (*)()>(dlsym(library, "AscendcCpuFreeAtomicLocks"));
    if (table == nullptr || freeLocks == nullptr) {
        throw KernelError(path + " does not export AscendcCpuIsaTable and AscendcCpuFreeAtomicLocks");
    }
    g_freeAtomicLocks = freeLocks;
    return table();
}

const IsaTable *LoadNamed(const char *wanted)
{
    for (const Isa &isa : ISAS) {
        if (strcmp(isa.name, wanted) == 0) {
            if (!isa.isSupported()) {
                throw KernelError(Format("ASCENDC_CPU_ISA is \"%s\", which this CPU does not support", wanted));
            }
            return Load(LibraryPath(wanted));
        }
    }
    throw KernelError(Format("ASCENDC_CPU_ISA is \"%s\", allowed are avx512, avx2, generic", wanted));
}

const IsaTable *LoadBest()
{
    for (const Isa &isa : ISAS) {
        const std::string path = LibraryPath(isa.name);
        if (isa.isSupported() && access(path.c_str(), R_OK) == 0) {
            return Load(path);
        }
    }
    throw KernelError("no instruction set library like " + LibraryPath("generic") + " is installed");
}

} // namespace

void FreeAtomicLocks()
{
    if (g_freeAtomicLocks != nullptr) {
        g_freeAtomicLocks();
    }
}

const char *SelectIsa()
{
    const IsaTable *isa = __atomic_load_n(&g_isa, __ATOMIC_ACQUIRE);
    if (isa == nullptr) { // two threads would find the same table
        const std::lock_guard<std::mutex> lock(LoadingMutex());
        const char *wanted = getenv("ASCENDC_CPU_ISA");
        isa = wanted != nullptr && wanted[0] != '\0' ? LoadNamed(wanted) : LoadBest();
        __atomic_store_n(&g_isa, isa, __ATOMIC_RELEASE);
    }
    return isa->name;
}

} // namespace ascendc_cpu
