# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Kernels without TPipe, as CANN's samples write them: LocalMemAllocator, InitSocState, ascendc_assert, block_idx."""

import numpy as np
import pytest

import ascendc_cpu

HEAD = """#include "kernel_operator.h"
template <typename T>
__aicore__ inline AscendC::GlobalTensor<T> Gm(GM_ADDR address)
{
    AscendC::GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(address));
    return tensor;
}
"""
ADD = """
template <uint32_t LENGTH>
__global__ __vector__ void Add(GM_ADDR x, GM_ADDR y, uint32_t length)
{
    AscendC::InitSocState();
    ascendc_assert(length == LENGTH, "length %u\\n", length);
    AscendC::LocalMemAllocator<AscendC::Hardware::UB> ub;
    AscendC::LocalTensor<float> a = ub.Alloc<float, LENGTH>();
    AscendC::LocalTensor<float> b = ub.Alloc<AscendC::TPosition::VECOUT, float>(LENGTH);
    ascendc_assert(ub.GetCurAddr() == 2 * LENGTH * sizeof(float));
    AscendC::DataCopy(a, Gm<float>(x)[block_idx * LENGTH], LENGTH);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Adds(b, a, 1.0f, LENGTH);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(Gm<float>(y)[block_idx * LENGTH], b, LENGTH);
    AscendC::PipeBarrier<PIPE_ALL>();
}
extern "C" __global__ __aicore__ void static_add(GM_ADDR x, GM_ADDR y, uint32_t length)
{
    Add<104>(x, y, length);
}
"""
MOVE = """
extern "C" __global__ __aicore__ void static_move(GM_ADDR x, GM_ADDR y, uint32_t operation)
{
    AscendC::InitSocState();
    AscendC::LocalMemAllocator<> ub;
    AscendC::LocalTensor<uint16_t> a = ub.Alloc<uint16_t>(operation == 9 ? 98305 : 2048);
    AscendC::LocalTensor<uint16_t> b = ub.Alloc<uint16_t>(2048);
    AscendC::DataCopy(a, Gm<uint16_t>(x), 2048);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Duplicate(b, static_cast<uint16_t>(0), 2048);
    AscendC::PipeBarrier<PIPE_V>();
    if (operation == 0) {
        AscendC::Transpose(b, a);
    } else if (operation == 1) { // 200 elements a repeat: more than 256 B, a block of 16 at a time
        AscendC::SetMaskCount();
        AscendC::SetVectorMask<uint16_t, AscendC::MaskMode::COUNTER>(200);
        AscendC::Copy<uint16_t, false>(b, a, AscendC::MASK_PLACEHOLDER, 3, {1, 2, 13, 30});
        AscendC::SetMaskNorm();
        AscendC::ResetMask();
    } else {
        AscendC::LocalTensor<uint16_t> pattern = ub.Alloc<uint16_t>(16);
        if (operation == 3) {
            AscendC::Duplicate(pattern, static_cast<uint16_t>(0x5555), 16);
            AscendC::PipeBarrier<PIPE_V>();
        }
        uint64_t kept = 0;
        AscendC::GatherMask(b, a, pattern, false, 0, {1, 2, 8, 0}, kept);
    }
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(Gm<uint16_t>(y), b, 2048);
}
"""
GEMV = """
extern "C" __global__ __aicore__ void static_gemv(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t wrong)
{
    AscendC::InitSocState();
    constexpr uint32_t K = 256; // a fractal of a plain vector
    AscendC::LocalMemAllocator<AscendC::Hardware::L1> l1;
    AscendC::LocalTensor<half> a1 = l1.Alloc<half>(16 * K);
    AscendC::LocalTensor<half> b1 = l1.Alloc<half>(16 * K);
    AscendC::LocalTensor<half> a2 = AscendC::LocalMemAllocator<AscendC::Hardware::L0A>().Alloc<half>(16 * K);
    AscendC::LocalTensor<half> b2 = AscendC::LocalMemAllocator<AscendC::Hardware::L0B>().Alloc<half>(16 * K);
    AscendC::LocalTensor<float> c1 = AscendC::LocalMemAllocator<AscendC::Hardware::L0C>().Alloc<float>(256);
    if (wrong != 0) { // the other rows of the fractals
        AscendC::Fill(a1, AscendC::InitConstValueParams<half>(1, K / 16 * 16, 0, 0));
        AscendC::PipeBarrier<PIPE_MTE2>();
    }
    AscendC::DataCopy(a1, Gm<half>(a), AscendC::Nd2NzParams(1, 1, K, 0, K, wrong != 0 ? 16 : 1, 1, 0));
    AscendC::DataCopy(b1, Gm<half>(b), AscendC::Nd2NzParams(1, 16, K, 0, K, 16, 1, 0));
    AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(EVENT_ID0);
    AscendC::LoadData(a2, a1, AscendC::LoadData2DParams(0, wrong != 0 ? K / 16 : 1, 1, 0, 0, false, 0));
    AscendC::LoadData(b2, b1, AscendC::LoadData2DParams(0, K / 16, 1, 0, 0, false, 0));
    AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(EVENT_ID0);
    AscendC::Mmad(c1, a2, b2, AscendC::MmadParams(1, 16, K, 0, false, true));
    AscendC::SetFlag<AscendC::HardEvent::M_FIX>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::M_FIX>(EVENT_ID0);
    AscendC::Fixpipe(Gm<float>(c), c1, AscendC::FixpipeParamsV220(16, 1, 16, 16, false));
    AscendC::PipeBarrier<PIPE_ALL>();
}
"""


@pytest.fixture
def kernel(compile_kernel):
    def compile_text(text, kernel_type="KERNEL_TYPE_AIV_ONLY"):
        return compile_kernel(HEAD + text, text.split("aicore__ void ")[1].split("(")[0], kernel_type=kernel_type)

    return compile_text


def launch_both(module, groups, *arguments, unwritten):
    """Fast, then checked; the report."""
    module.launch(groups, *arguments)
    before = arguments[unwritten].copy()
    report = module.launch(groups, *arguments, check=True, unwritten=[unwritten])
    assert before.tobytes() == arguments[unwritten].tobytes()
    return report


def test_add(kernel, seed):
    x = np.random.default_rng(seed).standard_normal(3 * 104, np.float32)
    y = np.zeros_like(x)
    module = kernel(ADD)
    report = launch_both(module, 3, x, y, np.uint32(104), unwritten=1)
    assert not report.findings, str(report)
    np.testing.assert_array_equal(y, x + 1)
    with pytest.raises(ascendc_cpu.KernelError, match="ascendc_assert: length 105"):
        module.launch(3, x, y, np.uint32(105))


@pytest.mark.parametrize("operation", [0, 1, 3], ids=["Transpose", "Copy in counter mode", "GatherMask"])
def test_moves(kernel, seed, operation):
    x = np.random.default_rng(seed).integers(0, 2**16, 2048, np.uint16)
    y = np.zeros_like(x)
    report = launch_both(kernel(MOVE), 1, x, y, np.uint32(operation), unwritten=1)
    assert not report.findings, str(report)
    expected = np.zeros_like(x)
    if operation == 0:
        expected[:256] = x[:256].reshape(16, 16).T.ravel()
    elif operation == 1:
        for repeat in range(3):
            for i in range(200):
                expected[repeat * 13 * 16 + i] = x[(repeat * 30 + i // 16 * 2) * 16 + i % 16]
    else:
        expected[:128] = x[:256:2]
    np.testing.assert_array_equal(y, expected)


def test_pattern_of_gather_mask_is_read(kernel):
    x = np.ones(2048, np.uint16)
    report = kernel(MOVE).launch(1, x, x.copy(), np.uint32(2), check=True)
    (found,) = [each for each in report.findings if each.kind == "NeverWritten"]
    assert (found.memory, found.begin, found.end, found.here.api) == ("UB", 8192, 8208, "GatherMask")


def test_allocator_refuses_more_than_the_memory_has(kernel):
    x = np.ones(2048, np.uint16)
    with pytest.raises(ascendc_cpu.KernelError, match="LocalMemAllocator: 196610 bytes of UB asked, 196608 of"):
        kernel(MOVE).launch(1, x, x.copy(), np.uint32(9))


def test_gemv_is_found_in_fractals_only(kernel, seed):
    generator = np.random.default_rng(seed)
    a, b = (generator.standard_normal(shape).astype(np.float16) for shape in ((1, 256), (16, 256)))
    c = np.zeros((1, 16), np.float32)
    module = kernel(GEMV, "KERNEL_TYPE_AIC_ONLY")
    report = launch_both(module, 1, a, b, c, np.uint32(0), unwritten=2)
    assert not report.findings, str(report)
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32).T, rtol=1e-4, atol=1e-3)
    report = module.launch(1, a, b, c, np.uint32(1), check=True, unwritten=[2])
    assert [each.kind for each in report.findings] == ["Gemv"], str(report)
