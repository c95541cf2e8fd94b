// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Fast mode: fields of parameter structs are plain integers, which take what fits of a number.
#ifndef ASCENDC_CPU_FIELD_H
#define ASCENDC_CPU_FIELD_H

namespace ascendc_cpu {

template <typename T>
using Field = T;

// A parameter that is passed on into a field, or is one of the instruction's own.
template <typename T>
using FieldValue = T;

} // namespace ascendc_cpu
#endif
