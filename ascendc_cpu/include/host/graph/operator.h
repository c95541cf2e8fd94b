// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A node of a graph under construction: name, type, attributes and where its inputs come from. Copies are the same
// node.
#ifndef ASCENDC_CPU_GRAPH_OPERATOR_H
#define ASCENDC_CPU_GRAPH_OPERATOR_H
#include <cstdint>
#include <memory>
#include <vector>
#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace ascendc_cpu {
struct GraphNode;
}

namespace ge {

class Operator {
public:
    Operator() = default;
    explicit Operator(const char_t *type);
    Operator(const char_t *name, const char_t *type);
    virtual ~Operator() = default;

    bool IsEmpty() const;
    graphStatus GetName(AscendString &name) const;
    graphStatus GetOpType(AscendString &type) const;

    Operator &SetInput(const char_t *dst_name, const Operator &src_oprt);

    Operator &SetAttr(const char_t *name, int64_t attr_value);
    Operator &SetAttr(const char_t *name, int32_t attr_value);
    Operator &SetAttr(const char_t *name, uint32_t attr_value);
    Operator &SetAttr(const char_t *name, float32_t attr_value);
    Operator &SetAttr(const char_t *name, bool attr_value);
    Operator &SetAttr(const char_t *name, const char_t *attr_value);
    Operator &SetAttr(const char_t *name, const AscendString &attr_value);
    Operator &SetAttr(const char_t *name, const std::vector<int64_t> &attr_value);
    Operator &SetAttr(const char_t *name, const std::vector<AscendString> &attr_values);

    // GRAPH_FAILED for an attribute that is not there or has another type.
    graphStatus GetAttr(const char_t *name, int64_t &attr_value) const;
    graphStatus GetAttr(const char_t *name, float32_t &attr_value) const;
    graphStatus GetAttr(const char_t *name, bool &attr_value) const;
    graphStatus GetAttr(const char_t *name, AscendString &attr_value) const;
    graphStatus GetAttr(const char_t *name, std::vector<int64_t> &attr_value) const;
    graphStatus GetAttr(const char_t *name, std::vector<AscendString> &attr_values) const;

    void DynamicInputRegister(const char_t *name, const uint32_t num, bool is_push_back = true);
    void DynamicOutputRegister(const char_t *name, const uint32_t num, bool is_push_back = true);

    // Not CANN's.
    const ascendc_cpu::GraphNode *Node() const
    {
        return node.get();
    }

private:
    std::shared_ptr<ascendc_cpu::GraphNode> node;
};

} // namespace ge
#endif
