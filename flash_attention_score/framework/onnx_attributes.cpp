// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "onnx_attributes.h"
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>
#include "onnx_json.h"

namespace {
constexpr int MAX_HEAD_DIM = 768;

// AttributeProto's numbers, and the member that holds such a value. A value of 0 or "" is left out of the JSON.
enum Type { FLOAT = 1, INT = 2, STRING = 3 };

std::string ValueOf(const OnnxJsonObject &attribute, const char *member)
{
    const OnnxJsonObject::const_iterator found = attribute.find(member);
    return found == attribute.end() ? "" : found->second;
}

bool ToFloat(const std::string &text, float &value)
{
    char *end = nullptr;
    const double parsed = text.empty() ? 0.0 : std::strtod(text.c_str(), &end);
    value = static_cast<float>(parsed);
    return (text.empty() || *end == '\0') && std::isfinite(parsed);
}

bool ToInt(const std::string &text, int64_t &value)
{
    char *end = nullptr;
    errno = 0;
    value = text.empty() ? 0 : std::strtoll(text.c_str(), &end, 10);
    return (text.empty() || *end == '\0') && errno == 0;
}

std::string SixDigits(float value)
{
    char text[32];
    (void)std::snprintf(text, sizeof(text), "%g", static_cast<double>(value));
    return text;
}

float RestoredScale(float scale)
{
    const std::string text = SixDigits(scale);
    for (int d = 1; d <= MAX_HEAD_DIM; d++) {
        const float exact = static_cast<float>(1.0 / std::sqrt(static_cast<double>(d)));
        if (SixDigits(exact) == text) {
            return exact;
        }
    }
    return scale;
}

// Where the value of an attribute goes; one of the three.
struct Target {
    const char *name;
    float OnnxAttributes::*number;
    int64_t OnnxAttributes::*integer;
    std::string OnnxAttributes::*text;
};

const Target TARGETS[] = {
    {"scale_value", &OnnxAttributes::scale, nullptr, nullptr},
    {"scale", &OnnxAttributes::scale, nullptr, nullptr},
    {"keep_prob", &OnnxAttributes::keepProb, nullptr, nullptr},
    {"pre_tockens", nullptr, &OnnxAttributes::preTokens, nullptr},
    {"next_tockens", nullptr, &OnnxAttributes::nextTokens, nullptr},
    {"head_num", nullptr, &OnnxAttributes::headNum, nullptr},
    {"input_layout", nullptr, nullptr, &OnnxAttributes::inputLayout},
    {"inner_precise", nullptr, &OnnxAttributes::innerPrecise, nullptr},
    {"sparse_mode", nullptr, &OnnxAttributes::sparseMode, nullptr},
    {"pse_type", nullptr, &OnnxAttributes::pseType, nullptr},
    {"seed", nullptr, &OnnxAttributes::seed, nullptr},
    {"offset", nullptr, &OnnxAttributes::offset, nullptr},
    {"out_dtype", nullptr, &OnnxAttributes::outDtype, nullptr},
    {"softmax_out_layout", nullptr, nullptr, &OnnxAttributes::softmaxOutLayout},
};

std::string Store(const Target &target, const OnnxJsonObject &attribute, OnnxAttributes &attributes)
{
    const Type wanted = target.number != nullptr ? FLOAT : target.integer != nullptr ? INT : STRING;
    int64_t type = 0;
    if (!ToInt(ValueOf(attribute, "type"), type) || type != wanted) {
        static const char *const NAMES[] = {"", "FLOAT", "INT", "STRING"};
        return std::string(target.name) + " must be an attribute of type " + NAMES[wanted] + " (" +
               std::to_string(wanted) + "), got type " + ValueOf(attribute, "type");
    }
    bool good = true;
    std::string value;
    if (wanted == FLOAT) {
        value = ValueOf(attribute, "f");
        good = ToFloat(value, attributes.*target.number);
    } else if (wanted == INT) {
        value = ValueOf(attribute, "i");
        good = ToInt(value, attributes.*target.integer);
    } else {
        attributes.*target.text = ValueOf(attribute, "s");
    }
    return good ? "" : std::string(target.name) + " must be a number, got " + value;
}
} // namespace

std::string ReadOnnxAttributes(const std::string &json, OnnxAttributes &attributes)
{
    std::vector<OnnxJsonObject> list;
    std::string refusal = ReadOnnxAttributeList(json, list);
    if (!refusal.empty()) {
        return refusal;
    }
    attributes = OnnxAttributes();
    std::set<std::string> seen;
    for (const OnnxJsonObject &attribute : list) {
        const std::string name = ValueOf(attribute, "name");
        const Target *target = nullptr;
        for (const Target &candidate : TARGETS) {
            if (name == candidate.name) {
                target = &candidate;
            }
        }
        if (target == nullptr) {
            return "attribute " + name + " is not known";
        }
        const std::string canonical = name == "scale" ? "scale_value" : name;
        if (!seen.insert(canonical).second) {
            return canonical + " is given twice";
        }
        refusal = Store(*target, attribute, attributes);
        if (!refusal.empty()) {
            return refusal;
        }
    }
    if (seen.count("head_num") == 0 || attributes.headNum <= 0) {
        return "head_num must be given and > 0, got " + std::to_string(attributes.headNum);
    }
    if (attributes.inputLayout.empty()) {
        return "input_layout must be given: BSH, SBH, BSND, BNSD or TND";
    }
    attributes.scale = RestoredScale(attributes.scale);
    return "";
}
