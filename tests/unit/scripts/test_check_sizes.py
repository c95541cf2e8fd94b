# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from scripts.check_sizes import check, cpp_functions, read_exceptions, template_parameters

LONG_FUNCTION = "void Foo(int a,\n         int b)\n{\n" + "    a();\n" * 98 + "}\n"


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("name", "lines"),
    [("ascendc_cpu/src/core/a.cpp", 600), ("tests/unit/test_a.py", 500), ("scripts/a.py", 300), ("build.sh", 60)],
)
def test_file_limit(tmp_path, name, lines):
    write(tmp_path, name, "#\n" * lines if name.endswith((".py", ".sh")) else "//\n" * lines)
    assert check(tmp_path, {}) == []
    write(tmp_path, name, "#\n" * (lines + 1) if name.endswith((".py", ".sh")) else "//\n" * (lines + 1))
    assert check(tmp_path, {}) == [f"{name}: {lines + 1} lines, allowed are {lines}"]
    assert check(tmp_path, {name: lines + 1}) == []


def test_cpp_function_counts_signature_and_braces(tmp_path):
    assert cpp_functions(LONG_FUNCTION) == [("Foo", 102)]
    write(tmp_path, "flash_attention_score/op_kernel/a.h", LONG_FUNCTION)
    assert check(tmp_path, {}) == ["flash_attention_score/op_kernel/a.h:Foo: 102 lines, allowed are 100"]


def test_control_flow_and_classes_are_not_functions():
    text = "struct A {\n    int Get() const\n    {\n        if (x) {\n        }\n        return 1;\n    }\n};\n"
    assert cpp_functions(text) == [("Get", 6)]


def test_python_function(tmp_path):
    write(tmp_path, "scripts/a.py", "def f():\n" + "    pass\n" * 100)
    assert check(tmp_path, {}) == ["scripts/a.py:f: 101 lines, allowed are 100"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("template <class A, int B> void f();", 2),
        ("template <class T = Pair<int, int>, class = decltype(f(1, 2))> struct A;", 2),
        ("int a;", 0),
    ],
)
def test_template_parameters(text, count):
    assert template_parameters(text) == count


def test_too_many_template_parameters(tmp_path):
    write(tmp_path, "a.h", "template <class T, int A, int B, int C, int D, int E> struct X;\n")
    assert check(tmp_path, {}) == ["a.h:template: 6 template parameters, allowed are 5"]


def test_build_folder_and_environment_are_skipped(tmp_path):
    for name in ("build/cpu/a.cpp", ".venv/lib/a.py", "tests/__pycache__/a.py"):
        write(tmp_path, name, "\n" * 1000)
    write(tmp_path, "scripts/build/a.py", "\n" * 301)
    assert check(tmp_path, {}) == ["scripts/build/a.py: 301 lines, allowed are 300"]


def test_unused_exception_is_reported(tmp_path):
    assert check(tmp_path, {"gone.h": 700}) == ["size_exceptions.txt: gone.h needs no exception"]


def test_exception_needs_a_reason():
    assert read_exceptions("# comment\na.h 700 a table\n") == {"a.h": 700}
    with pytest.raises(ValueError, match="name limit reason"):
        read_exceptions("a.h 700\n")
