# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Contexts, platform rows and failures of op_host, without kernels."""

import os

import numpy as np
import pytest

from ascendc_cpu import host

OP = "AddScaled"
SYSTEM_WORKSPACE = 16 << 20
KIB = 1024
TILING_DTYPE = np.dtype(
    [
        *[(name, "i8") for name in ("elements", "bias_elements", "shift", "shift_num", "input_num", "last_input_dim")],
        *[(name, "i8") for name in ("compile_info_cores", "weight_sum", "ub_bytes", "l1_bytes", "aic_num", "aiv_num")],
        ("scale", "f4"),
        ("bias_is_readable_on_host", "i4"),
    ]
)
X = ((3, 5), "float32")
# AI cores of the public SoC table; two AIVs each
CORES = {
    "Ascend910B1": 24,
    "Ascend910B2": 24,
    "Ascend910B3": 20,
    "Ascend910B4": 20,
    "Ascend910B4-1": 20,
    "Ascend910_9362": 20,
    "Ascend910_9372": 20,
    "Ascend910_9381": 24,
    "Ascend910_9382": 24,
    "Ascend910_9391": 24,
    "Ascend910_9392": 24,
}


@pytest.fixture(scope="module", autouse=True)
def operator(add_scaled_library):
    host.load(add_scaled_library)


def tile(inputs=(X, X), soc="Ascend910B1", outputs=None, fill=0, **attrs):
    return host.run_tiling(OP, inputs, {"blocks": 2, **attrs}, outputs=outputs, soc=soc, fill=fill)


def plan_of(*arguments, **options):
    return tile(*arguments, **options).record(TILING_DTYPE)


def error_of(inputs=(X, X), **options):
    with pytest.raises(host.HostFunctionError) as caught:
        tile(inputs, **options)
    return caught.value.status, str(caught.value)


def test_answer():
    result = tile(blocks=3)
    assert (result.key, result.block_dim, result.schedule_mode, result.column) == (0, 3, 0, 0)
    assert result.workspace == SYSTEM_WORKSPACE + 15 * 4
    assert result.outputs == (((3, 5), "DT_FLOAT"), ((3,), "DT_FLOAT"))
    assert tile([((4,), "float16")] * 2).column == 1
    assert host.infer_shape(OP, [((2, 7), "float16")] * 2, {"blocks": 4}) == (
        ((2, 7), "DT_FLOAT16"),
        ((4,), "DT_FLOAT"),
    )


@pytest.mark.parametrize("dims", [0, 1, 25])
def test_number_of_dimensions(dims):
    tensor = ((2,) + (1,) * (dims - 1) if dims else (), "float32")
    assert plan_of([tensor, tensor])["elements"] == (2 if dims else 1)


def test_too_many_dimensions():
    with pytest.raises(ValueError, match="got 26 dimensions, allowed: 0 to 25"):
        tile([((1,) * 26, "float32")] * 2)


def test_absent_inputs_shift_plain_indices_but_not_ir_indices():
    shifts = ((2,), "int64", [4, 5])
    without = plan_of([X, X, None, shifts])
    assert (without["input_num"], without["last_input_dim"], without["bias_elements"]) == (3, 2, 0)
    assert without["shift"] == 9
    both = plan_of([X, X, ((1,), "float32"), shifts])
    assert (both["input_num"], both["bias_elements"], both["shift"]) == (4, 1, 9)
    none = plan_of([X, X])
    assert (none["input_num"], none["shift"]) == (2, 0)


def test_only_value_depend_inputs_are_readable_on_the_host():
    bias = ((3, 5), "float32", np.ones((3, 5), np.float32))
    assert plan_of([X, X, bias])["bias_is_readable_on_host"] == 0


def test_attributes_and_their_defaults():
    plan = plan_of()
    assert (plan["weight_sum"], plan["scale"]) == (6, 0.5)
    plan = plan_of(weights=[10, -3], scale_value=0.1)
    assert (plan["weight_sum"], plan["scale"]) == (7, np.float32(0.1))
    assert plan_of(weights=[])["weight_sum"] == 0
    with pytest.raises(ValueError, match="got nonsense, allowed: blocks, scale_value"):
        tile(nonsense=1)
    with pytest.raises(ValueError, match="attribute blocks is required"):
        host.run_tiling(OP, [X, X])


def test_attribute_of_another_type_is_not_found():
    status, text = error_of(case_name="wrong attribute type")
    assert (status, text) == (561002, "AddScaled: tiling failed: status 50331649, no message")


@pytest.mark.parametrize("soc", CORES)
def test_rows_of_real_chips(soc):
    plan = plan_of(soc=soc)
    assert (plan["aic_num"], plan["aiv_num"]) == (CORES[soc], 2 * CORES[soc])
    assert (plan["ub_bytes"], plan["l1_bytes"]) == (192 * KIB, 512 * KIB)
    assert plan["compile_info_cores"] == 2 * CORES[soc]


def test_cpu_row():
    plan = plan_of(soc="cpu")
    groups = min(64, 4 * len(os.sched_getaffinity(0)))
    assert (plan["aic_num"], plan["aiv_num"], plan["ub_bytes"]) == (groups, 2 * groups, 192 * KIB)


def test_soc_of_the_environment(monkeypatch):
    monkeypatch.setenv("ASCENDC_CPU_SOC", "Ascend910B3")
    assert plan_of(soc=None)["aic_num"] == 20
    assert plan_of(soc="Ascend910B1")["aic_num"] == 24
    monkeypatch.setenv("ASCENDC_CPU_SOC", "Ascend999")
    status, text = error_of(soc=None)
    assert status == 161002
    assert text.startswith("ASCENDC_CPU_SOC: got 'Ascend999', allowed: ") and "Ascend910B1, " in text and "cpu" in text
    monkeypatch.delenv("ASCENDC_CPU_SOC")
    assert plan_of(soc=None)["aic_num"] == plan_of(soc="cpu")["aic_num"]


def test_tiling_data_above_the_capacity():
    assert error_of(case_name="too large")[0] == 561002


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("reject", "AddScaled: tiling failed: AddScaled: blocks 7 are too many"),
        ("silent", "AddScaled: tiling failed: status 4294967295, no message"),
        ("throw", "AddScaled: tiling failed: thrown by the tiling"),
        ("no block dim", "AddScaled: tiling: SetBlockDim: got 0"),
    ],
)
def test_failures(case, words):
    status, text = error_of(case_name=case)
    assert status == 561002 and text.startswith(words)


def test_blocks_that_can_never_start_together():
    assert tile(case_name="together", blocks=48).schedule_mode == 1
    status, text = error_of(case_name="together", blocks=49)
    assert status == 561002 and "got 49, which can never start together on 48 cores" in text


def test_every_byte_is_assigned():
    assert tile(fill=0).tiling_data == tile(fill=0xFF).tiling_data


def test_given_outputs_are_checked():
    assert tile(outputs=[X, None]).outputs[0] == ((3, 5), "DT_FLOAT")
    status, text = error_of(outputs=[((3, 6), "float32"), None])
    assert status == 161002 and "got shape [3, 6], expected [3, 5]" in text
    assert error_of(outputs=[((3, 5), "float16"), None])[0] == 161002
    assert error_of(outputs=[None, None])[0] == 161001


def test_unknown_dimensions_are_for_inference_only():
    unknown = ((-1, 5), "float32")
    assert host.infer_shape(OP, [unknown, unknown], {"blocks": 4})[0] == ((-1, 5), "DT_FLOAT")
    assert host.infer_shape(OP, [((-2,), "float16")] * 2, {"blocks": 4})[0] == ((-2,), "DT_FLOAT16")
    status, text = error_of([unknown, unknown])
    assert status == 161002 and "input x1: got an unknown dimension" in text
    with pytest.raises(ValueError, match="got 26, allowed: 0 to 25"):
        host.infer_shape(OP, [((-1,) * 26, "float32")] * 2, {"blocks": 4})


def test_text_of_the_tiling_comes_before_the_check_of_outputs():
    status, text = error_of(outputs=[((3, 6), "float32"), None], case_name="reject")
    assert status == 561002 and "blocks 7 are too many" in text


def test_output_that_inference_leaves_open():
    open_shape = {"case_name": "open shape", "blocks": 2}
    assert tile(outputs=[X, ((7,), "float32")], **open_shape).outputs[1] == ((7,), "DT_FLOAT")
    assert error_of(outputs=[X, ((7, 1), "float32")], **open_shape)[0] == 161002


def test_missing_required_input():
    assert error_of([X])[0] == 161001
    with pytest.raises(ValueError, match="got 5 tensors, allowed: 4"):
        tile([X] * 5)


def test_value_depend_input_without_values():
    status, text = error_of([X, X, None, ((2,), "int64")])
    assert status == 161001 and "input shifts: its data is nullptr" in text
