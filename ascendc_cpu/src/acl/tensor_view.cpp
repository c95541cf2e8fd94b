// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include "acl_object.h"

namespace ascendc_cpu {
namespace {

// One dimension after another, outermost first; `bytes` is the element size.
template <size_t BYTES>
void CopyDimension(const TensorView &view, size_t dimension, const uint8_t *source, uint8_t *&dense)
{
    const int64_t stride = view.strides[dimension] * static_cast<int64_t>(BYTES);
    const int64_t count = view.dims[dimension];
    if (dimension + 1 < view.dims.size()) {
        for (int64_t i = 0; i < count; i++) {
            CopyDimension<BYTES>(view, dimension + 1, source + i * stride, dense);
        }
        return;
    }
    if (stride == static_cast<int64_t>(BYTES)) {
        memcpy(dense, source, static_cast<size_t>(count) * BYTES);
    } else {
        for (int64_t i = 0; i < count; i++) {
            memcpy(dense + i * static_cast<int64_t>(BYTES), source + i * stride, BYTES);
        }
    }
    dense += count * static_cast<int64_t>(BYTES);
}

} // namespace

int64_t TensorView::Elements() const
{
    int64_t elements = 1;
    for (const int64_t dim : dims) {
        elements *= dim;
    }
    return elements;
}

bool TensorView::IsContiguous() const
{
    if (Elements() == 0) {
        return true;
    }
    int64_t expected = 1;
    for (size_t i = dims.size(); i-- > 0;) {
        if (dims[i] != 1 && strides[i] != expected) {
            return false;
        }
        expected *= dims[i];
    }
    return true;
}

uint8_t *TensorView::Begin() const
{
    return data + offset * static_cast<int64_t>(aclDataTypeSize(dataType));
}

void CopyToDense(const TensorView &view, uint8_t *dense)
{
    if (view.Elements() == 0) {
        return;
    }
    const size_t bytes = aclDataTypeSize(view.dataType);
    if (view.IsContiguous()) {
        memcpy(dense, view.Begin(), static_cast<size_t>(view.Elements()) * bytes);
        return;
    }
    const auto copy = bytes == 1   ? CopyDimension<1>
                      : bytes == 2 ? CopyDimension<2>
                      : bytes == 4 ? CopyDimension<4>
                                   : CopyDimension<8>;
    copy(view, 0, view.Begin(), dense);
}

} // namespace ascendc_cpu
