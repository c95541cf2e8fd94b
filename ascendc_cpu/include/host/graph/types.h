// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Data types and formats, with CANN's numbers. Only what the CPU runtime can carry is listed.
#ifndef ASCENDC_CPU_GRAPH_TYPES_H
#define ASCENDC_CPU_GRAPH_TYPES_H
#include <cstddef>
#include <cstdint>

namespace ge {

using char_t = char;
using float32_t = float;

enum DataType {
    DT_FLOAT = 0,
    DT_FLOAT16 = 1,
    DT_INT8 = 2,
    DT_INT32 = 3,
    DT_UINT8 = 4,
    DT_INT16 = 6,
    DT_UINT16 = 7,
    DT_UINT32 = 8,
    DT_INT64 = 9,
    DT_UINT64 = 10,
    DT_DOUBLE = 11,
    DT_BOOL = 12,
    DT_BF16 = 27,
    DT_UNDEFINED = 28
};

enum Format {
    FORMAT_NCHW = 0,
    FORMAT_NHWC = 1,
    FORMAT_ND = 2,
    FORMAT_HWCN = 16,
    FORMAT_NDHWC = 27,
    FORMAT_NCDHW = 30,
    FORMAT_NC = 35,
    FORMAT_NCL = 47
};

// Bytes of one element, -1 for a type without a size.
inline int GetSizeByDataType(DataType dataType)
{
    switch (dataType) {
    case DT_INT8:
    case DT_UINT8:
    case DT_BOOL:
        return 1;
    case DT_FLOAT16:
    case DT_BF16:
    case DT_INT16:
    case DT_UINT16:
        return 2;
    case DT_FLOAT:
    case DT_INT32:
    case DT_UINT32:
        return 4;
    case DT_INT64:
    case DT_UINT64:
    case DT_DOUBLE:
        return 8;
    default:
        return -1;
    }
}

} // namespace ge
#endif
