// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include "acl/acl_prof.h"

extern "C" {

int32_t MsprofRegisterCallback(uint32_t, ProfCommandHandle)
{
    return 0;
}

uint64_t MsprofSysCycleTime()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}
}
