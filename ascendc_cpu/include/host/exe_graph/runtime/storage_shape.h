// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The shape as written and the shape as stored. The CPU runtime has plain layouts only, so the two are equal.
#ifndef ASCENDC_CPU_EXE_GRAPH_STORAGE_SHAPE_H
#define ASCENDC_CPU_EXE_GRAPH_STORAGE_SHAPE_H
#include "exe_graph/runtime/shape.h"

namespace gert {

class StorageShape {
public:
    StorageShape()
    {
    }
    StorageShape(std::initializer_list<int64_t> origin, std::initializer_list<int64_t> storage)
        : originShape(origin), storageShape(storage)
    {
    }

    const Shape &GetOriginShape() const
    {
        return originShape;
    }
    const Shape &GetStorageShape() const
    {
        return storageShape;
    }
    Shape &MutableOriginShape()
    {
        return originShape;
    }
    Shape &MutableStorageShape()
    {
        return storageShape;
    }
    bool operator==(const StorageShape &other) const
    {
        return originShape == other.originShape && storageShape == other.storageShape;
    }

private:
    Shape originShape;
    Shape storageShape;
};

} // namespace gert
#endif
