// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The libraries of an installed op package, found from the directory of its libcust_opapi.so and loaded once, lazily.
#ifndef ASCENDC_CPU_HOST_PACKAGE_LOADER_H
#define ASCENDC_CPU_HOST_PACKAGE_LOADER_H
#include <string>

namespace ascendc_cpu {

// Remember which package has the operator: the one whose libcust_opapi.so holds `anchor`.
void RegisterPackage(const std::string &opType, const void *anchor);

// Make tiling and inference functions available. Nothing to do when they are registered already. Throws HostError.
void LoadHostFunctions(const std::string &opType);
// Make the kernels available. Nothing to do when some are registered already. Throws HostError.
void LoadKernels(const std::string &opType);

} // namespace ascendc_cpu
#endif
