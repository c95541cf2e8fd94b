// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the official aclnn entries check before they hand a call to the operator, forward and gradient alike: pointers
// (161001), then data types, layout and head dims as CANN documents them, and what this version cannot compute
// (161002). Shapes of masks and outputs and most of sparse_mode are the operator's own business (561002).
#ifndef FA_API_CHECKS_H
#define FA_API_CHECKS_H
#include <cstdint>
#include <initializer_list>
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"

struct FaEntry {
    const char *function;
    const char *keyName; // of the key in the official header
    bool varLen;         // for TND
};

// What is checked of the tensors of both directions.
struct FaTensors {
    const aclTensor *query;
    const aclTensor *key;
    const aclTensor *value;
    const aclTensor *attenMask;
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

struct FaPlanned {
    uint64_t *workspaceSize;
    aclOpExecutor **executor;
};

// A required argument.
struct FaRequired {
    const char *name;
    const void *pointer;
};

// An optional argument that this version cannot use. Without elements it counts as absent.
struct FaUnsupported {
    const char *name;
    bool given;

    FaUnsupported(const char *argument, const aclTensor *tensor);
    FaUnsupported(const char *argument, const aclIntArray *array);
};

aclnnStatus FaRequire(const FaEntry &entry, std::initializer_list<FaRequired> arguments);
aclnnStatus FaRefuseGiven(const FaEntry &entry, std::initializer_list<FaUnsupported> arguments);
aclnnStatus FaRefuseLists(const FaEntry &entry, const FaLists &lists, bool hasMask);

// Data types, layout, head dims, attributes. On success `attributes` are what the operator is to get: inputLayout in
// upper case (it accepts no other); without a mask sparseMode, preTokens and nextTokens that hide nothing, because CANN
// ignores them then, with one warning on stderr in the life of the process (CANN's log drops warnings by default).
aclnnStatus FaCheckCall(const FaEntry &entry, const FaTensors &tensors, FaAttributes &attributes);

// Reports "<function>: <text>" to whoever asks for the recent error; gives `status` back.
__attribute__((format(printf, 3, 4))) aclnnStatus FaRefuse(const FaEntry &entry, aclnnStatus status, const char *format,
                                                           ...);

bool FaAllEmpty(std::initializer_list<const aclTensor *> tensors);
aclDataType FaTypeOf(const aclTensor *tensor);
// For an output that the operator has and the entry does not: no elements. Lives as long as the process, because an
// executor may keep the pointer.
const aclTensor *FaEmptyTensor(aclDataType type);
#endif
