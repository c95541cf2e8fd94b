// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Running the operator's own InferShape, InferDataType and tiling.
#include <cstring>
#include "call.h"
#include "status.h"
#include "tiling/platform/platform_ascendc.h"

namespace ascendc_cpu {
namespace {

std::string ShapeText(const gert::Shape &shape)
{
    std::string text = "[";
    for (size_t i = 0; i < shape.GetDimNum(); i++) {
        text += (i > 0 ? ", " : "") + std::to_string(shape.GetDim(i));
    }
    return text + "]";
}

// Calls one host function; its error records, or the status, become the text of the exception.
template <typename Function>
void CallHost(const OpSchema &schema, const char *what, int errorStatus, const Function &function)
{
    ge::graphStatus status = ge::GRAPH_FAILED;
    std::string log;
    try {
        const HostLogScope scope;
        status = function();
        log = scope.text;
    } catch (const std::exception &error) {
        log = error.what();
    }
    if (status == ge::GRAPH_SUCCESS) {
        return;
    }
    if (log.empty()) {
        log = "status " + std::to_string(status) + ", no message";
    }
    throw HostError(errorStatus, schema.type + ": " + what + " failed: " + log);
}

// -1 in an inferred shape is any dimension, a single -2 any shape.
bool Agrees(const gert::Shape &got, const gert::Shape &expected)
{
    if (expected.GetDimNum() == 1 && expected.GetDim(0) == -2) {
        return true;
    }
    bool agrees = got.GetDimNum() == expected.GetDimNum();
    for (size_t i = 0; agrees && i < got.GetDimNum(); i++) {
        agrees = expected.GetDim(i) == -1 || got.GetDim(i) == expected.GetDim(i);
    }
    return agrees;
}

void CheckOutput(const OpSchema &schema, const ParamSchema &param, const NodeTensor &given, const NodeTensor &inferred)
{
    const gert::Shape &got = given.tensor.GetOriginShape();
    const gert::Shape &expected = inferred.tensor.GetOriginShape();
    const bool leftOut = got.GetShapeSize() == 0 && (!param.IsRequired() || expected.GetShapeSize() == 0);
    if (!leftOut && !Agrees(got, expected)) {
        throw HostError(ACLNN_ERR_PARAM_INVALID, schema.type + ": output " + param.name + ": got shape " +
                                                     ShapeText(got) + ", expected " + ShapeText(expected));
    }
    const ge::DataType gotType = given.desc.GetDataType();
    const ge::DataType expectedType = inferred.desc.GetDataType();
    if (expectedType != ge::DT_UNDEFINED && gotType != expectedType) {
        throw HostError(ACLNN_ERR_PARAM_INVALID, schema.type + ": output " + param.name + ": got " +
                                                     DataTypeName(gotType) + ", expected " +
                                                     DataTypeName(expectedType));
    }
}

void ParseTiling(const OpSchema &schema, const OpImpl &impl, OpNode &node)
{
    if (impl.tilingParse == nullptr) {
        return;
    }
    node.compileInfo = impl.createCompileInfo();
    gert::TilingParseContext context(&node);
    CallHost(schema, "tiling parse", ACLNN_ERR_INNER_TILING_ERROR, [&] { return impl.tilingParse(&context); });
}

void CheckAnswer(const OpSchema &schema, const OpNode &node)
{
    const auto fail = [&](const std::string &text) {
        throw HostError(ACLNN_ERR_INNER_TILING_ERROR, schema.type + ": tiling: " + text);
    };
    const TilingAnswer &answer = node.answer;
    if (answer.blockDim == 0) {
        fail("SetBlockDim: got 0, or was not called; allowed: 1 or more");
    }
    if (answer.data.GetDataSize() > answer.data.GetCapacity()) {
        fail("tiling data: got " + std::to_string(answer.data.GetDataSize()) +
             " bytes, allowed: " + std::to_string(answer.data.GetCapacity()));
    }
    const uint32_t vectorCores =
        platform_ascendc::PlatformAscendC(const_cast<fe::PlatFormInfos *>(&node.platform)).GetCoreNumAiv();
    if (answer.scheduleMode > 1) {
        fail("SetScheduleMode: got " + std::to_string(answer.scheduleMode) + ", allowed: 0, 1");
    }
    if (answer.scheduleMode == 1 && answer.blockDim > vectorCores) {
        fail("SetBlockDim: got " + std::to_string(answer.blockDim) + ", which can never start together on " +
             std::to_string(vectorCores) + " cores as SetScheduleMode(1) demands");
    }
}

} // namespace

void Call::Infer()
{
    if (impl.inferShape != nullptr) {
        gert::InferShapeContext context(&node);
        CallHost(*schema, "InferShape", ACLNN_ERR_INNER_INFERSHAPE_ERROR, [&] { return impl.inferShape(&context); });
    }
    if (impl.inferDataType != nullptr) {
        gert::InferDataTypeContext context(&node);
        CallHost(*schema, "InferDataType", ACLNN_ERR_INNER_INFERSHAPE_ERROR,
                 [&] { return impl.inferDataType(&context); });
    }
    for (NodeTensor &output : node.outputs) {
        output.SetShape(output.tensor.GetOriginShape());
    }
    inferred.swap(node.outputs);
    node.outputs.reserve(outputs.size());
    for (size_t i = 0; i < outputs.size(); i++) {
        node.outputs.push_back(outputs[i].Present() ? ToNodeTensor(outputs[i]) : inferred[i]);
    }
}

void Call::CheckOutputs() const
{
    for (size_t i = 0; i < outputs.size() && impl.inferShape != nullptr; i++) {
        if (outputs[i].Present()) {
            CheckOutput(*schema, schema->outputs[i], node.outputs[i], inferred[i]);
        }
    }
}

bool Call::AllOutputsEmpty() const
{
    for (const Binding &output : outputs) {
        if (output.Present() && output.view->Elements() > 0) {
            return false;
        }
    }
    return true;
}

void Call::RunTiling(uint8_t fill)
{
    if (impl.tiling == nullptr) {
        throw HostError(ACLNN_ERR_INNER_TILING_ERROR, schema->type + ": no tiling function is registered");
    }
    TilingAnswer &answer = node.answer;
    answer.buffer.resize((impl.maxTilingDataSize + sizeof(uint64_t) - 1) / sizeof(uint64_t));
    memset(answer.buffer.data(), fill, answer.buffer.size() * sizeof(uint64_t));
    answer.data = gert::TilingData(answer.buffer.data(), impl.maxTilingDataSize);

    struct CompileInfoOwner {
        Call &call;
        ~CompileInfoOwner()
        {
            if (call.node.compileInfo != nullptr) {
                call.impl.deleteCompileInfo(call.node.compileInfo);
                call.node.compileInfo = nullptr;
            }
        }
    } owner{*this};
    ParseTiling(*schema, impl, node);
    gert::TilingContext context(&node);
    CallHost(*schema, "tiling", ACLNN_ERR_INNER_TILING_ERROR, [&] { return impl.tiling(&context); });
    CheckAnswer(*schema, node);
}

} // namespace ascendc_cpu
