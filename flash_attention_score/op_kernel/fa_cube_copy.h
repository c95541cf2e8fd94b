// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The four movements of the AIC's inputs: GM -> L1 as NZ, L1 -> L0A, and L1 -> L0B for K^T and for V.
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

// A (rows x k) from L1 NZ with `rows` rows -> L0A zZ.
template <typename Traits>
__aicore__ inline void FaLoadLeft(const AscendC::LocalTensor<typename Traits::Elem> &dst,
                                  const AscendC::LocalTensor<typename Traits::Elem> &src, int64_t rows, int64_t paddedK)
{
    AscendC::LoadData2DParams params;
    params.repeatTimes = static_cast<uint8_t>(paddedK / Traits::c0);
    params.srcStride = static_cast<uint16_t>(rows / 16);
    params.dstGap = 0;
    params.ifTranspose = false;
    for (int64_t block = 0; block < rows / 16; ++block) {
        params.startIndex = static_cast<uint16_t>(block);
        AscendC::LoadData(dst[static_cast<uint32_t>(block * 16 * paddedK)], src, params);
    }
}

// B = K^T: the NZ of keys x d is the nZ of d x keys already.
template <typename Traits>
__aicore__ inline void FaLoadKeys(const AscendC::LocalTensor<typename Traits::Elem> &dst,
                                  const AscendC::LocalTensor<typename Traits::Elem> &src, int64_t paddedKeys,
                                  int64_t paddedD)
{
    AscendC::LoadData2DParams params;
    params.startIndex = 0;
    params.repeatTimes = static_cast<uint8_t>(paddedKeys / 16 * (paddedD / Traits::c0));
    params.srcStride = 1;
    params.dstGap = 0;
    params.ifTranspose = false;
    AscendC::LoadData(dst, src, params);
}

// B = V (keys x dv), both padded to 16.
template <typename Traits>
__aicore__ inline void FaLoadValues(const AscendC::LocalTensor<typename Traits::Elem> &dst,
                                    const AscendC::LocalTensor<typename Traits::Elem> &src, int64_t paddedKeys,
                                    int64_t paddedDv)
{
    AscendC::LoadData3DParamsV2<typename Traits::Elem> params;
    params.l1H = 1;
    params.l1W = static_cast<uint16_t>(paddedKeys);
    params.channelSize = static_cast<uint16_t>(paddedDv);
    params.mExtension = static_cast<uint16_t>(paddedKeys);
    params.kExtension = static_cast<uint16_t>(paddedDv);
    params.mStartPt = 0;
    params.kStartPt = 0;
    AscendC::LoadData(dst, src, params);
}
#endif
