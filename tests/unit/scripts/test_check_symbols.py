# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
import subprocess

import pytest

from scripts.check_symbols import main, read_objects, shared, weak_symbols

SDK = """
namespace AscendC { inline namespace SIDE {
template <class T> __attribute__((noinline)) T Add(T a) { return a + SIDE_VALUE; }
} }
namespace ascendc_cpu { __attribute__((noinline)) inline int Core() { return 7; } }
"""
KERNEL = """
template <class T> struct Block { __attribute__((noinline)) T Run(T a) { return AscendC::Add(a) * TIMES; } };
int Entry(int a) { return Block<int>().Run(a) + ascendc_cpu::Core(); }
"""


def compile_object(folder, name, side, times, wrapped):
    body = f"namespace {name} {{ {KERNEL} }}" if wrapped else KERNEL.replace("Entry", name)
    defines = f"#define SIDE {side}\n#define SIDE_VALUE {1 if side == 'aic' else 2}\n#define TIMES {times}\n"
    source = folder / f"{name}.cpp"
    source.write_text(defines + SDK + body)
    subprocess.run(["g++", "-std=c++17", "-O1", "-c", source, "-o", folder / f"{name}.o"], check=True)


@pytest.mark.parametrize("second_side", ["aic", "aiv"])
def test_objects_in_their_own_namespaces_pass(tmp_path, second_side):
    compile_object(tmp_path, "one_aic", "aic", 3, wrapped=True)
    compile_object(tmp_path, f"two_{second_side}", second_side, 5, wrapped=True)
    assert any("AscendC::aic::Add" in name for name in read_objects(tmp_path.glob("*.o"))["one_aic.o"])
    assert main([str(tmp_path)]) == 0


def test_class_with_two_bodies_is_found(tmp_path, capsys):
    compile_object(tmp_path, "one_aic", "aic", 3, wrapped=False)
    compile_object(tmp_path, "two_aiv", "aiv", 5, wrapped=False)
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out == "one_aic.o and two_aiv.o both define Block<int>::Run(int)\n"


def test_sdk_namespace_inside_another_name_is_no_excuse():
    both = {"void Kernel<ascendc_cpu::Tag>(int)", "void ascendc_cpu::Copy<int>(int)", "std::swap(int&, int&)"}
    assert shared({"a.o": both, "b.o": both}) == ["a.o and b.o both define void Kernel<ascendc_cpu::Tag>(int)"]


def test_only_weak_and_unique_symbols_count():
    listing = "0000 T strong()\n0000 W weak()\n0000 V object\n0000 u unique\n0000 t local()\n"
    assert weak_symbols(listing) == {"weak()", "object", "unique"}


def test_no_objects_is_an_error(tmp_path):
    assert main([str(tmp_path)]) == 2
