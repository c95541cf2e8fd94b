# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What a vector instruction does to UB, written from the address formula, and the cases that kernels/vector_*.cpp run.

Lane e of repeat r of an operand stands at base + (r * repeat stride + e // lanes per block * block stride) * 32 B
+ e % lanes per block elements. Repeats are executed in order.
"""

from dataclasses import dataclass, field

import numpy as np
from bit_types import from_bfloat16, to_bfloat16

BLOCK = 32
REPEAT = 256
UB_BYTES = 65536
FORMS = ["bits", "lanes", "count"]
STORAGE = {
    "float": np.dtype(np.float32),
    "half": np.dtype(np.float16),
    "bfloat16_t": np.dtype(np.uint16),
    **{f"{name}_t": np.dtype(name) for name in "int8 uint8 int16 uint16 int32 uint32 int64".split()},
}
RECORD = np.dtype(
    [("operation", "<u4"), ("form", "<u4"), ("set_mask", "<u4"), ("counter_mode", "<u4"), ("mask", "<u8", 2)]
    + [("register_mask", "<u8", 2), ("repeats", "<u4"), ("count", "<u4"), ("offsets", "<u4", 4)]
    + [("block_strides", "<u4", 3), ("repeat_strides", "<u4", 3), ("scalar", "<u8"), ("mode", "<u4"), ("ub", "<u4")]
)


@dataclass
class Case:
    """Fields of one call. Operands in the order dst, src0, src1, and bits or work; offsets in bytes."""

    form: str = "count"
    set_mask: bool = True
    counter_mode: bool = False
    mask: tuple[int, int] = (0, 0)
    register_mask: tuple[int, int] = (2**64 - 1, 2**64 - 1)
    repeats: int = 1
    count: int = 0
    offsets: tuple[int, ...] = (0, 16384, 32768, 49152)
    block_strides: tuple[int, ...] = (1, 1, 1)
    repeat_strides: tuple[int, ...] = (8, 8, 8)
    scalar: int = 0
    mode: int = 0
    ub_bytes: int = UB_BYTES
    image: np.ndarray = field(default=None, repr=False)

    def record(self, operation: int) -> np.ndarray:
        record = np.zeros((), RECORD)
        record["operation"] = operation
        record["form"] = FORMS.index(self.form)
        record["set_mask"], record["counter_mode"] = self.set_mask, self.counter_mode
        record["ub"] = self.ub_bytes
        for name in "mask register_mask repeats count offsets block_strides repeat_strides scalar mode".split():
            record[name] = getattr(self, name)
        return record

    def active(self, lanes: int) -> list[np.ndarray]:
        """Active lanes of each repeat."""
        if self.form == "count" and self.set_mask:
            return _first(self.count, lanes)
        bits = self.mask if self.set_mask else self.register_mask
        if self.counter_mode:
            return _first(bits[0], lanes)
        repeats = 1 if self.form == "count" else self.repeats
        if self.form == "lanes" and self.set_mask:
            return [np.arange(min(self.mask[0], lanes))] * repeats
        whole = bits[0] | bits[1] << 64
        return [np.array([lane for lane in range(lanes) if whole >> lane & 1], int)] * repeats

    def addresses(self, operand: int, repeat: int, lanes: np.ndarray, itemsize: int, widest: int) -> np.ndarray:
        """Byte addresses of lanes; a count form is contiguous in every operand."""
        block, stride = self.block_strides[operand], self.repeat_strides[operand]
        if self.form == "count":
            block, stride = 1, 8 * itemsize // widest
        per_block = BLOCK // itemsize
        start = self.offsets[operand] + (repeat * stride + lanes // per_block * block) * BLOCK
        return start + lanes % per_block * itemsize


def _first(count: int, lanes: int) -> list[np.ndarray]:
    return [np.arange(min(lanes, count - start)) for start in range(0, count, lanes)]


class Ub:
    """An image of UB that remembers which bytes were written."""

    def __init__(self, image: np.ndarray):
        self.bytes = image.copy()
        self.written = np.zeros(len(image), bool)

    def read(self, addresses: np.ndarray, dtype: np.dtype) -> np.ndarray:
        index = np.asarray(addresses)[..., None] + np.arange(dtype.itemsize)
        return self.bytes[index].view(dtype)[..., 0]

    def write(self, addresses: np.ndarray, values: np.ndarray) -> None:
        values = np.ascontiguousarray(values)
        index = np.asarray(addresses)[..., None] + np.arange(values.dtype.itemsize)
        self.bytes[index] = values.view(np.uint8).reshape(index.shape)
        self.written[index] = True


def elementwise(case: Case, function, dst: str, src: str) -> Ub:
    """function(old dst, src0, src1, scalar, lane numbers of the whole call) -> new dst, in storage types."""
    dst_type, src_type = STORAGE[dst], STORAGE[src]
    widest = max(dst_type.itemsize, src_type.itemsize)
    lanes_per_repeat = REPEAT // widest
    scalar = np.frombuffer(case.scalar.to_bytes(8, "little")[: src_type.itemsize], src_type)[0]
    ub = Ub(case.image)
    for repeat, lanes in enumerate(case.active(lanes_per_repeat)):
        where = [
            case.addresses(operand, repeat, lanes, kind.itemsize, widest)
            for operand, kind in enumerate((dst_type, src_type, src_type))
        ]
        old = ub.read(where[0], dst_type)
        operands = [ub.read(address % case.ub_bytes, src_type) for address in where[1:]]
        with np.errstate(all="ignore"):
            ub.write(where[0], function(old, *operands, scalar, repeat * lanes_per_repeat + lanes).astype(dst_type))
    return ub


def random_case(rng: np.random.Generator, form: str, lanes: int, operands: int = 3, **fields) -> Case:
    """Random mask, strides and sizes. Source strides may be 0, destination blocks never overlap."""
    case = Case(form=form, **fields)
    case.repeats = int(rng.choice([1, 2, 3, 7, 12]))
    block = [int(rng.integers(1, 4)), *(int(rng.integers(0, 4)) for _ in range(operands - 1))]
    if rng.integers(2):
        block = [1] * operands
    stride = [7 * block[0] + int(rng.integers(1, 20)), *(int(rng.integers(0, 40)) for _ in range(operands - 1))]
    if rng.integers(3) == 0:
        block, stride = [1] * operands, [8] * operands
    case.block_strides = tuple(block + [1] * (3 - operands))
    case.repeat_strides = tuple(stride + [8] * (3 - operands))
    if form == "lanes":
        case.mask = (int(rng.choice([1, 3, lanes // 2 - 1, lanes // 2, lanes - 1, lanes])), 0)
    else:
        words = [int(word) for word in rng.integers(0, 2**64, 2, dtype=np.uint64)]
        case.mask = tuple(words if lanes > 64 else (words[0] & (2**lanes - 1), 0))
        if rng.integers(3) == 0:
            case.mask = (2 ** min(lanes, 64) - 1, 2 ** max(lanes - 64, 0) - 1)
    case.count = int(rng.choice([1, lanes - 1, lanes, lanes + 1, 3 * lanes + 5, 997]))
    return case


def random_image(rng: np.random.Generator, ctype: str, ub_bytes: int = UB_BYTES) -> np.ndarray:
    """UB full of elements of one type: ordinary values, some of any bit pattern, some special."""
    dtype = STORAGE[ctype]
    count = ub_bytes // dtype.itemsize
    image = np.frombuffer(rng.bytes(ub_bytes), dtype).copy()
    if ctype in ("float", "half", "bfloat16_t"):
        ordinary = (rng.standard_normal(count) * 4).astype(np.float32)
        special = rng.choice(np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 65504, 1e-7], np.float32), count)
        values = np.where(rng.random(count) < 0.9, ordinary, special)
        encoded = to_bfloat16(values) if ctype == "bfloat16_t" else values.astype(dtype)
        image = np.where(rng.random(count) < 0.9, encoded, image)
    return image.view(np.uint8).copy()


def scalar_bits(value, ctype: str) -> int:
    return int.from_bytes(np.asarray(value).astype(STORAGE[ctype]).tobytes(), "little")


def assert_ub(actual: np.ndarray, expected: Ub, ctype: str, max_ulp: int = 0) -> None:
    """Unwritten bytes equal; written elements equal bit by bit, except that any NaN equals any NaN."""
    untouched = ~expected.written
    np.testing.assert_array_equal(actual[untouched], expected.bytes[untouched], "bytes that no lane writes")
    dtype = STORAGE[ctype]
    starts = np.flatnonzero(expected.written)
    starts = starts[starts % dtype.itemsize == 0]
    index = starts[:, None] + np.arange(dtype.itemsize)
    got, want = actual[index].view(dtype)[:, 0], expected.bytes[index].view(dtype)[:, 0]
    if ctype in ("float", "half", "bfloat16_t"):
        single = from_bfloat16 if ctype == "bfloat16_t" else (lambda bits: bits)
        both_nan = np.isnan(single(got)) & np.isnan(single(want))
        integer = np.dtype(f"i{dtype.itemsize}")
        distance = np.abs(_ordered(got.view(integer)) - _ordered(want.view(integer)))
        wrong = ~both_nan & ((distance > max_ulp) | (np.isnan(single(got)) != np.isnan(single(want))))
        if max_ulp == 0:
            wrong = ~both_nan & (got.view(integer) != want.view(integer))
    else:
        wrong = got != want
    first = np.flatnonzero(wrong)[:5]
    assert not wrong.any(), f"{wrong.sum()} of {len(got)} at {starts[first]}: got {got[first]}, expected {want[first]}"


def _ordered(bits: np.ndarray) -> np.ndarray:
    """Bits of floats as integers in the order of the numbers."""
    wide = bits.astype(np.int64)
    lowest = -(1 << (8 * bits.dtype.itemsize - 1))
    return np.where(wide < 0, lowest - wide, wide)
