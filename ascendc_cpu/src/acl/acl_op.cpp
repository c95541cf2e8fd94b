// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_op.h"
#include <vector>
#include "acl/acl_op_compiler.h"
#include "handle_table.h"

using namespace ascendc_cpu;

struct aclTensorDesc {
    aclDataType dataType;
    std::vector<int64_t> dims;
    aclFormat format;
};

struct aclDataBuffer {
    void *data;
    size_t size;
};

struct aclopAttr {};

namespace {

std::vector<int64_t> Dims(const char *function, int numDims, const int64_t *dims)
{
    if (numDims < 0 || (numDims > 0 && dims == nullptr)) {
        Refuse(ACL_ERROR_INVALID_PARAM, function,
               "numDims: got " + std::to_string(numDims) + " and dims " + (dims == nullptr ? "nullptr" : "an address"));
    }
    return std::vector<int64_t>(dims, dims + numDims);
}

aclError SetAttr(const char *function, const aclopAttr *attr, const char *attrName)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require(function, "attr", attr);
        Require(function, "attrName", attrName);
    });
}

} // namespace

extern "C" {

aclTensorDesc *aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t *dims, aclFormat format)
{
    aclTensorDesc *desc = nullptr;
    (void)Guarded(ACL_ERROR_FAILURE,
                  [&] { desc = new aclTensorDesc{dataType, Dims("aclCreateTensorDesc", numDims, dims), format}; });
    return desc;
}

void aclDestroyTensorDesc(const aclTensorDesc *desc)
{
    delete desc;
}

aclDataType aclGetTensorDescType(const aclTensorDesc *desc)
{
    return desc == nullptr ? ACL_DT_UNDEFINED : desc->dataType;
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc)
{
    return desc == nullptr ? ACL_FORMAT_UNDEFINED : desc->format;
}

size_t aclGetTensorDescNumDims(const aclTensorDesc *desc)
{
    return desc == nullptr ? 0 : desc->dims.size();
}

aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *dimSize)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclGetTensorDescDimV2", "desc", desc);
        Require("aclGetTensorDescDimV2", "dimSize", dimSize);
        if (index >= desc->dims.size()) {
            Refuse(ACL_ERROR_INVALID_PARAM, "aclGetTensorDescDimV2",
                   "index: got " + std::to_string(index) + " of " + std::to_string(desc->dims.size()));
        }
        *dimSize = desc->dims[index];
    });
}

void aclSetTensorDescName(aclTensorDesc *, const char *)
{
}

// The storage format and shape of an operator's input: nobody reads them.
aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat)
{
    return Guarded(ACL_ERROR_FAILURE, [&] { Require("aclSetTensorFormat", "desc", desc); });
}

aclError aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclSetTensorShape", "desc", desc);
        (void)Dims("aclSetTensorShape", numDims, dims);
    });
}

aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType)
{
    return Guarded(ACL_ERROR_FAILURE, [&] { Require("aclSetTensorPlaceMent", "desc", desc); });
}

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size)
{
    return new aclDataBuffer{data, size};
}

aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer)
{
    delete dataBuffer;
    return ACL_SUCCESS;
}

aclopAttr *aclopCreateAttr()
{
    return new aclopAttr;
}

void aclopDestroyAttr(const aclopAttr *attr)
{
    delete attr;
}

aclError aclopSetAttrBool(aclopAttr *attr, const char *attrName, uint8_t)
{
    return SetAttr("aclopSetAttrBool", attr, attrName);
}

aclError aclopSetAttrInt(aclopAttr *attr, const char *attrName, int64_t)
{
    return SetAttr("aclopSetAttrInt", attr, attrName);
}

aclError aclopSetAttrFloat(aclopAttr *attr, const char *attrName, float)
{
    return SetAttr("aclopSetAttrFloat", attr, attrName);
}

aclError aclopSetAttrString(aclopAttr *attr, const char *attrName, const char *)
{
    return SetAttr("aclopSetAttrString", attr, attrName);
}

aclError aclopSetAttrDataType(aclopAttr *attr, const char *attrName, aclDataType)
{
    return SetAttr("aclopSetAttrDataType", attr, attrName);
}

aclError aclopSetAttrListBool(aclopAttr *attr, const char *attrName, int, const uint8_t *)
{
    return SetAttr("aclopSetAttrListBool", attr, attrName);
}

aclError aclopSetAttrListInt(aclopAttr *attr, const char *attrName, int, const int64_t *)
{
    return SetAttr("aclopSetAttrListInt", attr, attrName);
}

aclError aclopSetAttrListFloat(aclopAttr *attr, const char *attrName, int, const float *)
{
    return SetAttr("aclopSetAttrListFloat", attr, attrName);
}

aclError aclopSetAttrListListInt(aclopAttr *attr, const char *attrName, int, const int *, const int64_t *const[])
{
    return SetAttr("aclopSetAttrListListInt", attr, attrName);
}

aclError aclopCompileAndExecute(const char *opType, int, const aclTensorDesc *const[], const aclDataBuffer *const[],
                                int, const aclTensorDesc *const[], aclDataBuffer *const[], const aclopAttr *,
                                aclopEngineType, aclopCompileType, const char *, aclrtStream)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclopCompileAndExecute", "opType", opType);
        Refuse(ACL_ERROR_OP_NOT_FOUND, "aclopCompileAndExecute",
               std::string(opType) + ": CANN's built-in operators do not exist in this emulation");
    });
}
}
