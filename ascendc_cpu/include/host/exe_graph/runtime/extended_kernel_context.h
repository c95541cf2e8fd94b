// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What every context knows about the node it runs for. Two kinds of index: a plain one counts the tensors that are
// present; the Optional calls take the position in the OpDef (IR index) and give nullptr for an absent tensor.
#ifndef ASCENDC_CPU_EXE_GRAPH_EXTENDED_KERNEL_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_EXTENDED_KERNEL_CONTEXT_H
#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/tensor.h"
#include "graph/ge_error_codes.h"

namespace ascendc_cpu {
struct OpNode; // src/host/op_node.h
}

namespace gert {

class ExtendedKernelContext {
public:
    explicit ExtendedKernelContext(ascendc_cpu::OpNode *opNode) : node(opNode)
    {
    }
    ExtendedKernelContext(const ExtendedKernelContext &) = delete;
    ExtendedKernelContext &operator=(const ExtendedKernelContext &) = delete;

    const CompileTimeTensorDesc *GetInputDesc(size_t index) const;
    const CompileTimeTensorDesc *GetOptionalInputDesc(size_t irIndex) const;
    const CompileTimeTensorDesc *GetOutputDesc(size_t index) const;
    // Tensors present.
    size_t GetComputeNodeInputNum() const;
    size_t GetComputeNodeOutputNum() const;
    const RuntimeAttrs *GetAttrs() const;
    const char *GetNodeType() const;
    const char *GetNodeName() const;

protected:
    const Tensor *InputTensor(size_t index) const;
    const Tensor *OptionalInputTensor(size_t irIndex) const;

    ascendc_cpu::OpNode *node;
};

} // namespace gert
#endif
