# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What op_host infers, refuses and tells the kernel of FlashAttentionScoreGrad."""

from dataclasses import replace

import numpy as np
import pytest

from ascendc_cpu import host
from tests.unit.op_host.call import FILL
from tests.unit.op_host.gradient_call import GRADIENT_TILING_DATA, INPUTS, OP, OUTPUTS, GradientCall
from tests.unit.op_host.test_tiling import LAYOUTS, SYSTEM_WORKSPACE, numpy_strides

RINGS, UNIT = 2, 512


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_inference(layout, dtype):
    call = GradientCall(layout=layout, b=3, n1=6, n2=2, s1=17, s2=29, d=40, dv=24, dtype=dtype)
    outputs = host.infer_shape(OP, call.input_list(), call.attributes())
    name = {"float32": "DT_FLOAT", "float16": "DT_FLOAT16", "bfloat16": "DT_BF16"}[dtype]
    shapes = [shape for shape, _ in call.input_list()[:3]]
    assert list(outputs) == [*((shape, name) for shape in shapes), *[((0,), name)] * 3, ((0,), "DT_FLOAT")]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_dimensions_and_strides(layout):
    call = GradientCall(layout=layout, b=3, n1=6, n2=2, s1=17, s2=29, d=40, dv=24, attrs={"scale_value": 0.25})
    result, data = call.tile()
    expected = {"b": 3, "n1": 6, "n2": 2, "s1": 17, "s2": 29, "d": 40, "dv": 24, "scale": 0.25, "has_mask_tensor": 0}
    assert {name: data[name].item() for name in expected} == expected
    assert tuple(data["query"]) == numpy_strides(call, 6, 17, 40)
    assert tuple(data["key"]) == numpy_strides(call, 2, 29, 40)
    assert tuple(data["value"]) == numpy_strides(call, 2, 29, 24)
    assert tuple(data["out"]) == numpy_strides(call, 6, 17, 24)
    assert (result.key, result.schedule_mode) == (0, 1)  # all cores meet at barriers


def test_every_field_is_assigned():
    result, _ = GradientCall(mask=(2, 4, 100, 300)).tile()
    other = host.run_tiling(
        OP, GradientCall(mask=(2, 4, 100, 300)).input_list(), GradientCall().attributes(), fill=FILL ^ 0xFF
    )
    assert result.tiling_data == other.tiling_data


def asked_for(call, **outputs):
    """Outputs of a call, some of them with another shape; dpse has the type of pse."""
    given = dict(zip(OUTPUTS, call.output_list(), strict=True))
    given["dpse"] = (given["dpse"][0], call.inputs["pse_shift"][1])
    return [(outputs.get(name, shape), dtype) for name, (shape, dtype) in given.items()]


def test_gradients_that_are_asked_for():
    """Elements of dpse and where they are summed, dsink or not: by outputs, not by inputs."""
    shape = (1, 4, 100, 300)
    call = GradientCall(inputs={"pse_shift": (shape, "float32"), "sink": ((4,), "float32")})
    data = call.tile(outputs=asked_for(call, dpse=(0,)))[1]
    assert (data["shift_sums"]["elems"], data["stores_dsink"], data["shift"]["kind"]) == (0, 0, 1)
    result, data = call.tile(outputs=asked_for(call, dpse=shape, dsink=(4,)))
    assert (data["shift_sums"]["elems"], data["stores_dsink"]) == (4 * 100 * 300, 1)
    workspace = data["workspace"]
    assert workspace["acc_bytes"] == workspace["dpse"] - workspace["dq"] + 4 * 4 * 100 * 300
    assert result.workspace - SYSTEM_WORKSPACE >= workspace["dq"] + workspace["acc_bytes"]


@pytest.mark.parametrize(
    ("shape", "copies"),
    [((1, 4, 100, 300), 1), ((1, 4, 100, 1), 1), ((2, 4, 1, 300), 2), ((1, 1, 1, 1), 2)],
)
def test_vector_cores_that_meet_in_an_element_sum_apart(shape, copies):
    call = GradientCall(inputs={"pse_shift": (shape, "float32")})
    data = call.tile(outputs=asked_for(call, dpse=shape))[1]
    assert tuple(data["shift_sums"]) == (np.prod(shape), copies, 0)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_where_the_gradient_of_a_complete_shift_goes(dtype):
    """With dS where there is an element for each score and room for a copy of dS in UB."""
    for length, shift_dtype, stored in (
        (300, dtype, True),
        (300, "float32", dtype == "float32"),
        (8300, dtype, dtype != "float32"),
    ):
        call = GradientCall(b=1, n1=1, n2=1, s1=64, s2=length, dtype=dtype, attrs={"pse_type": 0},
                            inputs={"pse_shift": ((1, 1, 64, length), shift_dtype)})  # fmt: skip
        sums = call.tile(outputs=asked_for(call, dpse=(1, 1, 64, length)))[1]["shift_sums"]
        assert tuple(sums) == ((0, 1, 64 * length) if stored else (64 * length, 1, 0)), (length, shift_dtype)


CALLS = [
    GradientCall(s1=s1, s2=s2, d=d, dv=dv)
    for s1, s2, d, dv in (
        (1, 1, 1, 1), (100, 300, 64, 64), (256, 257, 40, 24), (0, 5, 16, 16), (5, 0, 16, 16), (8192, 8192, 128, 128),
        (8193, 100, 64, 64), (3, 70001, 128, 64), (70001, 3, 768, 512),
    )
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.s1}x{call.s2}d{call.d}-{call.dv}")
@pytest.mark.parametrize("soc", ["cpu", "Ascend910B1", "Ascend910B3"])
def test_workspace(call, soc):
    result, data = call.tile(soc)
    tile, workspace = data["tile"], data["workspace"]
    ring = RINGS * tile["q_tile"] * tile["kv_tile"] * 4
    row = (call.d + 15) // 16 * 64
    sizes = {
        "score_ring": result.block_dim * ring,
        "dp_ring": result.block_dim * ring,
        "delta": call.b * call.n1 * call.s1 * 32,
        "dq": call.b * call.n1 * call.s1 * row,
        "dk": call.b * call.n2 * call.s2 * row,
        "dv": call.b * call.n2 * call.s2 * ((call.dv + 15) // 16 * 64),
    }
    end = 0
    for name, size in sizes.items():
        assert end <= workspace[name] < end + UNIT
        assert name in ("dk", "dv") or workspace[name] % UNIT == 0
        end = int(workspace[name]) + size
    assert workspace["dk"] == workspace["dq"] + sizes["dq"] and workspace["dv"] == workspace["dk"] + sizes["dk"]
    assert workspace["acc_bytes"] == sizes["dq"] + sizes["dk"] + sizes["dv"]
    assert workspace["score_ring_bytes"] >= ring
    assert end <= result.workspace - SYSTEM_WORKSPACE < end + UNIT


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.s1}x{call.s2}d{call.d}-{call.dv}")
def test_rounds(call):
    _, data = call.tile()
    tile, schedule = data["tile"], data["schedule"]
    assert schedule["chunk"] >= 256 and schedule["chunk"] % 128 == 0
    rounds = -(-max(call.s1, call.s2) // int(schedule["chunk"])) if call.s1 and call.s2 else 0
    assert schedule["rounds"] == rounds <= 32
    assert tuple(data["rows"]) == (call.b, call.s1, call.s2)
    assert tile["q_tile"] % 16 == 0 and 16 <= tile["q_tile"] <= 256
    assert tile["kv_tile"] % 64 == 0 and 64 <= tile["kv_tile"] <= 512


def test_order_of_additions_follows_from_the_lengths():
    """Chunks and tiles do not depend on batch, heads or cores."""
    base = GradientCall(b=1, n1=1, n2=1, s1=1000, s2=3000).tile()[1]
    for b, n1, n2, soc in ((7, 1, 1, "cpu"), (1, 12, 3, "Ascend910B1"), (5, 40, 8, "Ascend910B3")):
        data = replace(GradientCall(s1=1000, s2=3000), b=b, n1=n1, n2=n2).tile(soc)[1]
        assert data["schedule"] == base["schedule"] and data["tile"] == base["tile"]


@pytest.mark.parametrize(("soc", "cores"), [("Ascend910B1", 24), ("Ascend910B3", 20)])
def test_cores(soc, cores):
    assert GradientCall(b=1, n1=1, n2=1, s1=10, s2=10).tile(soc)[0].block_dim == 1
    assert GradientCall(b=50, n1=4, n2=4).tile(soc)[0].block_dim == cores


def test_record_matches_the_definition():
    assert [each["name"] for each in host.definition(OP)["inputs"]] == INPUTS
    assert GRADIENT_TILING_DATA.itemsize % 8 == 0
    assert np.dtype(GRADIENT_TILING_DATA).itemsize == len(GradientCall().tile()[0].tiling_data)
