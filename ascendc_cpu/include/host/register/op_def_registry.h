// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// OP_ADD(Op): registers the definition when the library is loaded, together with the functions that SetInferShape,
// SetInferDataType and SetTiling named. CANN compiles the same source once per library, with OP_PROTO_LIB or
// OP_TILING_LIB; here one registration serves all.
#ifndef ASCENDC_CPU_REGISTER_OP_DEF_REGISTRY_H
#define ASCENDC_CPU_REGISTER_OP_DEF_REGISTRY_H
#include "register/op_def.h"

#define OP_ADD(opType, ...) static const int g_##opType##_added __attribute__((unused)) = opType(#opType).Register()
#endif
