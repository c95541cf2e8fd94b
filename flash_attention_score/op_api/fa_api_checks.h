// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the official aclnn entries check before they hand a call to the operator, forward and gradient alike: pointers
// and rotary parts (161001), then data types, layout and head dims as CANN documents them (161002): the rows of
// fa_api_contract_rows.h. Shapes of masks and outputs, lists and most of sparse_mode are the operator's own business
// (561002).
#ifndef FA_API_CHECKS_H
#define FA_API_CHECKS_H
#include <cstdint>
#include <initializer_list>
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"

struct FaEntry {
    const char *function;
    const char *keyName; // of the key and the positional shift in the official header
    const char *shiftName;
    bool varLen;  // for TND
    bool forward; // not the gradient
};

// What both directions have. An optional one of shape [0] counts as absent.
struct FaTensors {
    const aclTensor *query;
    const aclTensor *key;
    const aclTensor *value;
    const aclTensor *realShift;
    const aclTensor *dropMask;
    const aclTensor *paddingMask;
    const aclTensor *attenMask;
    const aclTensor *queryRope;
    const aclTensor *keyRope;
    const aclTensor *sink;
};

struct FaLists {
    const aclIntArray *prefix;
    const aclIntArray *actualSeqQLen;
    const aclIntArray *actualSeqKvLen;
    const aclIntArray *qStartIdx;
    const aclIntArray *kvStartIdx;
};

struct FaAttributes {
    double scaleValue;
    double keepProb;
    int64_t preTokens;
    int64_t nextTokens;
    int64_t headNum;
    char *inputLayout;
    int64_t innerPrecise;
    int64_t sparseMode;
    int64_t pseType;
    char *softmaxLayout; // of the saved maximum and sum, VarLen only
};

struct FaCallArguments {
    FaTensors tensors;
    FaLists lists;
    FaAttributes attributes;
};

struct FaPlanned {
    uint64_t *workspaceSize;
    aclOpExecutor **executor;
};

// A required argument.
struct FaRequired {
    const char *name;
    const void *pointer;
};

aclnnStatus FaRequire(const FaEntry &entry, std::initializer_list<FaRequired> arguments);

// As the operator is to get them: nullptr for what counts as absent, inputLayout in upper case (it accepts no other),
// an empty softmaxLayout for a missing one.
void FaNormalize(FaCallArguments &call);

// Data types, layout, head dims, rotary parts. On success `call` is what the operator is to get: a float mask has
// become a shift that is added after scaling; without a mask sparseMode, preTokens and nextTokens hide nothing and the
// prefix is gone, because CANN ignores them then, with one warning on stderr in the life of the process (CANN's log
// drops warnings by default).
aclnnStatus FaCheckCall(const FaEntry &entry, FaCallArguments &call);

bool FaAllEmpty(std::initializer_list<const aclTensor *> tensors);
aclDataType FaTypeOf(const aclTensor *tensor);
// For an output that the operator has and the entry does not: no elements. Lives as long as the process, because an
// executor may keep the pointer.
const aclTensor *FaEmptyTensor(aclDataType type);
#endif
