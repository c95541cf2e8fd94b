// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#ifndef ASCENDC_CPU_GRAPH_ASCEND_STRING_H
#define ASCENDC_CPU_GRAPH_ASCEND_STRING_H
#include <cstddef>
#include <memory>
#include <string>
#include "graph/types.h"

namespace ge {

// A string whose layout does not depend on the C++ library's.
class AscendString {
public:
    AscendString() = default;
    AscendString(const char_t *const name);
    AscendString(const char_t *const name, size_t length);
    // "" for a default-constructed one.
    const char_t *GetString() const;
    size_t GetLength() const;
    bool operator<(const AscendString &other) const;
    bool operator==(const AscendString &other) const;
    bool operator!=(const AscendString &other) const;

private:
    std::shared_ptr<std::string> name_;
};

} // namespace ge
#endif
