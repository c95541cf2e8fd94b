// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What has to be known about torch tensors before an aclnn call can be described, on any device. All other checks are
// the operator's own.
#ifndef TORCH_CHECKS_H
#define TORCH_CHECKS_H
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>
#include <ATen/core/Tensor.h>

using OptionalTensor = std::optional<at::Tensor>;

// A tensor argument of a call, which outlives it. torch passes None for a required one, as an undefined tensor.
struct NamedTensor {
    NamedTensor(const at::Tensor &given, const char *itsName) : tensor(&given), name(itsName), required(true)
    {
    }
    NamedTensor(const OptionalTensor &given, const char *itsName)
        : tensor(given.has_value() ? &*given : nullptr), name(itsName), required(false)
    {
    }
    bool IsPresent() const
    {
        return tensor != nullptr && tensor->defined();
    }

    const at::Tensor *tensor;
    const char *name;
    bool required;
};

inline void CheckIsThere(const NamedTensor &each)
{
    TORCH_CHECK_TYPE(each.IsPresent() || !each.required, each.name, " must be a tensor, got None");
}

inline void CheckPlace(c10::DeviceType device, const NamedTensor &each)
{
    TORCH_CHECK_VALUE(!each.IsPresent() || each.tensor->device().type() == device, each.name, " must be on the ",
                      c10::DeviceTypeName(device, false), ", got ", each.tensor->device());
}

inline void CheckIsFloat(const at::Tensor &tensor, const char *name)
{
    const at::ScalarType type = tensor.scalar_type();
    TORCH_CHECK_VALUE(type == at::kFloat || type == at::kHalf || type == at::kBFloat16, name,
                      " must be float32, float16 or bfloat16, got ", type);
}

// Every required tensor is there, and those that are live on `device` and have a floating-point dtype that the
// operators know.
inline void CheckTensors(c10::DeviceType device, std::initializer_list<NamedTensor> tensors)
{
    for (const NamedTensor &each : tensors) {
        CheckIsThere(each);
        CheckPlace(device, each);
        if (each.IsPresent()) {
            CheckIsFloat(*each.tensor, each.name);
        }
    }
}

inline void CheckQueryType(const at::Tensor &query)
{
    CheckIsThere({query, "query"});
    CheckIsFloat(query, "query");
}

// The operator takes zero-terminated text.
inline void CheckText(std::string_view text, const char *name)
{
    TORCH_CHECK_VALUE(text.find('\0') == text.npos, name, " must not contain a zero character, got one after \"",
                      text.substr(0, text.find('\0')), "\"");
}

inline void CheckType(const at::Tensor &tensor, const char *name, at::ScalarType expected)
{
    TORCH_CHECK_VALUE(tensor.scalar_type() == expected, name, " must be ", expected, ", got ", tensor.scalar_type());
}

// Devices and data types of the optional inputs. Slopes (pse_type 2 and 3) are float32, a pse after scaling may be.
inline void CheckOptionalTensors(const at::Tensor &query, const OptionalTensor &pse, int64_t pseType,
                                 const OptionalTensor &dropMask, const OptionalTensor &paddingMask,
                                 const OptionalTensor &attenMask, const OptionalTensor &queryRope,
                                 const OptionalTensor &keyRope, const OptionalTensor &sink)
{
    constexpr int64_t AFTER_SCALE = 0;
    constexpr int64_t FIRST_SLOPE_TYPE = 2;
    const c10::DeviceType device = query.device().type();
    const at::ScalarType type = query.scalar_type();
    const bool slopes = pseType >= FIRST_SLOPE_TYPE;
    if (NamedTensor{pse, "pse"}.IsPresent() && !(pseType == AFTER_SCALE && pse->scalar_type() == at::kFloat)) {
        const at::ScalarType expected = slopes ? at::kFloat : type;
        const bool mayBeFloat = pseType == AFTER_SCALE && type != at::kFloat;
        TORCH_CHECK_VALUE(pse->scalar_type() == expected, "pse must be ", expected, mayBeFloat ? " or Float" : "",
                          " for pse_type ", pseType, ", got ", pse->scalar_type());
    }
    TORCH_CHECK_VALUE((!NamedTensor{paddingMask, "padding_mask"}.IsPresent()),
                      "padding_mask must not be given: put padding into atten_mask, [B, 1, 1, S2]");
    CheckPlace(device, {pse, "pse"});
    const auto check = [device](const NamedTensor &input, at::ScalarType expected) {
        if (input.IsPresent()) {
            CheckType(*input.tensor, input.name, expected);
        }
        CheckPlace(device, input);
    };
    check({dropMask, "dropout_mask"}, at::kByte);
    check({queryRope, "query_rope"}, type);
    check({keyRope, "key_rope"}, type);
    check({sink, "sink"}, at::kFloat);
    if (attenMask.has_value() && attenMask->defined()) {
        const at::ScalarType maskType = attenMask->scalar_type();
        TORCH_CHECK_VALUE(maskType == at::kBool || maskType == at::kByte,
                          "atten_mask must be bool or uint8, nonzero = masked out, got ", maskType,
                          at::isFloatingType(maskType) ? "; a mask that is added is a pse of pse_type 0" : "");
        CheckPlace(device, {attenMask, "atten_mask"});
    }
}

// Dimensions that were expanded (stride 0) to their full size go back to 1: the operator repeats them without reading
// them twice. full: [B, N1, S1, S2], or empty for a call that is refused anyway; other sizes stay for the operator to
// refuse. Arithmetic modes have a mask of fixed shape instead.
inline OptionalTensor UnexpandedMask(const OptionalTensor &mask, int64_t sparseMode, const std::vector<int64_t> &full)
{
    constexpr int64_t FIRST_ARITHMETIC_MODE = 2;
    constexpr int64_t PREFIX_AND_MASK_MODE = 5;
    const bool arithmetic = sparseMode >= FIRST_ARITHMETIC_MODE && sparseMode != PREFIX_AND_MASK_MODE;
    const int64_t rank = static_cast<int64_t>(full.size());
    if (!mask.has_value() || !mask->defined() || arithmetic) {
        return mask;
    }
    at::Tensor narrowed = *mask;
    for (int64_t dim = 0; dim < narrowed.dim(); dim++) {
        const int64_t axis = rank - narrowed.dim() + dim;
        const bool isFull = full.empty() || (axis >= 0 && narrowed.size(dim) == full[axis]);
        if (narrowed.stride(dim) == 0 && narrowed.size(dim) > 1 && isFull) {
            narrowed = narrowed.narrow(dim, 0, 1);
        }
    }
    return narrowed;
}
#endif
