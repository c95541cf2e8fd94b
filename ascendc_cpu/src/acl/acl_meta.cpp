// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "aclnn/acl_meta.h"
#include <algorithm>
#include <cstring>
#include "../host/status.h"
#include "acl_object.h"
#include "graph/types.h"

using namespace ascendc_cpu;

namespace {

void CheckDims(const char *argument, const int64_t *dims, uint64_t number)
{
    if ((dims == nullptr && number > 0) || number > MAX_DIMS) {
        throw HostError(ACLNN_ERR_PARAM_INVALID, std::string("aclCreateTensor: ") + argument + ": got " +
                                                     std::to_string(number) + " dimensions, allowed: 0 to 25");
    }
    int64_t elements = 1;
    for (uint64_t i = 0; i < number; i++) {
        if (dims[i] < 0) {
            throw HostError(ACLNN_ERR_PARAM_INVALID, std::string("aclCreateTensor: ") + argument + "[" +
                                                         std::to_string(i) + "]: got " + std::to_string(dims[i]) +
                                                         ", allowed: 0 or more");
        }
        if (__builtin_mul_overflow(elements, std::max<int64_t>(dims[i], 1), &elements)) {
            throw HostError(ACLNN_ERR_PARAM_INVALID,
                            std::string("aclCreateTensor: ") + argument + ": more than 2^63 - 1 elements");
        }
    }
}

void SetDenseStrides(TensorView &view)
{
    int64_t strides[MAX_DIMS];
    int64_t stride = 1;
    for (size_t i = view.dims.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= std::max<int64_t>(view.dims[i], 1);
    }
    view.strides.assign(strides, strides + view.dims.size());
}

template <typename Array, typename T>
Array *CreateArray(AclKind kind, const char *function, const T *value, uint64_t size)
{
    if (value == nullptr && size > 0) {
        ReportError(std::string(function) + ": value: got nullptr with size " + std::to_string(size));
        return nullptr;
    }
    auto *array = new Array;
    array->kind = kind;
    array->values.assign(value, value + size);
    return array;
}

template <typename Object>
aclnnStatus Destroy(const Object *object)
{
    delete object;
    return ACLNN_SUCCESS;
}

aclnnStatus NullArgument(const char *function)
{
    ReportError(std::string(function) + ": got nullptr");
    return ACLNN_ERR_PARAM_NULLPTR;
}

aclnnStatus CopyOut(const char *function, const DimList &list, int64_t **values, uint64_t *number)
{
    if (values == nullptr || number == nullptr) {
        return NullArgument(function);
    }
    *values = new int64_t[list.size()];
    std::copy(list.begin(), list.end(), *values);
    *number = list.size();
    return ACLNN_SUCCESS;
}

template <typename T, typename Value>
aclnnStatus Give(const char *function, const void *object, T *target, const Value &value)
{
    if (object == nullptr || target == nullptr) {
        return NullArgument(function);
    }
    *target = value();
    return ACLNN_SUCCESS;
}

} // namespace

extern "C" {

size_t aclDataTypeSize(aclDataType dataType)
{
    const int size = ge::GetSizeByDataType(static_cast<ge::DataType>(dataType));
    return size > 0 ? static_cast<size_t>(size) : 0;
}

aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *stride,
                           int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
                           void *tensorData)
{
    aclTensor *tensor = nullptr;
    Guarded(ACLNN_ERR_INNER, [&] {
        CheckDims("viewDims", viewDims, viewDimsNum);
        CheckDims("storageDims", storageDims, storageDimsNum);
        if (aclDataTypeSize(dataType) == 0) {
            throw HostError(ACLNN_ERR_PARAM_INVALID,
                            "aclCreateTensor: dataType: got " + std::to_string(static_cast<int>(dataType)));
        }
        const auto view = std::make_shared<TensorView>();
        view->dims.assign(viewDims, viewDims + viewDimsNum);
        view->storageDims.assign(storageDims, storageDims + storageDimsNum);
        if (stride != nullptr) {
            view->strides.assign(stride, stride + viewDimsNum);
        } else {
            SetDenseStrides(*view);
        }
        view->offset = offset;
        view->dataType = dataType;
        view->format = format;
        view->data = static_cast<uint8_t *>(tensorData);
        tensor = new aclTensor;
        tensor->kind = AclKind::TENSOR;
        tensor->view = view;
    });
    return tensor;
}

aclScalar *aclCreateScalar(void *value, aclDataType dataType)
{
    const size_t bytes = aclDataTypeSize(dataType);
    if (value == nullptr || bytes == 0) {
        ReportError("aclCreateScalar: value is nullptr or dataType " + std::to_string(static_cast<int>(dataType)) +
                    " has no size");
        return nullptr;
    }
    auto *scalar = new aclScalar;
    scalar->kind = AclKind::SCALAR;
    scalar->dataType = dataType;
    memcpy(scalar->bytes, value, bytes);
    return scalar;
}

aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size)
{
    return CreateArray<aclIntArray>(AclKind::INT_ARRAY, "aclCreateIntArray", value, size);
}

aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size)
{
    return CreateArray<aclFloatArray>(AclKind::FLOAT_ARRAY, "aclCreateFloatArray", value, size);
}

aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size)
{
    return CreateArray<aclBoolArray>(AclKind::BOOL_ARRAY, "aclCreateBoolArray", value, size);
}

aclnnStatus aclDestroyTensor(const aclTensor *tensor)
{
    return Destroy(tensor);
}

aclnnStatus aclDestroyScalar(const aclScalar *scalar)
{
    return Destroy(scalar);
}

aclnnStatus aclDestroyIntArray(const aclIntArray *array)
{
    return Destroy(array);
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray *array)
{
    return Destroy(array);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray *array)
{
    return Destroy(array);
}

aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum)
{
    return tensor == nullptr ? NullArgument("aclGetViewShape")
                             : CopyOut("aclGetViewShape", tensor->view->dims, viewDims, viewDimsNum);
}

aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims, uint64_t *storageDimsNum)
{
    return tensor == nullptr ? NullArgument("aclGetStorageShape")
                             : CopyOut("aclGetStorageShape", tensor->view->storageDims, storageDims, storageDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue, uint64_t *stridesNum)
{
    return tensor == nullptr ? NullArgument("aclGetViewStrides")
                             : CopyOut("aclGetViewStrides", tensor->view->strides, stridesValue, stridesNum);
}

aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset)
{
    return Give("aclGetViewOffset", tensor, offset, [&] { return tensor->view->offset; });
}

aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format)
{
    return Give("aclGetFormat", tensor, format, [&] { return tensor->view->format; });
}

aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType)
{
    return Give("aclGetDataType", tensor, dataType, [&] { return tensor->view->dataType; });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr)
{
    return Give("aclGetRawTensorAddr", tensor, addr, [&] { return tensor->view->data; });
}

aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size)
{
    return Give("aclGetIntArraySize", array, size, [&] { return array->values.size(); });
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size)
{
    return Give("aclGetFloatArraySize", array, size, [&] { return array->values.size(); });
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size)
{
    return Give("aclGetBoolArraySize", array, size, [&] { return array->values.size(); });
}
}
