// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "register/op_def.h"
#include "op_registry.h"
#include "op_schema.h"

namespace ops {
namespace {

using ascendc_cpu::AttrSchema;
using ascendc_cpu::AttrValue;

const char *Boolean(bool flag)
{
    return flag ? "true" : "false";
}

void SetAttr(AttrSchema &schema, AttrValue value, bool hasDefault)
{
    schema.value = std::move(value);
    schema.typed = true;
    schema.hasDefault = hasDefault;
}

// The definition of that name, made when it is new.
template <typename Definition>
Definition &FindOrAdd(std::vector<Definition> &definitions, const char *name,
                      const std::string &(*nameOf)(const Definition &))
{
    for (Definition &definition : definitions) {
        if (nameOf(definition) == name) {
            return definition;
        }
    }
    definitions.emplace_back(name);
    return definitions.back();
}

} // namespace

OpParamDef::OpParamDef(const char *name) : schema(std::make_shared<ascendc_cpu::ParamSchema>())
{
    schema->name = name;
}

OpParamDef &OpParamDef::ParamType(Option paramType)
{
    schema->option = paramType;
    return *this;
}

OpParamDef &OpParamDef::DataType(std::vector<ge::DataType> types)
{
    schema->dataTypes = std::move(types);
    return *this;
}

OpParamDef &OpParamDef::Format(std::vector<ge::Format> formats)
{
    schema->formats = std::move(formats);
    return *this;
}

// Dynamic shapes are all there is: the formats for them are those of Format.
OpParamDef &OpParamDef::UnknownShapeFormat(std::vector<ge::Format> formats)
{
    return Format(std::move(formats));
}

OpParamDef &OpParamDef::ValueDepend(Option)
{
    schema->valueDepend = true;
    return *this;
}

OpParamDef &OpParamDef::AutoContiguous()
{
    schema->autoContiguous = true;
    return *this;
}

OpAttrDef::OpAttrDef(const char *name) : schema(std::make_shared<AttrSchema>())
{
    schema->name = name;
}

OpAttrDef &OpAttrDef::AttrType(Option attrType)
{
    schema->required = attrType == REQUIRED;
    return *this;
}

OpAttrDef &OpAttrDef::Bool()
{
    SetAttr(*schema, false, false);
    return *this;
}

OpAttrDef &OpAttrDef::Bool(bool value)
{
    SetAttr(*schema, value, true);
    return *this;
}

OpAttrDef &OpAttrDef::Float()
{
    SetAttr(*schema, 0.0f, false);
    return *this;
}

OpAttrDef &OpAttrDef::Float(float value)
{
    SetAttr(*schema, value, true);
    return *this;
}

OpAttrDef &OpAttrDef::Int()
{
    SetAttr(*schema, int64_t(0), false);
    return *this;
}

OpAttrDef &OpAttrDef::Int(int64_t value)
{
    SetAttr(*schema, value, true);
    return *this;
}

OpAttrDef &OpAttrDef::String()
{
    SetAttr(*schema, std::string(), false);
    return *this;
}

OpAttrDef &OpAttrDef::String(const char *value)
{
    SetAttr(*schema, std::string(value), true);
    return *this;
}

OpAttrDef &OpAttrDef::ListBool()
{
    SetAttr(*schema, std::vector<uint8_t>(), false);
    return *this;
}

OpAttrDef &OpAttrDef::ListBool(std::vector<bool> value)
{
    SetAttr(*schema, std::vector<uint8_t>(value.begin(), value.end()), true);
    return *this;
}

OpAttrDef &OpAttrDef::ListFloat()
{
    SetAttr(*schema, std::vector<float>(), false);
    return *this;
}

OpAttrDef &OpAttrDef::ListFloat(std::vector<float> value)
{
    SetAttr(*schema, std::move(value), true);
    return *this;
}

OpAttrDef &OpAttrDef::ListInt()
{
    SetAttr(*schema, std::vector<int64_t>(), false);
    return *this;
}

OpAttrDef &OpAttrDef::ListInt(std::vector<int64_t> value)
{
    SetAttr(*schema, std::move(value), true);
    return *this;
}

OpAICoreConfig &OpAICoreConfig::DynamicCompileStaticFlag(bool flag)
{
    return ExtendCfgInfo("dynamicCompileStatic.flag", Boolean(flag));
}

OpAICoreConfig &OpAICoreConfig::DynamicFormatFlag(bool flag)
{
    return ExtendCfgInfo("dynamicFormat.flag", Boolean(flag));
}

OpAICoreConfig &OpAICoreConfig::DynamicRankSupportFlag(bool flag)
{
    return ExtendCfgInfo("dynamicRankSupport.flag", Boolean(flag));
}

OpAICoreConfig &OpAICoreConfig::DynamicShapeSupportFlag(bool flag)
{
    return ExtendCfgInfo("dynamicShapeSupport.flag", Boolean(flag));
}

OpAICoreConfig &OpAICoreConfig::NeedCheckSupportFlag(bool flag)
{
    return ExtendCfgInfo("needCheckSupport.flag", Boolean(flag));
}

OpAICoreConfig &OpAICoreConfig::PrecisionReduceFlag(bool flag)
{
    return ExtendCfgInfo("precision_reduce.flag", Boolean(flag));
}

OpAICoreConfig &OpAICoreConfig::ExtendCfgInfo(const char *key, const char *value)
{
    values[key] = value;
    return *this;
}

OpAICoreDef::OpAICoreDef(std::shared_ptr<ascendc_cpu::OpSchema> owner) : schema(std::move(owner))
{
}

OpAICoreDef &OpAICoreDef::SetTiling(gert::OpImplKernelRegistry::TilingKernelFunc function)
{
    ascendc_cpu::UpdateImpl(schema->type, [=](ascendc_cpu::OpImpl &impl) { impl.tiling = function; });
    return *this;
}

OpAICoreDef &OpAICoreDef::AddConfig(const char *soc)
{
    schema->socs[soc];
    return *this;
}

OpAICoreDef &OpAICoreDef::AddConfig(const char *soc, OpAICoreConfig &config)
{
    schema->socs[soc] = config.values;
    return *this;
}

OpDef::OpDef(const char *type) : schema(std::make_shared<ascendc_cpu::OpSchema>()), aiCore(schema)
{
    schema->type = type;
}

OpParamDef &OpDef::Input(const char *name)
{
    return FindOrAdd<OpParamDef>(inputs, name,
                                 [](const OpParamDef &p) -> const std::string & { return p.schema->name; });
}

OpParamDef &OpDef::Output(const char *name)
{
    return FindOrAdd<OpParamDef>(outputs, name,
                                 [](const OpParamDef &p) -> const std::string & { return p.schema->name; });
}

OpAttrDef &OpDef::Attr(const char *name)
{
    return FindOrAdd<OpAttrDef>(attrs, name, [](const OpAttrDef &a) -> const std::string & { return a.schema->name; });
}

OpDef &OpDef::SetInferShape(gert::OpImplKernelRegistry::InferShapeKernelFunc function)
{
    ascendc_cpu::UpdateImpl(schema->type, [=](ascendc_cpu::OpImpl &impl) { impl.inferShape = function; });
    return *this;
}

OpDef &OpDef::SetInferDataType(gert::OpImplKernelRegistry::InferDataTypeKernelFunc function)
{
    ascendc_cpu::UpdateImpl(schema->type, [=](ascendc_cpu::OpImpl &impl) { impl.inferDataType = function; });
    return *this;
}

OpAICoreDef &OpDef::AICore()
{
    return aiCore;
}

int OpDef::Register() const
{
    auto complete = std::make_shared<ascendc_cpu::OpSchema>(*schema);
    for (const OpParamDef &input : inputs) {
        complete->inputs.push_back(*input.schema);
    }
    for (const OpParamDef &output : outputs) {
        complete->outputs.push_back(*output.schema);
    }
    for (const OpAttrDef &attr : attrs) {
        complete->attrs.push_back(*attr.schema);
    }
    ascendc_cpu::RegisterSchema(std::move(complete));
    return 0;
}

} // namespace ops
