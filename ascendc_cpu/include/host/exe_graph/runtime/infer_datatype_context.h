// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_EXE_GRAPH_INFER_DATATYPE_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_INFER_DATATYPE_CONTEXT_H
#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferDataTypeContext : public ExtendedKernelContext {
public:
    explicit InferDataTypeContext(ascendc_cpu::OpNode *opNode) : ExtendedKernelContext(opNode)
    {
    }

    // DT_UNDEFINED for an index past the end or an absent input.
    ge::DataType GetInputDataType(size_t index) const;
    ge::DataType GetOptionalInputDataType(size_t irIndex) const;
    ge::DataType GetOutputDataType(size_t index) const;
    ge::graphStatus SetOutputDataType(size_t index, ge::DataType dataType);
};

} // namespace gert
#endif
