# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Arguments, core identity, dtype macros, and what a launch refuses."""

import numpy as np
import pytest

IDENTITY_FIELDS = 9


def identity(kernel_file, kernel_type, blocks, aivs, aics):
    kernel = kernel_file("core_identity", kernel_type=kernel_type)
    out = np.full(((aivs + aics) * blocks, IDENTITY_FIELDS), np.nan)
    extra = np.zeros((), np.dtype([("a", "i4"), ("b", "f8"), ("c", "i1")], align=True))
    extra["a"], extra["b"], extra["c"] = 1000, 0.5, -7
    kernel.launch(blocks, out, None, aivs * blocks, np.float32(1.75), extra, np.int8(-3), threads=2)
    assert (out[:, 5:] == [1, 1.75, 1000 + 0.5 - 7 - 3, 1]).all()
    return out[: aivs * blocks, :5], out[aivs * blocks :, :5]


@pytest.mark.parametrize(
    "kernel_type, aivs, aics",
    [
        ("KERNEL_TYPE_AIV_ONLY", 1, 0),
        ("KERNEL_TYPE_AIC_ONLY", 0, 1),
        ("KERNEL_TYPE_MIX_AIC_1_1", 1, 1),
        ("MIX_AIC_1_2", 2, 1),
    ],
)
@pytest.mark.parametrize("blocks", [1, 7, 64])
def test_core_identity(kernel_file, kernel_type, aivs, aics, blocks):
    aiv, aic = identity(kernel_file, kernel_type, blocks, aivs, aics)
    index = np.arange(aivs * blocks)
    expected = np.stack([index, 0 * index + blocks, index % max(aivs, 1), 0 * index + aivs, 0 * index + aivs], axis=1)
    np.testing.assert_array_equal(aiv, expected)
    index = np.arange(aics * blocks)
    np.testing.assert_array_equal(
        aic, np.stack([index, 0 * index + blocks, 0 * index, 0 * index + 1, 0 * index + 1], 1)
    )


@pytest.mark.parametrize("ctype, size, bits", [("half", 2, 16), ("float", 4, 32)])
@pytest.mark.parametrize("key", [3, 7])
def test_dtype_and_key_macros(kernel_file, ctype, size, bits, key):
    kernel = kernel_file("dtype_probe", dtypes={"DTYPE_X": ctype}, tiling_keys=[3, 7])
    out = np.zeros(5, np.float32)
    tiling = np.zeros((), [("one", "f4"), ("three", "f4"), ("tiny", "f4"), ("unused", "u4")])
    tiling["one"], tiling["three"], tiling["tiny"] = 1, 3, 1e-40
    kernel.launch(1, out, tiling=tiling, key=key)
    np.testing.assert_array_equal(out, np.array([size, bits, key, np.float32(1) / np.float32(3), 1e-40], np.float32))
    kernel.launch(1, out, tiling=tiling.tobytes(), key=key)  # bytes do as well


def test_launch_refusals(kernel_file):
    import ascendc_cpu

    kernel = kernel_file("dtype_probe", dtypes={"DTYPE_X": "half"}, tiling_keys=[3, 7])
    out = np.zeros(5, np.float32)
    tiling = bytes(16)
    for blocks in (0, -1, 65):
        with pytest.raises(ascendc_cpu.KernelError, match=f"blockDim is {blocks}, allowed are 1 to 64"):
            kernel.launch(blocks, out, tiling=tiling, key=3)
    with pytest.raises(ascendc_cpu.KernelError, match="takes 2 arguments, got 1"):
        kernel.launch(1, out, key=3)
    with pytest.raises(ascendc_cpu.KernelError, match='no kernel dtype_probe.*"float16" and tiling key 0; registered'):
        kernel.launch(1, out, tiling=tiling)
    with pytest.raises(ascendc_cpu.KernelError, match="AIV 0: GET_TILING_DATA: the tiling argument is nullptr"):
        kernel.launch(1, out, None, key=3)
    with pytest.raises(ValueError, match="argument 0 .* is not contiguous"):
        kernel.launch(1, np.zeros((5, 2), np.float32)[:, 0], tiling=tiling, key=3)
    with pytest.raises(ValueError, match="argument 0 is a str"):
        kernel.launch(1, "out", tiling=tiling, key=3)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="argument 0 is read-only"):
        kernel.launch(1, out, tiling=tiling, key=3)
    assert not out.any()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("block_dim", (2**32 + 1, -(2**31) - 1, 1.0, "1", None, True)),
        ("key", (2**64 + 3, -1, 3.0, None)),
        ("threads", (0, -1, 2**32 + 1, 1.0)),
    ],
)
def test_numbers_that_a_launch_cannot_pass(kernel_file, name, values):
    kernel = kernel_file("dtype_probe", dtypes={"DTYPE_X": "half"}, tiling_keys=[3, 7])
    out = np.zeros(5, np.float32)
    for value in values:
        with pytest.raises(ValueError, match=f"{name} is .*, allowed are integers from"):
            kernel.launch(**{"block_dim": 1, "key": 3, "tiling": bytes(16), name: value})
    kernel.launch(np.int64(1), out, tiling=bytes(16), key=np.uint64(3), threads=np.int32(1))
    assert out.any()


def test_compile_refusals(kernel_file, tmp_path):
    import ascendc_cpu

    with pytest.raises(ValueError, match="no KERNEL_TASK_TYPE_DEFAULT; pass kernel_type"):
        kernel_file("core_identity")
    with pytest.raises(ValueError, match="kernel type AIX: allowed are|kernel type AIX of"):
        kernel_file("core_identity", kernel_type="AIX")
    with pytest.raises(ValueError, match="mentions DTYPE_X, which is not among"):
        kernel_file("dtype_probe")
    with pytest.raises(ValueError, match="'complex', allowed are float, half"):
        kernel_file("dtype_probe", dtypes={"DTYPE_X": "complex"})
    with pytest.raises(ValueError, match="its names are those of macros"):
        kernel_file("dtype_probe", dtypes={"X": "half"})
    with pytest.raises(ValueError, match="tiling_keys is empty"):
        kernel_file("dtype_probe", dtypes={"DTYPE_X": "half"}, tiling_keys=())
    with pytest.raises(FileNotFoundError, match="nothing.cpp does not exist"):
        kernel_file("nothing")
    broken = tmp_path / "broken.cpp"
    broken.write_text('#include "kernel_operator.h"\nextern "C" void broken(GM_ADDR x) { undeclared(x); }\n')
    with pytest.raises(ascendc_cpu.CompileError, match="undeclared"):
        ascendc_cpu.compile(broken, "broken", kernel_type="AIV_ONLY", build_dir=tmp_path)


def test_equal_content_is_compiled_once(kernel_file, kernel_cache):
    kernel = kernel_file("dtype_probe", dtypes={"DTYPE_X": "half"}, tiling_keys=[3, 7])
    before = {path: path.stat().st_mtime_ns for path in kernel_cache.iterdir()}
    again = kernel_file("dtype_probe", dtypes={"DTYPE_X": "half"}, tiling_keys=[3, 7])
    assert again.op == kernel.op
    assert {path: path.stat().st_mtime_ns for path in kernel_cache.iterdir()} == before


INCLUDING = """
#include "kernel_operator.h"
#include {header}
extern "C" __global__ __aicore__ void including(GM_ADDR out)
{{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    *reinterpret_cast<__gm__ int32_t *>(out) = VALUE;
}}
"""


@pytest.mark.parametrize("header", ["<value.h>", '"value.h"', '"indirect.h"'])
def test_changed_headers_are_noticed(tmp_path, header):
    """Of the folders that have the header, the compiler takes the first of include_dirs; so must the cache."""
    import ascendc_cpu

    source, folders = tmp_path / "kernel" / "including.cpp", [tmp_path / "first", tmp_path / "second"]
    for folder in (source.parent, *folders):
        folder.mkdir()
    source.write_text(INCLUDING.format(header=header))
    (folders[1] / "indirect.h").write_text("#include <value.h>\n")
    (folders[1] / "value.h").write_text("#define VALUE 1\n")
    values = []
    for value in (0, 2, 3):
        if value:
            (folders[value - 2] / "value.h").write_text(f"#define VALUE {value}\n")
        out = np.zeros(1, np.int32)
        ascendc_cpu.compile(source, "including", include_dirs=folders, build_dir=tmp_path / "cache").launch(1, out)
        values.append(out[0])
    assert values == [1, 2, 2]  # the second folder's header is hidden by the first one's


def test_a_macro_as_header_is_refused(tmp_path):
    import ascendc_cpu

    source = tmp_path / "including.cpp"
    source.write_text('#define HEADER "value.h"\n' + INCLUDING.format(header="HEADER // hidden"))
    with pytest.raises(ValueError, match="#include HEADER: write the file's name"):
        ascendc_cpu.compile(source, "including", build_dir=tmp_path)


def test_equal_kernels_of_two_folders(tmp_path, seed):
    import ascendc_cpu

    source = tmp_path / "including.cpp"
    source.write_text(INCLUDING.format(header="<cstdint>").replace("VALUE", str(seed & 0xFFFF)))
    for folder in (tmp_path / "one", tmp_path / "two", tmp_path / "one"):
        out = np.zeros(1, np.int32)
        ascendc_cpu.compile(source, "including", build_dir=folder).launch(1, out)
        assert out[0] == seed & 0xFFFF and len(list(folder.glob("including_*_fast.so"))) == 1
