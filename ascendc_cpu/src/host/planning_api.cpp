// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Tiling and inference without kernels or data, for tests and explain: results as JSON.
#include <sstream>
#include "call.h"
#include "json_answer.h"
#include "platform_info.h"
#include "tiling/platform/platform_ascendc.h"

namespace ascendc_cpu {
namespace {

std::string Hex(const uint8_t *bytes, size_t count)
{
    static const char DIGITS[] = "0123456789abcdef";
    std::string text;
    for (size_t i = 0; i < count; i++) {
        text += DIGITS[bytes[i] >> 4];
        text += DIGITS[bytes[i] & 15];
    }
    return text;
}

std::string OutputsJson(const OpNode &node)
{
    std::ostringstream json;
    json << "[";
    for (size_t i = 0; i < node.outputs.size(); i++) {
        const gert::Shape &shape = node.outputs[i].tensor.GetOriginShape();
        json << (i > 0 ? ", " : "") << "{\"dtype\": \"" << DataTypeName(node.outputs[i].desc.GetDataType())
             << "\", \"shape\": [";
        for (size_t d = 0; d < shape.GetDimNum(); d++) {
            json << (d > 0 ? ", " : "") << shape.GetDim(d);
        }
        json << "]}";
    }
    json << "]";
    return json.str();
}

std::string TilingJson(const Call &call)
{
    const TilingAnswer &answer = call.node.answer;
    std::ostringstream json;
    json << "{\"key\": " << answer.key << ", \"block_dim\": " << answer.blockDim
         << ", \"schedule_mode\": " << answer.scheduleMode << ", \"workspace\": " << answer.workspace[0]
         << ", \"column\": " << call.column << ", \"outputs\": " << OutputsJson(call.node) << ", \"tiling_data\": \""
         << Hex(static_cast<const uint8_t *>(answer.data.GetData()), answer.data.GetDataSize()) << "\"}";
    return json.str();
}

std::string PlatformJson(const std::string &soc)
{
    using platform_ascendc::CoreMemType;
    fe::PlatFormInfos info(soc);
    const platform_ascendc::PlatformAscendC chip(&info);
    uint64_t l1 = 0;
    uint64_t ub = 0;
    chip.GetCoreMemSize(CoreMemType::L1, l1);
    chip.GetCoreMemSize(CoreMemType::UB, ub);
    std::ostringstream json;
    json << "{\"soc\": \"" << info.row.name << "\", \"cores\": " << chip.GetCoreNumAic() << ", \"l1_bytes\": " << l1
         << ", \"ub_bytes\": " << ub << ", \"system_workspace\": " << chip.GetLibApiWorkSpaceSize() << "}";
    return json.str();
}

} // namespace
} // namespace ascendc_cpu

using namespace ascendc_cpu;

// Arguments as in AscendcCpuPlan, with data for value-depend inputs only. outputs: nullptr for those that inference
// gives. soc: nullptr or "" for the default. fill: value of every byte of the tiling buffer before tiling.
extern "C" int AscendcCpuRunTiling(const char *opType, const void *const *inputs, const void *const *attrs,
                                   const void *const *outputs, const char *soc, uint8_t fill, const char **json)
{
    return Answer(json, [&] {
        Call call;
        call.Bind(opType, {inputs, attrs, outputs, false, soc != nullptr ? soc : "", false});
        call.Infer();
        call.RunTiling(fill);
        call.CheckOutputs();
        return TilingJson(call);
    });
}

// An aclTensor without data whose dimensions may be -1 and -2, for AscendcCpuInferShape.
extern "C" aclTensor *AscendcCpuCreateShape(const int64_t *dims, uint64_t dimsNum, int32_t dataType)
{
    if (dimsNum > gert::Shape::kMaxDimNum) {
        ReportError("AscendcCpuCreateShape: dimsNum: got " + std::to_string(dimsNum) + ", allowed: 0 to 25");
        return nullptr;
    }
    const auto view = std::make_shared<TensorView>();
    view->dims.assign(dims, dims + dimsNum);
    view->strides.assign(dimsNum, 0);
    view->dataType = static_cast<aclDataType>(dataType);
    auto *tensor = new aclTensor;
    tensor->kind = AclKind::TENSOR;
    tensor->view = view;
    return tensor;
}

extern "C" int AscendcCpuInferShape(const char *opType, const void *const *inputs, const void *const *attrs,
                                    const char **json)
{
    return Answer(json, [&] {
        Call call;
        call.Bind(opType, {inputs, attrs, nullptr, false, "", true});
        call.Infer();
        return OutputsJson(call.node);
    });
}

// What the tiling sees of a chip, memories of one core in bytes. soc: nullptr or "" for the default.
extern "C" int AscendcCpuPlatform(const char *soc, const char **json)
{
    return Answer(json, [&] { return PlatformJson(soc != nullptr ? soc : ""); });
}
