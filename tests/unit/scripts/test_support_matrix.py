# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The support matrix of README.md counts what the case table has."""

import pytest
import support_matrix

from tests.cases.loader import expand

GROUP = {"name": "g", "step": "slice", "tags": ["full"], "s": [[1, 5], [7, 5]], "d": [[8, 3], 200],
         "dtype": ["float32", "float16"]}  # fmt: skip


def rows(cases):
    """Feature -> cells of the table, float32, bfloat16 and float16."""
    lines = [line.strip("|").split("|") for line in support_matrix.matrix(cases).splitlines()[2:]]
    return {line[0].strip(): [cell.strip() for cell in line[1:]] for line in lines}


def test_counts():
    masked = GROUP | {"name": "m", "d": 8, "s": [[3, 4]], "dtype": ["bfloat16"], "sparse": {"mode": 0, "pre": -1},
                      "mask": {"shape": ["S1", 1], "dtype": "uint8"}}  # fmt: skip
    bench = GROUP | {"name": "b", "tags": ["bench"]}
    table = rows(expand(GROUP, "") + expand(masked, "") + expand(bench, ""))
    assert table["all cases"] == ["4", "1", "4"]
    assert table["one query, S1 = 1"] == ["2", "-", "2"]
    assert table["S1 < S2"] == ["2", "1", "2"] and table["S1 > S2"] == ["2", "-", "2"]
    assert table["head dim D 1..64"] == ["2", "1", "2"] and table["head dim D 129..256"] == ["2", "-", "2"]
    assert table["value narrower than key, Dv < D"] == ["2", "-", "2"]
    assert "layout BSH" not in table  # no case has it
    assert table["window and mask tensor together"] == table["window with a negative limit"] == ["-", "1", "-"]
    assert table["`atten_mask` [S1, S2]"] == table["`atten_mask` of uint8 instead of bool"] == ["-", "1", "-"]


def readme(tmp_path, monkeypatch, text):
    monkeypatch.setattr(support_matrix, "ROOT", tmp_path)
    path = tmp_path / "README.md"
    path.write_text(text)
    return path


def test_writes_between_the_markers_and_checks(tmp_path, monkeypatch, capsys):
    path = readme(tmp_path, monkeypatch, f"before\n{support_matrix.BEGIN}\nold\n{support_matrix.END}\nafter\n")
    assert support_matrix.main(["--check"]) == 1
    assert "run `python scripts/support_matrix.py`" in capsys.readouterr().out
    assert support_matrix.main([]) == 0 and support_matrix.main(["--check"]) == 0
    text = path.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    path.write_text(text.replace("| layout BNSD |", "| layout BNSD | 9"))
    assert support_matrix.main(["--check"]) == 1


@pytest.mark.parametrize("text", ["no markers", f"{support_matrix.BEGIN} only", "END BEGIN", "twice"])
def test_markers_are_needed(tmp_path, monkeypatch, text):
    text = text.replace("END BEGIN", f"{support_matrix.END} {support_matrix.BEGIN}")
    text = text.replace("twice", f"{support_matrix.BEGIN}{support_matrix.END}" * 2)
    readme(tmp_path, monkeypatch, text)
    with pytest.raises(ValueError, match="once and in this order"):
        support_matrix.main([])
