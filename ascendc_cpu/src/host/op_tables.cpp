// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// From the tables of generated aclnn code to the definition that the runtime keeps.
#include "ascendc_cpu/aclnn_runtime.h"
#include "op_registry.h"
#include "package_loader.h"
#include "register/op_def.h"

namespace ascendc_cpu {
namespace {

std::vector<ParamSchema> ReadParams(const AscendcCpuParam *params, uint32_t number, uint32_t columns)
{
    std::vector<ParamSchema> schemas(number);
    for (uint32_t i = 0; i < number; i++) {
        schemas[i].name = params[i].name;
        schemas[i].option = params[i].required != 0 ? ops::REQUIRED : ops::OPTIONAL;
        schemas[i].valueDepend = params[i].valueDepend != 0;
        schemas[i].autoContiguous = params[i].autoContiguous != 0;
        for (uint32_t column = 0; column < columns; column++) {
            schemas[i].dataTypes.push_back(static_cast<ge::DataType>(params[i].dataTypes[column]));
        }
    }
    return schemas;
}

template <typename T>
std::vector<T> ReadList(const AscendcCpuAttr &attr)
{
    const T *values = static_cast<const T *>(attr.defaultValue);
    return std::vector<T>(values, values + attr.defaultCount);
}

// A required attribute has no default: zero keeps its type.
template <typename T>
T ReadNumber(const AscendcCpuAttr &attr)
{
    return attr.defaultValue != nullptr ? *static_cast<const T *>(attr.defaultValue) : T();
}

AttrValue ReadDefault(const AscendcCpuAttr &attr)
{
    switch (static_cast<AttrKind>(attr.kind)) {
    case AttrKind::BOOL:
        return ReadNumber<bool>(attr);
    case AttrKind::FLOAT:
        return ReadNumber<float>(attr);
    case AttrKind::INT:
        return ReadNumber<int64_t>(attr);
    case AttrKind::STRING:
        return std::string(attr.defaultValue != nullptr ? static_cast<const char *>(attr.defaultValue) : "");
    case AttrKind::LIST_BOOL:
        return ReadList<uint8_t>(attr);
    case AttrKind::LIST_FLOAT:
        return ReadList<float>(attr);
    case AttrKind::LIST_INT:
        return ReadList<int64_t>(attr);
    }
    return int64_t(0);
}

std::shared_ptr<const OpSchema> ReadSchema(const AscendcCpuOp &op)
{
    auto schema = std::make_shared<OpSchema>();
    schema->type = op.type;
    schema->inputs = ReadParams(op.inputs, op.inputNum, op.columns);
    schema->outputs = ReadParams(op.outputs, op.outputNum, op.columns);
    for (uint32_t i = 0; i < op.attrNum; i++) {
        AttrSchema attr;
        attr.name = op.attrs[i].name;
        attr.value = ReadDefault(op.attrs[i]);
        attr.typed = true;
        attr.required = op.attrs[i].required != 0;
        attr.hasDefault = !attr.required;
        schema->attrs.push_back(attr);
    }
    return schema;
}

} // namespace
} // namespace ascendc_cpu

extern "C" int AscendcCpuRegisterOp(const AscendcCpuOp *op, const void *anchor)
{
    ascendc_cpu::RegisterSchema(ascendc_cpu::ReadSchema(*op));
    ascendc_cpu::RegisterPackage(op->type, anchor);
    return 0;
}
