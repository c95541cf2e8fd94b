// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_GRAPH_GRAPH_H
#define ASCENDC_CPU_GRAPH_GRAPH_H
#include <utility>
#include <vector>
#include "graph/operator.h"

namespace ge {

class Graph {
public:
    Graph &SetInputs(const std::vector<Operator> &inputs);
    // Operators and the indices of their outputs.
    Graph &SetOutputs(const std::vector<std::pair<Operator, std::vector<size_t>>> &output_indexs);

    // Not CANN's.
    const std::vector<Operator> &Inputs() const
    {
        return inputs_;
    }
    const std::vector<std::pair<Operator, std::vector<size_t>>> &Outputs() const
    {
        return outputs_;
    }

private:
    std::vector<Operator> inputs_;
    std::vector<std::pair<Operator, std::vector<size_t>>> outputs_;
};

} // namespace ge
#endif
