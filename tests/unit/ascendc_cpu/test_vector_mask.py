# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What vector calls leave in the mask register, and the calls that are refused."""

import numpy as np
import pytest
from test_vector_elementwise import run
from vector_model import random_case, random_image

import ascendc_cpu

ONES = 2**64 - 1
# One call, then Duplicate<float, false> of 1.0 shows the register it left: one float per lane, 0 elsewhere.
KERNEL = """
using namespace AscendC;
extern "C" __global__ __aicore__ void mask_probe_{number}(GM_ADDR out)
{{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out));
    LocalTensor<float> a(TPosition::VECCALC, 0, 64);
    LocalTensor<float> b(TPosition::VECCALC, 1024, 64);
    LocalTensor<uint8_t> bits(TPosition::VECCALC, 2048, 64);
    LocalTensor<float> probe(TPosition::VECCALC, 4096, 64);
    Duplicate(a, 0.0f, 64);
    Duplicate(probe, 0.0f, 64);
    uint64_t mask[2] = {{0x00ff00ff00ff00ffULL, 0}};
    SetVectorMask<float>(0, 0x5ULL);
    {call}
    Duplicate<float, false>(probe, 1.0f, MASK_PLACEHOLDER, 1, 1, 8);
    ResetMask();
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, probe, 64);
}}
"""
BITS = 0x00FF00FF00FF00FF
LEFT = [
    ("", 0x5),
    ("Adds(b, a, 1.0f, 64);", ONES),  # count forms end with all lanes
    ("Cast(b, a, RoundMode::CAST_RINT, 64);", ONES),
    ("Select(b, bits, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);", ONES),
    ("ReduceMax(b, a, b[64], 64);", ONES),
    ("Adds(b, a, 1.0f, mask, 1, {1, 1, 8, 8});", BITS),  # mask forms leave their own mask
    ("Adds(b, a, 1.0f, 24, 1, {1, 1, 8, 8});", 2**24 - 1),
    ("Adds<float, false>(b, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});", 0x5),
    ("WholeReduceSum(b, a, 24, 1, 1, 1, 8);", 2**24 - 1),
    ("BlockReduceMax(b, a, 1, mask, 1, 1, 8);", BITS),
    ("Brcb(b, a, 1, {1, 8});", 0x5),
    ("CompareScalar(bits, a, 0.0f, CMPMODE::EQ, 64);", 0x5),
]


@pytest.mark.parametrize("number", range(len(LEFT)))
def test_register_after_a_call(compile_kernel, number):
    call, expected = LEFT[number]
    text = '#include "kernel_operator.h"\n' + KERNEL.format(number=number, call=call)
    out = np.full(64, np.nan, np.float32)
    compile_kernel(text, f"mask_probe_{number}").launch(1, out)
    np.testing.assert_array_equal(out, [(expected >> lane) & 1 for lane in range(64)])


REFUSED = [
    ({"offsets": (4, 16384, 32768, 0)}, "dst starts at UB address 4, allowed are multiples of 32"),
    ({"offsets": (0, 16384, 32784, 0)}, "src1 starts at UB address 32784"),
    ({"offsets": (196608 - 256, 16384, 32768, 0), "count": 65}, "Add.*dst"),
    ({"form": "lanes", "mask": (64, 0), "repeats": 200, "repeat_strides": (8, 8, 255)}, "Add.*src1"),
    ({"form": "lanes", "mask": (64, 0), "counter_mode": True}, "number of lanes in counter mode"),
    ({"count": 2**32 - 1}, "count is -1"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused(kernel_file, seed, number):
    fields, message = REFUSED[number]
    rng = np.random.default_rng(seed)
    case = random_case(rng, "count", 64, ub_bytes=196608)
    case.count, case.block_strides, case.repeat_strides = 64, (1, 1, 1), (8, 8, 8)
    case.image = random_image(rng, "float", case.ub_bytes)
    for name, value in fields.items():
        setattr(case, name, value)
    with pytest.raises(ascendc_cpu.KernelError, match=message):
        run(kernel_file, "vector_arithmetic", case, 0, DTYPE_X="float")


WRONG_TYPES = [
    ("Exp(i, i, 64);", "Exp: the element type must be one of"),
    ("Add(u, u, u, 64);", "Add: the element type must be one of"),
    ("And(i, i, i, 64);", "And: the element type must be one of"),
    ("Muls(b, b, bfloat16_t(1.0f), 64);", "Muls: the element type must be one of"),
    ("Muls(h, h, 2.0f, 64);", "no matching function"),  # the scalar must have the tensor's type
    ("Duplicate(bytes, static_cast<uint8_t>(0), 64);", "Duplicate: the element type must be one of"),
    ("Select(i, bytes, i, i, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64);", "Select: the element type must be"),
    ("ReduceMax(i, i, i, 64);", "reductions: the element type must be"),
    ("Axpy(h, f, 1.0f, 64);", "MulAddDst, Axpy: .dst, src. must be one of"),
]


@pytest.mark.parametrize("number", range(len(WRONG_TYPES)))
def test_unsupported_types_do_not_compile(compile_kernel, number):
    call, message = WRONG_TYPES[number]
    tensors = "float f; half h; bfloat16_t b; int32_t i; uint32_t u; uint8_t bytes".split("; ")
    declared = "".join(f"LocalTensor<{kind}> {name};" for kind, name in map(str.split, tensors))
    text = f"""#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void wrong_type(GM_ADDR)
{{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    {declared}
    {call}
}}
"""
    with pytest.raises(ascendc_cpu.CompileError, match=message):
        compile_kernel(text, "wrong_type")
