# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The list of reported mistakes names tests that exist."""

import ast
from pathlib import Path

import pytest

from tests.cases.loader import load
from tests.system.reported import HERE, MASKS, NOT_OURS, SEMANTICS, SHAPES

ROOT = Path(__file__).parents[2]
ALL = {**MASKS, **SHAPES, **SEMANTICS}


@pytest.mark.parametrize("mistake", ALL)
def test_each_reported_mistake_has_a_test(mistake):
    assert ALL[mistake]
    for node in ALL[mistake]:
        module, name = node.split("::")
        if module == "cases":
            assert any(case.group == name for case in load()), node
            continue
        path = ROOT / (module if "/" in module else HERE + module)
        tree = ast.parse(path.with_suffix(".py").read_text(encoding="utf-8"))
        assert name in {x.name for x in tree.body if isinstance(x, ast.FunctionDef | ast.ClassDef)}, node


def test_no_mistake_is_listed_twice():
    assert len(ALL) == len(MASKS) + len(SHAPES) + len(SEMANTICS)
    assert not set(ALL) & set(NOT_OURS) and all(NOT_OURS.values())
