// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// npu::FlashAttentionScore for onnxruntime: RegisterCustomOps adds one operator for each element type. Checks are the
// operator's own; its text becomes onnxruntime's error.
#include <exception>
#include "ort_infer_shapes.h"
#include "ort_kernel.h"

namespace {
using ort::Api;

// Runs a callback of onnxruntime; what it throws becomes a status.
template <typename Body>
OrtStatus *Guarded(const Body &body)
{
    try {
        body();
        return nullptr;
    } catch (const ort::Failure &failure) {
        return failure.status;
    } catch (const std::exception &error) {
        return Api::MakeStatus((std::string("FlashAttentionScore: ") + error.what()).c_str());
    }
}

// The operator for one element type of query, key and value.
struct AttentionOp : OrtCustomOp {
    explicit AttentionOp(int type) : OrtCustomOp(), elementType(type)
    {
        version = ORT_CUSTOM_OP_VERSION;
        GetName = [](const OrtCustomOp *) { return "FlashAttentionScore"; };
        GetExecutionProviderType = [](const OrtCustomOp *) { return "CPUExecutionProvider"; };
        GetInputType = InputType;
        GetInputTypeCount = [](const OrtCustomOp *) { return static_cast<size_t>(ort::INPUTS); };
        GetOutputType = OutputType;
        GetOutputTypeCount = [](const OrtCustomOp *) { return static_cast<size_t>(ort::OUTPUTS); };
        GetInputCharacteristic = [](const OrtCustomOp *, size_t index) -> int {
            return index <= ort::VALUE ? ORT_REQUIRED : ORT_OPTIONAL;
        };
        GetOutputCharacteristic = [](const OrtCustomOp *, size_t) -> int { return ORT_REQUIRED; };
        GetInputMemoryType = [](const OrtCustomOp *, size_t) { return ORT_DEFAULT_MEMORY; };
        GetVariadicInputMinArity = GetVariadicInputHomogeneity = [](const OrtCustomOp *) { return 1; };
        GetVariadicOutputMinArity = GetVariadicOutputHomogeneity = [](const OrtCustomOp *) { return 1; };
        GetStartVersion = [](const OrtCustomOp *) { return 1; };
        GetEndVersion = [](const OrtCustomOp *) { return 0x7fffffff; };
        CreateKernelV2 = [](const OrtCustomOp *, const void *const *, const OrtKernelInfo *info, void **kernel) {
            return Guarded([&] { *kernel = new ort::Kernel(info); });
        };
        KernelComputeV2 = [](void *kernel, OrtKernelContext *context) {
            return Guarded([&] { static_cast<ort::Kernel *>(kernel)->Compute(context); });
        };
        KernelDestroy = [](void *kernel) { delete static_cast<ort::Kernel *>(kernel); };
        InferOutputShapeFn = [](const OrtCustomOp *, OrtShapeInferContext *context) {
            return Guarded([&] { ort::InferShapes(context); });
        };
    }

    static int InputType(const OrtCustomOp *op, size_t index)
    {
        switch (index) {
        case ort::QUERY:
        case ort::KEY:
        case ort::VALUE:
            return static_cast<const AttentionOp *>(op)->elementType;
        default:
            return ORT_ANY; // the operator says what it allows
        }
    }
    static int OutputType(const OrtCustomOp *op, size_t index)
    {
        return index <= ort::SOFTMAX_SUM ? ORT_FLOAT : static_cast<const AttentionOp *>(op)->elementType;
    }

    int elementType;
};

const OrtCustomOpDomain *MakeDomain()
{
    static const AttentionOp OPS[] = {AttentionOp(ORT_FLOAT), AttentionOp(ORT_FLOAT16), AttentionOp(ORT_BFLOAT16)};
    OrtCustomOpDomain *domain = nullptr;
    Api::Call(ort::CREATE_CUSTOM_OP_DOMAIN, "npu", &domain);
    for (const AttentionOp &op : OPS) {
        Api::Call(ort::CUSTOM_OP_DOMAIN_ADD, domain, &op);
    }
    return domain;
}
} // namespace

extern "C" __attribute__((visibility("default"))) OrtStatus *RegisterCustomOps(OrtSessionOptions *options,
                                                                               const OrtApiBase *base)
{
    const void *const *table = base->GetApi(ORT_API_VERSION);
    Api::Set(table != nullptr ? table : base->GetApi(1));
    if (table == nullptr) {
        return Api::MakeStatus("FlashAttentionScore needs onnxruntime 1.18 or newer");
    }
    return Guarded([&] {
        static const OrtCustomOpDomain *const domain = MakeDomain(); // sessions keep pointers to it
        Api::Call(ort::ADD_CUSTOM_OP_DOMAIN, options, domain);
    });
}
