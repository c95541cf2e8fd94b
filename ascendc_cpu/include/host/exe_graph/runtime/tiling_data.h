// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The raw tiling buffer: capacity as registered with IMPL_OP_OPTILING(Op).Tiling(f, maxTilingDataSize).
#ifndef ASCENDC_CPU_EXE_GRAPH_TILING_DATA_H
#define ASCENDC_CPU_EXE_GRAPH_TILING_DATA_H
#include <cstddef>
#include <cstring>
#include <type_traits>
#include "graph/ge_error_codes.h"

namespace gert {

class TilingData {
public:
    // For the runtime: a view of memory that it owns.
    TilingData(void *memory, size_t room) : data(memory), capacity(room), dataSize(0)
    {
    }

    size_t GetCapacity() const
    {
        return capacity;
    }
    size_t GetDataSize() const
    {
        return dataSize;
    }
    void SetDataSize(size_t size)
    {
        dataSize = size;
    }
    void *GetData()
    {
        return data;
    }
    const void *GetData() const
    {
        return data;
    }
    template <typename T>
    ge::graphStatus Append(const T &value)
    {
        static_assert(std::is_trivially_copyable<T>::value, "tiling data is plain data");
        if (dataSize > capacity || capacity - dataSize < sizeof(T)) {
            return ge::GRAPH_FAILED;
        }
        memcpy(static_cast<char *>(data) + dataSize, &value, sizeof(T));
        dataSize += sizeof(T);
        return ge::GRAPH_SUCCESS;
    }

private:
    void *data;
    size_t capacity;
    size_t dataSize;
};

} // namespace gert
#endif
