// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "flash_attention_score_grad_tiling_data.h"
#include "fag_kernel.h"

extern "C" __global__ __aicore__ void
flash_attention_score_grad(GM_ADDR query, GM_ADDR key, GM_ADDR value, GM_ADDR dy, GM_ADDR pseShift, GM_ADDR dropMask,
                           GM_ADDR paddingMask, GM_ADDR attenMask, GM_ADDR softmaxMax, GM_ADDR softmaxSum,
                           GM_ADDR softmaxIn, GM_ADDR attentionIn, GM_ADDR prefix, GM_ADDR actualSeqQlen,
                           GM_ADDR actualSeqKvlen, GM_ADDR qStartIdx, GM_ADDR kvStartIdx, GM_ADDR dScaleQ,
                           GM_ADDR dScaleK, GM_ADDR dScaleV, GM_ADDR dScaleDy, GM_ADDR dScaleO, GM_ADDR queryRope,
                           GM_ADDR keyRope, GM_ADDR sink, GM_ADDR dq, GM_ADDR dk, GM_ADDR dv, GM_ADDR dpse,
                           GM_ADDR dqRope, GM_ADDR dkRope, GM_ADDR dsink, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    REGISTER_TILING_DEFAULT(FlashAttentionScoreGradTilingData);
    GET_TILING_DATA(tilingData, tiling);

    using T = DTYPE_QUERY;
    const int64_t core = FaGroupIndex();
    FagGlobalTensors<T> global;
    global.query.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(query));
    global.key.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(key));
    global.value.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(value));
    global.queryRope.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(queryRope));
    global.keyRope.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(keyRope));
    global.dy.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dy));
    global.attention.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(attentionIn));
    global.mask.SetGlobalBuffer(attenMask);
    global.dropMask.SetGlobalBuffer(dropMask);
    global.shift = pseShift;
    global.softmaxMax.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(softmaxMax));
    global.softmaxSum.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(softmaxSum));
    global.dq.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dq));
    global.dk.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dk));
    global.dv.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dv));
    global.lists.queryEnds.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t *>(actualSeqQlen));
    global.lists.keyEnds.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t *>(actualSeqKvlen));
    global.lists.prefixes.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t *>(prefix));
    global.sink.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(sink));
    global.dpse = dpse;
    global.dqRope.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dqRope));
    global.dkRope.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dkRope));
    global.dsink.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(dsink));
    global.InitWorkspace(tilingData, AscendC::GetUserWorkspace(workspace), core);

    if (TILING_KEY_IS(0)) {
        FagKernel<FaTraits<T, FaStrategy::DEFAULT>> kernel;
        kernel.Run(tilingData, global, core);
    }
}
