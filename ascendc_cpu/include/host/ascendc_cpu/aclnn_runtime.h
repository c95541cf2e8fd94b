// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the aclnn code that op_build generates calls: the operator as tables, and the two phases.
#ifndef ASCENDC_CPU_ACLNN_RUNTIME_H
#define ASCENDC_CPU_ACLNN_RUNTIME_H
#include "aclnn/acl_meta.h"

extern "C" {

struct AscendcCpuParam {
    const char *name;
    int32_t required;
    int32_t valueDepend;
    int32_t autoContiguous;
    const int32_t *dataTypes; // ge::DataType, one a column
};

struct AscendcCpuAttr {
    const char *name;
    int32_t kind; // ascendc_cpu::AttrKind
    int32_t required;
    const void *defaultValue; // of one that is not required: characters, or elements of bool, float or int64_t
    uint64_t defaultCount;    // elements
};

struct AscendcCpuOp {
    const char *type; // OpType
    uint32_t columns;
    const AscendcCpuParam *inputs;
    uint32_t inputNum;
    const AscendcCpuParam *outputs;
    uint32_t outputNum;
    const AscendcCpuAttr *attrs;
    uint32_t attrNum;
};

// `anchor`: an address in the library that holds the aclnn code; the package around it has the other libraries.
int AscendcCpuRegisterOp(const AscendcCpuOp *op, const void *anchor);

// First phase. inputs and outputs: aclTensor *, or an array for a value-depend input; nullptr when absent.
// attrs: pointer to the value (bool, double, int64_t), the string itself, or the aclIntArray / ...Array.
aclnnStatus AscendcCpuPlan(const char *opType, const void *const *inputs, const void *const *attrs,
                           const void *const *outputs, uint64_t *workspaceSize, aclOpExecutor **executor);
// Second phase.
aclnnStatus AscendcCpuRun(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

// Host threads of the calling thread's second phases from now on, 0: as many as the host has. ASCENDC_CPU_NUM_THREADS
// overrides it. Returns what it was before.
int AscendcCpuSetNumThreads(int threads);

// Who lends these threads if they are no more than `most`. nullptr: the library has its own, as it does for more of
// them and in the child of a fork. An executor calls call(argument) on threads of its choice, `times` times if it can,
// and returns when all calls have.
typedef void (*AscendcCpuExecutor)(void *context, int times, void (*call)(void *argument), void *argument);
void AscendcCpuSetExecutor(AscendcCpuExecutor executor, void *context, int most);
}
#endif
