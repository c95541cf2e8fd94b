// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_EXE_GRAPH_TILING_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_TILING_CONTEXT_H
#include "exe_graph/runtime/continuous_vector.h"
#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/tiling_data.h"

namespace fe {
class PlatFormInfos;
}

namespace gert {

class TilingContext : public ExtendedKernelContext {
public:
    explicit TilingContext(ascendc_cpu::OpNode *opNode) : ExtendedKernelContext(opNode)
    {
    }

    const StorageShape *GetInputShape(size_t index) const;
    const StorageShape *GetOptionalInputShape(size_t irIndex) const;
    const Tensor *GetInputTensor(size_t index) const;
    const Tensor *GetOptionalInputTensor(size_t irIndex) const;
    const StorageShape *GetOutputShape(size_t index) const;

    ge::graphStatus SetTilingKey(uint64_t tilingKey);
    uint64_t GetTilingKey() const;
    ge::graphStatus SetBlockDim(uint32_t blockDim);
    uint32_t GetBlockDim() const;
    // 0: blocks may start when they like. 1: all blocks start together, which SyncAll needs.
    ge::graphStatus SetScheduleMode(uint32_t scheduleMode);
    uint32_t GetScheduleMode() const;

    // nullptr when T is larger than the capacity. Sets the data size.
    template <typename T>
    T *GetTilingData()
    {
        TilingData *raw = GetRawTilingData();
        if (raw->GetCapacity() < sizeof(T)) {
            return nullptr;
        }
        raw->SetDataSize(sizeof(T));
        return static_cast<T *>(raw->GetData());
    }
    TilingData *GetRawTilingData();
    // One workspace at most: nullptr for a larger count.
    size_t *GetWorkspaceSizes(size_t workspaceCount);
    size_t GetWorkspaceNum() const;

    // What TilingParse<T> filled in, nullptr without one.
    const void *GetCompileInfo() const;
    template <typename T>
    const T *GetCompileInfo() const
    {
        return static_cast<const T *>(GetCompileInfo());
    }
    fe::PlatFormInfos *GetPlatformInfo() const;
    int32_t GetDeterministic() const;
};

} // namespace gert
#endif
