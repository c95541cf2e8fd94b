// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "flash_attention_score_tiling_data.h"
#include "fa_kernel.h"

template <typename Traits>
__aicore__ inline void FaRun(const FlashAttentionScoreTilingData &tiling,
                             FaGlobalTensors<typename Traits::Elem> &global, GM_ADDR workspace)
{
    const int64_t core = FaGroupIndex();
    global.InitRings(tiling, workspace, core);
    FaKernel<Traits> kernel;
    kernel.Init(tiling, global, core);
    kernel.Process();
}

extern "C" __global__ __aicore__ void
flash_attention_score(GM_ADDR query, GM_ADDR key, GM_ADDR value, GM_ADDR realShift, GM_ADDR dropMask,
                      GM_ADDR paddingMask, GM_ADDR attenMask, GM_ADDR prefix, GM_ADDR actualSeqQlen,
                      GM_ADDR actualSeqKvlen, GM_ADDR qStartIdx, GM_ADDR kvStartIdx, GM_ADDR dScaleQ, GM_ADDR dScaleK,
                      GM_ADDR dScaleV, GM_ADDR queryRope, GM_ADDR keyRope, GM_ADDR sink, GM_ADDR softmaxMax,
                      GM_ADDR softmaxSum, GM_ADDR softmaxOut, GM_ADDR attentionOut, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    REGISTER_TILING_DEFAULT(FlashAttentionScoreTilingData);
    GET_TILING_DATA(tilingData, tiling);

    using T = DTYPE_QUERY;
    FaGlobalTensors<T> global;
    global.query.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(query));
    global.key.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(key));
    global.value.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(value));
    global.queryRope.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(queryRope));
    global.keyRope.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(keyRope));
    global.shift = realShift;
    global.mask.SetGlobalBuffer(attenMask);
    global.dropMask.SetGlobalBuffer(dropMask);
    global.sink.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(sink));
    global.lists.queryEnds.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t *>(actualSeqQlen));
    global.lists.keyEnds.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t *>(actualSeqKvlen));
    global.lists.prefixes.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t *>(prefix));
    global.out.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(attentionOut));
    global.softmaxMax.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(softmaxMax));
    global.softmaxSum.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(softmaxSum));

    GM_ADDR user = AscendC::GetUserWorkspace(workspace);
    if (TILING_KEY_IS(0)) {
        FaRun<FaTraits<T, FaStrategy::DEFAULT>>(tilingData, global, user);
    } else if (TILING_KEY_IS(1)) {
        FaRun<FaTraits<T, FaStrategy::SHORT_SEQ>>(tilingData, global, user);
    } else if (TILING_KEY_IS(2)) {
        FaRun<FaTraits<T, FaStrategy::LONG_SEQ>>(tilingData, global, user);
    }
}
