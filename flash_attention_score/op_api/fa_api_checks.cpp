// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_api_checks.h"
#include <atomic>
#include <cctype>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <string>
#include "acl/acl_base.h"
#include "fa_api_tensors.h"
#include "toolchain/slog.h"

namespace {
constexpr int64_t MAX_HEAD_DIM = 768;
constexpr int64_t UNLIMITED = INT32_MAX; // default of preTokens and nextTokens
constexpr int64_t WINDOW = 0;            // sparse modes
constexpr int64_t ALL = 1;
constexpr int64_t PREFIX_COMPRESSED = 6;
constexpr int64_t SCALE_THEN_ADD = 0; // pse types
constexpr int64_t FIRST_SLOPE_TYPE = 2;
constexpr size_t HEAD_DIM_OF_TND = 2;
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

const aclTensor *CreateEmpty(aclDataType type)
{
    const int64_t none = 0;
    return aclCreateTensor(&none, 1, type, nullptr, 0, ACL_FORMAT_ND, &none, 1, nullptr);
}

constexpr aclnnStatus NULLPTR = ACLNN_ERR_PARAM_NULLPTR;
constexpr aclnnStatus INVALID = ACLNN_ERR_PARAM_INVALID;
constexpr aclnnStatus TILING = ACLNN_ERR_INNER_TILING_ERROR;

#define ROW(id, status, argument, allowed, instead)                                                                    \
    constexpr aclnnStatus STATUS_##id = status;                                                                        \
    constexpr char TEXT_##id[] = argument " " allowed ", got " instead;
#include "fa_api_contract_rows.h"
#undef ROW

// In a check of `entry`: reports the row with its holes filled, from left to right; its status.
#define REFUSE(id, ...) Report(entry, STATUS_##id, TEXT_##id, __VA_ARGS__)

// "<function>: <text>" to whoever asks for the recent error.
__attribute__((format(printf, 3, 4))) aclnnStatus Report(const FaEntry &entry, aclnnStatus status, const char *format,
                                                         ...)
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

std::string TypeName(aclDataType type)
{
    static const struct {
        aclDataType type;
        const char *name;
    } NAMES[] = {{ACL_FLOAT, "ACL_FLOAT"},   {ACL_FLOAT16, "ACL_FLOAT16"}, {ACL_BF16, "ACL_BF16"},
                 {ACL_DOUBLE, "ACL_DOUBLE"}, {ACL_BOOL, "ACL_BOOL"},       {ACL_INT8, "ACL_INT8"},
                 {ACL_UINT8, "ACL_UINT8"},   {ACL_INT16, "ACL_INT16"},     {ACL_UINT16, "ACL_UINT16"},
                 {ACL_INT32, "ACL_INT32"},   {ACL_UINT32, "ACL_UINT32"},   {ACL_INT64, "ACL_INT64"},
                 {ACL_UINT64, "ACL_UINT64"}};
    for (const auto &each : NAMES) {
        if (each.type == type) {
            return each.name;
        }
    }
    char number[32]; // std::to_string would export a symbol of its own
    (void)snprintf(number, sizeof(number), "data type %d", static_cast<int>(type));
    return number;
}

bool IsFloat(aclDataType type)
{
    return type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16;
}

aclnnStatus CheckTypes(const FaEntry &entry, const FaTensors &tensors)
{
    const aclDataType type = FaTypeOf(tensors.query);
    const aclDataType keyType = FaTypeOf(tensors.key);
    const aclDataType valueType = FaTypeOf(tensors.value);
    if (keyType != type || valueType != type) {
        return REFUSE(ONE_TYPE, entry.keyName, TypeName(type).c_str(), TypeName(keyType).c_str(),
                      TypeName(valueType).c_str());
    }
    if (!IsFloat(type)) {
        return REFUSE(QUERY_TYPE, TypeName(type).c_str());
    }
    return ACLNN_SUCCESS;
}

// A float mask is added to the scaled scores: the operator has it as a shift.
aclnnStatus MoveFloatMask(const FaEntry &entry, FaCallArguments &call)
{
    FaTensors &tensors = call.tensors;
    const aclDataType type = tensors.attenMask == nullptr ? ACL_BOOL : FaTypeOf(tensors.attenMask);
    if (type == ACL_BOOL || type == ACL_UINT8) {
        return ACLNN_SUCCESS;
    }
    if (!IsFloat(type)) {
        return REFUSE(MASK_TYPE, TypeName(type).c_str());
    }
    if (tensors.realShift != nullptr) {
        return REFUSE(MASK_AND_SHIFT, entry.shiftName);
    }
    tensors.realShift = tensors.attenMask;
    tensors.attenMask = nullptr;
    call.attributes.pseType = SCALE_THEN_ADD;
    return ACLNN_SUCCESS;
}

aclnnStatus CheckShiftType(const FaEntry &entry, const FaCallArguments &call)
{
    if (call.tensors.realShift == nullptr) {
        return ACLNN_SUCCESS;
    }
    const int64_t pseType = call.attributes.pseType;
    const aclDataType type = FaTypeOf(call.tensors.realShift);
    const bool isFloat = type == ACL_FLOAT;
    const bool isQuerys = type == FaTypeOf(call.tensors.query);
    if (pseType >= FIRST_SLOPE_TYPE ? isFloat : isQuerys || (isFloat && pseType == SCALE_THEN_ADD)) {
        return ACLNN_SUCCESS;
    }
    return REFUSE(SHIFT_TYPE, entry.shiftName,
                  pseType >= FIRST_SLOPE_TYPE ? "be ACL_FLOAT"
                  : pseType == SCALE_THEN_ADD ? "have the data type of query or ACL_FLOAT"
                                              : "have the data type of query",
                  pseType, TypeName(type).c_str());
}

aclnnStatus CheckFormats(const FaEntry &entry, const FaTensors &tensors)
{
    for (const aclTensor *tensor : {tensors.query, tensors.key, tensors.value, tensors.realShift, tensors.attenMask}) {
        aclFormat format = ACL_FORMAT_ND;
        if (tensor != nullptr) {
            (void)aclGetFormat(tensor, &format);
        }
        if (static_cast<int>(format) == FRACTAL_NZ) {
            return REFUSE(FORMAT, entry.keyName, entry.shiftName, FRACTAL_NZ);
        }
    }
    return ACLNN_SUCCESS;
}

// CANN reports all that rotary parts ask of the rest of the call as 161001.
aclnnStatus CheckRope(const FaEntry &entry, const FaCallArguments &call, const FaApiDims &query)
{
    const FaTensors &tensors = call.tensors;
    if (tensors.queryRope == nullptr && tensors.keyRope == nullptr) {
        return ACLNN_SUCCESS;
    }
    if (tensors.queryRope == nullptr || tensors.keyRope == nullptr) {
        return REFUSE(ROPE_ALONE, entry.keyName);
    }
    for (const aclTensor *tensor : {tensors.query, tensors.key, tensors.value, tensors.queryRope, tensors.keyRope}) {
        if (FaTypeOf(tensor) != ACL_BF16) {
            return REFUSE(ROPE_TYPE, entry.keyName, TypeName(FaTypeOf(tensor)).c_str());
        }
    }
    for (const aclTensor *rope : {tensors.queryRope, tensors.keyRope}) {
        const FaApiDims dims = FaDimsOfTensor(rope);
        if (dims.size() != query.size() || dims[HEAD_DIM_OF_TND] > query[HEAD_DIM_OF_TND]) {
            return REFUSE(ROPE_SHAPE, entry.keyName, dims.size(), dims.empty() ? 0 : dims.back());
        }
    }
    if (tensors.attenMask == nullptr) {
        return REFUSE(ROPE_MASK, entry.keyName);
    }
    const char *tensor = tensors.dropMask != nullptr ? "dropMaskOptional" : "no tensor";
    tensor = tensors.realShift != nullptr ? entry.shiftName : tensor;
    if (tensors.realShift != nullptr || tensors.dropMask != nullptr || call.attributes.keepProb < 1.0) {
        return REFUSE(ROPE_SHIFT, entry.keyName, tensor, call.attributes.keepProb);
    }
    const int64_t mode = call.attributes.sparseMode;
    return mode == PREFIX_COMPRESSED ? REFUSE(ROPE_MODE, entry.keyName, mode) : ACLNN_SUCCESS;
}

// What the operator accepts and CANN's does not.
aclnnStatus CheckOfficialShift(const FaEntry &entry, const FaCallArguments &call, int64_t s1, int64_t s2)
{
    if (call.tensors.realShift == nullptr) {
        return ACLNN_SUCCESS;
    }
    const bool slopes = call.attributes.pseType >= FIRST_SLOPE_TYPE;
    if (slopes && !entry.varLen && s1 != s2) {
        return REFUSE(SLOPES_LENGTHS, call.attributes.pseType, s1, s2);
    }
    if (!slopes && entry.varLen && entry.forward && FaDimsOfTensor(call.tensors.realShift).size() == 1) {
        return REFUSE(SHIFT_RANK, entry.shiftName);
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
    return REFUSE(HEAD_DIMS, entry.keyName, MAX_HEAD_DIM, entry.keyName, d, dk, dv);
}

void MakeDense(const FaEntry &entry, FaCallArguments &call, int64_t s1, int64_t s2)
{
    FaAttributes &attributes = call.attributes;
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
    call.lists.prefix = nullptr;
}
} // namespace

aclnnStatus FaRequire(const FaEntry &entry, std::initializer_list<FaRequired> arguments)
{
    for (const FaRequired &argument : arguments) {
        if (argument.pointer == nullptr) {
            return REFUSE(REQUIRED, argument.name);
        }
    }
    return ACLNN_SUCCESS;
}

void FaNormalize(FaCallArguments &call)
{
    static char noLayout[] = "";
    FaTensors &tensors = call.tensors;
    for (const aclTensor **optional : {&tensors.realShift, &tensors.dropMask, &tensors.paddingMask, &tensors.queryRope,
                                       &tensors.keyRope, &tensors.sink}) {
        *optional = FaIsAbsentTensor(*optional) ? nullptr : *optional;
    }
    Layout *const layout = FindLayout(call.attributes.inputLayout);
    call.attributes.inputLayout = layout == nullptr ? call.attributes.inputLayout : layout->name;
    call.attributes.softmaxLayout = call.attributes.softmaxLayout == nullptr ? noLayout : call.attributes.softmaxLayout;
}

aclnnStatus FaCheckCall(const FaEntry &entry, FaCallArguments &call)
{
    const FaTensors &tensors = call.tensors;
    const bool masked = tensors.attenMask != nullptr;
    const Layout *const layout = FindLayout(call.attributes.inputLayout);
    if (layout == nullptr || layout->tnd != entry.varLen) {
        return REFUSE(INPUT_LAYOUT, entry.varLen ? "TND" : "BSH, SBH, BSND or BNSD", call.attributes.inputLayout);
    }
    if (call.attributes.headNum <= 0) {
        return REFUSE(HEAD_NUM, call.attributes.headNum);
    }
    if (tensors.paddingMask != nullptr) {
        return REFUSE(PADDING_MASK, FaDimsOfTensor(tensors.paddingMask).size());
    }
    const FaApiDims query = FaDimsOfTensor(tensors.query);
    const FaApiDims key = FaDimsOfTensor(tensors.key);
    const FaApiDims value = FaDimsOfTensor(tensors.value);
    if (query.size() != layout->rank || key.size() != layout->rank || value.size() != layout->rank) {
        return REFUSE(RANK, entry.keyName, layout->rank, layout->name, query.size(), key.size(), value.size());
    }
    aclnnStatus status = CheckTypes(entry, tensors);
    status = status == ACLNN_SUCCESS ? MoveFloatMask(entry, call) : status;
    status = status == ACLNN_SUCCESS ? CheckShiftType(entry, call) : status;
    status = status == ACLNN_SUCCESS ? CheckFormats(entry, tensors) : status;
    status = status == ACLNN_SUCCESS
                 ? CheckHeadDims(entry, call.attributes.headNum, layout->folded, query.back(), key.back(), value.back())
                 : status;
    status = status == ACLNN_SUCCESS ? CheckRope(entry, call, query) : status;
    status = status == ACLNN_SUCCESS ? CheckOfficialShift(entry, call, query[layout->s], key[layout->s]) : status;
    if (status == ACLNN_SUCCESS && !masked) {
        MakeDense(entry, call, query[layout->s], key[layout->s]);
    }
    return status;
}

bool FaAllEmpty(std::initializer_list<const aclTensor *> tensors)
{
    for (const aclTensor *tensor : tensors) {
        if (!FaIsEmptyTensor(tensor)) {
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
