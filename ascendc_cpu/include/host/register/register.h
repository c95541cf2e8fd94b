// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Registration of parser plugins, the part that an ONNX plugin by operator needs. AscendcCpuParseOnnxNode runs them.
#ifndef ASCENDC_CPU_REGISTER_REGISTER_H
#define ASCENDC_CPU_REGISTER_REGISTER_H
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>
#include "graph/ascend_string.h"
#include "graph/graph.h"
#include "graph/operator.h"

namespace domi {

using Status = uint32_t;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 0xFFFFFFFF;

enum FrameworkType { CAFFE = 0, MINDSPORE = 1, TENSORFLOW = 3, ANDROID_NN = 4, ONNX = 5, FRAMEWORK_RESERVED = 6 };

enum class ImplyType : unsigned int {
    BUILDIN = 0,
    TVM,
    CUSTOM,
    AI_CPU,
    CCE,
    GELOCAL,
    HCCL,
    INVALID = 0xFFFFFFFF,
};

using ParseParamByOpFunc = std::function<domi::Status(const ge::Operator &, ge::Operator &)>;
using ParseOpToGraphFunc = std::function<Status(const ge::Operator &, ge::Graph &)>;
class OpRegistrationDataImpl;

class OpRegistrationData {
public:
    OpRegistrationData(const ge::char_t *om_optype);
    ~OpRegistrationData();
    OpRegistrationData &FrameworkType(const domi::FrameworkType &fmk_type);
    OpRegistrationData &OriginOpType(const std::vector<ge::AscendString> &ori_op_type_list);
    OpRegistrationData &OriginOpType(const ge::char_t *ori_op_type);
    OpRegistrationData &ParseParamsByOperatorFn(const ParseParamByOpFunc &parse_param_by_op_fn);
    OpRegistrationData &ParseOpToGraphFn(const ParseOpToGraphFunc &parse_op_to_graph_fn);
    OpRegistrationData &ImplyType(const domi::ImplyType &imply_type);

private:
    std::shared_ptr<OpRegistrationDataImpl> impl_;
    friend class OpReceiver;
};

class OpReceiver {
public:
    // The first registration of an origin type wins.
    OpReceiver(OpRegistrationData &reg_data);
};

} // namespace domi

namespace ge {
using OpRegistrationData = domi::OpRegistrationData;
using OpReceiver = domi::OpReceiver;
} // namespace ge

#define REGISTER_CUSTOM_OP(name) REGISTER_CUSTOM_OP_UNIQ_HELPER(__COUNTER__, (name))
#define REGISTER_CUSTOM_OP_UNIQ_HELPER(ctr, name) REGISTER_CUSTOM_OP_UNIQ(ctr, (name))
#define REGISTER_CUSTOM_OP_UNIQ(ctr, name)                                                                             \
    static OpReceiver register_op##ctr __attribute__((unused)) = OpRegistrationData(name)

#endif
