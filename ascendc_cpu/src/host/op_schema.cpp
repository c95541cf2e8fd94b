// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "op_schema.h"
#include <cctype>
#include <utility>
#include "register/op_def.h"

namespace ascendc_cpu {

bool ParamSchema::IsRequired() const
{
    return option == ops::REQUIRED;
}

size_t OpSchema::Columns() const
{
    for (const std::vector<ParamSchema> *params : {&inputs, &outputs}) {
        if (!params->empty()) {
            return params->front().dataTypes.size();
        }
    }
    return 0;
}

// An underscore before a capital that follows a non-capital, and before the last capital of a run of them.
std::string SnakeCase(const std::string &camelCase)
{
    const auto isUpper = [&](size_t i) { return std::isupper(static_cast<unsigned char>(camelCase[i])) != 0; };
    std::string snake;
    for (size_t i = 0; i < camelCase.size(); i++) {
        if (isUpper(i) && i > 0 && camelCase[i - 1] != '_') {
            const bool nextIsLower =
                i + 1 < camelCase.size() && std::islower(static_cast<unsigned char>(camelCase[i + 1])) != 0;
            if (!isUpper(i - 1) || nextIsLower) {
                snake += '_';
            }
        }
        snake += static_cast<char>(std::tolower(static_cast<unsigned char>(camelCase[i])));
    }
    return snake;
}

std::string DataTypeName(ge::DataType dataType)
{
    static constexpr std::pair<int, const char *> NAMES[] = {
        {ge::DT_FLOAT, "DT_FLOAT"},   {ge::DT_FLOAT16, "DT_FLOAT16"},    {ge::DT_INT8, "DT_INT8"},
        {ge::DT_INT32, "DT_INT32"},   {ge::DT_UINT8, "DT_UINT8"},        {ge::DT_INT16, "DT_INT16"},
        {ge::DT_UINT16, "DT_UINT16"}, {ge::DT_UINT32, "DT_UINT32"},      {ge::DT_INT64, "DT_INT64"},
        {ge::DT_UINT64, "DT_UINT64"}, {ge::DT_DOUBLE, "DT_DOUBLE"},      {ge::DT_BOOL, "DT_BOOL"},
        {ge::DT_BF16, "DT_BF16"},     {ge::DT_UNDEFINED, "DT_UNDEFINED"}};
    for (const auto &[type, name] : NAMES) {
        if (type == dataType) {
            return name;
        }
    }
    return "dtype " + std::to_string(static_cast<int>(dataType));
}

} // namespace ascendc_cpu
