# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Generation of kernel objects from sources and an OpDef."""

import json

import pytest

KERNEL = """
#include "kernel_operator.h"
#include "own.h"
// DTYPE_COMMENTED, TILING_KEY_IS(99)
extern "C" __global__ __aicore__ void my_op(GM_ADDR x, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    KERNEL_TASK_TYPE(2, KERNEL_TYPE_AIV_ONLY);
    using T = DTYPE_X;
    if (TILING_KEY_IS(0)) { } else if (TILING_KEY_IS(2UL)) { }
}
"""
OPDEFS = {
    "ops": [
        {
            "type": "MyOp",
            "inputs": [
                {"name": "x", "dtypes": ["DT_FLOAT16", "DT_FLOAT16", "DT_FLOAT", "DT_FLOAT16"]},
                {"name": "mask", "dtypes": ["DT_BOOL", "DT_UINT8", "DT_BOOL", "DT_BOOL"]},
                {"name": "bias", "dtypes": ["DT_FLOAT16", "DT_FLOAT16", "DT_FLOAT", "DT_FLOAT"]},
            ],
            "outputs": [{"name": "y", "dtypes": ["DT_FLOAT16", "DT_FLOAT16", "DT_FLOAT", "DT_FLOAT16"]}],
        }
    ]
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "my_op.cpp").write_text(KERNEL)
    (tmp_path / "own.h").write_text("#if ORIG_DTYPE_BIAS == DT_FLOAT\n#endif\n")
    (tmp_path / "unrelated.h").write_text("DTYPE_Q TILING_KEY_IS(5)")
    (tmp_path / "opdefs.json").write_text(json.dumps(OPDEFS))
    return tmp_path


def generate(folder, capsys, *extra):
    from ascendc_cpu import kernel_objects

    arguments = ["--op-type", "MyOp", "--entry", "my_op", "--sources", str(folder)]
    arguments += ["--opdefs", str(folder / "opdefs.json"), "--out", str(folder / "out"), *extra]
    kernel_objects.main(arguments)
    return [line.rsplit("/", 1)[1] for line in capsys.readouterr().out.split()]


def test_columns_are_projected_on_the_names_that_sources_mention(folder, capsys):
    names = generate(folder, capsys)
    sides = ["0_aic", "0_aiv", "2_aiv"]  # key 2 is a vector kernel
    columns = ["float16_float16", "float32_float32", "float32_float16"]  # of BIAS and X; mask does not count
    assert names == [f"my_op_{column}_{side}.cpp" for column in columns for side in sides]


def test_object_text(folder, capsys):
    generate(folder, capsys, "--keys", "2")
    text = (folder / "out" / "my_op_float32_float16_2_aiv.cpp").read_text()
    for line in (
        "#define my_op my_op_float32_float16_2_aiv",
        "#define DTYPE_X half",
        "#define ORIG_DTYPE_X DT_FLOAT16",
        "#define DTYPE_BIAS float",
        "#define TILING_KEY_VAR 2UL",
        "#define __DAV_C220_VEC__",
        "namespace my_op_float32_float16_2_aiv {",
        '    ascendcCpuRegistrar("MyOp", "float32_float16", "BIAS,X", 2UL,',
        '#include "my_op.cpp"',
    ):
        assert line in text.split("\n")
    assert "KernelType::AIV_ONLY" in text


def test_unchanged_files_are_not_touched(folder, capsys):
    generate(folder, capsys)
    before = {path: path.stat().st_mtime_ns for path in (folder / "out").iterdir()}
    generate(folder, capsys)
    assert {path: path.stat().st_mtime_ns for path in (folder / "out").iterdir()} == before


def test_refusals(folder, capsys):
    with pytest.raises(ValueError, match="has no operator YourOp, only MyOp"):
        generate(folder, capsys, "--op-type", "YourOp")
    (folder / "own.h").write_text("DTYPE_Z")
    with pytest.raises(ValueError, match="mentions DTYPE_Z, which is not among X, MASK, BIAS, Y"):
        generate(folder, capsys)
    (folder / "own.h").write_text("KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY)")
    with pytest.raises(ValueError, match="several KERNEL_TASK_TYPE_DEFAULT"):
        generate(folder, capsys)
    (folder / "own.h").write_text("TILING_KEY_IS(SOME_KEY)")
    with pytest.raises(ValueError, match="SOME_KEY is not an integer literal"):
        generate(folder, capsys)
