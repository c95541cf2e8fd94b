// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Thrown by Launch, and by the API checks when they run outside a kernel.
#ifndef ASCENDC_CPU_KERNEL_ERROR_H
#define ASCENDC_CPU_KERNEL_ERROR_H
#include <stdexcept>
#include <string>

namespace ascendc_cpu {

struct KernelError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// printf into a string
std::string Format(const char *format, ...) __attribute__((format(printf, 1, 2)));

} // namespace ascendc_cpu
#endif
