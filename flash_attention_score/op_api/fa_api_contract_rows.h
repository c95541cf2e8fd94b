// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Every reason for which the official aclnn entries refuse a call before the operator sees it, in the order in which
// they ask:
//
//   ROW(id, status of CANN's entries, argument, what is allowed, what is there instead)
//
// The message is "<function>: <argument> <allowed>, got <instead>". NULLPTR 161001, INVALID 161002, TILING 561002: what
// CANN's tiling refuses and this operator's accepts. Included by whoever defines ROW. %ld is int64_t on every system of
// CANN.
ROW(REQUIRED, NULLPTR, "%s", "is required", "nullptr")
ROW(INPUT_LAYOUT, INVALID, "inputLayout", "must be %s", "\"%s\"")
ROW(HEAD_NUM, INVALID, "headNum", "must be > 0", "%ld")
ROW(PADDING_MASK, INVALID, "paddingMaskOptional", "is reserved and must be nullptr", "a tensor of %zu dimensions")
ROW(RANK, INVALID, "query, %s and value", "must have %zu dimensions for inputLayout %s", "%zu, %zu and %zu")
ROW(ONE_TYPE, INVALID, "query, %s and value", "must have one data type", "%s, %s and %s")
ROW(QUERY_TYPE, INVALID, "query", "must be ACL_FLOAT, ACL_FLOAT16 or ACL_BF16", "%s")
ROW(MASK_TYPE, INVALID, "attenMaskOptional",
    "must be ACL_BOOL or ACL_UINT8 (nonzero = masked out), or a float type (added to the scaled scores)", "%s")
ROW(MASK_AND_SHIFT, INVALID, "a float attenMaskOptional and %s", "cannot be given together: add them up", "both")
ROW(SHIFT_TYPE, INVALID, "%s", "must %s for pseType %ld", "%s")
ROW(FORMAT, INVALID, "query, %s, value, %s and attenMaskOptional", "must not have format FRACTAL_NZ", "format %d")
ROW(HEAD_DIMS, INVALID, "head dims",
    "must be equal for query and %s and at most %ld, and not larger for value than for %s", "%ld, %ld and %ld")
ROW(ROPE_ALONE, NULLPTR, "queryRope and %sRope", "must be given both", "one of them")
ROW(ROPE_TYPE, NULLPTR, "queryRope and %sRope", "need ACL_BF16 for all of query, key, value and rotary parts", "%s")
ROW(ROPE_SHAPE, NULLPTR, "queryRope and %sRope",
    "need 3 dimensions and a last one that is not larger than that of query", "%zu dimensions, the last one %ld")
ROW(ROPE_MASK, NULLPTR, "queryRope and %sRope", "need attenMaskOptional", "nullptr")
ROW(ROPE_SHIFT, NULLPTR, "queryRope and %sRope", "need no positional shift and no dropout", "%s and keepProb %g")
ROW(ROPE_MODE, NULLPTR, "queryRope and %sRope", "need a sparseMode other than 6", "%ld")
ROW(SLOPES_LENGTHS, TILING, "pseType %ld", "needs S1 == S2", "%ld and %ld")
ROW(SHIFT_RANK, TILING, "%s", "must have more than 1 dimension", "1")
