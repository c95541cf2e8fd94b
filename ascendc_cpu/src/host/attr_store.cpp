// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "attr_store.h"

namespace ascendc_cpu {
namespace {

template <typename T, typename Element>
gert::TypedContinuousVector<T> ViewOf(std::vector<Element> &list)
{
    static_assert(sizeof(T) == sizeof(Element), "a list is stored as it is read");
    return {reinterpret_cast<T *>(list.data()), list.size(), list.size()};
}

} // namespace

AttrStore::Entry::Entry(AttrValue attrValue) : value(std::move(attrValue))
{
    if (auto *boolList = std::get_if<std::vector<uint8_t>>(&value)) {
        bools = ViewOf<bool>(*boolList);
    } else if (auto *floatList = std::get_if<std::vector<float>>(&value)) {
        floats = ViewOf<float>(*floatList);
    } else if (auto *intList = std::get_if<std::vector<int64_t>>(&value)) {
        ints = ViewOf<int64_t>(*intList);
    }
}

void AttrStore::Add(AttrValue value)
{
    entries.emplace_back(std::move(value));
}

const void *AttrStore::FindValue(size_t index, AttrKind kind) const
{
    if (index >= entries.size() || KindOf(entries[index].value) != kind) {
        return nullptr;
    }
    const Entry &entry = entries[index];
    switch (kind) {
    case AttrKind::BOOL:
        return &std::get<bool>(entry.value);
    case AttrKind::FLOAT:
        return &std::get<float>(entry.value);
    case AttrKind::INT:
        return &std::get<int64_t>(entry.value);
    case AttrKind::STRING:
        return std::get<std::string>(entry.value).c_str();
    case AttrKind::LIST_BOOL:
        return &entry.bools;
    case AttrKind::LIST_FLOAT:
        return &entry.floats;
    case AttrKind::LIST_INT:
        return &entry.ints;
    }
    return nullptr;
}

} // namespace ascendc_cpu

namespace gert {

size_t RuntimeAttrs::GetAttrNum() const
{
    return static_cast<const ascendc_cpu::AttrStore *>(this)->Size();
}

const void *RuntimeAttrs::Find(size_t index, ascendc_cpu::AttrKind kind) const
{
    return static_cast<const ascendc_cpu::AttrStore *>(this)->FindValue(index, kind);
}

} // namespace gert
