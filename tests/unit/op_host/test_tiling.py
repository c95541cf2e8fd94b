# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What op_host tells the kernel: dimensions, strides, mask rule, tiles, workspace, cores."""

import math

import numpy as np
import pytest

from tests.unit.op_host.call import Call, dense_mask
from tests.unit.op_host.host_shim import row_tiles

LAYOUTS = ["BSH", "SBH", "BSND", "BNSD"]
UNBOUNDED = 1 << 40
MAX = 2147483647
SYSTEM_WORKSPACE = 16 << 20
TUNING = "FLASH_ATTENTION_SCORE_TUNING"


def numpy_strides(call, n, s, d):
    """Element strides of axes b, n, s, from a real array in the call's layout viewed as [B, N, S, D]."""
    array = np.lib.stride_tricks.as_strided(np.empty(1, np.int8), (math.prod(call.shape(n, s, d)),), (1,))
    array = array.reshape(call.shape(n, s, d))
    if call.layout in ("BSH", "SBH"):
        array = array.reshape(*array.shape[:2], n, d)
    order = {"BSH": (0, 2, 1, 3), "BSND": (0, 2, 1, 3), "SBH": (1, 2, 0, 3), "BNSD": (0, 1, 2, 3)}[call.layout]
    return tuple(int(stride) for stride in array.transpose(order).strides[:3])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_dimensions_and_strides(layout):
    call = Call(layout=layout, b=3, n1=6, n2=2, s1=17, s2=29, d=40, dv=24)
    _, data = call.tile()
    expected = {"b": 3, "n1": 6, "n2": 2, "s1": 17, "s2": 29, "d": 40, "dv": 24}
    assert {name: int(data[name]) for name in expected} == expected
    assert tuple(data["query"]) == numpy_strides(call, 6, 17, 40)
    assert tuple(data["key"]) == numpy_strides(call, 2, 29, 40)
    assert tuple(data["value"]) == numpy_strides(call, 2, 29, 24)
    assert tuple(data["out"]) == numpy_strides(call, 6, 17, 24)


def test_strides_beyond_32_bits():
    call = Call(b=4, n1=64, n2=64, s1=1 << 20, s2=1 << 20, d=128, dv=128, dtype="bfloat16")
    _, data = call.tile()
    assert int(data["query"]["b"]) == 64 * (1 << 20) * 128 > 1 << 32


def test_scale_is_passed_as_given():
    _, data = Call(attrs={"scale_value": 0.08838834764831845}).tile()
    assert data["scale"] == np.float32(0.08838834764831845)
    assert Call().tile()[1]["scale"] == 1.0


@pytest.mark.parametrize(
    "attrs, lo, hi",
    [
        ({}, -MAX, MAX),
        ({"pre_tockens": 7, "next_tockens": 0}, -7, 0),
        ({"pre_tockens": 20, "next_tockens": -3}, -20, -3),
        ({"pre_tockens": -5, "next_tockens": 9}, 5, 9),
        ({"sparse_mode": 1, "pre_tockens": 3, "next_tockens": -9}, -UNBOUNDED, UNBOUNDED),
        ({"sparse_mode": 2, "pre_tockens": -9, "next_tockens": -9}, -UNBOUNDED, 0),
        ({"sparse_mode": 3}, -UNBOUNDED, 200),
        ({"sparse_mode": 4, "pre_tockens": 50, "next_tockens": 0}, 150, 200),
        ({"sparse_mode": 4, "pre_tockens": -10, "next_tockens": 10}, 210, 210),
        ({"sparse_mode": 4, "pre_tockens": 1 << 62, "next_tockens": 1 << 62}, 200 - UNBOUNDED, 200 + UNBOUNDED),
    ],
)
def test_mask_rule(attrs, lo, hi):
    _, data = Call(s1=100, s2=300, attrs=attrs).tile()
    assert dense_mask(data) == (lo, hi)
    assert (data["rule"]["has_prefix"], data["rule"]["band_segment"]) == (0, -1)
    assert data["has_mask_tensor"] == 0


@pytest.mark.parametrize(
    "shape, strides",
    [
        ((100, 300), (0, 0, 300, 1)),
        ((1, 300), (0, 0, 0, 1)),
        ((100, 1), (0, 0, 1, 0)),
        ((1, 1), (0, 0, 0, 0)),
        ((1, 1, 100, 300), (0, 0, 300, 1)),
        ((2, 1, 100, 300), (30000, 0, 300, 1)),
        ((2, 4, 100, 300), (120000, 30000, 300, 1)),
        ((2, 1, 1, 300), (300, 0, 0, 1)),
        ((1, 4, 1, 300), (0, 300, 0, 1)),
        ((2, 4, 100, 1), (400, 100, 1, 0)),
    ],
)
@pytest.mark.parametrize("dtype", ["bool", "uint8"])
@pytest.mark.parametrize("mode", [0, 1])
def test_mask_tensor_strides(shape, strides, dtype, mode):
    _, data = Call(mask=shape, mask_dtype=dtype, attrs={"sparse_mode": mode}).tile()
    assert tuple(int(v) for v in data["mask_tensor"]) == strides
    assert data["has_mask_tensor"] == 1


@pytest.mark.parametrize("mode", [2, 3, 4])
@pytest.mark.parametrize("shape", [(2048, 2048), (1, 1, 2048, 2048)])
def test_compressed_mask_is_not_needed(mode, shape):
    attrs = {"sparse_mode": mode}
    _, with_tensor = Call(mask=shape, attrs=attrs).tile()
    _, without = Call(attrs=attrs).tile()
    assert with_tensor == without and with_tensor["has_mask_tensor"] == 0


@pytest.mark.parametrize(
    "dtype, d, q_tile, kv_stack, boxes",
    [(dtype, d, 128, 512, 4) for dtype in ("float16", "bfloat16") for d in (1, 64, 128, 256, 512, 768)]
    + [
        ("float32", d, *tile)
        for dims, tile in (
            ((1, 64, 128, 192), (128, 512, 4)),
            ((193, 256), (128, 512, 3)),
            ((257, 384), (128, 256, 4)),
            ((385, 512), (128, 256, 3)),
            ((513, 768), (64, 512, 4)),
        )
        for d in dims
    ],
)
def test_tile_shapes(dtype, d, q_tile, kv_stack, boxes):
    _, data = Call(dtype=dtype, d=d, dv=d, s1=1000).tile()
    tile = data["tile"]
    assert (tile["q_tile"], tile["kv_stack"], tile["l1_boxes"]) == (q_tile, kv_stack, boxes)
    assert (tile["preload"], tile["splits_keys"]) == (1, 0)


@pytest.mark.parametrize(
    "call, rows, slices",
    [
        (Call(dtype="float32", d=64, dv=64, s1=1000), 16, 32),
        (Call(dtype="float32", d=128, dv=128, s1=1000), 16, 8),
        (Call(dtype="bfloat16", d=16, dv=16, s1=1000), 16, 64),
        (Call(dtype="float16", d=128, dv=128, s1=1000), 16, 16),
        (Call(dtype="float16", d=192, dv=192, s1=1000), 8, 8),  # no room
        (Call(dtype="float32", d=256, dv=256, s1=1000), 8, 8),  # O is in GM
        (Call(dtype="float32", d=64, dv=64, n1=2, s1=16), 8, 32),  # few rows
        (Call(dtype="float32", d=64, dv=64, n1=2, s1=17), 16, 32),
        (Call(dtype="float32", d=64, dv=64, s1=200, s2=100, mask=(200, 100)), 8, 32),
        (Call(dtype="float32", d=64, dv=64, s1=200, s2=100, inputs={"real_shift": ((2, 4, 200, 100), "float32")}), 8,
         32),
        (Call(dtype="float16", d=64, dv=64, attrs={"sparse_mode": 2}, s1=1000), 16, 32),
    ],
)  # fmt: skip
def test_rows_of_passes_and_slices(call, rows, slices):
    """Passes of 16 rows where nothing but scores comes with them; slices of O of at most 8 KiB."""
    tile = call.tile()[1]["tile"]
    assert (tile["rows_per_pass"], tile["slice_rows"]) == (rows, slices)


@pytest.mark.parametrize(
    "dtype, dv, in_ub",
    [("float32", 128, 1), ("float32", 129, 0), ("float16", 192, 1), ("bfloat16", 193, 0), ("float32", 1, 1)],
)
def test_accumulator_in_ub(dtype, dv, in_ub):
    _, data = Call(dtype=dtype, d=256, dv=dv).tile()
    assert data["tile"]["acc_in_ub"] == in_ub
    assert (data["workspace"]["acc_bytes"] == 0) == bool(in_ub)


@pytest.mark.parametrize("soc, cores", [("Ascend910B1", 24), ("Ascend910B3", 20)])
@pytest.mark.parametrize("dtype, d", [("float32", 64), ("bfloat16", 128), ("float32", 700), ("float16", 250)])
@pytest.mark.parametrize("s1", [10, 5000])
def test_workspace_holds_disjoint_buffers(soc, cores, dtype, d, s1):
    call = Call(dtype=dtype, d=d, dv=d, s1=s1, s2=5000, attrs={"sparse_mode": 2})
    result, data = call.tile(soc)
    assert result.block_dim == cores
    chunks = 10 if s1 == 10 else 1  # of 512 keys
    assert data["tile"]["splits_keys"] == (chunks > 1)
    tile, workspace = data["tile"], data["workspace"]
    padded = -(-d // 16) * 16
    assert workspace["score_ring_bytes"] >= 3 * tile["q_tile"] * tile["kv_stack"] * 4
    assert workspace["pv_ring_bytes"] >= 3 * tile["q_tile"] * padded * 4
    assert workspace["acc_bytes"] >= (0 if tile["acc_in_ub"] else tile["q_tile"] * padded * 4)
    starts = [
        int(workspace[name]) for name in ("score_ring", "pv_ring", "acc", "partial_out", "partial_max", "partial_sum")
    ]
    sizes = [int(workspace[name]) * cores for name in ("score_ring_bytes", "pv_ring_bytes", "acc_bytes")]
    assert all(offset % 512 == 0 for offset in starts)
    partial_rows = 4 * chunks * int(tile["q_tile"]) if chunks > 1 else 0  # B * N2 packs of heads
    starts.append(result.workspace - SYSTEM_WORKSPACE)
    sizes += [partial_rows * padded * 4, partial_rows * 4, partial_rows * 4]
    assert all(start + size <= end for start, size, end in zip(starts[:-1], sizes, starts[1:], strict=True))


def test_workspace_does_not_grow_with_the_sequence():
    sizes = {Call(s1=s, s2=s, attrs={"sparse_mode": 3}).tile()[0].workspace for s in (1 << 17, 1 << 20)}
    assert len(sizes) == 1


@pytest.mark.parametrize(
    "b, n1, s1, cores",
    [(1, 1, 1, 1), (1, 3, 128, 3), (1, 3, 129, 6), (5, 4, 200, 24), (2, 4, 32, 2)],
)
def test_no_more_cores_than_row_blocks(b, n1, s1, cores):
    result, data = Call(b=b, n1=n1, n2=1, s1=s1).tile("Ascend910B1")
    assert result.block_dim == cores
    assert data["tile"]["splits_keys"] == 0


@pytest.mark.parametrize(
    "n1, n2, s1, s2, heads_per_tile, q_tile, chunk, chunks",
    [
        (8, 8, 1, 512, 1, 16, 0, 1),
        (8, 8, 1, 513, 1, 16, 512, 2),
        (8, 1, 1, 8192, 8, 16, 512, 16),
        (8, 8, 64, 8192, 1, 64, 512, 16),
        (8, 8, 65, 8192, 1, 80, 1024, 8),
        (32, 8, 32, 1025, 4, 128, 1024, 2),
        (32, 8, 33, 99999, 1, 48, 0, 1),
        (1, 1, 1, 1 << 20, 1, 16, 1 << 14, 64),
    ],
)
def test_few_rows_are_packed_and_their_keys_split(n1, n2, s1, s2, heads_per_tile, q_tile, chunk, chunks, host_library):
    _, data = Call(n1=n1, n2=n2, s1=s1, s2=s2).tile()
    tiles = row_tiles(host_library, 128, 512, n1 // n2, s1, s2)
    assert (tiles.heads_per_tile, tiles.q_tile) == (heads_per_tile, q_tile)
    assert (tiles.kv_chunk, tiles.kv_chunks) == (chunk, chunks)
    assert (data["tile"]["q_tile"], data["tile"]["splits_keys"]) == (q_tile, chunks > 1)


@pytest.mark.parametrize("call", [{"s1": 1, "s2": 8192}, {"s1": 5, "s2": 300}])
def test_strategies_share_tiles_and_chunks(call, monkeypatch):
    seen = []
    for name in ("default", "short_seq", "long_seq"):
        monkeypatch.setenv(TUNING, f"strategy={name}")
        try:
            result, data = Call(**call).tile()
        except ValueError as error:
            assert name in str(error)
            continue
        assert result.key == {"default": 0, "short_seq": 1, "long_seq": 2}[name]
        seen.append(data["tile"].tolist())
    assert len(seen) == 2 and seen[0] == seen[1]


def test_forced_strategy_must_exist(monkeypatch):
    monkeypatch.setenv(TUNING, "strategy=fastest")
    with pytest.raises(ValueError, match=rf"tuning strategy=fastest \(.*{TUNING}\): .*short_seq, long_seq, default"):
        Call().tile()


@pytest.mark.parametrize(
    ("dtype", "d", "s1", "kib"),
    [
        ("float32", 128, 1, 64),
        ("float32", 65, 8, 64),
        ("float32", 64, 1, 32),  # 128 keys of 64 columns are no more
        ("float32", 129, 1, 32),  # sums along the keys would be cut elsewhere
        ("float32", 128, 9, 32),
        ("float16", 128, 1, 32),
    ],
)
def test_few_rows_meet_large_boxes(dtype, d, s1, kib):
    """With two heads a group, up to 8 queries are 16 rows."""
    _, data = Call(dtype=dtype, d=d, dv=d, s1=s1, s2=8192).tile()
    assert (data["tile"]["l1_boxes"], data["tile"]["box_bytes"]) == (4, kib << 10)


@pytest.mark.parametrize(
    ("dtype", "d", "text", "tile"),  # tile: rows, keys, preload, boxes
    [
        ("float16", 768, "block_size_q=128,block_size_kv=512,preload=2", (128, 512, 2, 4)),
        ("float32", 256, "block_size_kv=256,block_size_q=128", (128, 256, 1, 4)),
        ("float32", 256, "block_size_q=16", (16, 512, 1, 4)),
        ("float32", 300, "block_size_kv=384", (128, 384, 1, 3)),
        ("float32", 768, "block_size_q=80", (80, 512, 1, 3)),
        ("bfloat16", 64, "preload=2", (128, 512, 2, 4)),
    ],
)
def test_tuned_tile(dtype, d, text, tile, monkeypatch):
    monkeypatch.setenv(TUNING, text)
    _, data = Call(dtype=dtype, d=d, dv=d, s1=1000).tile()
    assert tuple(data["tile"][["q_tile", "kv_stack", "preload", "l1_boxes"]].item()) == tile


@pytest.mark.parametrize(
    ("dtype", "d", "text", "refusal"),
    [
        ("float32", 300, "block_size_kv=512", "allowed: block_size_q up to 112 or block_size_kv up to 384"),
        ("float32", 768, "block_size_q=128", "allowed: block_size_q up to 80"),
        ("float16", 64, "block_size_q=100", "block_size_q must be a multiple of 16 from 16 to 128, got 100"),
        ("float16", 64, "block_size_kv=", "block_size_kv must be a multiple of 128 from 128 to 512, got ''"),
        ("float16", 64, "preload=0", "preload must be from 1 to 2, got 0"),
        ("float16", 64, "preload=1,preload=2", "preload is given twice"),
        ("float16", 64, "block_size=64", "allowed are block_size_q=, block_size_kv=, preload= and strategy="),
        ("float16", 64, "preload=2,,", "with commas between, got ''"),
    ],
)
def test_refused_tuning(dtype, d, text, refusal, monkeypatch):
    monkeypatch.setenv(TUNING, text)
    with pytest.raises(ValueError) as caught:
        Call(dtype=dtype, d=d, dv=d, s1=1000).tile()
    setting = f"tuning {text} (npu_set_flash_attention_tuning_params or {TUNING}): "
    assert setting in str(caught.value) and refusal in str(caught.value)


@pytest.mark.parametrize(("stack", "chunk"), [(128, 1024), (256, 1024), (384, 768), (512, 1024)])
def test_chunks_are_whole_stacks(stack, chunk, host_library):
    assert row_tiles(host_library, 128, stack, 4, 23, 5000).kv_chunk == chunk and chunk % stack == 0


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("empty", [{"b": 0}, {"s1": 0}, {"s2": 0}])
@pytest.mark.parametrize("mode", range(5))
def test_empty_problems_are_accepted(layout, empty, mode):
    result, data = Call(layout=layout, attrs={"sparse_mode": mode, "pre_tockens": 3, "next_tockens": 0}, **empty).tile()
    assert result.block_dim >= 1
    ((name, _),) = empty.items()
    assert data[name] == 0


def test_negative_windows_where_legal():
    for pre, next_ in ((1024, -900), (-1, 5), (-299, 299), (99, -99)):
        Call(
            s1=2048 if pre == 1024 else 100,
            s2=2048 if pre == 1024 else 300,
            attrs={"pre_tockens": pre, "next_tockens": next_},
        ).tile()


def test_empty_lists_count_as_absent():
    """torch_npu passes an empty prefix list instead of none."""
    Call(inputs={"prefix": ((0,), "int64")}).tile()


def test_repeatable():
    first, second = Call().tile(), Call().tile()
    assert first[1] == second[1] and first[0].key == second[0].key
