// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The attribute values of one call, behind gert::RuntimeAttrs.
#ifndef ASCENDC_CPU_HOST_ATTR_STORE_H
#define ASCENDC_CPU_HOST_ATTR_STORE_H
#include <vector>
#include "op_schema.h"

namespace ascendc_cpu {

class AttrStore : public gert::RuntimeAttrs {
public:
    void Reserve(size_t count)
    {
        entries.reserve(count);
    }
    void Add(AttrValue value);
    size_t Size() const
    {
        return entries.size();
    }
    const void *FindValue(size_t index, AttrKind kind) const;

private:
    // The list views point to what the list in `value` owns, which stays where it is when an entry moves.
    struct Entry {
        explicit Entry(AttrValue attrValue);
        AttrValue value;
        gert::TypedContinuousVector<bool> bools{nullptr, 0, 0};
        gert::TypedContinuousVector<float> floats{nullptr, 0, 0};
        gert::TypedContinuousVector<int64_t> ints{nullptr, 0, 0};
    };
    std::vector<Entry> entries;
};

} // namespace ascendc_cpu
#endif
