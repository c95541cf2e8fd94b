// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One call of an operator as its host functions see it, and what they answer.
#ifndef ASCENDC_CPU_HOST_OP_NODE_H
#define ASCENDC_CPU_HOST_OP_NODE_H
#include <string>
#include <vector>
#include "attr_store.h"
#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/tensor.h"
#include "exe_graph/runtime/tiling_data.h"
#include "platform_info.h"

namespace ascendc_cpu {

struct NodeTensor {
    gert::Tensor tensor;
    gert::CompileTimeTensorDesc desc;

    void SetShape(const gert::Shape &shape);
    void SetDataType(ge::DataType dataType);
};

struct TilingAnswer {
    uint64_t key = 0;
    uint32_t blockDim = 0;
    uint32_t scheduleMode = 0;
    std::vector<uint64_t> buffer; // tiling data, 8 B aligned
    gert::TilingData data{nullptr, 0};
    size_t workspace[1] = {0};
    gert::TypedContinuousVector<size_t> workspaceSizes{workspace, 0, 1};
};

struct OpNode {
    OpNode() = default;
    OpNode(const OpNode &) = delete;
    OpNode &operator=(const OpNode &) = delete;

    std::string type;
    std::vector<int> instanceOf;    // IR index -> index into `inputs`, -1 when absent
    std::vector<NodeTensor> inputs; // those present
    std::vector<NodeTensor> outputs;
    AttrStore attrs;
    fe::PlatFormInfos platform;
    void *compileInfo = nullptr;
    TilingAnswer answer;

    const NodeTensor *InputAt(size_t index) const
    {
        return index < inputs.size() ? &inputs[index] : nullptr;
    }
    const NodeTensor *OptionalInputAt(size_t irIndex) const
    {
        return irIndex < instanceOf.size() && instanceOf[irIndex] >= 0 ? &inputs[instanceOf[irIndex]] : nullptr;
    }
};

} // namespace ascendc_cpu
#endif
