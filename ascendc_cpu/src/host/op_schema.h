// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The definition of an operator as the runtime keeps it, from an OpDef or from the tables of generated aclnn code.
#ifndef ASCENDC_CPU_HOST_OP_SCHEMA_H
#define ASCENDC_CPU_HOST_OP_SCHEMA_H
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>
#include "exe_graph/runtime/runtime_attrs.h"
#include "graph/types.h"

namespace ascendc_cpu {

// Alternatives in the order of AttrKind; a list of bool is bytes of 0 and 1.
using AttrValue =
    std::variant<bool, float, int64_t, std::string, std::vector<uint8_t>, std::vector<float>, std::vector<int64_t>>;

inline AttrKind KindOf(const AttrValue &value)
{
    return static_cast<AttrKind>(value.index());
}

struct ParamSchema {
    std::string name;
    int32_t option = 0; // ops::Option, 0: not stated
    std::vector<ge::DataType> dataTypes;
    std::vector<ge::Format> formats;
    bool valueDepend = false;
    bool autoContiguous = false;

    bool IsRequired() const;
};

struct AttrSchema {
    std::string name;
    AttrValue value; // default value; its alternative is the attribute's type
    bool typed = false;
    bool hasDefault = false;
    bool required = true;
};

struct OpSchema {
    std::string type;
    std::vector<ParamSchema> inputs;
    std::vector<ParamSchema> outputs;
    std::vector<AttrSchema> attrs;
    std::map<std::string, std::map<std::string, std::string>> socs;

    size_t Columns() const;
};

// FlashAttentionScore -> flash_attention_score, as CANN's op_build does.
std::string SnakeCase(const std::string &camelCase);
// "DT_FLOAT16"; "dtype 99" for an unknown number.
std::string DataTypeName(ge::DataType dataType);

} // namespace ascendc_cpu
#endif
