# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the NPU build prints about CANN's built-in operator."""

import json

import pytest

from scripts.build.cann_compare import Interface, built_in, from_ini, report

OURS = Interface(["query", "key", "sink"], ["out"], ["scale", "layout"])
INI = "[Op]\ninput0.name=query\ninput0.dtype=float16\ninput1.name=key\noutput0.name=out\nattr.list=scale,layout\n"
INI += "attr_scale.type=float\n[Other]\ninput0.name=x\n"


@pytest.mark.parametrize(
    ("theirs", "line"),
    [
        (Interface(["query", "key"], ["out"], ["scale", "layout"]), "inputs: the same 2, here also sink"),
        (Interface(["query", "key", "sink"], ["out"], ["scale", "layout"]), "inputs: the same 3"),
        (Interface(["query", "key", "sink", "new"], ["out"], ["scale"]), "inputs: this package lacks new"),
        (Interface(["query", "value"], ["out"], []), "inputs: differ from number 1 on: value there, key here"),
        (Interface(["query"], ["out"], ["layout"]), "attributes: differ from number 0 on: layout there, scale here"),
    ],
)
def test_report(theirs, line):
    assert f"    {line}" in report("Op", theirs, OURS)


def test_ini_of_op_build(tmp_path):
    path = tmp_path / "aic-soc-ops-info.ini"
    path.write_text(INI)
    assert from_ini(path, "Op") == Interface(["query", "key"], ["out"], ["scale", "layout"])
    assert from_ini(path, "Other") == Interface(["x"], [], [])
    assert from_ini(path, "Missing") is None


def test_built_in_lists_may_be_split_into_files(tmp_path):
    """Inputs are ordered by number, not by text: 10 comes after 9."""
    config = tmp_path / "opp/built-in/op_impl/ai_core/tbe/config/ascend910b"
    config.mkdir(parents=True)
    entry = {f"input{i}": {"name": f"in{i}"} for i in range(12)} | {"attr": {"list": "a,b"}, "input0x": {"name": "no"}}
    (config / "aic-ascend910b-ops-info-legacy.json").write_text("{}")
    (config / "aic-ascend910b-ops-info-transformer.json").write_text(json.dumps({"Op": entry}))
    found = built_in(tmp_path, "ascend910b", "Op")
    assert found == Interface([f"in{i}" for i in range(12)], [], ["a", "b"])
    assert built_in(tmp_path, "ascend910_93", "Op") is None
