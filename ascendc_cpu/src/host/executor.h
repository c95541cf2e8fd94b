// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// aclOpExecutor: what the first phase of an aclnn function has prepared for the second.
#ifndef ASCENDC_CPU_HOST_EXECUTOR_H
#define ASCENDC_CPU_HOST_EXECUTOR_H
#include <cstdint>
#include "aclnn/acl_meta.h"

struct aclOpExecutor {
    bool repeatable = false; // survives its second phase

    aclOpExecutor() = default;
    aclOpExecutor(const aclOpExecutor &) = delete;
    aclOpExecutor &operator=(const aclOpExecutor &) = delete;
    virtual ~aclOpExecutor() = default;
    virtual void Run(void *workspace, uint64_t workspaceSize) = 0;
};

namespace ascendc_cpu {

// Host threads of the calling thread's second phases as Launch takes them, 0: its default.
int ThreadsOfCall();

} // namespace ascendc_cpu
#endif
