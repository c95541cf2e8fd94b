// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_ACL_OP_COMPILER_H
#define ASCENDC_CPU_ACL_OP_COMPILER_H
#include "acl/acl_op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ACL_PRECISION_MODE,
    ACL_AICORE_NUM,
    ACL_AUTO_TUNE_MODE,
    ACL_OP_SELECT_IMPL_MODE,
    ACL_OPTYPELIST_FOR_IMPLMODE,
    ACL_OP_DEBUG_LEVEL,
    ACL_DEBUG_DIR,
    ACL_OP_COMPILER_CACHE_MODE,
    ACL_OP_COMPILER_CACHE_DIR,
    ACL_OP_PERFORMANCE_MODE,
    ACL_OP_JIT_COMPILE,
    ACL_OP_DETERMINISTIC,
    ACL_CUSTOMIZE_DTYPES,
    ACL_OP_PRECISION_MODE,
    ACL_ALLOW_HF32,
    ACL_PRECISION_MODE_V2,
    ACL_OP_DEBUG_OPTION
} aclCompileOpt;

typedef enum { ACL_ENGINE_SYS, ACL_ENGINE_AICORE, ACL_ENGINE_VECTOR } aclopEngineType;
typedef enum { ACL_COMPILE_SYS, ACL_COMPILE_UNREGISTERED } aclopCompileType;

/* Always ACL_ERROR_OP_NOT_FOUND: of CANN's built-in operators there is none here, and custom ones are called by aclnn.
 */
aclError aclopCompileAndExecute(const char *opType, int numInputs, const aclTensorDesc *const inputDesc[],
                                const aclDataBuffer *const inputs[], int numOutputs,
                                const aclTensorDesc *const outputDesc[], aclDataBuffer *const outputs[],
                                const aclopAttr *attr, aclopEngineType engineType, aclopCompileType compileFlag,
                                const char *opPath, aclrtStream stream);
/* Options of an operator compiler that does not exist here: kept and handed back, without effect on any operator. */
aclError aclSetCompileopt(aclCompileOpt opt, const char *value);
aclError aclGetCompileopt(aclCompileOpt opt, char *value, size_t length);
/* Bytes that aclGetCompileopt needs, with the terminating 0. */
size_t aclGetCompileoptSize(aclCompileOpt opt);

#ifdef __cplusplus
}
#endif
#endif
