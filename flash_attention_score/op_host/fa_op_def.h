// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the definitions of the forward and the gradient declare alike: dtype columns, tensors, attributes, targets.
#ifndef FA_OP_DEF_H
#define FA_OP_DEF_H
#include <vector>
#include "register/op_def_registry.h"

namespace ops {

class FaOpDef : public OpDef {
protected:
    using Types = std::vector<ge::DataType>;
    // One column per supported combination. Columns 4-7 are 16-bit attention with float32 slopes or bias.
    static constexpr size_t COLUMNS = 10;

    explicit FaOpDef(const char *name) : OpDef(name)
    {
    }

    static Types QueryTypes()
    {
        return {ge::DT_FLOAT16, ge::DT_BF16,    ge::DT_FLOAT16, ge::DT_BF16,  ge::DT_FLOAT16,
                ge::DT_BF16,    ge::DT_FLOAT16, ge::DT_BF16,    ge::DT_FLOAT, ge::DT_FLOAT};
    }
    static Types ShiftTypes()
    {
        return {ge::DT_FLOAT16, ge::DT_BF16,  ge::DT_FLOAT16, ge::DT_BF16,  ge::DT_FLOAT,
                ge::DT_FLOAT,   ge::DT_FLOAT, ge::DT_FLOAT,   ge::DT_FLOAT, ge::DT_FLOAT};
    }
    static Types MaskTypes()
    {
        return {ge::DT_UINT8, ge::DT_UINT8, ge::DT_BOOL, ge::DT_BOOL,  ge::DT_UINT8,
                ge::DT_UINT8, ge::DT_BOOL,  ge::DT_BOOL, ge::DT_UINT8, ge::DT_BOOL};
    }
    static Types Same(ge::DataType type)
    {
        return Types(COLUMNS, type);
    }
    static std::vector<ge::Format> NdFormats()
    {
        return std::vector<ge::Format>(COLUMNS, ge::FORMAT_ND);
    }

    void Tensor(const char *name, Option option, const Types &types)
    {
        this->Input(name)
            .ParamType(option)
            .DataType(types)
            .Format(NdFormats())
            .UnknownShapeFormat(NdFormats())
            .AutoContiguous();
    }

    // A list whose values the host reads.
    void HostList(const char *name)
    {
        this->Input(name)
            .ParamType(OPTIONAL)
            .ValueDepend(OPTIONAL)
            .DataType(Same(ge::DT_INT64))
            .Format(NdFormats())
            .UnknownShapeFormat(NdFormats())
            .AutoContiguous();
    }

    void Result(const char *name, const Types &types, Option option = REQUIRED)
    {
        this->Output(name).ParamType(option).DataType(types).Format(NdFormats()).UnknownShapeFormat(NdFormats());
    }

    // lastName: softmax_out_layout of the forward, softmax_in_layout of the gradient.
    void Attributes(const char *lastName)
    {
        this->Attr("scale_value").AttrType(OPTIONAL).Float(1.0f);
        this->Attr("keep_prob").AttrType(OPTIONAL).Float(1.0f);
        this->Attr("pre_tockens").AttrType(OPTIONAL).Int(2147483647);
        this->Attr("next_tockens").AttrType(OPTIONAL).Int(2147483647);
        this->Attr("head_num").AttrType(REQUIRED).Int();
        this->Attr("input_layout").AttrType(REQUIRED).String();
        this->Attr("inner_precise").AttrType(OPTIONAL).Int(0);
        this->Attr("sparse_mode").AttrType(OPTIONAL).Int(0);
        this->Attr("pse_type").AttrType(OPTIONAL).Int(1);
        this->Attr("seed").AttrType(OPTIONAL).Int(0);
        this->Attr("offset").AttrType(OPTIONAL).Int(0);
        this->Attr("out_dtype").AttrType(OPTIONAL).Int(0);
        this->Attr(lastName).AttrType(OPTIONAL).String("");
    }

    void Targets()
    {
        OpAICoreConfig config;
        config.DynamicCompileStaticFlag(true)
            .DynamicFormatFlag(true)
            .DynamicRankSupportFlag(true)
            .DynamicShapeSupportFlag(true)
            .NeedCheckSupportFlag(false)
            .PrecisionReduceFlag(true);
        this->AICore().AddConfig("ascend910b", config);
        this->AICore().AddConfig("ascend910_93", config);
    }
};

} // namespace ops
#endif
