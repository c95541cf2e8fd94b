// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Fields of parameter structs: everything that integers can do, and a number n that has to fit, one way a scenario.
#include "kernel_operator.h"

using namespace AscendC;

enum Way : uint32_t {
    USES,
    CASTS,
    ASSIGNED,
    CONSTRUCTED,
    BRACES,
    REPEAT,
    STRIDE,
    MMAD,
    NEGATIVE,
    WIDE,
    FROM_FIELD,
    OLD_STYLE,
    FUNCTION_STYLE,
    IN_MACRO
};

#define NARROW(x) ((uint8_t)(x))

template <typename T>
__aicore__ inline T Twice(T value)
{
    return value + value;
}

__aicore__ inline void Increase(uint16_t &value)
{
    value += 2;
}

// Sums up 100 where all of them work as on plain integers.
__aicore__ inline int32_t Uses(uint32_t n)
{
    DataCopyParams p{1, 2, 3, 4};
    DataCopyParams q = {p.blockCount, 2, 3, 4};
    auto copy = p.blockLen;              // 2
    p.srcGap = 5;                        // srcStride is its other name
    q.dstStride = p.srcStride;           // 5
    q.blockLen = n > 0 ? p.blockLen : 0; // 2
    q.blockLen *= 3;                     // 6
    q.blockLen++;                        // 7
    Increase(q.blockLen);                // 9
    uint16_t plain = q.blockLen;
    Nd2NzParams tile(1, plain, 16, 0, 16, 16, 1, 0);
    tile.dValue = tile.nValue + 1; // 10
    UnaryRepeatParams defaults;
    const bool equal = p.srcStride == q.dstStride && p.blockLen < q.blockLen && tile.nValue != 0;
    int32_t sum = copy + p.srcStride * 4 + q.blockLen + tile.dValue;               // 2 + 20 + 9 + 10
    sum += static_cast<int32_t>(q.dstGap) + Twice<int32_t>(defaults.dstRepStride); // 5 + 16
    switch (q.dstStride) {
    case 5:
        sum += equal ? 38 : 0;
        break;
    default:
        break;
    }
    return sum;
}

// Old-style casts bind as they always do.
__aicore__ inline int32_t Casts(uint32_t n)
{
    const uint32_t numbers[2] = {n, n + 1};
    const uint32_t *pointer = numbers;
    constexpr uint16_t constant = (uint16_t)(sizeof(float) * 2); // 8
    int32_t sum = 100 - (uint8_t)n * 2 + (uint16_t)numbers[1] % 3 - -(int16_t)n;
    sum += (uint16_t)*pointer + (int8_t) - (int32_t)n + (uint16_t)~0xfffffff0u + (uint16_t)Twice<uint32_t>(n);
    sum += (n > 2 ? (uint16_t)n : (uint8_t)(n + 1)) << (uint8_t)1 | (uint8_t)('a' == 'a');
    sum += (int32_t)(uint16_t)n + (uint16_t)1.75f + (uint8_t) true + uint16_t(n + 1) / uint8_t{2} + !(uint8_t)n;
    return sum + constant + (int16_t)(half)n;
}

extern "C" __global__ __aicore__ void check_fields(GM_ADDR x, GM_ADDR y, uint32_t way, uint32_t n)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 4096);
    LocalTensor<float> a = buffer.Get<float>();
    GlobalTensor<float> out;
    out.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(y));
    const int64_t many = static_cast<int64_t>(n) << 32;
    uint32_t value = 0;
    Duplicate(a, 1.0f, 512);
    PipeBarrier<PIPE_ALL>();
    if (way == USES) {
        value = Uses(n);
    } else if (way == CASTS) {
        value = Casts(n);
    } else if (way == ASSIGNED) {
        DataCopyParams p;
        p.blockLen = n; // line: ASSIGNED
        value = p.blockLen;
    } else if (way == CONSTRUCTED) {
        value = DataCopyParams(1, n, 0, 0).blockLen; // line: CONSTRUCTED
    } else if (way == BRACES) {
        int32_t len = n;
        DataCopyPadParams pads = {true, static_cast<uint8_t>(0), uint8_t(0), 0};
        LoadData2DParams load(0, len, 0, 0, 0, false, 0); // line: BRACES
        value = load.repeatTimes + pads.leftPadding;
    } else if (way == REPEAT) {
        Adds(a, a, 1.0f, 64, n, {1, 1, 0, 0}); // line: REPEAT
    } else if (way == STRIDE) {
        Duplicate(a, 1.0f, 64, 1, 1, n); // line: STRIDE
    } else if (way == MMAD) {
        MmadParams sizes;
        sizes.m = n + 0u; // line: MMAD
        value = sizes.m;
    } else if (way == NEGATIVE) {
        Nd2NzParams tile;
        tile.nValue = 2 - static_cast<int32_t>(n); // line: NEGATIVE
        value = tile.nValue;
    } else if (way == WIDE) {
        DataCopyExtParams p(1, 32, many, 0, 0); // line: WIDE
        value = p.srcStride;
    } else if (way == FROM_FIELD) {
        DataCopyParams p(1, 300, 0, 0);
        LoadData2DParams load;
        load.repeatTimes = n > 255 ? p.blockLen : p.blockCount; // line: FROM_FIELD
        value = load.repeatTimes;
    } else if (way == OLD_STYLE) {
        value = DataCopyParams(1, (uint16_t)n, 0, 0).blockLen; // line: OLD_STYLE
    } else if (way == FUNCTION_STYLE) {
        value = DataCopyParams(1, uint16_t(n), 0, 0).blockLen; // line: FUNCTION_STYLE
    } else {
        value = NARROW(n + 1); // line: IN_MACRO
    }
    out.SetValue(0, value);
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(out);
}
