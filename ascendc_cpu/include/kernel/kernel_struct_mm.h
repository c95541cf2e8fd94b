// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Parameters of LoadData, Mmad and Fill.
#ifndef ASCENDC_CPU_KERNEL_STRUCT_MM_H
#define ASCENDC_CPU_KERNEL_STRUCT_MM_H
#include "kernel_type.h"

ASCENDC_CPU_BEGIN

constexpr int32_t PAD_SIZE = 4;

// Unit: a fractal of 512 B. srcStride runs from head to head, dstGap from tail to head.
struct LoadData2DParams {
    __aicore__ LoadData2DParams()
    {
    }
    __aicore__ LoadData2DParams(ascendc_cpu::FieldValue<uint16_t> startIndexIn,
                                ascendc_cpu::FieldValue<uint8_t> repeatTimesIn,
                                ascendc_cpu::FieldValue<uint16_t> srcStrideIn, ascendc_cpu::FieldValue<uint8_t> sidIn,
                                ascendc_cpu::FieldValue<uint16_t> dstGapIn, const bool ifTransposeIn,
                                ascendc_cpu::FieldValue<uint8_t> addrModeIn)
        : startIndex(startIndexIn), dstGap(dstGapIn), srcStride(srcStrideIn), ifTranspose(ifTransposeIn),
          repeatTimes(repeatTimesIn), sid(sidIn), addrMode(addrModeIn)
    {
    }
    ascendc_cpu::Field<uint16_t> startIndex{0};
    ascendc_cpu::Field<uint16_t> dstGap{0};
    ascendc_cpu::Field<uint16_t> srcStride{0};
    bool ifTranspose = false;
    ascendc_cpu::Field<uint8_t> repeatTimes{0};
    ascendc_cpu::Field<uint8_t> sid{0};
    ascendc_cpu::Field<uint8_t> addrMode{0};
};
using LoadData2dParams = LoadData2DParams;

// Unit of startIndex and srcStride: a square (one 16 x 16 fractal of 2-byte, two 16 x 8 fractals of 4-byte elements).
struct LoadData2dTransposeParams {
    __aicore__ LoadData2dTransposeParams()
    {
    }
    __aicore__ LoadData2dTransposeParams(ascendc_cpu::FieldValue<uint16_t> startIndexIn,
                                         ascendc_cpu::FieldValue<uint8_t> repeatTimesIn,
                                         ascendc_cpu::FieldValue<uint16_t> srcStrideIn,
                                         ascendc_cpu::FieldValue<uint16_t> dstGapIn,
                                         ascendc_cpu::FieldValue<uint16_t> dstfracGapIn,
                                         ascendc_cpu::FieldValue<uint8_t> addrModeIn)
        : startIndex(startIndexIn), repeatTimes(repeatTimesIn), srcStride(srcStrideIn), dstGap(dstGapIn),
          dstFracGap(dstfracGapIn), addrMode(addrModeIn)
    {
    }
    __aicore__ LoadData2dTransposeParams(ascendc_cpu::FieldValue<uint16_t> startIndexIn,
                                         ascendc_cpu::FieldValue<uint8_t> repeatTimesIn,
                                         ascendc_cpu::FieldValue<uint16_t> srcStrideIn,
                                         ascendc_cpu::FieldValue<uint16_t> dstGapIn,
                                         ascendc_cpu::FieldValue<uint16_t> dstfracGapIn)
        : LoadData2dTransposeParams(startIndexIn, repeatTimesIn, srcStrideIn, dstGapIn, dstfracGapIn, 0)
    {
    }
    ascendc_cpu::Field<uint16_t> startIndex{0};
    ascendc_cpu::Field<uint8_t> repeatTimes{0};
    ascendc_cpu::Field<uint16_t> srcStride{0};
    ascendc_cpu::Field<uint16_t> dstGap{0};     // fractals
    ascendc_cpu::Field<uint16_t> dstFracGap{0}; // fractals
    ascendc_cpu::Field<uint8_t> addrMode{0};
};

// The image-to-column load. As a matrix load: l1H = 1, l1W = rows in L1, channelSize = columns in L1.
template <typename T>
struct LoadData3DParamsV2 {
    __aicore__ LoadData3DParamsV2()
    {
    }
    __aicore__
    LoadData3DParamsV2(const uint8_t padListIn[PAD_SIZE], ascendc_cpu::FieldValue<uint16_t> l1HIn,
                       ascendc_cpu::FieldValue<uint16_t> l1WIn, ascendc_cpu::FieldValue<uint16_t> channelSizeIn,
                       ascendc_cpu::FieldValue<uint16_t> kExtensionIn, ascendc_cpu::FieldValue<uint16_t> mExtensionIn,
                       ascendc_cpu::FieldValue<uint16_t> kStartPtIn, ascendc_cpu::FieldValue<uint16_t> mStartPtIn,
                       ascendc_cpu::FieldValue<uint8_t> strideWIn, ascendc_cpu::FieldValue<uint8_t> strideHIn,
                       ascendc_cpu::FieldValue<uint8_t> filterWIn, ascendc_cpu::FieldValue<uint8_t> filterHIn,
                       ascendc_cpu::FieldValue<uint8_t> dilationFilterWIn,
                       ascendc_cpu::FieldValue<uint8_t> dilationFilterHIn, const bool enTransposeIn,
                       const bool enSmallKIn, const T padValueIn, const bool filterSizeWIn, const bool filterSizeHIn,
                       const bool fMatrixCtrlIn)
        : l1H(l1HIn), l1W(l1WIn), channelSize(channelSizeIn), kExtension(kExtensionIn), mExtension(mExtensionIn),
          kStartPt(kStartPtIn), mStartPt(mStartPtIn), strideW(strideWIn), strideH(strideHIn), filterW(filterWIn),
          filterH(filterHIn), dilationFilterW(dilationFilterWIn), dilationFilterH(dilationFilterHIn),
          enTranspose(enTransposeIn), enSmallK(enSmallKIn), padValue(padValueIn), filterSizeW(filterSizeWIn),
          filterSizeH(filterSizeHIn), fMatrixCtrl(fMatrixCtrlIn)
    {
        for (int32_t i = 0; i < PAD_SIZE; ++i) {
            padList[i] = padListIn[i];
        }
    }
    __aicore__
    LoadData3DParamsV2(const uint8_t padListIn[PAD_SIZE], ascendc_cpu::FieldValue<uint16_t> l1HIn,
                       ascendc_cpu::FieldValue<uint16_t> l1WIn, ascendc_cpu::FieldValue<uint16_t> channelSizeIn,
                       ascendc_cpu::FieldValue<uint16_t> kExtensionIn, ascendc_cpu::FieldValue<uint16_t> mExtensionIn,
                       ascendc_cpu::FieldValue<uint16_t> kStartPtIn, ascendc_cpu::FieldValue<uint16_t> mStartPtIn,
                       ascendc_cpu::FieldValue<uint8_t> strideWIn, ascendc_cpu::FieldValue<uint8_t> strideHIn,
                       ascendc_cpu::FieldValue<uint8_t> filterWIn, ascendc_cpu::FieldValue<uint8_t> filterHIn,
                       ascendc_cpu::FieldValue<uint8_t> dilationFilterWIn,
                       ascendc_cpu::FieldValue<uint8_t> dilationFilterHIn, const bool enTransposeIn,
                       const bool enSmallKIn, const T padValueIn)
        : LoadData3DParamsV2(padListIn, l1HIn, l1WIn, channelSizeIn, kExtensionIn, mExtensionIn, kStartPtIn, mStartPtIn,
                             strideWIn, strideHIn, filterWIn, filterHIn, dilationFilterWIn, dilationFilterHIn,
                             enTransposeIn, enSmallKIn, padValueIn, false, false, false)
    {
    }
    uint8_t padList[PAD_SIZE] = {0, 0, 0, 0}; // left, right, top, bottom
    ascendc_cpu::Field<uint16_t> l1H{0};
    ascendc_cpu::Field<uint16_t> l1W{0};
    ascendc_cpu::Field<uint16_t> channelSize{0};
    ascendc_cpu::Field<uint16_t> kExtension{0};
    ascendc_cpu::Field<uint16_t> mExtension{0};
    ascendc_cpu::Field<uint16_t> kStartPt{0};
    ascendc_cpu::Field<uint16_t> mStartPt{0};
    ascendc_cpu::Field<uint8_t> strideW{1};
    ascendc_cpu::Field<uint8_t> strideH{1};
    ascendc_cpu::Field<uint8_t> filterW{1};
    ascendc_cpu::Field<uint8_t> filterH{1};
    ascendc_cpu::Field<uint8_t> dilationFilterW{1};
    ascendc_cpu::Field<uint8_t> dilationFilterH{1};
    bool enTranspose = false;
    bool enSmallK = false;
    T padValue = static_cast<T>(0);
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
};

// Which of the image registers a 3D load takes from its parameters instead of SetFmatrix / SetLoadDataPaddingValue.
struct IsResetLoad3dConfig {
    __aicore__ constexpr IsResetLoad3dConfig(const bool isSetFMatrixIn, const bool isSetPaddingIn)
        : isSetFMatrix(isSetFMatrixIn), isSetPadding(isSetPaddingIn)
    {
    }
    bool isSetFMatrix = true;
    bool isSetPadding = true;
};
constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

struct MmadParams {
    __aicore__ MmadParams()
    {
    }
    __aicore__ MmadParams(ascendc_cpu::FieldValue<uint16_t> mIn, ascendc_cpu::FieldValue<uint16_t> nIn,
                          ascendc_cpu::FieldValue<uint16_t> kIn, const bool isBiasIn, const int32_t fmOffsetIn,
                          const bool enSsparseIn, const bool enWinogradAIn, const bool enWinogradBIn)
        : m(mIn), n(nIn), k(kIn), isBias(isBiasIn), fmOffset(fmOffsetIn), enSsparse(enSsparseIn),
          enWinogradA(enWinogradAIn), enWinogradB(enWinogradBIn)
    {
    }
    __aicore__ MmadParams(ascendc_cpu::FieldValue<uint16_t> mIn, ascendc_cpu::FieldValue<uint16_t> nIn,
                          ascendc_cpu::FieldValue<uint16_t> kIn, ascendc_cpu::FieldValue<uint8_t> unitFlagIn,
                          const bool cmatrixSourceIn, const bool cmatrixInitValIn)
        : m(mIn), n(nIn), k(kIn), unitFlag(unitFlagIn), cmatrixSource(cmatrixSourceIn), cmatrixInitVal(cmatrixInitValIn)
    {
    }
    ascendc_cpu::Field<uint16_t> m{0};
    ascendc_cpu::Field<uint16_t> n{0};
    ascendc_cpu::Field<uint16_t> k{0};
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    ascendc_cpu::Field<uint8_t> unitFlag{0};
    bool kDirectionAlign = false; // float: k is padded to 16 in L0A and L0B, not to 8
    bool cmatrixSource = false;   // true: C starts from the bias table
    bool cmatrixInitVal = true;   // true: C starts from zero
};

// Units of blockNum and dstGap: 32 B in L1, 512 B in L0A and L0B.
template <typename T>
struct InitConstValueParams {
    __aicore__ InitConstValueParams()
    {
    }
    __aicore__ InitConstValueParams(ascendc_cpu::FieldValue<uint16_t> repeatTimesIn,
                                    ascendc_cpu::FieldValue<uint16_t> blockNumIn,
                                    ascendc_cpu::FieldValue<uint16_t> dstGapIn, const T initValueIn)
        : repeatTimes(repeatTimesIn), blockNum(blockNumIn), dstGap(dstGapIn), initValue(initValueIn)
    {
    }
    __aicore__ InitConstValueParams(ascendc_cpu::FieldValue<uint16_t> repeatTimesIn, const T initValueIn)
        : repeatTimes(repeatTimesIn), initValue(initValueIn)
    {
    }
    ascendc_cpu::Field<uint16_t> repeatTimes{0};
    ascendc_cpu::Field<uint16_t> blockNum{0};
    ascendc_cpu::Field<uint16_t> dstGap{0};
    T initValue = static_cast<T>(0);
};

ASCENDC_CPU_END
#endif
