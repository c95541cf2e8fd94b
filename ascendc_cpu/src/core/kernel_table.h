// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Kernel objects found by operator, projected dtype column and tiling key.
#ifndef ASCENDC_CPU_KERNEL_TABLE_H
#define ASCENDC_CPU_KERNEL_TABLE_H
#include <vector>
#include "ascendc_cpu/kernel_registry.h"

namespace ascendc_cpu {

struct Kernel {
    KernelType type = KernelType::AIV_ONLY;
    const KernelRecord *aic = nullptr; // null when the kernel type has no such core
    const KernelRecord *aiv = nullptr;

    int AivCount() const
    {
        return type == KernelType::AIC_ONLY ? 0 : type == KernelType::MIX_AIC_1_2 ? 2 : 1;
    }
    int ArgCount() const
    {
        return (aiv != nullptr ? aiv : aic)->argCount;
    }
};

bool HasKernels(const char *op);
// All kernel objects of an operator.
std::vector<const KernelRecord *> KernelsOf(const char *op);
// Throws KernelError naming what is registered when there is no such kernel, when a side is missing or registered
// twice.
Kernel FindKernel(const char *op, const char *column, uint64_t key);

} // namespace ascendc_cpu
#endif
