// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_EXE_GRAPH_INFER_SHAPE_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_INFER_SHAPE_CONTEXT_H
#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferShapeContext : public ExtendedKernelContext {
public:
    explicit InferShapeContext(ascendc_cpu::OpNode *opNode) : ExtendedKernelContext(opNode)
    {
    }

    const Shape *GetInputShape(size_t index) const;
    const Shape *GetOptionalInputShape(size_t irIndex) const;
    const Tensor *GetInputTensor(size_t index) const;
    const Tensor *GetOptionalInputTensor(size_t irIndex) const;
    Shape *GetOutputShape(size_t index);
};

} // namespace gert
#endif
