// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What a kernel object tells the runtime about itself.
#ifndef ASCENDC_CPU_KERNEL_REGISTRY_H
#define ASCENDC_CPU_KERNEL_REGISTRY_H
#include <cstdint>
#include "core_state.h"

namespace ascendc_cpu {

enum class KernelType : uint8_t { AIV_ONLY, AIC_ONLY, MIX_AIC_1_1, MIX_AIC_1_2 };

struct KernelRecord {
    const char *op;         // OpType, or a name that Python made unique
    const char *column;     // projected dtype column, kernel_objects.py
    const char *dtypeNames; // what it is projected on: names of the OpDef in upper case, joined with ','
    uint64_t key;
    CoreType side;
    KernelType type;
    int argCount;
    void (*invoke)(
        uint8_t *const *args); // args[i]: the address, the scalar's bits, or the address of a struct argument
};

// The record must outlive its registration.
void RegisterKernel(const KernelRecord *record);
void UnregisterKernel(const KernelRecord *record);

} // namespace ascendc_cpu
#endif
