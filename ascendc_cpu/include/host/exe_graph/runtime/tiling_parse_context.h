// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_EXE_GRAPH_TILING_PARSE_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_TILING_PARSE_CONTEXT_H
#include "exe_graph/runtime/extended_kernel_context.h"

namespace fe {
class PlatFormInfos;
}

namespace gert {

class TilingParseContext : public ExtendedKernelContext {
public:
    explicit TilingParseContext(ascendc_cpu::OpNode *opNode) : ExtendedKernelContext(opNode)
    {
    }

    template <typename T>
    T *GetCompiledInfo()
    {
        return static_cast<T *>(CompiledInfo());
    }
    fe::PlatFormInfos *GetPlatformInfo() const;

private:
    void *CompiledInfo();
};

} // namespace gert
#endif
