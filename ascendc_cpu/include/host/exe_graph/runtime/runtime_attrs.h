// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Attributes by their position in the OpDef.
#ifndef ASCENDC_CPU_EXE_GRAPH_RUNTIME_ATTRS_H
#define ASCENDC_CPU_EXE_GRAPH_RUNTIME_ATTRS_H
#include <cstddef>
#include <cstdint>
#include "exe_graph/runtime/continuous_vector.h"

namespace ascendc_cpu {

enum class AttrKind : int32_t { BOOL, FLOAT, INT, STRING, LIST_BOOL, LIST_FLOAT, LIST_INT };

// Only the types that an attribute really has: another one does not compile.
template <typename T>
struct AttrKindOf;
template <>
struct AttrKindOf<bool> {
    static const AttrKind VALUE = AttrKind::BOOL;
};
template <>
struct AttrKindOf<float> {
    static const AttrKind VALUE = AttrKind::FLOAT;
};
template <>
struct AttrKindOf<int64_t> {
    static const AttrKind VALUE = AttrKind::INT;
};
template <>
struct AttrKindOf<char> {
    static const AttrKind VALUE = AttrKind::STRING;
};
template <>
struct AttrKindOf<gert::TypedContinuousVector<bool>> {
    static const AttrKind VALUE = AttrKind::LIST_BOOL;
};
template <>
struct AttrKindOf<gert::TypedContinuousVector<float>> {
    static const AttrKind VALUE = AttrKind::LIST_FLOAT;
};
template <>
struct AttrKindOf<gert::TypedContinuousVector<int64_t>> {
    static const AttrKind VALUE = AttrKind::LIST_INT;
};

} // namespace ascendc_cpu

namespace gert {

// Every getter returns nullptr for an index past the end and for an attribute of another type.
class RuntimeAttrs {
public:
    RuntimeAttrs() = default;
    RuntimeAttrs(const RuntimeAttrs &) = delete;
    RuntimeAttrs &operator=(const RuntimeAttrs &) = delete;

    template <typename T>
    const T *GetAttrPointer(size_t index) const
    {
        return static_cast<const T *>(Find(index, ascendc_cpu::AttrKindOf<T>::VALUE));
    }
    const int64_t *GetInt(size_t index) const
    {
        return GetAttrPointer<int64_t>(index);
    }
    const float *GetFloat(size_t index) const
    {
        return GetAttrPointer<float>(index);
    }
    const bool *GetBool(size_t index) const
    {
        return GetAttrPointer<bool>(index);
    }
    const char *GetStr(size_t index) const
    {
        return GetAttrPointer<char>(index);
    }
    const TypedContinuousVector<int64_t> *GetListInt(size_t index) const
    {
        return GetAttrPointer<TypedContinuousVector<int64_t>>(index);
    }
    const TypedContinuousVector<float> *GetListFloat(size_t index) const
    {
        return GetAttrPointer<TypedContinuousVector<float>>(index);
    }
    size_t GetAttrNum() const;

private:
    // The object is the base of ascendc_cpu::AttrStore.
    const void *Find(size_t index, ascendc_cpu::AttrKind kind) const;
};

} // namespace gert
#endif
