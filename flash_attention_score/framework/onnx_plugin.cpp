// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// CANN's ONNX parser: npu::FlashAttentionScore nodes (ours, inputs and outputs as the operator's) become the operator;
// NPUFlashAttention nodes (no drop_mask, attention is output 0) become a graph around it.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>
#include "graph/graph.h"
#include "graph/operator.h"
#include "graph/operator_factory.h"
#include "onnx_attributes.h"
#include "register/register.h"

namespace domi {
namespace {
const char *const OP_TYPE = "FlashAttentionScore";
const char *const VENDOR_ORIGIN = "npu::1::NPUFlashAttention";
constexpr size_t ATTENTION_OUT = 3;

// Inputs of an NPUFlashAttention node by position.
const char *const VENDOR_INPUTS[] = {"query",      "key",    "value",           "real_shift",      "padding_mask",
                                     "atten_mask", "prefix", "actual_seq_qlen", "actual_seq_kvlen"};
constexpr size_t VENDOR_INPUT_COUNT = sizeof(VENDOR_INPUTS) / sizeof(VENDOR_INPUTS[0]);

Status Refuse(const ge::Operator &op, const std::string &reason)
{
    ge::AscendString name;
    (void)op.GetName(name);
    (void)std::fprintf(stderr, "[ERROR] ONNX node %s: %s\n", name.GetString(), reason.c_str());
    return FAILED;
}

// A node without attributes has no such text.
std::string AttributeText(const ge::Operator &op)
{
    ge::AscendString text;
    return op.GetAttr("attribute", text) == ge::GRAPH_SUCCESS ? text.GetString() : "";
}

void SetAttributes(ge::Operator &op, const OnnxAttributes &attributes)
{
    (void)op.SetAttr("scale_value", attributes.scale);
    (void)op.SetAttr("keep_prob", attributes.keepProb);
    (void)op.SetAttr("pre_tockens", attributes.preTokens);
    (void)op.SetAttr("next_tockens", attributes.nextTokens);
    (void)op.SetAttr("head_num", attributes.headNum);
    (void)op.SetAttr("input_layout", attributes.inputLayout.c_str());
    (void)op.SetAttr("inner_precise", attributes.innerPrecise);
    (void)op.SetAttr("sparse_mode", attributes.sparseMode);
    (void)op.SetAttr("pse_type", attributes.pseType);
    (void)op.SetAttr("seed", attributes.seed);
    (void)op.SetAttr("offset", attributes.offset);
    (void)op.SetAttr("out_dtype", attributes.outDtype);
    (void)op.SetAttr("softmax_out_layout", attributes.softmaxOutLayout.c_str());
}

Status ParseOwnNode(const ge::Operator &source, ge::Operator &target)
{
    OnnxAttributes attributes;
    const std::string refusal = ReadOnnxAttributes(AttributeText(source), attributes);
    if (!refusal.empty()) {
        return Refuse(source, refusal);
    }
    SetAttributes(target, attributes);
    return SUCCESS;
}

// Keeps what the graph is made from: the text of the attributes, and which inputs there are.
Status ParseVendorNode(const ge::Operator &source, ge::Operator &target)
{
    const std::string text = AttributeText(source);
    OnnxAttributes attributes;
    const std::string refusal = ReadOnnxAttributes(text, attributes);
    if (!refusal.empty()) {
        return Refuse(source, refusal);
    }
    std::vector<ge::AscendString> inputs;
    std::vector<ge::AscendString> outputs;
    (void)source.GetAttr("input", inputs);
    (void)source.GetAttr("output", outputs);
    if (inputs.size() < 3 || inputs.size() > VENDOR_INPUT_COUNT || outputs.size() != 1) {
        return Refuse(source, "NPUFlashAttention has 3 to 9 inputs and 1 output, got " + std::to_string(inputs.size()) +
                                  " and " + std::to_string(outputs.size()));
    }
    std::vector<int64_t> given;
    for (size_t i = 0; i < inputs.size(); i++) {
        if (inputs[i].GetString()[0] != '\0') {
            given.push_back(static_cast<int64_t>(i));
        }
    }
    ge::AscendString name;
    (void)source.GetName(name);
    target.DynamicInputRegister("x", static_cast<uint32_t>(inputs.size()));
    target.DynamicOutputRegister("y", 1);
    (void)target.SetAttr("name", name);
    (void)target.SetAttr("original_type", VENDOR_ORIGIN);
    (void)target.SetAttr("attribute", text.c_str());
    (void)target.SetAttr("given_inputs", given);
    return SUCCESS;
}

Status VendorNodeToGraph(const ge::Operator &op, ge::Graph &graph)
{
    ge::AscendString nameText;
    std::vector<int64_t> given;
    OnnxAttributes attributes;
    if (op.GetAttr("name", nameText) != ge::GRAPH_SUCCESS || op.GetAttr("given_inputs", given) != ge::GRAPH_SUCCESS ||
        !ReadOnnxAttributes(AttributeText(op), attributes).empty()) {
        return Refuse(op, "the parsed node has lost its attributes");
    }
    const std::string name = nameText.GetString();
    ge::Operator attention = ge::OperatorFactory::CreateOperator((name + "_FlashAttentionScore").c_str(), OP_TYPE);
    SetAttributes(attention, attributes);
    std::vector<ge::Operator> inputs;
    for (int64_t index : given) {
        const std::string dataName = name + "_data" + std::to_string(index);
        ge::Operator data = ge::OperatorFactory::CreateOperator(dataName.c_str(), "Data");
        (void)data.SetAttr("index", index);
        (void)attention.SetInput(VENDOR_INPUTS[index], data);
        inputs.push_back(data);
    }
    const std::vector<size_t> results(1, ATTENTION_OUT);
    std::vector<std::pair<ge::Operator, std::vector<size_t>>> outputs;
    outputs.push_back(std::make_pair(attention, results));
    (void)graph.SetInputs(inputs).SetOutputs(outputs);
    return SUCCESS;
}
} // namespace

// The number is the version of the domain that the model imports, so each one is listed.
REGISTER_CUSTOM_OP("FlashAttentionScore")
    .FrameworkType(ONNX)
    .OriginOpType({ge::AscendString("npu::1::FlashAttentionScore")})
    .ParseParamsByOperatorFn(ParseOwnNode)
    .ImplyType(ImplyType::TVM);

REGISTER_CUSTOM_OP("PartitionedCall")
    .FrameworkType(ONNX)
    .OriginOpType(
        {ge::AscendString(VENDOR_ORIGIN), ge::AscendString("ai.onnx::11::NPUFlashAttention"),
         ge::AscendString("ai.onnx::12::NPUFlashAttention"), ge::AscendString("ai.onnx::13::NPUFlashAttention"),
         ge::AscendString("ai.onnx::14::NPUFlashAttention"), ge::AscendString("ai.onnx::15::NPUFlashAttention"),
         ge::AscendString("ai.onnx::16::NPUFlashAttention"), ge::AscendString("ai.onnx::17::NPUFlashAttention"),
         ge::AscendString("ai.onnx::18::NPUFlashAttention"), ge::AscendString("ai.onnx::19::NPUFlashAttention"),
         ge::AscendString("ai.onnx::20::NPUFlashAttention")})
    .ParseParamsByOperatorFn(ParseVendorNode)
    .ParseOpToGraphFn(VendorNodeToGraph)
    .ImplyType(ImplyType::TVM);
} // namespace domi
