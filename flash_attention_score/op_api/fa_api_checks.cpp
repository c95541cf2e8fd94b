// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_api_checks.h"
#include <atomic>
#include <cctype>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <vector>
#include "acl/acl_base.h"
#include "toolchain/slog.h"

namespace {
using Dims = std::vector<int64_t>;

constexpr int64_t MAX_HEAD_DIM = 768;
constexpr int64_t UNLIMITED = INT32_MAX; // default of preTokens and nextTokens
constexpr int64_t WINDOW = 0;            // sparse modes
constexpr int64_t ALL = 1;
constexpr int64_t PREFIX = 5;
constexpr int64_t PREFIX_COMPRESSED = 6;
constexpr int FRACTAL_NZ = 29; // aclFormat

struct Layout {
    char name[5];
    size_t rank;
    size_t s;    // dimension of the sequence
    bool folded; // heads and head dim in one dimension
    bool tnd;
};

// Not constant, because the operator's interface takes a char *.
Layout g_layouts[] = {{"BSH", 3, 1, true, false},
                      {"SBH", 3, 0, true, false},
                      {"BSND", 4, 1, false, false},
                      {"BNSD", 4, 2, false, false},
                      {"TND", 3, 0, false, true}};

Dims DimsOf(const aclTensor *tensor)
{
    int64_t *dims = nullptr;
    uint64_t number = 0;
    if (aclGetViewShape(tensor, &dims, &number) != ACLNN_SUCCESS) {
        return Dims();
    }
    const Dims copy(dims, dims + number);
    delete[] dims;
    return copy;
}

bool IsEmpty(const aclTensor *tensor)
{
    for (int64_t dim : DimsOf(tensor)) {
        if (dim == 0) {
            return true;
        }
    }
    return false;
}

const aclTensor *CreateEmpty(aclDataType type)
{
    const int64_t none = 0;
    return aclCreateTensor(&none, 1, type, nullptr, 0, ACL_FORMAT_ND, &none, 1, nullptr);
}

aclnnStatus CheckTypes(const FaEntry &entry, const FaTensors &tensors)
{
    const int type = FaTypeOf(tensors.query);
    const int keyType = FaTypeOf(tensors.key);
    const int valueType = FaTypeOf(tensors.value);
    if (keyType != type || valueType != type) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID,
                        "query, %s and value must have one data type, got %d, %d and %d", entry.keyName, type, keyType,
                        valueType);
    }
    if (type != ACL_FLOAT && type != ACL_FLOAT16 && type != ACL_BF16) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID,
                        "query must be ACL_FLOAT, ACL_FLOAT16 or ACL_BF16, got data type %d", type);
    }
    const int maskType = tensors.attenMask == nullptr ? ACL_BOOL : FaTypeOf(tensors.attenMask);
    if (maskType != ACL_BOOL && maskType != ACL_UINT8) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID,
                        "attenMaskOptional must be ACL_BOOL or ACL_UINT8, got data type %d: a float bias is not "
                        "supported yet",
                        maskType);
    }
    return ACLNN_SUCCESS;
}

aclnnStatus CheckFormats(const FaEntry &entry, const FaTensors &tensors)
{
    for (const aclTensor *tensor : {tensors.query, tensors.key, tensors.value, tensors.attenMask}) {
        aclFormat format = ACL_FORMAT_ND;
        if (tensor != nullptr) {
            (void)aclGetFormat(tensor, &format);
        }
        if (static_cast<int>(format) == FRACTAL_NZ) {
            return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID,
                            "query, %s, value and attenMaskOptional must not have format FRACTAL_NZ", entry.keyName);
        }
    }
    return ACLNN_SUCCESS;
}

Layout *FindLayout(const char *text)
{
    std::string name(text);
    for (char &c : name) {
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    for (Layout &layout : g_layouts) {
        if (name == layout.name) {
            return &layout;
        }
    }
    return nullptr;
}

aclnnStatus CheckHeadDims(const FaEntry &entry, int64_t headNum, bool folded, int64_t d, int64_t dk, int64_t dv)
{
    if (folded) {
        d /= headNum;
        const int64_t keyHeads = d == 0 ? 0 : dk / d;
        dk = keyHeads == 0 ? d : dk / keyHeads;
        dv = keyHeads == 0 ? d : dv / keyHeads;
    }
    if (d == dk && dv <= dk && d <= MAX_HEAD_DIM) {
        return ACLNN_SUCCESS;
    }
    return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID,
                    "head dims: query's and %s's must be equal and at most %" PRId64
                    ", value's must not be larger; got %" PRId64 ", %" PRId64 " and %" PRId64,
                    entry.keyName, MAX_HEAD_DIM, d, dk, dv);
}

aclnnStatus CheckAttributes(const FaEntry &entry, const FaAttributes &attributes, bool hasMask)
{
    if (entry.varLen) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID, "inputLayout TND is not supported yet");
    }
    const float keepProb = static_cast<float>(attributes.keepProb);
    if (keepProb > 0.0f && keepProb < 1.0f) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID, "keepProb must be 1, got %g: dropout is not supported yet",
                        attributes.keepProb);
    }
    if (attributes.pseType != 1) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID, "pseType must be 1, got %" PRId64 ": not supported yet",
                        attributes.pseType);
    }
    if (hasMask && (attributes.sparseMode == PREFIX || attributes.sparseMode == PREFIX_COMPRESSED)) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID, "sparseMode %" PRId64 " is not supported yet",
                        attributes.sparseMode);
    }
    return ACLNN_SUCCESS;
}

void MakeDense(const FaEntry &entry, FaAttributes &attributes, int64_t s1, int64_t s2)
{
    const bool dense =
        attributes.sparseMode == ALL ||
        (attributes.sparseMode == WINDOW && attributes.preTokens >= s1 - 1 && attributes.nextTokens >= s2 - 1);
    static std::atomic<bool> said(false);
    if (!dense && !said.exchange(true)) {
        (void)fprintf(stderr,
                      "%s: warning: without attenMaskOptional every key is visible, as on CANN; sparseMode %" PRId64
                      ", preTokens %" PRId64 " and nextTokens %" PRId64 " have no effect (said once)\n",
                      entry.function, attributes.sparseMode, attributes.preTokens, attributes.nextTokens);
    }
    attributes.sparseMode = WINDOW;
    attributes.preTokens = UNLIMITED;
    attributes.nextTokens = UNLIMITED;
}
} // namespace

FaUnsupported::FaUnsupported(const char *argument, const aclTensor *tensor)
    : name(argument), given(tensor != nullptr && !IsEmpty(tensor))
{
}

FaUnsupported::FaUnsupported(const char *argument, const aclIntArray *array) : name(argument), given(false)
{
    uint64_t size = 0;
    given = array != nullptr && aclGetIntArraySize(array, &size) == ACLNN_SUCCESS && size > 0;
}

aclnnStatus FaRefuse(const FaEntry &entry, aclnnStatus status, const char *format, ...)
{
    char text[MSG_LENGTH / 2]; // with the function's name still one record of the log
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
#ifdef FA_REJECT_STDERR // set by the CANN build: plog alone is easy to miss there
    (void)fprintf(stderr, "%s: %s\n", entry.function, text);
#endif
    if (DlogRecord != nullptr) {
        DlogRecord(OP, DLOG_ERROR, "%s: %s", entry.function, text);
    }
    return status;
}

aclnnStatus FaRequire(const FaEntry &entry, std::initializer_list<FaRequired> arguments)
{
    for (const FaRequired &argument : arguments) {
        if (argument.pointer == nullptr) {
            return FaRefuse(entry, ACLNN_ERR_PARAM_NULLPTR, "%s is required, got nullptr", argument.name);
        }
    }
    return ACLNN_SUCCESS;
}

aclnnStatus FaRefuseGiven(const FaEntry &entry, std::initializer_list<FaUnsupported> arguments)
{
    for (const FaUnsupported &argument : arguments) {
        if (argument.given) {
            return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID, "%s is not supported yet, pass nullptr", argument.name);
        }
    }
    return ACLNN_SUCCESS;
}

aclnnStatus FaRefuseLists(const FaEntry &entry, const FaLists &lists, bool hasMask)
{
    // Without a mask a prefix is as ineffective as the sparse mode that would use it.
    const aclIntArray *prefix = hasMask ? lists.prefix : nullptr;
    return FaRefuseGiven(entry, {{"prefixOptional", prefix},
                                 {"actualSeqQLenOptional", lists.actualSeqQLen},
                                 {"actualSeqKvLenOptional", lists.actualSeqKvLen},
                                 {"qStartIdxOptional", lists.qStartIdx},
                                 {"kvStartIdxOptional", lists.kvStartIdx}});
}

aclnnStatus FaCheckCall(const FaEntry &entry, const FaTensors &tensors, FaAttributes &attributes)
{
    Layout *const layout = FindLayout(attributes.inputLayout);
    if (layout == nullptr || layout->tnd != entry.varLen) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID, "inputLayout must be %s, got \"%s\"",
                        entry.varLen ? "TND" : "BSH, SBH, BSND or BNSD", attributes.inputLayout);
    }
    if (attributes.headNum <= 0) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID, "headNum must be > 0, got %" PRId64, attributes.headNum);
    }
    const Dims query = DimsOf(tensors.query);
    const Dims key = DimsOf(tensors.key);
    const Dims value = DimsOf(tensors.value);
    if (query.size() != layout->rank || key.size() != layout->rank || value.size() != layout->rank) {
        return FaRefuse(entry, ACLNN_ERR_PARAM_INVALID,
                        "inputLayout %s has %zu dimensions; query, %s and value have %zu, %zu and %zu", layout->name,
                        layout->rank, entry.keyName, query.size(), key.size(), value.size());
    }
    aclnnStatus status = CheckTypes(entry, tensors);
    if (status == ACLNN_SUCCESS) {
        status = CheckFormats(entry, tensors);
    }
    if (status == ACLNN_SUCCESS) {
        status = CheckHeadDims(entry, attributes.headNum, layout->folded, query.back(), key.back(), value.back());
    }
    if (status == ACLNN_SUCCESS) {
        status = CheckAttributes(entry, attributes, tensors.attenMask != nullptr);
    }
    if (status != ACLNN_SUCCESS) {
        return status;
    }
    attributes.inputLayout = layout->name;
    if (tensors.attenMask == nullptr) {
        MakeDense(entry, attributes, query[layout->s], key[layout->s]);
    }
    return ACLNN_SUCCESS;
}

bool FaAllEmpty(std::initializer_list<const aclTensor *> tensors)
{
    for (const aclTensor *tensor : tensors) {
        if (!IsEmpty(tensor)) {
            return false;
        }
    }
    return true;
}

aclDataType FaTypeOf(const aclTensor *tensor)
{
    aclDataType type = ACL_DT_UNDEFINED;
    (void)aclGetDataType(tensor, &type);
    return type;
}

const aclTensor *FaEmptyTensor(aclDataType type)
{
    static const aclTensor *const ofFloat = CreateEmpty(ACL_FLOAT);
    static const aclTensor *const ofHalf = CreateEmpty(ACL_FLOAT16);
    static const aclTensor *const ofBf16 = CreateEmpty(ACL_BF16);
    return type == ACL_FLOAT16 ? ofHalf : type == ACL_BF16 ? ofBf16 : ofFloat;
}
