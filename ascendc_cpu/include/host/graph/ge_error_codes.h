// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_GRAPH_GE_ERROR_CODES_H
#define ASCENDC_CPU_GRAPH_GE_ERROR_CODES_H
#include <cstdint>

namespace ge {

using graphStatus = uint32_t;
const graphStatus GRAPH_SUCCESS = 0;
const graphStatus GRAPH_FAILED = 0xFFFFFFFF;
const graphStatus GRAPH_PARAM_INVALID = 50331649;

} // namespace ge
#endif
