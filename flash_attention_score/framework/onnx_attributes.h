// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Attributes of an ONNX node npu::FlashAttentionScore or NPUFlashAttention, with the operator's defaults.
#ifndef ONNX_ATTRIBUTES_H
#define ONNX_ATTRIBUTES_H
#include <cstdint>
#include <string>

struct OnnxAttributes {
    float scale = 1.0f; // "scale_value" or "scale"
    float keepProb = 1.0f;
    int64_t preTokens = 2147483647;
    int64_t nextTokens = 2147483647;
    int64_t headNum = 0;
    std::string inputLayout;
    int64_t innerPrecise = 0;
    int64_t sparseMode = 0;
    int64_t pseType = 1;
    int64_t seed = 0;
    int64_t offset = 0;
    int64_t outDtype = 0;
    std::string softmaxOutLayout;
};

// Reads the parser's JSON text (empty: a node without attributes). Returns the error text, or "".
// A float arrives with six digits; a scale that is 1/sqrt(D) to six digits for a D up to 768 becomes exactly that.
std::string ReadOnnxAttributes(const std::string &json, OnnxAttributes &attributes);

#endif
