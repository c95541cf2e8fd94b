// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A tensor as op_host sees it: shape, type, format, and host data for value-depend inputs only.
#ifndef ASCENDC_CPU_EXE_GRAPH_TENSOR_H
#define ASCENDC_CPU_EXE_GRAPH_TENSOR_H
#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "graph/types.h"

namespace gert {

class Tensor {
public:
    Tensor() : dataType(ge::DT_UNDEFINED), address(nullptr)
    {
    }

    const StorageShape &GetShape() const
    {
        return shape;
    }
    StorageShape &GetShape()
    {
        return shape;
    }
    const Shape &GetOriginShape() const
    {
        return shape.GetOriginShape();
    }
    const Shape &GetStorageShape() const
    {
        return shape.GetStorageShape();
    }
    Shape &MutableOriginShape()
    {
        return shape.MutableOriginShape();
    }
    Shape &MutableStorageShape()
    {
        return shape.MutableStorageShape();
    }
    int64_t GetShapeSize() const
    {
        return shape.GetStorageShape().GetShapeSize();
    }
    // Bytes of all elements.
    size_t GetSize() const
    {
        return static_cast<size_t>(GetShapeSize()) * static_cast<size_t>(ge::GetSizeByDataType(dataType));
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
    // nullptr unless the input is value-depend.
    const void *GetAddr() const
    {
        return address;
    }
    template <typename T>
    const T *GetData() const
    {
        return static_cast<const T *>(address);
    }

    // For the runtime.
    void SetHostData(const void *data)
    {
        address = data;
    }

private:
    StorageShape shape;
    StorageFormat format;
    ge::DataType dataType;
    const void *address;
};

} // namespace gert
#endif
