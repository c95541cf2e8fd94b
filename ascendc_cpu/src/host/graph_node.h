// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What a ge::Operator stands for.
#ifndef ASCENDC_CPU_HOST_GRAPH_NODE_H
#define ASCENDC_CPU_HOST_GRAPH_NODE_H
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>
#include "graph/operator.h"

namespace ascendc_cpu {

using NodeAttr = std::variant<int64_t, float, bool, std::string, std::vector<int64_t>, std::vector<std::string>>;

struct GraphNode {
    std::string name;
    std::string type;
    std::map<std::string, NodeAttr> attrs;
    std::vector<std::pair<std::string, ge::Operator>> inputs; // by the name of the input
    std::vector<std::pair<std::string, uint32_t>> dynamicInputs;
    std::vector<std::pair<std::string, uint32_t>> dynamicOutputs;
};

} // namespace ascendc_cpu
#endif
