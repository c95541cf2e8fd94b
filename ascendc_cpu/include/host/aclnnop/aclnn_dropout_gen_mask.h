/* Copyright (c) 2026 the ascend-flash-attention developers.
 * SPDX-License-Identifier: Apache-2.0
 * Bits of a dropout mask. */
#ifndef ASCENDC_CPU_ACLNNOP_DROPOUT_GEN_MASK_H
#define ASCENDC_CPU_ACLNNOP_DROPOUT_GEN_MASK_H
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out: uint8, one bit for each element of `shape`, LSB first, 1 = keep, rounded up to 128 bits; what is past the last
 * element is unspecified. prob: probability of a 0, 0 to 1. probDataType: ACL_FLOAT, ACL_FLOAT16 or ACL_BF16, in which
 * CANN rounds prob; here it is used as given. The bits (Philox4x32-10) are a function of seed and offset only, but not
 * CANN's. ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_PARAM_INVALID with a text in aclGetRecentErrMsg. */
aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(const aclIntArray *shape, double prob, int64_t seed, int64_t offset,
                                                  aclDataType probDataType, aclTensor *out, uint64_t *workspaceSize,
                                                  aclOpExecutor **executor);
aclnnStatus aclnnDropoutGenMaskV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif
#endif
