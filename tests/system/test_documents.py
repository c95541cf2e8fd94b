# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the operator's pages show is what happens: snippet, pictures, error texts, explain."""

import functools
import re
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from ascend_flash_attention import (
    flash_attn_varlen_func,
    npu_flash_attention,
    npu_fusion_attention,
    scaled_dot_product_attention,
)
from ascend_flash_attention.__main__ import main

from tests.reference.visibility import visible_by_mode

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "flash_attention_score"
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


@pytest.mark.parametrize("name", ["README.md", CHINESE])
def test_snippets_of_the_first_page(rng, name, monkeypatch):
    call, replacement = blocks((ROOT / name).read_text(encoding="utf-8"), "python")
    names = {}
    exec(call, names)
    assert names["out"].shape == (2, 128, 512)
    monkeypatch.setattr(F, "scaled_dot_product_attention", F.scaled_dot_product_attention)  # to be restored
    layer = torch.nn.TransformerEncoderLayer(32, 4, dropout=0.0, batch_first=True)  # calls it
    x, padding = torch.randn(2, 9, 32, generator=rng), torch.arange(9) >= torch.tensor([[7], [9]])
    expected = layer(x, src_key_padding_mask=padding)
    exec(replacement, {})
    assert F.scaled_dot_product_attention is scaled_dot_product_attention
    torch.testing.assert_close(layer(x, src_key_padding_mask=padding), expected, rtol=1e-5, atol=1e-5)


def test_arguments_without_effect(rng):
    q, k, v = torch.randn(3, 2, 4, 21, 16, generator=rng)
    mask = torch.ones(2048, 2048, dtype=torch.bool).triu(1)
    page = text_of("docs/python.md").split("## Arguments without effect")[1].split("##")[0]

    def changes_nothing(function, plain, **options):
        assert all(f"`{name.replace('tockens', 'tokens')}`" in page for name in options)
        expected, got = function(**plain), function(**plain, **options)
        assert all(torch.equal(a, b) for a, b in zip(expected[:3], got[:3], strict=True) if a is not None)

    vendor = functools.partial(npu_fusion_attention, q, k, v, 4, "BNSD")
    for options in ({"inner_precise": 1}, {"inner_precise": 2}, {"gen_mask_parallel": False}, {"sync": True}):
        changes_nothing(vendor, {"keep_prob": 0.5, "seed": 3}, **options)
    changes_nothing(vendor, {}, seed=3, offset=4)
    changes_nothing(vendor, {"atten_mask": mask, "sparse_mode": 2}, pre_tockens=0, next_tockens=1)
    packed = [x[0].transpose(0, 1) for x in (q, k, v)]
    starts = [0, 8, 21]
    flash = functools.partial(flash_attn_varlen_func, *packed, starts, starts, return_attn_probs=True)
    changes_nothing(flash, {"max_seqlen_q": 13, "max_seqlen_k": 13}, deterministic=True)
    assert torch.equal(flash(max_seqlen_q=99, max_seqlen_k=98)[0], flash(max_seqlen_q=13, max_seqlen_k=13)[0])


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
