// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.h"
#include "graph/operator_factory.h"
#include "graph_node.h"
#include "status.h"

namespace ge {
namespace {
using ascendc_cpu::GraphNode;

std::string Text(const char_t *text)
{
    return text != nullptr ? text : "";
}

GraphNode &NodeOf(const Operator &op)
{
    if (op.IsEmpty()) {
        throw ascendc_cpu::HostError(ACLNN_ERR_INNER, "an empty ge::Operator has no inputs and attributes");
    }
    return const_cast<GraphNode &>(*op.Node());
}

Operator &Store(Operator &op, const char_t *name, ascendc_cpu::NodeAttr value)
{
    NodeOf(op).attrs[Text(name)] = std::move(value);
    return op;
}

template <typename Value>
const Value *Find(const Operator &op, const char_t *name)
{
    const GraphNode &node = NodeOf(op);
    const auto found = node.attrs.find(Text(name));
    return found == node.attrs.end() ? nullptr : std::get_if<Value>(&found->second);
}

template <typename Value>
graphStatus Load(const Operator &op, const char_t *name, Value &value)
{
    const Value *found = Find<Value>(op, name);
    if (found == nullptr) {
        return GRAPH_FAILED;
    }
    value = *found;
    return GRAPH_SUCCESS;
}
} // namespace

AscendString::AscendString(const char_t *const name) : name_(std::make_shared<std::string>(Text(name)))
{
}

AscendString::AscendString(const char_t *const name, size_t length) : name_(std::make_shared<std::string>(name, length))
{
}

const char_t *AscendString::GetString() const
{
    return name_ != nullptr ? name_->c_str() : "";
}

size_t AscendString::GetLength() const
{
    return name_ != nullptr ? name_->size() : 0;
}

bool AscendString::operator<(const AscendString &other) const
{
    return std::string(GetString(), GetLength()) < std::string(other.GetString(), other.GetLength());
}

bool AscendString::operator==(const AscendString &other) const
{
    return !(*this < other) && !(other < *this);
}

bool AscendString::operator!=(const AscendString &other) const
{
    return !(*this == other);
}

Operator::Operator(const char_t *type) : Operator("", type)
{
}

Operator::Operator(const char_t *name, const char_t *type) : node(std::make_shared<GraphNode>())
{
    node->name = Text(name);
    node->type = Text(type);
}

bool Operator::IsEmpty() const
{
    return node == nullptr;
}

graphStatus Operator::GetName(AscendString &name) const
{
    name = AscendString(NodeOf(*this).name.c_str());
    return GRAPH_SUCCESS;
}

graphStatus Operator::GetOpType(AscendString &type) const
{
    type = AscendString(NodeOf(*this).type.c_str());
    return GRAPH_SUCCESS;
}

Operator &Operator::SetInput(const char_t *dst_name, const Operator &src_oprt)
{
    NodeOf(*this).inputs.emplace_back(Text(dst_name), src_oprt);
    return *this;
}

Operator &Operator::SetAttr(const char_t *name, int64_t attr_value)
{
    return Store(*this, name, attr_value);
}

Operator &Operator::SetAttr(const char_t *name, int32_t attr_value)
{
    return Store(*this, name, int64_t{attr_value});
}

Operator &Operator::SetAttr(const char_t *name, uint32_t attr_value)
{
    return Store(*this, name, int64_t{attr_value});
}

Operator &Operator::SetAttr(const char_t *name, float32_t attr_value)
{
    return Store(*this, name, attr_value);
}

Operator &Operator::SetAttr(const char_t *name, bool attr_value)
{
    return Store(*this, name, attr_value);
}

Operator &Operator::SetAttr(const char_t *name, const char_t *attr_value)
{
    return Store(*this, name, Text(attr_value));
}

Operator &Operator::SetAttr(const char_t *name, const AscendString &attr_value)
{
    return Store(*this, name, Text(attr_value.GetString()));
}

Operator &Operator::SetAttr(const char_t *name, const std::vector<int64_t> &attr_value)
{
    return Store(*this, name, attr_value);
}

Operator &Operator::SetAttr(const char_t *name, const std::vector<AscendString> &attr_values)
{
    std::vector<std::string> texts;
    for (const AscendString &value : attr_values) {
        texts.emplace_back(value.GetString());
    }
    return Store(*this, name, std::move(texts));
}

graphStatus Operator::GetAttr(const char_t *name, int64_t &attr_value) const
{
    return Load(*this, name, attr_value);
}

graphStatus Operator::GetAttr(const char_t *name, float32_t &attr_value) const
{
    return Load(*this, name, attr_value);
}

graphStatus Operator::GetAttr(const char_t *name, bool &attr_value) const
{
    return Load(*this, name, attr_value);
}

graphStatus Operator::GetAttr(const char_t *name, AscendString &attr_value) const
{
    std::string text;
    const graphStatus status = Load(*this, name, text);
    attr_value = AscendString(text.c_str());
    return status;
}

graphStatus Operator::GetAttr(const char_t *name, std::vector<int64_t> &attr_value) const
{
    return Load(*this, name, attr_value);
}

graphStatus Operator::GetAttr(const char_t *name, std::vector<AscendString> &attr_values) const
{
    std::vector<std::string> texts;
    const graphStatus status = Load(*this, name, texts);
    attr_values.clear();
    for (const std::string &text : texts) {
        attr_values.emplace_back(text.c_str());
    }
    return status;
}

void Operator::DynamicInputRegister(const char_t *name, const uint32_t num, bool)
{
    NodeOf(*this).dynamicInputs.emplace_back(Text(name), num);
}

void Operator::DynamicOutputRegister(const char_t *name, const uint32_t num, bool)
{
    NodeOf(*this).dynamicOutputs.emplace_back(Text(name), num);
}

Operator OperatorFactory::CreateOperator(const char_t *const operator_name, const char_t *const operator_type)
{
    return Operator(operator_name, operator_type);
}

Graph &Graph::SetInputs(const std::vector<Operator> &inputs)
{
    inputs_ = inputs;
    return *this;
}

Graph &Graph::SetOutputs(const std::vector<std::pair<Operator, std::vector<size_t>>> &output_indexs)
{
    outputs_ = output_indexs;
    return *this;
}

} // namespace ge
