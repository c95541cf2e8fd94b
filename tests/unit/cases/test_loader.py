# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The case table: what it covers, what it refuses, and the inputs made from it."""

import pytest
import torch

from tests.cases.inputs import make_inputs
from tests.cases.loader import CaseError, expand, load, select

GROUP = {"name": "g", "step": "slice", "tags": ["full"], "s": [[3, 4]]}


def one(**axes):
    (case,) = expand(GROUP | axes, "here")
    return case


def test_defaults_and_name():
    case = one()
    assert (case.layout, case.dtype, case.b, case.n1, case.n2) == ("BNSD", "float32", 1, 1, 1)
    assert (case.s1, case.s2, case.d, case.dv, case.mask, case.sparse_mode) == (3, 4, 64, 64, None, 0)
    assert case.scale == 0.125
    assert case.name == "g-BNSD-fp32-b1n1s3x4d64"


def test_product_of_axes():
    group = GROUP | {"dtype": ["float32", "float16"], "heads": [2, [4, 2]], "d": [[8, 4]], "b": 3}
    cases = expand(group, "here")
    assert [(c.dtype, c.n1, c.n2) for c in cases] == [
        ("float32", 2, 2), ("float32", 4, 2), ("float16", 2, 2), ("float16", 4, 2)]  # fmt: skip
    assert all((c.b, c.d, c.dv) == (3, 8, 4) for c in cases)
    lengths = {"name": "g", "step": "slice", "tags": ["full"], "s1": [1, 2], "s2": 5}
    assert [(c.s1, c.s2) for c in expand(lengths, "here")] == [(1, 5), (2, 5)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": 1}, "keys: got \\['colour'\\]"),
        ({"step": "third"}, "step: got 'third', allowed slice, breadth, contract"),
        ({"tags": ["slow"]}, "tags: got"),
        ({"layout": "NBSD"}, "layout: got 'NBSD'"),
        ({"dtype": "float64"}, "dtype: got 'float64'"),
        ({"heads": [[6, 4]]}, "heads: got \\[6, 4\\], allowed N1 a multiple of N2"),
        ({"d": [[8, 16]]}, "d: got \\[8, 16\\], allowed Dv <= D"),
        ({"d": 769}, "d: got"),
        ({"s": [[1, 2, 3]]}, "s: got \\[1, 2, 3\\]"),
        ({"s": [[-1, 2]]}, "s: got"),
        ({"s": []}, "s: got"),
        ({"s1": [1]}, "s: got 's with s1 or s2'"),
        ({"mask": [{"shape": ["S1", "B"]}]}, "mask shape: got"),
        ({"mask": [{"shape": ["B", 1, 1]}]}, "mask shape: got"),
        ({"mask": [{"shape": ["S1", "S2"], "kind": "odd"}]}, "mask kind: got 'odd'"),
        ({"mask": [{"shape": ["S1", "S2"], "dtype": "float16"}]}, "mask dtype: got 'float16'"),
        ({"sparse": [{"mode": 9}]}, "sparse: got"),
        ({"sparse": [{"mode": 4, "post": 1}]}, "sparse: got"),
        ({"sparse": [{"mode": 4, "prefix": "all"}]}, "prefix: got 'all', allowed"),
        ({"sparse": [{"mode": 6, "prefix": "some"}]}, "prefix: got 'some', allowed random, least, all, in modes 5"),
        ({"tail": 1}, "sequences: got None, allowed s for any layout but TND"),
        ({"layout": "TND"}, "sequences: got None, allowed a list"),
        ({"layout": "TND", "sequences": [[[3, 4]]]}, "sequences: got 'sequences with s or b'"),
        ({"pse": [{"type": 4, "shape": ["N"]}]}, "pse: got"),
        ({"pse": [{"type": 1, "shape": ["N"]}]}, "pse shape: got \\['N'\\]"),
        ({"pse": [{"type": 2, "shape": ["N", "B"]}]}, "pse shape: got"),
        ({"pse": [{"type": 1, "shape": ["full"]}]}, "pse shape: got"),
        ({"pse": [{"type": 1, "shape": ["B", "N", "S2", "S1"]}]}, "pse shape: got"),
        ({"pse": [{"type": 2, "shape": ["N"], "start": [1]}]}, "pse start: got \\(1,\\)"),
        ({"keep_prob": 0}, "keep_prob: got 0, allowed a number in"),
        ({"rope": -1}, "rope: got -1"),
    ],
)
def test_refusals_name_argument_got_and_allowed(change, message):
    with pytest.raises(CaseError, match=f"here: g: {message}"):
        expand(GROUP | change, "here")


def test_names_must_be_unique(tmp_path):
    entry = "- {name: g, step: slice, tags: [full], s: [[3, 4]]}\n"
    (tmp_path / "a.yaml").write_text(entry)
    (tmp_path / "b.yaml").write_text(entry)
    with pytest.raises(CaseError, match="every name once"):
        load(tmp_path)


def test_table_covers_every_axis():
    cases = load()
    assert {c.layout for c in cases} == {"BNSD", "BSH", "BSND", "SBH", "TND"}
    assert {c.sparse_mode for c in cases} == set(range(9))
    assert {c.sparse_mode for c in cases if c.is_packed} == set(range(9)) - {5}
    assert {c.pse.type for c in cases if c.pse} == {0, 1, 2, 3}
    features = {"tnd", "prefix", "pse", "packed pse", "alibi", "slopes", "dropout", "sink", "rope"}
    assert set().union(*(c.features for c in cases)) == features
    assert not any(c.features for c in cases if c.step != "contract")
    assert all(c.features for c in cases if c.step == "contract")
    assert {0, 1, 15, 16, 17, 127, 128, 129, 511, 512, 513} <= {c.s2 for c in cases}
    in_slice = [c for c in cases if c.step == "slice"]
    assert {c.layout for c in in_slice} == {"BNSD", "BSH"}
    assert all(c.n1 == c.n2 and c.d == c.dv <= 128 and c.sparse_mode == 0 for c in in_slice)
    shapes = {tuple(t != 1 for t in c.mask.shape) for c in in_slice if c.mask and len(c.mask.shape) == 4}
    assert len(shapes) == 16


def test_select():
    cases = load()
    chosen = select(cases, ["smoke"], ["slice"])
    assert chosen and all("smoke" in c.tags and c.step == "slice" for c in chosen)
    with pytest.raises(CaseError, match="tags: got \\['smok'\\]"):
        select(cases, ["smok"], ["slice"])


def mask_of(kind, seed, shape=("B", 1, "S1", "S2"), dtype="bool", s=(9, 700)):
    case = one(b=2, s=[list(s)], mask=[{"shape": list(shape), "kind": kind, "dtype": dtype}])
    mask = make_inputs(case, seed).mask
    assert mask.shape == case.mask_shape
    return mask


def test_mask_kinds(seed):
    assert mask_of("all", seed).all()
    assert not mask_of("nothing", seed).any()
    assert ((~mask_of("one_key", seed)).sum(-1) == 1).all()
    assert mask_of("blind_rows", seed)[:, :, [0, 3, 6, 8]].all()
    assert not mask_of("blind_rows", seed)[:, :, [1, 2, 4, 5, 7]].all(-1).any()
    first = mask_of("first_stack", seed)
    assert first[..., :512].all() and first[:, :, 1::2].all() and not first[:, :, ::2].all(-1).any()
    padding = mask_of("padding", seed, ("B", 1, 1, "S2"))
    assert (padding.int().diff(dim=-1) >= 0).all() and not padding[..., 0].any()
    assert torch.equal(mask_of("causal", seed, ("S1", "S2")), torch.ones(9, 700).triu(1).bool())


def test_uint8_masks_use_several_nonzero_values(seed):
    values = set(mask_of("random", seed, dtype="uint8").unique().tolist())
    assert values == {0, 1, 2, 128, 255}


def test_inputs_are_a_function_of_the_seed(seed):
    case = one(layout="BSH", dtype="bfloat16", heads=2, d=8, std=3, mask=[{"shape": ["S1", "S2"]}])
    first, again, other = make_inputs(case, seed), make_inputs(case, seed), make_inputs(case, seed + 1)
    assert first.query.equal(again.query) and first.mask.equal(again.mask)
    assert not first.query.equal(other.query)
    assert [tuple(x.shape) for x in first.in_layout("BSH")] == [(1, 3, 16), (1, 4, 16), (1, 4, 16)]
    assert first.query.dtype == torch.bfloat16


PACKED = {"name": "g", "step": "contract", "tags": ["full"], "layout": "TND", "sequences": [[[3, 4], [0, 2], [5, 1]]]}


def test_packed_case():
    (case,) = expand(PACKED | {"heads": [[4, 2]], "tail": [[2, 1]], "mask": [{"shape": ["T1", "T2"]}]}, "here")
    assert (case.b, case.s1, case.s2, case.ends, case.sizes) == (3, 5, 4, ((3, 3, 8), (4, 6, 7)), (1, 10, 8))
    assert case.mask_shape == (8, 7)
    assert case.name == "g-TND-fp32-n4-2s3x4_0x2_5x1tail2x1d64-t1t2_random_bool"
    inputs = make_inputs(case, 1)
    assert inputs.query.shape == (1, 4, 10, 64) and inputs.value.shape == (1, 2, 8, 64)
    (nothing,) = expand(PACKED | {"sequences": [[]]}, "here")
    assert (nothing.b, nothing.s1, nothing.ends, nothing.sizes) == (0, 0, ((), ()), (1, 0, 0))


def test_contract_inputs(seed):
    pse = {"type": 3, "shape": ["B", "N"], "start": [1, 2]}
    case = one(b=2, heads=[[4, 2]], pse=pse, keep_prob=0.5, sink=True, sparse=[{"mode": 6}], s=[[5, 9]])
    inputs = make_inputs(case, seed)
    assert case.name == "g-BNSD-fp32-b2n4-2s5x9d64-mode6_random-pse3bnfrom1_2-keep0.5-sink"
    assert inputs.pse.shape == (2, 4) and inputs.keep.shape == (2 * 4 * 5 * 9,) and inputs.sink.shape == (4,)
    assert len(inputs.prefix) == 2 and all(4 <= x <= 9 for x in inputs.prefix)
    (case,) = expand(PACKED | {"pse": [{"type": 1, "shape": ["row"]}], "keep_prob": 0.5, "rope": 8}, "here")
    inputs = make_inputs(case, seed)
    assert inputs.pse.shape == (7, 1) and inputs.keep.shape == (3 * 4 + 5,) and inputs.key_rope.shape == (1, 1, 7, 8)
    (case,) = expand(PACKED | {"pse": [{"type": 1, "shape": ["full"]}], "dtype": "float16"}, "here")
    assert make_inputs(case, seed).pse.shape == (17, 1) and make_inputs(case, seed).pse.dtype == torch.float16
    case = one(s=[[1100, 1100]], pse=[{"type": 0, "shape": [1, "N", 1024, "S2"]}])
    table = make_inputs(case, seed).pse[0, 0]
    assert table.shape == (1024, 1100) and table[5, 70] == table[6, 71]
