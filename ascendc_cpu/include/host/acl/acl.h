// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_ACL_H
#define ASCENDC_CPU_ACL_H
#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* configPath: nullptr, "" or a readable file, whose contents have no effect: it configures dumps and profiling of a
   device. Says once on stderr that this is an emulation. */
aclError aclInit(const char *configPath);
aclError aclFinalize();
/* Errors of the calling thread since the last call, nullptr when there are none. Valid until the next call. */
const char *aclGetRecentErrMsg();

#ifdef __cplusplus
}
#endif
#endif
