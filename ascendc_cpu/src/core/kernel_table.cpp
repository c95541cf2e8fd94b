// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "kernel_table.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <set>
#include <vector>
#include "kernel_error.h"
#include "runtime_mutex.h"

namespace ascendc_cpu {

namespace {

std::vector<const KernelRecord *> &Records()
{
    static auto *records = new std::vector<const KernelRecord *>; // outlives the kernel libraries' destructors
    return *records;
}

std::vector<const KernelRecord *> Snapshot()
{
    std::lock_guard<std::mutex> lock(RuntimeMutex());
    return Records();
}

std::string Describe(const char *op, const char *column, uint64_t key)
{
    return Format("%s for dtype column \"%s\" and tiling key %llu", op, column, static_cast<unsigned long long>(key));
}

std::string LibraryOf(const KernelRecord &record)
{
    Dl_info info;
    return dladdr(reinterpret_cast<const void *>(record.invoke), &info) != 0 ? info.dli_fname : "an unknown library";
}

std::string ListOf(const std::vector<const KernelRecord *> &records)
{
    std::set<std::string> known;
    for (const KernelRecord *record : records) {
        known.insert(Describe(record->op, record->column, record->key));
    }
    std::string list;
    for (const std::string &each : known) {
        list += "\n  " + each;
    }
    return list.empty() ? " nothing" : list;
}

void CheckSides(const Kernel &kernel, const char *op, const char *column, uint64_t key)
{
    const bool needsAic = kernel.type != KernelType::AIV_ONLY;
    const bool needsAiv = kernel.type != KernelType::AIC_ONLY;
    if ((needsAic && kernel.aic == nullptr) || (needsAiv && kernel.aiv == nullptr)) {
        throw KernelError("kernel " + Describe(op, column, key) + ": its " + (kernel.aic == nullptr ? "AIC" : "AIV") +
                          " side is missing");
    }
    if (kernel.aic != nullptr && kernel.aiv != nullptr &&
        (kernel.aic->type != kernel.aiv->type || kernel.aic->argCount != kernel.aiv->argCount)) {
        throw KernelError("kernel " + Describe(op, column, key) + ": its two sides differ in kernel type or arguments");
    }
}

} // namespace

void RegisterKernel(const KernelRecord *record)
{
    std::lock_guard<std::mutex> lock(RuntimeMutex());
    Records().push_back(record);
}

void UnregisterKernel(const KernelRecord *record)
{
    std::lock_guard<std::mutex> lock(RuntimeMutex());
    auto &records = Records();
    records.erase(std::remove(records.begin(), records.end(), record), records.end());
}

bool HasKernels(const char *op)
{
    std::lock_guard<std::mutex> lock(RuntimeMutex());
    const auto isOf = [op](const KernelRecord *record) { return strcmp(record->op, op) == 0; };
    return std::any_of(Records().begin(), Records().end(), isOf);
}

std::vector<const KernelRecord *> KernelsOf(const char *op)
{
    std::vector<const KernelRecord *> kernels = Snapshot();
    const auto isOther = [op](const KernelRecord *record) { return strcmp(record->op, op) != 0; };
    kernels.erase(std::remove_if(kernels.begin(), kernels.end(), isOther), kernels.end());
    return kernels;
}

Kernel FindKernel(const char *op, const char *column, uint64_t key)
{
    // dladdr below takes the loader's lock, under which kernel libraries register: not while holding ours.
    const std::vector<const KernelRecord *> records = Snapshot();
    Kernel kernel;
    for (const KernelRecord *record : records) {
        if (record->key != key || strcmp(record->op, op) != 0 || strcmp(record->column, column) != 0) {
            continue;
        }
        const KernelRecord *&side = record->side == CoreType::AIC ? kernel.aic : kernel.aiv;
        if (side != nullptr) {
            throw KernelError("kernel " + Describe(op, column, key) + " is registered twice, by " + LibraryOf(*side) +
                              " and by " + LibraryOf(*record));
        }
        side = record;
        kernel.type = record->type;
    }
    if (kernel.aic == nullptr && kernel.aiv == nullptr) {
        throw KernelError("no kernel " + Describe(op, column, key) + "; registered:" + ListOf(records));
    }
    CheckSides(kernel, op, column, key);
    return kernel;
}

} // namespace ascendc_cpu
