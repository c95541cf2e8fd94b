# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Which casts of a kernel's text become checked ones, and that the text is the same otherwise."""

import pytest
from ascendc_cpu.checked_sources import copy_checked, mirrored, with_checked_casts

CAST = "ascendc_cpu::OldStyle<uint16_t>()->*"
CALL = "ascendc_cpu::CheckedCast<uint16_t>"


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a = (uint16_t)b;", f"a = {CAST}b;"),
        ("f(1, (uint16_t) (b * c), 2)", f"f(1, {CAST} (b * c), 2)"),
        ("return (uint16_t)-b;", f"return {CAST}-b;"),
        ("a - (uint16_t)b", f"a - {CAST}b"),
        ("a[1] * (uint16_t)*b", f"a[1] * {CAST}*b"),
        ("f() + (uint16_t)(b)", f"f() + {CAST}(b)"),
        ("'0' + (uint16_t)b", f"'0' + {CAST}b"),
        ("p = {(uint16_t)b, 1};", f"p = {{{CAST}b, 1}};"),
        ("#define F(x) ((uint16_t)(x))", f"#define F(x) ({CAST}(x))"),
        ("a = (uint16_t) /* why */ b;", f"a = {CAST} /* why */ b;"),
        ("a = uint16_t(b + 1);", f"a = {CALL}(b + 1);"),
        ("a < (uint16_t)b", f"a < {CAST}b"),
        ("case (uint16_t)A::B:", f"case {CAST}A::B:"),
    ],
)
def test_becomes_checked(text, expected):
    assert with_checked_casts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a = (uint16_t)1;",  # a number says what it is
        "a = (uint16_t)(-1);",
        "a = uint16_t(0);",
        "a = -(uint16_t)b;",  # binds tighter than the operator would
        "a = (float)(uint16_t)b;",
        "a = sizeof(uint16_t);",
        "a = sizeof (uint16_t) * b;",
        "void f(uint16_t);",
        "void f(uint16_t) const;",
        "T<void(uint16_t)> a;",
        "T<uint16_t> a(b);",
        "uint16_t (*f)(int);",
        "uint16_t a(b);",
        "static uint16_t f(int a);",
        "a = (uint16_t *)b;",
        "a = (uint32_t)b;",
        "// (uint16_t)b",
        "/* (uint16_t)b */",
        'a = "(uint16_t)b";',
        'a = R"x((uint16_t)b "quoted")x";',
        "a.b<uint16_t>()(c);",
        "operator uint16_t() const;",
        "bool operator==(uint16_t) const;",
        "T &operator+=(uint16_t) override;",
        "auto f = [](uint16_t) { return b; };",
    ],
)
def test_stays(text):
    assert with_checked_casts(text) == text


def test_copies_find_each_other_and_name_their_originals(tmp_path):
    source = tmp_path / "op" / "a.h"
    source.parent.mkdir()
    source.write_text("int a;\n\nuint16_t c = (uint16_t)a;\n")
    copy_checked([source], tmp_path / "copies")
    first, *rest = mirrored(source, tmp_path / "copies").read_text().splitlines()
    assert first == f'#line 1 "{source}"'
    assert rest == ["int a;", "", f"uint16_t c = {CAST}a;"]
