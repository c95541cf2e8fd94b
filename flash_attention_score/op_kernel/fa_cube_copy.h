// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The movements of the AIC's operands: GM -> L1 as NZ, and L1 -> L0A and L0B as they are or transposed.
#ifndef FA_CUBE_COPY_H
#define FA_CUBE_COPY_H
#include "fa_strategies.h"

constexpr int64_t FA_ND2NZ_PITCH_LIMIT = 65535; // srcDValue is a uint16_t

// A row-major matrix in GM and the padded size that it takes in L1.
struct FaNzTile {
    int64_t rows;
    int64_t cols;
    int64_t pitch;      // elements between rows in GM
    int64_t paddedRows; // multiple of 16
    int64_t paddedCols; // multiple of c0
};

// Zero the rows and columns of padding, so that stale bits (NaN) never meet a value. The column tail up to c0 is zeroed
// by the copy itself.
template <typename Traits>
__aicore__ inline void FaClearNzPadding(const AscendC::LocalTensor<typename Traits::Elem> &dst, const FaNzTile &tile)
{
    using T = typename Traits::Elem;
    const int64_t copiedCols = FaAlign(tile.cols, Traits::c0);
    const int64_t padRows = tile.paddedRows - tile.rows;
    if (padRows > 0) {
        AscendC::InitConstValueParams<T> params(static_cast<uint16_t>(copiedCols / Traits::c0),
                                                static_cast<uint16_t>(padRows), static_cast<uint16_t>(tile.rows),
                                                static_cast<T>(0));
        AscendC::InitConstValue(dst[static_cast<uint32_t>(tile.rows * Traits::c0)], params);
    }
    if (tile.paddedCols > copiedCols) {
        const int64_t blocks = (tile.paddedCols - copiedCols) / Traits::c0 * tile.paddedRows;
        AscendC::InitConstValueParams<T> params(1, static_cast<uint16_t>(blocks), 0, static_cast<T>(0));
        AscendC::InitConstValue(dst[static_cast<uint32_t>(copiedCols * tile.paddedRows)], params);
    }
}

// GM row-major -> L1 NZ [paddedCols / c0][paddedRows][c0], rows starting at row `firstRow` of the tile in L1.
template <typename Traits>
__aicore__ inline void FaCopyNd2Nz(const AscendC::LocalTensor<typename Traits::Elem> &dst,
                                   const AscendC::GlobalTensor<typename Traits::Elem> &src, const FaNzTile &tile,
                                   int64_t firstRow = 0)
{
    AscendC::Nd2NzParams params;
    params.ndNum = 1;
    params.dValue = static_cast<uint16_t>(tile.cols);
    params.srcNdMatrixStride = 0;
    params.dstNzC0Stride = static_cast<uint16_t>(tile.paddedRows);
    params.dstNzNStride = 1;
    params.dstNzMatrixStride = 0;
    const AscendC::LocalTensor<typename Traits::Elem> start = dst[static_cast<uint32_t>(firstRow * Traits::c0)];
    if (tile.pitch <= FA_ND2NZ_PITCH_LIMIT) {
        params.nValue = static_cast<uint16_t>(tile.rows);
        params.srcDValue = static_cast<uint16_t>(tile.pitch);
        AscendC::DataCopy(start, src, params);
        return;
    }
    params.nValue = 1;
    params.srcDValue = static_cast<uint16_t>(tile.cols);
    for (int64_t row = 0; row < tile.rows; ++row) {
        AscendC::DataCopy(start[static_cast<uint32_t>(row * Traits::c0)], src[row * tile.pitch], params);
    }
}

// B = X^T for X (n x k) in L1: the NZ of X is the nZ of its transpose already.
template <typename Traits>
__aicore__ inline void FaLoadRightTransposed(const AscendC::LocalTensor<typename Traits::Elem> &dst,
                                             const AscendC::LocalTensor<typename Traits::Elem> &src, int64_t paddedN,
                                             int64_t paddedK)
{
    AscendC::LoadData2DParams params;
    params.startIndex = 0;
    params.repeatTimes = static_cast<uint8_t>(paddedN / 16 * (paddedK / Traits::c0));
    params.srcStride = 1;
    params.dstGap = 0;
    params.ifTranspose = false;
    AscendC::LoadData(dst, src, params);
}

// Rows (a multiple of 16) and columns (of c0, or of 16 when it is transposed) of a matrix in L1 as NZ, as the load of a
// feature map that is one row high.
template <typename Traits>
__aicore__ inline AscendC::LoadData3DParamsV2<typename Traits::Elem> FaWholeMatrix(int64_t rows, int64_t cols)
{
    AscendC::LoadData3DParamsV2<typename Traits::Elem> params;
    params.l1H = 1;
    params.l1W = static_cast<uint16_t>(rows);
    params.channelSize = static_cast<uint16_t>(cols);
    params.mExtension = static_cast<uint16_t>(rows);
    params.kExtension = static_cast<uint16_t>(cols);
    params.mStartPt = 0;
    params.kStartPt = 0;
    return params;
}

// A (m x k) from L1 NZ -> L0A zZ, m padded to 16 and k to c0.
template <typename Traits>
__aicore__ inline void FaLoadLeft(const AscendC::LocalTensor<typename Traits::Elem> &dst,
                                  const AscendC::LocalTensor<typename Traits::Elem> &src, int64_t paddedM,
                                  int64_t paddedK)
{
    AscendC::LoadData(dst, src, FaWholeMatrix<Traits>(paddedM, paddedK));
}

// B (k x n) from L1, both padded to 16.
template <typename Traits>
__aicore__ inline void FaLoadRight(const AscendC::LocalTensor<typename Traits::Elem> &dst,
                                   const AscendC::LocalTensor<typename Traits::Elem> &src, int64_t paddedK,
                                   int64_t paddedN)
{
    AscendC::LoadData(dst, src, FaWholeMatrix<Traits>(paddedK, paddedN));
}

// A = X^T for X (k x m) in L1, both padded to 16.
template <typename Traits>
__aicore__ inline void FaLoadLeftTransposed(const AscendC::LocalTensor<typename Traits::Elem> &dst,
                                            const AscendC::LocalTensor<typename Traits::Elem> &src, int64_t paddedK,
                                            int64_t paddedM)
{
    AscendC::LoadData3DParamsV2<typename Traits::Elem> params = FaWholeMatrix<Traits>(paddedK, paddedM);
    params.enTranspose = true;
    AscendC::LoadData(dst, src, params);
}
#endif
