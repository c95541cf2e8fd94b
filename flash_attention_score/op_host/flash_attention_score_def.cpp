// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The interface of FlashAttentionScore: CANN's names, order and spelling, newest list (older lists are prefixes of it).
#include "register/op_def_registry.h"

namespace ops {
namespace {
using Types = std::vector<ge::DataType>;

// One column per supported combination. Columns 4-7 are 16-bit attention with float32 slopes or bias.
constexpr size_t COLUMNS = 10;

const Types QUERY_TYPES = {ge::DT_FLOAT16, ge::DT_BF16,    ge::DT_FLOAT16, ge::DT_BF16,  ge::DT_FLOAT16,
                           ge::DT_BF16,    ge::DT_FLOAT16, ge::DT_BF16,    ge::DT_FLOAT, ge::DT_FLOAT};
const Types SHIFT_TYPES = {ge::DT_FLOAT16, ge::DT_BF16,  ge::DT_FLOAT16, ge::DT_BF16,  ge::DT_FLOAT,
                           ge::DT_FLOAT,   ge::DT_FLOAT, ge::DT_FLOAT,   ge::DT_FLOAT, ge::DT_FLOAT};
const Types MASK_TYPES = {ge::DT_UINT8, ge::DT_UINT8, ge::DT_BOOL, ge::DT_BOOL,  ge::DT_UINT8,
                          ge::DT_UINT8, ge::DT_BOOL,  ge::DT_BOOL, ge::DT_UINT8, ge::DT_BOOL};

Types Same(ge::DataType type)
{
    return Types(COLUMNS, type);
}
} // namespace

class FlashAttentionScore : public OpDef {
public:
    explicit FlashAttentionScore(const char *name) : OpDef(name)
    {
        DeclareInputs();
        DeclareOutputs();
        DeclareAttributes();

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

private:
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

    void Result(const char *name, const Types &types)
    {
        this->Output(name).ParamType(REQUIRED).DataType(types).Format(NdFormats()).UnknownShapeFormat(NdFormats());
    }

    void DeclareInputs()
    {
        Tensor("query", REQUIRED, QUERY_TYPES);
        Tensor("key", REQUIRED, QUERY_TYPES);
        Tensor("value", REQUIRED, QUERY_TYPES);
        Tensor("real_shift", OPTIONAL, SHIFT_TYPES);
        Tensor("drop_mask", OPTIONAL, Same(ge::DT_UINT8));
        Tensor("padding_mask", OPTIONAL, QUERY_TYPES);
        Tensor("atten_mask", OPTIONAL, MASK_TYPES);
        HostList("prefix");
        HostList("actual_seq_qlen");
        HostList("actual_seq_kvlen");
        HostList("q_start_idx");
        HostList("kv_start_idx");
        Tensor("d_scale_q", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("d_scale_k", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("d_scale_v", OPTIONAL, Same(ge::DT_FLOAT));
        Tensor("query_rope", OPTIONAL, QUERY_TYPES);
        Tensor("key_rope", OPTIONAL, QUERY_TYPES);
        Tensor("sink", OPTIONAL, Same(ge::DT_FLOAT));
    }

    void DeclareOutputs()
    {
        Result("softmax_max", Same(ge::DT_FLOAT));
        Result("softmax_sum", Same(ge::DT_FLOAT));
        Result("softmax_out", QUERY_TYPES);
        Result("attention_out", QUERY_TYPES);
    }

    void DeclareAttributes()
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
        this->Attr("softmax_out_layout").AttrType(OPTIONAL).String("");
    }

    static std::vector<ge::Format> NdFormats()
    {
        return std::vector<ge::Format>(COLUMNS, ge::FORMAT_ND);
    }
};

OP_ADD(FlashAttentionScore);
} // namespace ops
