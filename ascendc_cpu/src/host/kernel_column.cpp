// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "kernel_column.h"
#include <map>
#include <set>
#include "../core/kernel_table.h"
#include "status.h"

namespace ascendc_cpu {
namespace {

// As kernel_objects.py names dtypes in a projected column.
std::string ProjectedName(ge::DataType dataType)
{
    static const std::map<int, const char *> NAMES = {
        {ge::DT_FLOAT, "float32"}, {ge::DT_FLOAT16, "float16"}, {ge::DT_BF16, "bfloat16"}, {ge::DT_DOUBLE, "float64"},
        {ge::DT_BOOL, "bool"},     {ge::DT_INT8, "int8"},       {ge::DT_INT16, "int16"},   {ge::DT_INT32, "int32"},
        {ge::DT_INT64, "int64"},   {ge::DT_UINT8, "uint8"},     {ge::DT_UINT16, "uint16"}, {ge::DT_UINT32, "uint32"},
        {ge::DT_UINT64, "uint64"}};
    const auto found = NAMES.find(dataType);
    return found != NAMES.end() ? found->second : DataTypeName(dataType);
}

std::string UpperCase(std::string text)
{
    for (char &c : text) {
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return text;
}

std::map<std::string, ge::DataType> DataTypesByName(const OpSchema &schema, size_t column)
{
    std::map<std::string, ge::DataType> types;
    for (const std::vector<ParamSchema> *params : {&schema.inputs, &schema.outputs}) {
        for (const ParamSchema &param : *params) {
            types[UpperCase(param.name)] = param.dataTypes[column];
        }
    }
    return types;
}

// The OpDef column on the names, e.g. "float16_float32"; "any" for none.
std::string Project(const std::map<std::string, ge::DataType> &types, const std::string &names)
{
    std::string projection;
    for (size_t begin = 0; begin < names.size();) {
        const size_t comma = std::min(names.find(',', begin), names.size());
        const auto type = types.find(names.substr(begin, comma - begin));
        projection +=
            (projection.empty() ? "" : "_") + (type != types.end() ? ProjectedName(type->second) : "<no such tensor>");
        begin = comma + 1;
    }
    return projection.empty() ? "any" : projection;
}

} // namespace

bool HasKernels(const std::string &opType)
{
    return !KernelsOf(opType.c_str()).empty();
}

std::string KernelColumn(const OpSchema &schema, size_t column)
{
    const std::map<std::string, ge::DataType> types = DataTypesByName(schema, column);
    std::set<std::string> known;
    for (const KernelRecord *kernel : KernelsOf(schema.type.c_str())) {
        if (Project(types, kernel->dtypeNames) == kernel->column) {
            return kernel->column;
        }
        known.insert(std::string(" ") + kernel->dtypeNames + "=" + kernel->column);
    }
    std::string text = schema.type + ": no kernel for dtype column " + std::to_string(column) + "; registered:";
    for (const std::string &each : known) {
        text += each;
    }
    throw HostError(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, text);
}

} // namespace ascendc_cpu
