// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The JSON text in which CANN's ONNX parser hands over a node's attributes: {"attribute": [{"name": "x", "type": 2,
// "i": 3}, ...]}. C++11, no library: CANN ships none to build against.
#ifndef ONNX_JSON_H
#define ONNX_JSON_H
#include <map>
#include <string>
#include <vector>

// One attribute: its scalar members as text, whether they were JSON strings or numbers. Nested ones are left out.
typedef std::map<std::string, std::string> OnnxJsonObject;

// The objects of the list "attribute"; the error text, or "". An empty text is an empty list.
std::string ReadOnnxAttributeList(const std::string &json, std::vector<OnnxJsonObject> &attributes);

#endif
