// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// From a dtype column of the OpDef to the kernel objects that were compiled for it.
#ifndef ASCENDC_CPU_HOST_KERNEL_COLUMN_H
#define ASCENDC_CPU_HOST_KERNEL_COLUMN_H
#include <string>
#include "op_schema.h"

namespace ascendc_cpu {

// Name of the registered kernel column that agrees with the OpDef column. Throws HostError when there is none.
std::string KernelColumn(const OpSchema &schema, size_t column);

} // namespace ascendc_cpu
#endif
