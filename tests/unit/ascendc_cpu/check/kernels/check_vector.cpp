// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Mistakes on a vector core, one a scenario, and the same without the mistake.
#include "kernel_operator.h"

using namespace AscendC;

enum Scenario : uint32_t {
    NO_FLAG,
    NO_BARRIER,
    NO_BARRIER_MTE3,
    WRITE_TOO_EARLY,
    NEVER_WRITTEN,
    PAST_ARGUMENT,
    PAST_BUFFER,
    NOT_ALLOCATED,
    FREED,
    IN_QUEUE,
    MISALIGNED,
    LOADED_TWICE,
    WAIT_WITHOUT_SET,
    FLAG_LEFT,
    SET_TWICE,
    ID_IN_USE,
    LEAK,
    FREED_TWICE,
    WRONG_QUEUE,
    NO_BUFFER,
    WRONG_MEMORY,
    ARGUMENT,
    TRUNCATION,
    ATOMIC_LEFT,
    COUNTER_LEFT,
    ATOMIC_ON_NOTHING,
    SCALAR_UNORDERED,
    CACHE_DIRTY,
    SCRATCH,
    MASKED_LANES,
    SHARED_LINE,
    SHARED_GM
};

constexpr int32_t COUNT = 256; // floats, four repeats

class Case {
public:
    __aicore__ inline void Init(GM_ADDR in, GM_ADDR out, bool mistake)
    {
        wrong = mistake;
        input.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(in));
        output.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out));
        pipe.InitBuffer(buffer, 4 * COUNT * sizeof(float));
        pipe.InitBuffer(queue, 2, COUNT * sizeof(float));
        pipe.InitBuffer(other, 1, COUNT * sizeof(float));
        a = buffer.Get<float>();
        b = a[COUNT];
    }

    __aicore__ inline void Load(const LocalTensor<float> &dst)
    {
        DataCopy(dst, input, COUNT);
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
    }

    __aicore__ inline void Store(const LocalTensor<float> &src)
    {
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(output, src, COUNT);
    }

    __aicore__ inline void Run(uint32_t scenario)
    {
        if (scenario < NEVER_WRITTEN) {
            Order(scenario);
        } else if (scenario < WAIT_WITHOUT_SET) {
            Memory(scenario);
        } else if (scenario < LEAK) {
            Flags(scenario);
        } else if (scenario < WRONG_MEMORY) {
            Queues(scenario);
        } else {
            Rest(scenario);
        }
    }

private:
    __aicore__ inline void Order(uint32_t scenario)
    {
        if (scenario == NO_FLAG) {
            DataCopy(a, input, COUNT);
            SetFlag<HardEvent::MTE2_V>(0);
            if (!wrong) {
                WaitFlag<HardEvent::MTE2_V>(0);
            }
            Adds(b, a, 1.0f, COUNT);
            if (wrong) {
                WaitFlag<HardEvent::MTE2_V>(0);
            }
        } else if (scenario == NO_BARRIER) {
            Load(a);
            Adds(b, a, 1.0f, COUNT);
            if (!wrong) {
                PipeBarrier<PIPE_V>();
            }
            Adds(b, b, 1.0f, COUNT);
        } else if (scenario == NO_BARRIER_MTE3) {
            Load(a);
            Store(a);
            if (!wrong) {
                PipeBarrier<PIPE_MTE3>();
            }
            DataCopy(output[COUNT / 2], a, COUNT / 2);
        } else {
            Load(a);
            Store(a);
            SetFlag<HardEvent::MTE3_V>(0);
            if (!wrong) {
                WaitFlag<HardEvent::MTE3_V>(0);
            }
            Duplicate(a, 0.0f, COUNT);
            if (wrong) {
                WaitFlag<HardEvent::MTE3_V>(0);
            }
        }
    }

    __aicore__ inline void Memory(uint32_t scenario)
    {
        if (scenario == NEVER_WRITTEN) {
            Duplicate(a, 0.0f, wrong ? COUNT - 1 : COUNT);
            PipeBarrier<PIPE_V>();
            Adds(b, a, 1.0f, COUNT);
        } else if (scenario == PAST_ARGUMENT) {
            Load(a);
            SetFlag<HardEvent::V_MTE3>(0);
            WaitFlag<HardEvent::V_MTE3>(0);
            DataCopy(output[wrong ? 8 : 0], a, COUNT);
        } else if (scenario == PAST_BUFFER) {
            Duplicate(a[wrong ? 3 * COUNT + 64 : 3 * COUNT], 0.0f, COUNT);
        } else if (scenario == NOT_ALLOCATED) {
            LocalTensor<float> far(TPosition::VECCALC, wrong ? 160 * 1024 : 0, COUNT);
            Duplicate(far, 0.0f, COUNT);
        } else if (scenario == FREED || scenario == IN_QUEUE) {
            LocalTensor<float> tensor = queue.AllocTensor<float>();
            if (scenario == IN_QUEUE) {
                DataCopy(tensor, input, COUNT);
                queue.EnQue(tensor);
                if (!wrong) {
                    tensor = queue.DeQue<float>();
                }
                Adds(b, tensor, 1.0f, COUNT);
                if (wrong) {
                    tensor = queue.DeQue<float>();
                }
                queue.FreeTensor(tensor);
                return;
            }
            if (wrong) {
                queue.FreeTensor(tensor);
            }
            Duplicate(tensor, 0.0f, COUNT);
            if (!wrong) {
                queue.FreeTensor(tensor);
            }
        } else if (scenario == MISALIGNED) {
            DataCopy(a[wrong ? 4 : 8], input, COUNT);
        } else { // LOADED_TWICE
            DataCopy(a, input, COUNT);
            PipeBarrier<PIPE_MTE2>();
            DataCopy(wrong ? a : b, input, COUNT);
        }
    }

    __aicore__ inline void Flags(uint32_t scenario)
    {
        if (scenario == WAIT_WITHOUT_SET) {
            if (!wrong) {
                SetFlag<HardEvent::V_MTE2>(1);
            }
            WaitFlag<HardEvent::V_MTE2>(1);
        } else if (scenario == FLAG_LEFT) {
            SetFlag<HardEvent::V_MTE2>(1);
            if (!wrong) {
                WaitFlag<HardEvent::V_MTE2>(1);
            }
        } else if (scenario == SET_TWICE) {
            SetFlag<HardEvent::V_MTE2>(1);
            SetFlag<HardEvent::V_MTE2>(wrong ? 1 : 2);
            WaitFlag<HardEvent::V_MTE2>(1);
            if (!wrong) {
                WaitFlag<HardEvent::V_MTE2>(2);
            }
        } else { // ID_IN_USE: the queue takes the lowest free id of MTE2_V
            const TEventID id = wrong ? 0 : pipe.AllocEventID<HardEvent::MTE2_V>();
            SetFlag<HardEvent::MTE2_V>(id);
            LocalTensor<float> tensor = queue.AllocTensor<float>();
            DataCopy(tensor, input, COUNT);
            queue.EnQue(tensor);
            WaitFlag<HardEvent::MTE2_V>(id);
            tensor = queue.DeQue<float>();
            queue.FreeTensor(tensor);
        }
    }

    __aicore__ inline void Queues(uint32_t scenario)
    {
        if (scenario == NO_BUFFER) { // instead of UB, which has buffers, a TPipe that has handed out nothing
            pipe.Reset();
            if (!wrong) {
                pipe.InitBuffer(buffer, 4 * COUNT * sizeof(float));
            }
            Duplicate(a, 0.0f, COUNT);
            return;
        }
        LocalTensor<float> tensor = queue.AllocTensor<float>();
        DataCopy(tensor, input, COUNT);
        queue.EnQue(tensor);
        tensor = queue.DeQue<float>();
        if (scenario == WRONG_QUEUE && wrong) {
            other.FreeTensor(tensor);
        }
        if (scenario != LEAK || !wrong) {
            queue.FreeTensor(tensor);
        }
        if (scenario == FREED_TWICE && wrong) {
            queue.FreeTensor(tensor);
        }
    }

    __aicore__ inline void Rest(uint32_t scenario);

    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    TQue<TPosition::VECIN, 2> queue;
    TQue<TPosition::VECIN, 1> other;
    GlobalTensor<float> input;  // [COUNT]
    GlobalTensor<float> output; // [COUNT]
    LocalTensor<float> a;
    LocalTensor<float> b;
    bool wrong = false;
};

__aicore__ inline void Case::Rest(uint32_t scenario)
{
    const int64_t core = GetBlockIdx();
    if (scenario == WRONG_MEMORY) {
        LocalTensor<float> tensor(wrong ? TPosition::A1 : TPosition::VECCALC, 0, COUNT);
        Duplicate(tensor, 0.0f, COUNT);
    } else if (scenario == ARGUMENT) {
        DataCopy(a, input, wrong ? 12 : 16);
    } else if (scenario == TRUNCATION) {
        const int64_t repeats = wrong ? 257 : 1;
        Duplicate(a, 0.0f, static_cast<uint64_t>(64), static_cast<uint8_t>(repeats), 1, 8);
    } else if (scenario == ATOMIC_LEFT || scenario == ATOMIC_ON_NOTHING) {
        Load(a);
        if (scenario == ATOMIC_ON_NOTHING && !wrong) {
            Store(a);
            PipeBarrier<PIPE_MTE3>();
        }
        if (scenario == ATOMIC_ON_NOTHING) {
            SetAtomicAdd<float>();
            Store(a);
            SetAtomicNone();
        } else {
            SetAtomicAdd<float>();
            if (!wrong) {
                SetAtomicNone();
            }
        }
    } else if (scenario == COUNTER_LEFT) {
        SetMaskCount();
        SetVectorMask<float, MaskMode::COUNTER>(0, COUNT);
        const UnaryRepeatParams params(1, 1, 8, 8);
        Load(a);
        Adds<float, false>(b, a, 1.0f, MASK_PLACEHOLDER, 1, params);
        if (!wrong) {
            SetMaskNorm();
        }
        ResetMask();
    } else if (scenario == SCALAR_UNORDERED) {
        Load(a);
        SetFlag<HardEvent::V_S>(0);
        SetFlag<HardEvent::MTE2_S>(0);
        if (!wrong) {
            WaitFlag<HardEvent::MTE2_S>(0);
        }
        b.SetValue(0, a.GetValue(3));
        if (wrong) {
            WaitFlag<HardEvent::MTE2_S>(0);
        }
        WaitFlag<HardEvent::V_S>(0);
    } else if (scenario == CACHE_DIRTY) {
        for (uint32_t i = 0; i < 8; i++) {
            output.SetValue(i, 1.0f);
        }
        if (!wrong) {
            DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(output);
        }
        SetFlag<HardEvent::S_MTE2>(0);
        WaitFlag<HardEvent::S_MTE2>(0);
        DataCopy(a, output, 8);
    } else if (scenario == SCRATCH) {
        pipe.Reset();
        pipe.InitBuffer(buffer, wrong ? 190 * 1024 : 180 * 1024);
        LocalTensor<float> values = buffer.Get<float>();
        LocalTensor<uint8_t> bits = values[COUNT].ReinterpretCast<uint8_t>();
        Duplicate(values, 1.0f, 2 * COUNT);
        PipeBarrier<PIPE_V>();
        Select(values, bits, values, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, COUNT);
    } else if (scenario == MASKED_LANES) { // only the odd lanes are there
        uint64_t odd[2] = {0xaaaaaaaaaaaaaaaaULL, 0};
        uint64_t used[2] = {wrong ? 0xaaaaaaaaaaaaaaabULL : odd[0], 0};
        Duplicate(a, 0.0f, odd, 4, 1, 8);
        PipeBarrier<PIPE_V>();
        Adds(b, a, 1.0f, used, 4, UnaryRepeatParams(1, 1, 8, 8));
    } else if (scenario == SHARED_LINE) { // two cores
        output.SetValue(core * (wrong ? 8 : 16), 1.0f);
    } else { // SHARED_GM: two cores
        Load(a);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(output[core * (wrong ? 120 : 128)], a, 128);
    }
}

extern "C" __global__ __aicore__ void check_vector(GM_ADDR in, GM_ADDR out, uint32_t scenario, uint32_t wrong)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    Case each;
    each.Init(in, out, wrong != 0);
    each.Run(scenario);
}
