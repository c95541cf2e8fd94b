// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The definition of an operator: inputs, outputs, attributes, per-SoC flags. Column i of all DataType lists together is
// one supported combination.
#ifndef ASCENDC_CPU_REGISTER_OP_DEF_H
#define ASCENDC_CPU_REGISTER_OP_DEF_H
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "graph/types.h"
#include "register/op_impl_registry.h"

namespace ascendc_cpu {
struct OpSchema; // src/host/op_schema.h
struct ParamSchema;
struct AttrSchema;
} // namespace ascendc_cpu

namespace ops {

// DYNAMIC (a list of tensors) is refused by op_build: the CPU runtime has no tensor lists.
enum Option { OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3 };

// References that these calls return stay valid until the next Input, Output or Attr of the same owner.
class OpParamDef {
public:
    explicit OpParamDef(const char *name);
    OpParamDef &ParamType(Option paramType);
    OpParamDef &DataType(std::vector<ge::DataType> types);
    OpParamDef &Format(std::vector<ge::Format> formats);
    OpParamDef &UnknownShapeFormat(std::vector<ge::Format> formats);
    // The host reads the values: the aclnn parameter is an array instead of a tensor.
    OpParamDef &ValueDepend(Option valueDepend);
    // The runtime copies a strided view into a dense tensor first.
    OpParamDef &AutoContiguous();

private:
    friend class OpDef;
    std::shared_ptr<ascendc_cpu::ParamSchema> schema;
};

class OpAttrDef {
public:
    explicit OpAttrDef(const char *name);
    OpAttrDef &AttrType(Option attrType);
    OpAttrDef &Bool();
    OpAttrDef &Bool(bool value);
    OpAttrDef &Float();
    OpAttrDef &Float(float value);
    OpAttrDef &Int();
    OpAttrDef &Int(int64_t value);
    OpAttrDef &String();
    OpAttrDef &String(const char *value);
    OpAttrDef &ListBool();
    OpAttrDef &ListBool(std::vector<bool> value);
    OpAttrDef &ListFloat();
    OpAttrDef &ListFloat(std::vector<float> value);
    OpAttrDef &ListInt();
    OpAttrDef &ListInt(std::vector<int64_t> value);

private:
    friend class OpDef;
    std::shared_ptr<ascendc_cpu::AttrSchema> schema;
};

// Flags of one SoC. They steer CANN's compiler and mean nothing on the CPU. Inputs and outputs of a single SoC are not
// implemented: declare them on the OpDef.
class OpAICoreConfig {
public:
    OpAICoreConfig &DynamicCompileStaticFlag(bool flag);
    OpAICoreConfig &DynamicFormatFlag(bool flag);
    OpAICoreConfig &DynamicRankSupportFlag(bool flag);
    OpAICoreConfig &DynamicShapeSupportFlag(bool flag);
    OpAICoreConfig &NeedCheckSupportFlag(bool flag);
    OpAICoreConfig &PrecisionReduceFlag(bool flag);
    OpAICoreConfig &ExtendCfgInfo(const char *key, const char *value);

private:
    friend class OpAICoreDef;
    std::map<std::string, std::string> values;
};

class OpAICoreDef {
public:
    OpAICoreDef &SetTiling(gert::OpImplKernelRegistry::TilingKernelFunc function);
    OpAICoreDef &AddConfig(const char *soc);
    OpAICoreDef &AddConfig(const char *soc, OpAICoreConfig &config);

private:
    friend class OpDef;
    explicit OpAICoreDef(std::shared_ptr<ascendc_cpu::OpSchema> owner);
    std::shared_ptr<ascendc_cpu::OpSchema> schema;
};

class OpDef {
public:
    explicit OpDef(const char *type);
    OpParamDef &Input(const char *name);
    OpParamDef &Output(const char *name);
    OpAttrDef &Attr(const char *name);
    OpDef &SetInferShape(gert::OpImplKernelRegistry::InferShapeKernelFunc function);
    OpDef &SetInferDataType(gert::OpImplKernelRegistry::InferDataTypeKernelFunc function);
    OpAICoreDef &AICore();

    // For OP_ADD: hands the definition to the runtime.
    int Register() const;

private:
    std::shared_ptr<ascendc_cpu::OpSchema> schema;
    std::vector<OpParamDef> inputs;
    std::vector<OpParamDef> outputs;
    std::vector<OpAttrDef> attrs;
    OpAICoreDef aiCore;
};

} // namespace ops
#endif
