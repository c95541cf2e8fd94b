// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A list attribute, or the workspace sizes: a fixed capacity with a size that may be set below it.
#ifndef ASCENDC_CPU_EXE_GRAPH_CONTINUOUS_VECTOR_H
#define ASCENDC_CPU_EXE_GRAPH_CONTINUOUS_VECTOR_H
#include <cstddef>
#include "graph/ge_error_codes.h"

namespace gert {

template <typename T>
class TypedContinuousVector {
public:
    // For the runtime: a view of memory that it owns.
    TypedContinuousVector(T *memory, size_t number, size_t room) : elements(memory), size(number), capacity(room)
    {
    }

    size_t GetSize() const
    {
        return size;
    }
    size_t GetCapacity() const
    {
        return capacity;
    }
    ge::graphStatus SetSize(size_t number)
    {
        if (number > capacity) {
            return ge::GRAPH_FAILED;
        }
        size = number;
        return ge::GRAPH_SUCCESS;
    }
    const T *GetData() const
    {
        return elements;
    }
    T *MutableData()
    {
        return elements;
    }

private:
    T *elements;
    size_t size;
    size_t capacity;
};

} // namespace gert
#endif
