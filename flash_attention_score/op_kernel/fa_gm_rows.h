// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Rows of a matrix from GM to UB, of any type and at any byte: exactly the elements asked for are read.
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

template <typename E>
__aicore__ inline void FaLoadRows(const AscendC::LocalTensor<E> &dst, const AscendC::GlobalTensor<E> &src,
                                  const FaGmRows &matrix)
{
    constexpr int64_t size = sizeof(E);
    constexpr int64_t maxGap = 0xffffffffLL; // srcStride is a uint32_t of bytes
    const int64_t rowBytes = matrix.cols * size;
    const int64_t gap = matrix.gmPitch * size - rowBytes;
    AscendC::DataCopyPadExtParams<E> pad;
    AscendC::DataCopyExtParams params;
    params.blockLen = static_cast<uint32_t>(rowBytes);
    params.dstStride = static_cast<uint32_t>((matrix.ubPitch * size - FaAlign(rowBytes, 32)) / 32);
    if (gap >= 0 && gap <= maxGap) {
        params.blockCount = static_cast<uint16_t>(matrix.rows);
        params.srcStride = static_cast<uint32_t>(gap);
        AscendC::DataCopyPad(dst, src, params, pad);
        return;
    }
    params.blockCount = 1;
    for (int64_t row = 0; row < matrix.rows; ++row) {
        AscendC::DataCopyPad(dst[static_cast<uint32_t>(row * matrix.ubPitch)], src[row * matrix.gmPitch], params, pad);
    }
}
#endif
