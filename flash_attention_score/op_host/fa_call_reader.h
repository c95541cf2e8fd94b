// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// From a tiling context to plain values, for the forward and the gradient alike.
#ifndef FA_CALL_READER_H
#define FA_CALL_READER_H
#include "exe_graph/runtime/tiling_context.h"
#include "tiling/platform/platform_ascendc.h"
#include "fa_problem_parser.h"
#include "fa_shape_checks.h"
#include "tiling_strategies/fa_tile_plan.h"

constexpr uint32_t FA_START_TOGETHER = 1; // schedule mode in which all cores may wait for each other

// The input at IR index `index`; given stays false when it is absent.
FaTensor FaReadInput(gert::TilingContext *context, size_t index);

FaTensor FaReadOutput(gert::TilingContext *context, size_t index);

// Attributes of both operators have one order.
void FaReadAttributes(const gert::RuntimeAttrs *attrs, FaCall &call);

FaPlatform FaReadPlatform(gert::TilingContext *context);
#endif
