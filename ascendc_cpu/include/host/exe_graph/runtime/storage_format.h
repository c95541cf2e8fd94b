// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_EXE_GRAPH_STORAGE_FORMAT_H
#define ASCENDC_CPU_EXE_GRAPH_STORAGE_FORMAT_H
#include "graph/types.h"

namespace gert {

class StorageFormat {
public:
    StorageFormat() : originFormat(ge::FORMAT_ND), storageFormat(ge::FORMAT_ND)
    {
    }

    ge::Format GetOriginFormat() const
    {
        return originFormat;
    }
    ge::Format GetStorageFormat() const
    {
        return storageFormat;
    }
    void SetOriginFormat(ge::Format format)
    {
        originFormat = format;
    }
    void SetStorageFormat(ge::Format format)
    {
        storageFormat = format;
    }

private:
    ge::Format originFormat;
    ge::Format storageFormat;
};

} // namespace gert
#endif
