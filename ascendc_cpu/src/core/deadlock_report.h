// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Texts about cores that wait for ever and flags that nobody waited for.
#ifndef ASCENDC_CPU_DEADLOCK_REPORT_H
#define ASCENDC_CPU_DEADLOCK_REPORT_H
#include <string>
#include "group.h"

namespace ascendc_cpu {

std::string DescribeDeadlock(const Group *groups, int count);
// Empty when every cross-core set has been waited for.
std::string DescribeLeftFlags(Group *groups, int count);

} // namespace ascendc_cpu
#endif
