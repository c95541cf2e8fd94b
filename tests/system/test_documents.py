# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the operator's pages show is what happens: snippet, pictures, error texts, explain."""

import re
from pathlib import Path

import pytest
import torch
from ascend_flash_attention import npu_flash_attention
from ascend_flash_attention.__main__ import main

from tests.reference.visibility import visible_by_mode

FOLDER = Path(__file__).parents[2] / "flash_attention_score"
CHINESE = "README.zh.md"  # one page for what English has several for
PICTURES = {  # title -> S1, S2, mode, pre, next
    "0: i-1 <= j <= i+2": (5, 7, 0, 1, 2),
    "1: all": (5, 7, 1, 0, 0),
    "2: j <= i": (5, 7, 2, 0, 0),
    "3: j <= i+S2-S1": (5, 7, 3, 0, 0),
    "4: pre 2, next 0": (5, 7, 4, 2, 0),
    "3: j <= i+S2-S1 ": (7, 5, 3, 0, 0),
    "4: pre 2, next 0 ": (7, 5, 4, 2, 0),
}


def text_of(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def blocks(text, language=""):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [block for marked, block in found if marked == language]


@pytest.mark.parametrize("name", ["README.md", CHINESE])
def test_snippet(name):
    (snippet,) = blocks(text_of(name), "python")
    names = {}
    exec(snippet, names)
    assert names["out"].shape == (2, 8, 100, 64) and names["softmax_max"].shape == (2, 8, 100, 8)


def test_snippets_of_the_python_package():
    snippets = blocks(text_of("docs/python.md"), "python")
    assert len(snippets) == 4
    for snippet in snippets:
        exec(snippet, {})


@pytest.mark.parametrize("name", ["docs/masks.md", CHINESE])
def test_pictures(name):
    drawn = [block.splitlines() for block in blocks(text_of(name)) if block.startswith(("0: i-1", "3: j"))]
    assert [len(lines) for lines in drawn] == [6, 8]
    wanted = iter(PICTURES.items())
    for title, *rows in drawn:
        starts = [match.start() for match in re.finditer(r"\d: ", title)]
        for start, (name, (s1, s2, mode, pre, following)) in zip(starts, wanted, strict=False):
            assert title[start:].startswith(name.strip())
            sees = visible_by_mode(torch.arange(s1)[:, None], torch.arange(s2), s1, s2, mode, pre, following)
            picture = [" ".join("#" if visible else "." for visible in row) for row in sees.tolist()]
            assert [row[start : start + 2 * s2 - 1] for row in rows] == picture, name


@pytest.mark.parametrize("name", ["docs/tiling.md", CHINESE])
def test_explain(name, capsys):
    text = text_of(name)
    (command,) = re.findall(r"^python -m ascend_flash_attention (explain .*)$", text, re.MULTILINE)
    assert main(command.split()) == 0
    if name != CHINESE:
        assert capsys.readouterr().out in blocks(text)


def refuse(*, q=(2, 8, 100, 64), k=(2, 2, 300, 64), **options):
    with pytest.raises(ValueError) as caught:
        npu_flash_attention(torch.zeros(q), torch.zeros(k), torch.zeros(k), **options)
    return str(caught.value).removeprefix("FlashAttentionScore: tiling failed: ")


@pytest.mark.parametrize(
    "call",
    [
        {"q": (1, 3, 4, 8), "k": (1, 2, 4, 8)},
        {"atten_mask": torch.zeros(2, 300, dtype=torch.bool)},
        {"keep_prob": 1.5},
        {"sparse_mode": 6},
    ],
)
def test_error_texts(call):
    assert f"| {refuse(**call)} |" in text_of("docs/differences.md")


def test_error_text_that_is_shortened():
    assert f"| {refuse(q=(2, 100, 512), k=(2, 100, 512)).split('=(')[0]}=... |" in text_of("docs/differences.md")
