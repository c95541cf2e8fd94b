// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The getters and setters of the gert contexts, over OpNode.
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "op_node.h"

namespace ascendc_cpu {

void NodeTensor::SetShape(const gert::Shape &shape)
{
    tensor.MutableOriginShape() = shape;
    tensor.MutableStorageShape() = shape;
}

void NodeTensor::SetDataType(ge::DataType dataType)
{
    tensor.SetDataType(dataType);
    desc.SetDataType(dataType);
}

} // namespace ascendc_cpu

namespace gert {
namespace {

using ascendc_cpu::NodeTensor;

const CompileTimeTensorDesc *DescOf(const NodeTensor *tensor)
{
    return tensor != nullptr ? &tensor->desc : nullptr;
}

const Tensor *TensorOf(const NodeTensor *tensor)
{
    return tensor != nullptr ? &tensor->tensor : nullptr;
}

const StorageShape *StorageShapeOf(const NodeTensor *tensor)
{
    return tensor != nullptr ? &tensor->tensor.GetShape() : nullptr;
}

const Shape *ShapeOf(const NodeTensor *tensor)
{
    return tensor != nullptr ? &tensor->tensor.GetOriginShape() : nullptr;
}

ge::DataType DataTypeOf(const NodeTensor *tensor)
{
    return tensor != nullptr ? tensor->desc.GetDataType() : ge::DT_UNDEFINED;
}

} // namespace

const CompileTimeTensorDesc *ExtendedKernelContext::GetInputDesc(size_t index) const
{
    return DescOf(node->InputAt(index));
}

const CompileTimeTensorDesc *ExtendedKernelContext::GetOptionalInputDesc(size_t irIndex) const
{
    return DescOf(node->OptionalInputAt(irIndex));
}

const CompileTimeTensorDesc *ExtendedKernelContext::GetOutputDesc(size_t index) const
{
    return index < node->outputs.size() ? &node->outputs[index].desc : nullptr;
}

size_t ExtendedKernelContext::GetComputeNodeInputNum() const
{
    return node->inputs.size();
}

size_t ExtendedKernelContext::GetComputeNodeOutputNum() const
{
    return node->outputs.size();
}

const RuntimeAttrs *ExtendedKernelContext::GetAttrs() const
{
    return &node->attrs;
}

const char *ExtendedKernelContext::GetNodeType() const
{
    return node->type.c_str();
}

// A call outside a graph has no name of its own.
const char *ExtendedKernelContext::GetNodeName() const
{
    return node->type.c_str();
}

const Tensor *ExtendedKernelContext::InputTensor(size_t index) const
{
    return TensorOf(node->InputAt(index));
}

const Tensor *ExtendedKernelContext::OptionalInputTensor(size_t irIndex) const
{
    return TensorOf(node->OptionalInputAt(irIndex));
}

const StorageShape *TilingContext::GetInputShape(size_t index) const
{
    return StorageShapeOf(node->InputAt(index));
}

const StorageShape *TilingContext::GetOptionalInputShape(size_t irIndex) const
{
    return StorageShapeOf(node->OptionalInputAt(irIndex));
}

const Tensor *TilingContext::GetInputTensor(size_t index) const
{
    return InputTensor(index);
}

const Tensor *TilingContext::GetOptionalInputTensor(size_t irIndex) const
{
    return OptionalInputTensor(irIndex);
}

const StorageShape *TilingContext::GetOutputShape(size_t index) const
{
    return index < node->outputs.size() ? &node->outputs[index].tensor.GetShape() : nullptr;
}

ge::graphStatus TilingContext::SetTilingKey(uint64_t tilingKey)
{
    node->answer.key = tilingKey;
    return ge::GRAPH_SUCCESS;
}

uint64_t TilingContext::GetTilingKey() const
{
    return node->answer.key;
}

ge::graphStatus TilingContext::SetBlockDim(uint32_t blockDim)
{
    node->answer.blockDim = blockDim;
    return ge::GRAPH_SUCCESS;
}

uint32_t TilingContext::GetBlockDim() const
{
    return node->answer.blockDim;
}

ge::graphStatus TilingContext::SetScheduleMode(uint32_t scheduleMode)
{
    node->answer.scheduleMode = scheduleMode;
    return ge::GRAPH_SUCCESS;
}

uint32_t TilingContext::GetScheduleMode() const
{
    return node->answer.scheduleMode;
}

TilingData *TilingContext::GetRawTilingData()
{
    return &node->answer.data;
}

size_t *TilingContext::GetWorkspaceSizes(size_t workspaceCount)
{
    TypedContinuousVector<size_t> &sizes = node->answer.workspaceSizes;
    return sizes.SetSize(workspaceCount) == ge::GRAPH_SUCCESS ? sizes.MutableData() : nullptr;
}

size_t TilingContext::GetWorkspaceNum() const
{
    return node->answer.workspaceSizes.GetSize();
}

const void *TilingContext::GetCompileInfo() const
{
    return node->compileInfo;
}

fe::PlatFormInfos *TilingContext::GetPlatformInfo() const
{
    return &node->platform;
}

// Every kernel of the CPU runtime is deterministic; this is the caller's demand for it, which CANN leaves off.
int32_t TilingContext::GetDeterministic() const
{
    return 0;
}

void *TilingParseContext::CompiledInfo()
{
    return node->compileInfo;
}

fe::PlatFormInfos *TilingParseContext::GetPlatformInfo() const
{
    return &node->platform;
}

const Shape *InferShapeContext::GetInputShape(size_t index) const
{
    return ShapeOf(node->InputAt(index));
}

const Shape *InferShapeContext::GetOptionalInputShape(size_t irIndex) const
{
    return ShapeOf(node->OptionalInputAt(irIndex));
}

const Tensor *InferShapeContext::GetInputTensor(size_t index) const
{
    return InputTensor(index);
}

const Tensor *InferShapeContext::GetOptionalInputTensor(size_t irIndex) const
{
    return OptionalInputTensor(irIndex);
}

Shape *InferShapeContext::GetOutputShape(size_t index)
{
    return index < node->outputs.size() ? &node->outputs[index].tensor.MutableOriginShape() : nullptr;
}

ge::DataType InferDataTypeContext::GetInputDataType(size_t index) const
{
    return DataTypeOf(node->InputAt(index));
}

ge::DataType InferDataTypeContext::GetOptionalInputDataType(size_t irIndex) const
{
    return DataTypeOf(node->OptionalInputAt(irIndex));
}

ge::DataType InferDataTypeContext::GetOutputDataType(size_t index) const
{
    return index < node->outputs.size() ? node->outputs[index].desc.GetDataType() : ge::DT_UNDEFINED;
}

ge::graphStatus InferDataTypeContext::SetOutputDataType(size_t index, ge::DataType dataType)
{
    if (index >= node->outputs.size()) {
        return ge::GRAPH_FAILED;
    }
    node->outputs[index].SetDataType(dataType);
    return ge::GRAPH_SUCCESS;
}

} // namespace gert
