// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "register/op_def_registry.h"

namespace ops {

class AddScaled : public OpDef {
public:
    explicit AddScaled(const char *name) : OpDef(name)
    {
        const std::vector<ge::DataType> data = {ge::DT_FLOAT, ge::DT_FLOAT16};
        const std::vector<ge::DataType> plain = {ge::DT_FLOAT, ge::DT_FLOAT};
        const std::vector<ge::DataType> list = {ge::DT_INT64, ge::DT_INT64};
        const std::vector<ge::Format> nd = {ge::FORMAT_ND, ge::FORMAT_ND};
        this->Input("x1").ParamType(REQUIRED).DataType(data).Format(nd).UnknownShapeFormat(nd).AutoContiguous();
        this->Input("x2").ParamType(REQUIRED).DataType(data).Format(nd).UnknownShapeFormat(nd);
        this->Input("bias").ParamType(OPTIONAL).DataType(plain).Format(nd).UnknownShapeFormat(nd).AutoContiguous();
        this->Input("shifts").ParamType(OPTIONAL).ValueDepend(OPTIONAL).DataType(list).Format(nd);
        this->Output("out").ParamType(REQUIRED).DataType(data).Format(nd).UnknownShapeFormat(nd);
        this->Output("block_total").ParamType(OPTIONAL).DataType(plain).Format(nd).UnknownShapeFormat(nd);
        this->Attr("blocks").AttrType(REQUIRED).Int();
        this->Attr("scale_value").AttrType(OPTIONAL).Float(0.5f);
        this->Attr("case_name").AttrType(OPTIONAL).String("plain");
        this->Attr("weights").AttrType(OPTIONAL).ListInt({1, 2, 3});
        OpAICoreConfig config;
        config.DynamicCompileStaticFlag(true).DynamicShapeSupportFlag(true).ExtendCfgInfo("coreType.value", "AiCore");
        this->AICore().AddConfig("ascend910b", config);
    }
};

OP_ADD(AddScaled);

} // namespace ops
