// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_EXE_GRAPH_COMPUTE_NODE_INFO_H
#define ASCENDC_CPU_EXE_GRAPH_COMPUTE_NODE_INFO_H
#include "exe_graph/runtime/storage_format.h"

namespace gert {

class CompileTimeTensorDesc {
public:
    CompileTimeTensorDesc() : dataType(ge::DT_UNDEFINED)
    {
    }

    ge::DataType GetDataType() const
    {
        return dataType;
    }
    void SetDataType(ge::DataType type)
    {
        dataType = type;
    }
    const StorageFormat &GetFormat() const
    {
        return format;
    }
    ge::Format GetOriginFormat() const
    {
        return format.GetOriginFormat();
    }
    ge::Format GetStorageFormat() const
    {
        return format.GetStorageFormat();
    }
    void SetOriginFormat(ge::Format originFormat)
    {
        format.SetOriginFormat(originFormat);
    }
    void SetStorageFormat(ge::Format storageFormat)
    {
        format.SetStorageFormat(storageFormat);
    }

private:
    ge::DataType dataType;
    StorageFormat format;
};

} // namespace gert
#endif
