// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "kernel_column.h"
#include <cstring>
#include <set>
#include <strings.h>
#include <utility>
#include "../core/kernel_table.h"
#include "status.h"

namespace ascendc_cpu {
namespace {

// As kernel_objects.py names dtypes in a projected column.
std::string ProjectedName(ge::DataType dataType)
{
    static constexpr std::pair<int, const char *> NAMES[] = {
        {ge::DT_FLOAT, "float32"}, {ge::DT_FLOAT16, "float16"}, {ge::DT_BF16, "bfloat16"}, {ge::DT_DOUBLE, "float64"},
        {ge::DT_BOOL, "bool"},     {ge::DT_INT8, "int8"},       {ge::DT_INT16, "int16"},   {ge::DT_INT32, "int32"},
        {ge::DT_INT64, "int64"},   {ge::DT_UINT8, "uint8"},     {ge::DT_UINT16, "uint16"}, {ge::DT_UINT32, "uint32"},
        {ge::DT_UINT64, "uint64"}};
    for (const auto &[type, name] : NAMES) {
        if (type == dataType) {
            return name;
        }
    }
    return DataTypeName(dataType);
}

// Of the tensor whose name is `upperCase` in capitals; an output if an input has the same name.
std::string DataTypeOf(const OpSchema &schema, size_t column, const std::string &upperCase)
{
    for (const std::vector<ParamSchema> *params : {&schema.outputs, &schema.inputs}) {
        for (const ParamSchema &param : *params) {
            if (strcasecmp(param.name.c_str(), upperCase.c_str()) == 0) {
                return ProjectedName(param.dataTypes[column]);
            }
        }
    }
    return "<no such tensor>";
}

// The OpDef column on the names, e.g. "float16_float32"; "any" for none.
std::string Project(const OpSchema &schema, size_t column, const std::string &names)
{
    std::string projection;
    for (size_t begin = 0; begin < names.size();) {
        const size_t comma = std::min(names.find(',', begin), names.size());
        projection += (projection.empty() ? "" : "_") + DataTypeOf(schema, column, names.substr(begin, comma - begin));
        begin = comma + 1;
    }
    return projection.empty() ? "any" : projection;
}

} // namespace

std::string KernelColumn(const OpSchema &schema, size_t column)
{
    const std::vector<const KernelRecord *> kernels = KernelsOf(schema.type.c_str());
    const char *names = nullptr; // those of `projection`
    std::string projection;
    for (const KernelRecord *kernel : kernels) {
        if (names == nullptr || strcmp(names, kernel->dtypeNames) != 0) {
            names = kernel->dtypeNames;
            projection = Project(schema, column, names);
        }
        if (projection == kernel->column) {
            return projection;
        }
    }
    std::set<std::string> known;
    for (const KernelRecord *kernel : kernels) {
        known.insert(std::string(" ") + kernel->dtypeNames + "=" + kernel->column);
    }
    std::string text = schema.type + ": no kernel for dtype column " + std::to_string(column) + "; registered:";
    for (const std::string &each : known) {
        text += each;
    }
    throw HostError(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, text);
}

} // namespace ascendc_cpu
