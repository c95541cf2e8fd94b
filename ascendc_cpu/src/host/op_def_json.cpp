// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// All registered definitions as JSON, for op_build.
#include <cmath>
#include <cstdio>
#include <sstream>
#include "op_registry.h"

namespace ascendc_cpu {
namespace {

const char *const KIND_NAMES[] = {"bool", "float", "int", "str", "list_bool", "list_float", "list_int"};

std::string Quote(const std::string &text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            snprintf(escape, sizeof(escape), "\\u%04x", c);
            quoted += escape;
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

template <typename List, typename Writer>
std::string Join(const List &list, const Writer &write)
{
    std::string text = "[";
    for (const auto &element : list) {
        text += (text.size() > 1 ? ", " : "") + write(element);
    }
    return text + "]";
}

std::string Number(bool value)
{
    return value ? "true" : "false";
}

std::string Number(int64_t value)
{
    return std::to_string(value);
}

// Enough digits to give the same float again. JSON has no infinities; Python reads these names.
std::string Number(float value)
{
    if (!std::isfinite(value)) {
        return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    }
    char digits[32];
    snprintf(digits, sizeof(digits), "%.9g", static_cast<double>(value));
    const std::string text = digits;
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

struct ValueWriter {
    std::string operator()(const std::string &value) const
    {
        return Quote(value);
    }
    std::string operator()(const std::vector<uint8_t> &value) const
    {
        return Join(value, [](uint8_t element) { return Number(element != 0); });
    }
    template <typename T>
    std::string operator()(const std::vector<T> &value) const
    {
        return Join(value, [](T element) { return Number(element); });
    }
    template <typename T>
    std::string operator()(const T &value) const
    {
        return Number(value);
    }
};

std::string ParamJson(const ParamSchema &param)
{
    std::ostringstream json;
    json << "{\"name\": " << Quote(param.name) << ", \"option\": " << param.option
         << ", \"required\": " << Number(param.IsRequired())
         << ", \"dtypes\": " << Join(param.dataTypes, [](ge::DataType type) { return Quote(DataTypeName(type)); })
         << ", \"formats\": " << Join(param.formats, [](ge::Format format) { return Number(int64_t(format)); })
         << ", \"value_depend\": " << Number(param.valueDepend)
         << ", \"auto_contiguous\": " << Number(param.autoContiguous) << "}";
    return json.str();
}

std::string AttrJson(const AttrSchema &attr)
{
    std::ostringstream json;
    json << "{\"name\": " << Quote(attr.name)
         << ", \"type\": " << (attr.typed ? Quote(KIND_NAMES[attr.value.index()]) : "null")
         << ", \"required\": " << Number(attr.required)
         << ", \"default\": " << (attr.hasDefault ? std::visit(ValueWriter(), attr.value) : "null") << "}";
    return json.str();
}

std::string SchemaJson(const OpSchema &schema)
{
    std::ostringstream json;
    json << "{\"type\": " << Quote(schema.type) << ", \"name\": " << Quote(SnakeCase(schema.type))
         << ",\n \"inputs\": " << Join(schema.inputs, ParamJson)
         << ",\n \"outputs\": " << Join(schema.outputs, ParamJson) << ",\n \"attrs\": " << Join(schema.attrs, AttrJson)
         << ",\n \"socs\": " << Join(schema.socs, [](const auto &soc) { return Quote(soc.first); }) << "}";
    return json.str();
}

} // namespace
} // namespace ascendc_cpu

// Valid until the next call of the same thread.
extern "C" const char *AscendcCpuOpDefsJson()
{
    thread_local std::string json;
    json = "{\"ops\": " +
           ascendc_cpu::Join(ascendc_cpu::AllSchemas(),
                             [](const auto &schema) { return ascendc_cpu::SchemaJson(*schema); }) +
           "}";
    return json.c_str();
}
