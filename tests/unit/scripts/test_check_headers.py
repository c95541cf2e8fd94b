# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""check_headers.py with header folders that the tests write themselves."""

import shutil

import pytest

from scripts.check_headers import main
from scripts.header_check.diagnostics import findings
from scripts.header_check.kernel import find_clang

needs_clang = pytest.mark.skipif(find_clang() is None, reason="clang++ is not installed")
needs_gxx = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")

KERNEL_OPERATOR = """
#ifndef KERNEL_OPERATOR_H
#define KERNEL_OPERATOR_H
#define GM_ADDR __gm__ uint8_t *
#define TILING_KEY_IS(key) (TILING_KEY_VAR == (key))
#define REGISTER_TILING_DEFAULT(type)
namespace AscendC {
template <typename T> struct LocalTensor { __ubuf__ T *address; };
template <typename T> __aicore__ void Add(LocalTensor<T> dst, LocalTensor<T> a, LocalTensor<T> b, int count)
{
    vadd(dst.address, a.address, b.address, count);
}
__aicore__ inline __gm__ const char *Name() { return "fake"; }
}
#endif
"""
INTRINSICS = """
#include <not_there.h>
void vadd(__ubuf__ half *dst, __ubuf__ half *a, __ubuf__ half *b, int count);
void vadd(__ubuf__ float *dst, __ubuf__ float *a, __ubuf__ float *b, int count);
"""
ENTRY = """
#include "kernel_operator.h"
struct AddTiling { int count; };
PREAMBLE
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(AddTiling);
    GET_TILING_DATA(data, tiling);
    AscendC::LocalTensor<half> a = {};
    AscendC::LocalTensor<float> b = {};
    AscendC::LocalTensor<DTYPE_QUERY> c = {};
    (void)c;
    AscendC::Add(b, b, b, data.count);
    if (TILING_KEY_IS(0)) {
        AscendC::Add(a, a, a, data.count);
        BODY
    }
}
"""


@pytest.fixture
def headers(tmp_path):
    """A header folder and a list of instructions."""
    folder = tmp_path / "fake_headers"
    folder.mkdir()
    (folder / "kernel_operator.h").write_text(KERNEL_OPERATOR)
    (tmp_path / "instructions.h").write_text(INTRINSICS)
    return folder


def check_kernel(headers, body="", preamble="", *options):
    """Exit code of a check of the operator `add`."""
    folder = headers.parent / "add" / "op_kernel"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "add.cpp").write_text(ENTRY.replace("BODY", body).replace("PREAMBLE", preamble))
    instructions = headers.parent / "instructions.h"
    return main(
        ["--headers", str(headers), "--intrinsics", str(instructions), "--op", str(headers.parent / "add"), *options]
    )


def failed(output):
    """Names of the failed checks, without the entry's name."""
    return [line.split("add.cpp ")[1][: -len(": failed")] for line in output.splitlines() if line.endswith(": failed")]


def test_without_headers_says_not_checked(capsys):
    assert main([]) == 0
    output = capsys.readouterr().out.splitlines()
    assert [line.split(" (")[0] for line in output[:-1]] == ["not checked: op_kernel", "not checked: op_host"]
    assert output[-1] == "0 passed, 0 failed"


def test_a_named_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(SystemExit) as stop:
        main(["--headers", str(tmp_path / "nowhere")])
    assert stop.value.code == 2


@needs_clang
def test_right_kernel_passes_and_the_headers_stay_as_they_were(headers, capsys):
    assert check_kernel(headers) == 0
    assert "12 passed, 0 failed" in capsys.readouterr().out  # 1 key, 3 dtypes, 2 sides, 2 modes
    assert (headers / "kernel_operator.h").read_text() == KERNEL_OPERATOR


@needs_clang
def test_wrong_call_is_found_in_every_instance(headers, capsys):
    assert check_kernel(headers, "AscendC::Add(a, a, b, 1);") == 1
    output = capsys.readouterr().out
    assert "0 passed, 12 failed" in output
    assert "error: no matching function for call to 'Add'" in output


@needs_clang
def test_dtype_without_an_instruction_is_found_and_traced_to_the_kernel(headers, capsys):
    assert check_kernel(headers, "AscendC::Add(c, c, c, 1);", "", "--side", "vec") == 1
    output = capsys.readouterr().out
    assert failed(output) == ["key 0 bfloat16_t vec types", "key 0 bfloat16_t vec calls"]
    line = next(i for i, text in enumerate(ENTRY.splitlines(), 1) if "BODY" in text)
    assert f"no matching function for call to 'vadd' [from add.cpp:{line}]" in output


@needs_clang
def test_pointers_to_different_memories_do_not_mix(headers, capsys):
    assert check_kernel(headers, "a.address = reinterpret_cast<__gm__ half *>(x);") == 1
    assert "0 passed, 12 failed" in (output := capsys.readouterr().out)
    assert "address_space" in output or "__ubuf__" in output


@needs_clang
def test_each_side_is_checked(headers, capsys):
    assert check_kernel(headers, "\n#ifdef __DAV_C220_CUBE__\nNotThere();\n#endif\n") == 1
    names = failed(capsys.readouterr().out)
    assert len(names) == 6 and all(" cube " in name for name in names)


@needs_clang
@pytest.mark.parametrize("qualifier", ["inline", "constexpr"])
def test_plain_function_in_a_kernel_is_found_by_the_call_check(headers, capsys, qualifier):
    assert check_kernel(headers, "Twice(1);", f"{qualifier} int Twice(int a) {{ return a * 2; }}") == 1
    names = failed(capsys.readouterr().out)
    assert len(names) == 6 and all(name.endswith(" calls") for name in names)


@needs_clang
def test_warnings_count_in_the_kernel(headers, capsys):
    assert check_kernel(headers, "if (data.count < 3u) { return; }") == 1
    assert "warning: comparison of integers of different signs" in capsys.readouterr().out


@needs_clang
def test_dtype_of_an_unknown_argument_is_an_error(headers, capsys):
    assert check_kernel(headers, "DTYPE_BIAS bias;") == 2
    assert "dtype of BIAS is not known" in capsys.readouterr().err


HOST = """
#include "host_api.h"
PREAMBLE
int Tiling() { return Api(1); }
"""


def check_host(tmp_path, preamble=""):
    """Exit code of a check of one host file."""
    (tmp_path / "cann").mkdir()
    (tmp_path / "cann" / "host_api.h").write_text("#pragma once\ninline int Api(int a) { int unused; return a; }\n")
    (tmp_path / "op_host").mkdir()
    (tmp_path / "op_host" / "tiling.cpp").write_text(HOST.replace("PREAMBLE", preamble))
    return main(["--op-host", str(tmp_path / "op_host"), "--cann-host", str(tmp_path / "cann")])


@needs_gxx
@pytest.mark.parametrize(
    ("preamble", "bad_modes"),
    [
        ("", []),
        ("#ifdef OP_TILING_LIB\nint Bad() { return Api(nullptr); }\n#endif", ["OP_TILING_LIB"]),
        ('#ifdef OP_PROTO_LIB\nint Bad() { return Api(""); }\n#endif', ["OP_PROTO_LIB"]),
        ("auto Newer() { return 1; }", ["plain", "OP_PROTO_LIB", "OP_TILING_LIB"]),  # C++14
        ("int Odd() { int unused; return 1; }", ["plain", "OP_PROTO_LIB", "OP_TILING_LIB"]),
    ],
)
def test_host_is_checked_in_three_modes(tmp_path, capsys, preamble, bad_modes):
    assert check_host(tmp_path, preamble) == (1 if bad_modes else 0)
    output = capsys.readouterr().out
    assert [line for line in output.splitlines() if line.endswith("failed") and line.startswith("tiling")] == [
        f"tiling.cpp {mode}: failed" for mode in bad_modes
    ]
    assert f"{3 - len(bad_modes)} passed, {len(bad_modes)} failed" in output


def test_only_own_warnings_count_and_errors_name_the_own_place(tmp_path):
    own = tmp_path / "own"
    output = (
        f"{own}/a.h:3:1: warning: odd [-Wodd]\n"
        "/usr/include/b.h:4:1: warning: not ours\n"
        "/usr/include/b.h:5:1: error: bad\n"
        "/usr/include/c.h:6:1: note: in instantiation\n"
        f"{own}/a.h:7:1: note: requested here\n"
        f"{own}/a.h:8:1: note: and here\n"
    )
    assert findings(output, own) == ["a.h:3: warning: odd [-Wodd]", "b.h:5: error: bad [from a.h:7]"]
