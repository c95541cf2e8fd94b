// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Types and shapes of a node's results, before it runs.
#ifndef ORT_INFER_SHAPES_H
#define ORT_INFER_SHAPES_H
#include <atomic>
#include <string>
#include <vector>
#include "ort_tensor.h"
#include "output_shapes.h"

namespace ort {

// A dimension that is neither known nor named would be taken for the number -1, so it gets a name of its own.
inline std::string NewName()
{
    static std::atomic<uint64_t> count{0};
    return "FlashAttentionScore_dim_" + std::to_string(count++);
}

// Element type and dimensions of query, key or value, with the names of unknown ones.
struct InferredTensor {
    InferredTensor(const OrtShapeInferContext *context, size_t index)
    {
        OrtTensorTypeAndShapeInfo *info = nullptr; // the context's
        Api::Call(INFER_GET_INPUT, context, index, &info);
        Api::Call(GET_TENSOR_ELEMENT_TYPE, info, &elementType);
        dims = DimensionsOf(info);
        std::vector<const char *> given(dims.size(), nullptr);
        Api::Call(GET_SYMBOLIC_DIMENSIONS, info, given.data(), given.size());
        for (size_t i = 0; i < dims.size(); i++) {
            const bool named = given[i] != nullptr && given[i][0] != '\0';
            names.push_back(dims[i] >= 0 ? "" : named ? given[i] : NewName());
        }
    }
    int elementType = ORT_ANY;
    std::vector<int64_t> dims;
    std::vector<std::string> names;
};

inline void SetOutput(OrtShapeInferContext *context, size_t index, int elementType, const std::vector<int64_t> &dims,
                      const std::vector<std::string> &names)
{
    OrtTensorTypeAndShapeInfo *raw = nullptr;
    Api::Call(CREATE_TENSOR_TYPE_AND_SHAPE_INFO, &raw);
    const std::unique_ptr<OrtTensorTypeAndShapeInfo, Release> info(raw);
    std::vector<const char *> texts;
    for (const std::string &name : names) {
        texts.push_back(name.c_str());
    }
    Api::Call(SET_TENSOR_ELEMENT_TYPE, raw, elementType);
    Api::Call(SET_DIMENSIONS, raw, dims.data(), dims.size());
    Api::Call(SET_SYMBOLIC_DIMENSIONS, raw, texts.data(), texts.size());
    Api::Call(INFER_SET_OUTPUT, context, index, raw);
}

inline std::string InferredText(const OrtShapeInferContext *context, const char *name)
{
    const OrtOpAttr *attribute = nullptr;
    Api::Call(INFER_GET_ATTRIBUTE, context, name, &attribute);
    std::string text(16, '\0');
    size_t size = 0;
    Api::Call(READ_OP_ATTRIBUTE, attribute, ORT_ATTRIBUTE_STRING, &text[0], text.size(), &size);
    text.resize(size);
    return text.c_str();
}

inline int64_t InferredInt(const OrtShapeInferContext *context, const char *name)
{
    const OrtOpAttr *attribute = nullptr;
    Api::Call(INFER_GET_ATTRIBUTE, context, name, &attribute);
    int64_t value = 0;
    size_t size = 0;
    Api::Call(READ_OP_ATTRIBUTE, attribute, ORT_ATTRIBUTE_INT, &value, sizeof(value), &size);
    return value;
}

inline void InferShapes(OrtShapeInferContext *context)
{
    const InferredTensor query(context, QUERY);
    const InferredTensor key(context, KEY);
    const InferredTensor value(context, VALUE);
    const std::string layout = InferredText(context, "input_layout");
    OutputShapes shapes;
    if (!shapes.Set(query.dims, key.dims, value.dims, InferredInt(context, "head_num"), layout)) {
        return; // the run says why
    }
    const size_t batch = layout == "SBH" ? 1 : 0;
    const size_t length = layout == "SBH" ? 0 : layout == "BNSD" ? 2 : 1;
    std::vector<std::string> statistics = {query.names[batch], "", query.names[length], ""};
    if (layout == "TND") {
        statistics = {query.names[0], query.names[1], ""};
    }
    std::vector<std::string> attention = query.names;
    attention.back() = shapes.attention.back() < 0 ? NewName() : "";
    SetOutput(context, SOFTMAX_MAX, ORT_FLOAT, shapes.statistics, statistics);
    SetOutput(context, SOFTMAX_SUM, ORT_FLOAT, shapes.statistics, statistics);
    SetOutput(context, SOFTMAX_OUT, query.elementType, {0}, {""});
    SetOutput(context, ATTENTION_OUT, query.elementType, shapes.attention, attention);
}

} // namespace ort
#endif
