// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_GRAPH_OPERATOR_FACTORY_H
#define ASCENDC_CPU_GRAPH_OPERATOR_FACTORY_H
#include "graph/operator.h"

namespace ge {

class OperatorFactory {
public:
    // Any type is accepted: there is no list of operator prototypes here.
    static Operator CreateOperator(const char_t *const operator_name, const char_t *const operator_type);
};

} // namespace ge
#endif
