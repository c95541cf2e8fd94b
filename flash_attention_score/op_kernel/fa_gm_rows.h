// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Rows of a matrix between GM and UB, of any type and at any byte: exactly the elements asked for are read or written.
#ifndef FA_GM_ROWS_H
#define FA_GM_ROWS_H
#include "fa_strategies.h"

// Sizes in elements. gmPitch 0: the same row for all; ubPitch: a multiple of 32 B.
struct FaGmRows {
    int64_t rows;
    int64_t cols;
    int64_t gmPitch;
    int64_t ubPitch;
};

// Rows of whole 32 B blocks, from either side to the other. Sizes in elements, multiples of such a block.
template <typename E>
__aicore__ inline AscendC::DataCopyParams FaBlockRowsParams(int64_t rows, int64_t cols, int64_t srcPitch,
                                                            int64_t dstPitch)
{
    constexpr int64_t unit = 32 / sizeof(E);
    AscendC::DataCopyParams params;
    params.blockCount = static_cast<uint16_t>(rows);
    params.blockLen = static_cast<uint16_t>(cols / unit);
    params.srcStride = static_cast<uint16_t>((srcPitch - cols) / unit);
    params.dstStride = static_cast<uint16_t>((dstPitch - cols) / unit);
    return params;
}

// GM -> UB, all rows by one copy, or a copy for each where the gap in GM does not fit its field.
template <typename E>
__aicore__ inline AscendC::DataCopyExtParams FaLoadRowsParams(const FaGmRows &matrix)
{
    constexpr int64_t size = sizeof(E);
    constexpr int64_t maxGap = 0xffffffffLL; // a uint32_t of bytes
    const int64_t rowBytes = matrix.cols * size;
    const int64_t gap = matrix.gmPitch * size - rowBytes;
    const bool oneCopy = gap >= 0 && gap <= maxGap;
    AscendC::DataCopyExtParams params;
    params.blockCount = static_cast<uint16_t>(oneCopy ? matrix.rows : 1);
    params.blockLen = static_cast<uint32_t>(rowBytes);
    params.srcStride = static_cast<uint32_t>(oneCopy ? gap : 0);
    params.dstStride = static_cast<uint32_t>((matrix.ubPitch * size - FaAlign(rowBytes, 32)) / 32);
    return params;
}

template <typename E>
__aicore__ inline void FaLoadRows(const AscendC::LocalTensor<E> &dst, const AscendC::GlobalTensor<E> &src,
                                  const FaGmRows &matrix, const AscendC::DataCopyPadExtParams<E> &pad = {})
{
    const AscendC::DataCopyExtParams params = FaLoadRowsParams<E>(matrix);
    for (int64_t row = 0; row < matrix.rows; row += params.blockCount) {
        AscendC::DataCopyPad(dst[static_cast<uint32_t>(row * matrix.ubPitch)], src[row * matrix.gmPitch], params, pad);
    }
}

template <typename E>
__aicore__ inline void FaStoreRows(const AscendC::GlobalTensor<E> &dst, const AscendC::LocalTensor<E> &src,
                                   const FaGmRows &matrix)
{
    const AscendC::DataCopyExtParams load = FaLoadRowsParams<E>(matrix);
    const AscendC::DataCopyExtParams params(load.blockCount, load.blockLen, load.dstStride, load.srcStride, 0);
    for (int64_t row = 0; row < matrix.rows; row += params.blockCount) {
        AscendC::DataCopyPad(dst[row * matrix.gmPitch], src[static_cast<uint32_t>(row * matrix.ubPitch)], params);
    }
}
#endif
