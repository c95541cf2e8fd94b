# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""aclnnDropoutGenMaskV2: its bits against Philox4x32-10 in numpy, and its refusals."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ascendc_cpu.acl_objects import AclObjects, recent_error
from ascendc_cpu.native import runtime

from tests.reference.philox import keep_bits, philox

SUCCESS, NULLPTR, INVALID = 0, 161001, 161002
BLOCK = 128  # bits


@pytest.mark.parametrize(
    "counter, key, expected",
    [  # known answers of the authors' Random123
        ([0] * 4, [0] * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0],
         "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)  # fmt: skip
def test_reference(counter, key, expected):
    assert [f"{int(word):08x}" for word in philox([counter], key)[0]] == expected.split()


def plan(shape, prob, seed, offset, out, dtype=0, **absent):
    """Status and executor of the first phase. out: a numpy array or None."""
    function = runtime().aclnnDropoutGenMaskV2GetWorkspaceSize
    size, executor = ctypes.c_uint64(7), ctypes.c_void_p()
    recent_error()
    with AclObjects() as objects:
        names = {
            "shape": None if shape is None else objects.array("int64", shape),
            "out": None if out is None else objects.tensor(out.shape, str(out.dtype), out.ctypes.data),
            "size": ctypes.addressof(size),
            "executor": ctypes.addressof(executor),
        } | absent
        status = function(
            ctypes.c_void_p(names["shape"]), ctypes.c_double(prob), ctypes.c_int64(seed), ctypes.c_int64(offset),
            ctypes.c_int(dtype), ctypes.c_void_p(names["out"]), ctypes.c_void_p(names["size"]),
            ctypes.c_void_p(names["executor"]),
        )  # fmt: skip
    assert status != SUCCESS or size.value == 0
    return status, executor


def generate(shape, prob, seed, offset, dtype=0):
    count = int(np.prod(shape))
    memory = np.full((count + BLOCK - 1) // BLOCK * BLOCK // 8 + 32, 0xA5, np.uint8)
    out = memory[16:-16]
    status, executor = plan(shape, prob, seed, offset, out, dtype)
    assert status == SUCCESS, recent_error()
    assert runtime().aclnnDropoutGenMaskV2(None, ctypes.c_uint64(0), executor, None) == SUCCESS, recent_error()
    assert (memory[:16] == 0xA5).all() and (memory[-16:] == 0xA5).all()
    return np.unpackbits(out, bitorder="little")[:count].astype(bool)


@pytest.mark.parametrize("shape", [(1,), (127,), (128,), (129,), (3, 5, 7), (524287,), (524289,), (2, 3, 401, 503)])
@pytest.mark.parametrize("dtype", [0, 1, 27])  # float32, float16, bfloat16
def test_bits(shape, dtype, seed):
    random = np.random.default_rng(seed)
    prob, key, offset = random.random(), int(random.integers(-(1 << 63), 1 << 63)), int(random.integers(0, 1 << 63))
    got = generate(shape, prob, key, offset, dtype)
    assert np.array_equal(got, keep_bits(got.size, prob, key, offset))


def test_the_share_of_ones_is_that_asked_for(seed):
    count = 1 << 20
    for prob in (0.1, 0.5, 0.9):
        share = generate((count,), prob, seed, 0).mean()
        assert abs(share - (1 - prob)) < 6 * (prob * (1 - prob) / count) ** 0.5


def test_certain(seed):
    assert generate((1000,), 0.0, seed, 3).all()
    assert not generate((1000,), 1.0, seed, 3).any()


def test_seed_and_offset_decide(seed):
    first = generate((5000,), 0.5, seed, 0)
    assert np.array_equal(first, generate((50, 100), 0.5, seed, 0))
    for other in (generate((5000,), 0.5, seed + 1, 0), generate((5000,), 0.5, seed, 4)):
        assert 2000 < (first == other).sum() < 3000


def test_threads_do_not_matter(seed, monkeypatch):
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("ASCENDC_CPU_NUM_THREADS", threads)
        results.append(generate((3000017,), 0.3, seed, 8))
    assert np.array_equal(*results)


SCRIPT = """
import sys
sys.path[:0] = [{folder!r}, {root!r}]
import test_dropout_gen_mask
print(test_dropout_gen_mask.generate((70001,), 0.25, {seed}, 5).nonzero()[0].sum())
"""


@pytest.mark.parametrize("isa", ["generic", "avx2"])
def test_instruction_sets_do_not_matter(isa, seed):
    folder = Path(__file__).parent
    script = SCRIPT.format(folder=str(folder), root=str(folder.parents[2]), seed=seed)
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, env=os.environ | {"ASCENDC_CPU_ISA": isa}, capture_output=True, text=True)
    if "does not" in result.stderr:
        pytest.skip(result.stderr.splitlines()[-1])
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) == keep_bits(70001, 0.25, seed, 5).nonzero()[0].sum()


def test_nothing():
    assert generate((0,), 0.5, 1, 2).size == 0


BYTES = np.zeros(16, np.uint8)
REFUSED = {
    "shape": (dict(shape=None, prob=0.5, out=BYTES), NULLPTR, "shape is required"),
    "out": (dict(shape=(5,), prob=0.5, out=None), NULLPTR, "out is required"),
    "size": (dict(shape=(5,), prob=0.5, out=BYTES, size=None), NULLPTR, "workspaceSize is required"),
    "executor": (dict(shape=(5,), prob=0.5, out=BYTES, executor=None), NULLPTR, "executor is required"),
    "negative": (dict(shape=(5,), prob=-0.1, out=BYTES), INVALID, "prob: got -0.1"),
    "large": (dict(shape=(5,), prob=1.5, out=BYTES), INVALID, "prob: got 1.5"),
    "nan": (dict(shape=(5,), prob=float("nan"), out=BYTES), INVALID, "prob: got nan"),
    "bytes": (dict(shape=(129,), prob=0.5, out=BYTES), INVALID, "32 bytes, got data type 4 and 16 elements"),
    "dtype": (dict(shape=(5,), prob=0.5, out=BYTES.astype(np.float32)), INVALID, "must be contiguous ACL_UINT8"),
    "prob_dtype": (dict(shape=(5,), prob=0.5, out=BYTES, dtype=3), INVALID, "probDataType: got 3"),
    "dimension": (dict(shape=(-5,), prob=0.5, out=BYTES), INVALID, "shape: got -5"),
    "elements": (dict(shape=(1 << 40, 1 << 40), prob=0.5, out=BYTES), INVALID, "fewer than 2^63"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    arguments, expected, text = REFUSED[name]
    status, _ = plan(**{"seed": 1, "offset": 0} | arguments)
    assert status == expected
    assert text in (message := recent_error()), message
