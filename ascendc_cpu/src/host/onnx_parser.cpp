// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Parser plugins: their registry, and a stand-in for CANN's ONNX parser that runs one on one node.
#include <map>
#include <set>
#include <sstream>
#include "../core/runtime_mutex.h"
#include "graph_node.h"
#include "json_answer.h"
#include "register/register.h"

namespace domi {

class OpRegistrationDataImpl {
public:
    std::string type;
    std::vector<std::string> origins;
    domi::FrameworkType framework = FRAMEWORK_RESERVED;
    ParseParamByOpFunc parse;
    ParseOpToGraphFunc toGraph;
};

namespace {
using Implementation = std::shared_ptr<OpRegistrationDataImpl>;

// Guarded by RuntimeMutex.
struct Registry {
    std::map<std::string, Implementation> byOrigin;

    static Registry &Instance()
    {
        static auto *registry = new Registry; // outlives the destructors of parser libraries
        return *registry;
    }
    Implementation Find(const std::string &origin)
    {
        const std::lock_guard<std::mutex> lock(ascendc_cpu::RuntimeMutex());
        const auto found = byOrigin.find(origin);
        return found == byOrigin.end() ? nullptr : found->second;
    }
};
} // namespace

OpRegistrationData::OpRegistrationData(const ge::char_t *om_optype) : impl_(std::make_shared<OpRegistrationDataImpl>())
{
    impl_->type = om_optype;
}

OpRegistrationData::~OpRegistrationData() = default;

OpRegistrationData &OpRegistrationData::FrameworkType(const domi::FrameworkType &fmk_type)
{
    impl_->framework = fmk_type;
    return *this;
}

OpRegistrationData &OpRegistrationData::OriginOpType(const std::vector<ge::AscendString> &ori_op_type_list)
{
    for (const ge::AscendString &origin : ori_op_type_list) {
        impl_->origins.emplace_back(origin.GetString());
    }
    return *this;
}

OpRegistrationData &OpRegistrationData::OriginOpType(const ge::char_t *ori_op_type)
{
    impl_->origins.emplace_back(ori_op_type);
    return *this;
}

OpRegistrationData &OpRegistrationData::ParseParamsByOperatorFn(const ParseParamByOpFunc &parse_param_by_op_fn)
{
    impl_->parse = parse_param_by_op_fn;
    return *this;
}

OpRegistrationData &OpRegistrationData::ParseOpToGraphFn(const ParseOpToGraphFunc &parse_op_to_graph_fn)
{
    impl_->toGraph = parse_op_to_graph_fn;
    return *this;
}

OpRegistrationData &OpRegistrationData::ImplyType(const domi::ImplyType &)
{
    return *this;
}

OpReceiver::OpReceiver(OpRegistrationData &reg_data)
{
    if (reg_data.impl_->framework != ONNX) {
        return;
    }
    Registry &registry = Registry::Instance();
    const std::lock_guard<std::mutex> lock(ascendc_cpu::RuntimeMutex());
    for (const std::string &origin : reg_data.impl_->origins) {
        registry.byOrigin.emplace(origin, reg_data.impl_);
    }
}

} // namespace domi

namespace ascendc_cpu {
namespace {

std::string Quoted(const std::string &text)
{
    std::ostringstream json;
    json << '"';
    for (char letter : text) {
        if (letter == '"' || letter == '\\') {
            json << '\\' << letter;
        } else if (static_cast<unsigned char>(letter) < 0x20) {
            json << "\\u00" << "0123456789abcdef"[letter >> 4] << "0123456789abcdef"[letter & 15];
        } else {
            json << letter;
        }
    }
    json << '"';
    return json.str();
}

std::string Json(const std::string &value)
{
    return Quoted(value);
}

std::string Json(bool value)
{
    return value ? "true" : "false";
}

std::string Json(int64_t value)
{
    return std::to_string(value);
}

std::string Json(float value)
{
    std::ostringstream json;
    json.precision(9);
    json << value;
    return json.str();
}

template <typename Value>
std::string Json(const std::vector<Value> &values)
{
    std::string json;
    for (const Value &value : values) {
        json += (json.empty() ? "" : ", ") + Json(value);
    }
    return "[" + json + "]";
}

std::string Json(const std::vector<std::pair<std::string, uint32_t>> &counts)
{
    std::string json;
    for (const auto &[name, count] : counts) {
        json += (json.empty() ? "" : ", ") + Quoted(name) + ": " + std::to_string(count);
    }
    return "{" + json + "}";
}

std::string NodeJson(const GraphNode &node)
{
    std::string attrs;
    for (const auto &[name, value] : node.attrs) {
        attrs += (attrs.empty() ? "" : ", ") + Quoted(name) + ": " +
                 std::visit([](const auto &held) { return Json(held); }, value);
    }
    std::string inputs;
    for (const auto &[name, source] : node.inputs) {
        inputs += (inputs.empty() ? "" : ", ") + Quoted(name) + ": " + Quoted(source.Node()->name);
    }
    return "{\"name\": " + Quoted(node.name) + ", \"type\": " + Quoted(node.type) + ", \"attrs\": {" + attrs +
           "}, \"inputs\": {" + inputs + "}, \"dynamic_inputs\": " + Json(node.dynamicInputs) +
           ", \"dynamic_outputs\": " + Json(node.dynamicOutputs) + "}";
}

std::string GraphJson(const ge::Graph &graph)
{
    std::string inputs;
    for (const ge::Operator &input : graph.Inputs()) {
        inputs += (inputs.empty() ? "" : ", ") + NodeJson(*input.Node());
    }
    std::string outputs;
    for (const auto &[op, indices] : graph.Outputs()) {
        std::vector<int64_t> numbers(indices.begin(), indices.end());
        outputs += (outputs.empty() ? "" : ", ") + ("[" + NodeJson(*op.Node())) + ", " + Json(numbers) + "]";
    }
    return "{\"inputs\": [" + inputs + "], \"outputs\": [" + outputs + "]}";
}

std::vector<ge::AscendString> Names(const char *const *names, int count)
{
    return std::vector<ge::AscendString>(names, names + count);
}

std::string Parse(const std::string &origin, ge::Operator &source)
{
    const domi::Implementation plugin = domi::Registry::Instance().Find(origin);
    if (plugin == nullptr || plugin->parse == nullptr) {
        throw HostError(ACLNN_ERR_PARAM_INVALID, "no parser is registered for " + origin);
    }
    ge::Operator target(source.Node()->name.c_str(), plugin->type.c_str());
    if (plugin->parse(source, target) != domi::SUCCESS) {
        throw HostError(ACLNN_ERR_PARAM_INVALID, "the parser of " + origin + " refused the node");
    }
    std::string graphText = "null";
    if (plugin->toGraph != nullptr) {
        ge::Graph graph;
        if (plugin->toGraph(target, graph) != domi::SUCCESS) {
            throw HostError(ACLNN_ERR_PARAM_INVALID, "the parser of " + origin + " made no graph");
        }
        graphText = GraphJson(graph);
    }
    return "{\"node\": " + NodeJson(*target.Node()) + ", \"graph\": " + graphText + "}";
}

} // namespace
} // namespace ascendc_cpu

using namespace ascendc_cpu;

// What CANN's ONNX parser makes of a node whose plugin has been loaded. origin: domain::version::type. attributes: JSON
// as that parser passes it, nullptr for a node without attributes. inputs, outputs: names, "" where one is left out.
extern "C" int AscendcCpuParseOnnxNode(const char *origin, const char *name, const char *attributes,
                                       const char *const *inputs, int inputCount, const char *const *outputs,
                                       int outputCount, const char **json)
{
    return Answer(json, [&] {
        ge::Operator source(name, origin);
        if (attributes != nullptr) {
            source.SetAttr("attribute", attributes);
        }
        source.SetAttr("name", name);
        source.SetAttr("input", Names(inputs, inputCount));
        source.SetAttr("output", Names(outputs, outputCount));
        return Parse(origin, source);
    });
}

// Origin types that are registered, as a JSON list.
extern "C" int AscendcCpuOnnxOrigins(const char **json)
{
    return Answer(json, [&] {
        domi::Registry &registry = domi::Registry::Instance();
        const std::lock_guard<std::mutex> lock(ascendc_cpu::RuntimeMutex());
        std::vector<std::string> origins;
        for (const auto &[origin, plugin] : registry.byOrigin) {
            origins.push_back(origin);
        }
        return Json(origins);
    });
}
