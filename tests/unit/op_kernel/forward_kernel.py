# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The forward kernel itself on a dense problem, with tiling data of a similar call changed by hand."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

import ascendc_cpu
from tests.reference.attention import AttentionResult, attention
from tests.reference.dropout import pack_bits
from tests.reference.plain import plain_attention
from tests.unit.op_host.call import INPUTS, TILING_DATA, Call

ROOT = Path(__file__).resolve().parents[3]
CTYPES = {torch.float32: "float", torch.bfloat16: "bfloat16_t", torch.float16: "half"}
STRATEGIES = (0, 1, 2)
_kernels = {}


def kernel_of(dtype):
    if dtype not in _kernels:
        _kernels[dtype] = ascendc_cpu.compile(
            ROOT / "flash_attention_score" / "op_kernel",
            "flash_attention_score",
            {"DTYPE_QUERY": CTYPES[dtype]},
            STRATEGIES,
            build_dir=ROOT / "build" / "test_kernels",
        )
    return _kernels[dtype]


def strides_of(sizes, shape):
    """Element strides of a contiguous tensor that is read as `sizes`: 0 where its dimension is 1."""
    strides, step = [], 1
    for size, full in zip(reversed(shape), reversed(sizes), strict=True):
        strides.insert(0, step if size == full and full != 1 else 0)
        step *= size
    return strides


@dataclass
class Dense:
    """[B,N,S,D] tensors. problem: keyword arguments of the reference; tiling: fields to set, "struct.field" or "field";
    arrays: kernel arguments by name."""

    b: int = 2
    n1: int = 4
    n2: int = 2
    s1: int = 70
    s2: int = 130
    d: int = 32
    dv: int = 24
    dtype: torch.dtype = torch.float32
    problem: dict = field(default_factory=dict)
    arrays: dict = field(default_factory=dict)
    tiling: dict = field(default_factory=dict)
    attrs: dict = field(default_factory=dict)
    mask: torch.Tensor | None = None
    rope: int = 0
    cores: int = 3
    seed: int = 1

    def __post_init__(self):
        self.rng = torch.Generator().manual_seed(self.seed)
        self.q = self.draw(self.b, self.n1, self.s1, self.d + self.rope)
        self.k = self.draw(self.b, self.n2, self.s2, self.d + self.rope)
        self.v = self.draw(self.b, self.n2, self.s2, self.dv)
        self.problem = {"scale": (self.d + self.rope) ** -0.5, **self.attrs, **self.problem}
        if self.mask is not None:
            self.problem["mask"] = self.mask

    def draw(self, *sizes, dtype=None):
        return torch.randn(*sizes, generator=self.rng).to(dtype or self.dtype)

    @property
    def sizes(self):
        return self.b, self.n1, self.s1, self.s2

    def with_shift(self, shift, dtype=None):
        """Adds a TensorShift or AlibiShift, read by strides; dtype: of its elements, default query's."""
        dtype = dtype or self.dtype
        alibi = not hasattr(shift, "rows") or type(shift).__name__ == "AlibiShift"
        full = (*self.sizes[:2], 1024, self.s2) if alibi else self.sizes
        strides = strides_of(full, shift.values.shape)
        self.problem["shift"] = shift
        self.arrays["real_shift"] = as_array(shift.values.to(dtype))
        kind = 1 if shift.before_scale else 2
        self.tiling["shift"] = (kind, 3 if alibi else 0, dtype == torch.float32, 0, 0, *strides)
        return self

    def with_slopes(self, shift):
        self.problem["shift"] = shift
        self.arrays["real_shift"] = as_array(shift.values)
        per_batch = self.n1 if shift.values.dim() == 2 else 0
        self.tiling["shift"] = (4 if shift.root else 3, 0, 1, 0, shift.kv_start - shift.q_start, per_batch, 1, 0, 0)
        return self

    def with_dropout(self, keep_prob):
        keep = torch.rand(self.sizes, generator=self.rng) < keep_prob
        self.problem.update(keep=keep, keep_prob=keep_prob)
        self.arrays["drop_mask"] = pack_bits(keep).numpy()
        self.tiling["dropout"] = (1, keep_prob)
        return self

    def with_sink(self):
        self.problem["sink"] = self.draw(self.n1, dtype=torch.float32) * 2
        self.arrays["sink"] = self.problem["sink"].numpy().copy()
        self.tiling["has_sink"] = 1
        return self

    def expected(self):
        return attention(self.q, self.k, self.v, **self.problem)

    def plain(self):
        return plain_attention(self.q, self.k, self.v, **self.problem)

    def run(self, check=False):
        """(AttentionResult, findings of the checked mode or None)."""
        inputs, attrs = self.planned_inputs()
        call = Call(layout="BNSD", b=self.b, n1=self.n1, n2=self.n2, s1=self.s1, s2=self.s2, d=self.d + self.rope,
                    dv=self.dv, dtype=str(self.dtype).removeprefix("torch."), attrs=attrs, inputs=inputs,
                    mask=None if self.mask is None else tuple(self.mask.shape))  # fmt: skip
        result, record = call.tile()
        data = np.array([record], TILING_DATA)
        data["scale"] = self.problem["scale"]
        for name, value in self.tiling.items():
            part, _, name_in_part = name.rpartition(".")
            (data[part] if part else data)[name_in_part] = value
        given = {**self.arrays}
        for name, x, heads, rows in (("query", self.q, self.n1, self.s1), ("key", self.k, self.n2, self.s2)):
            given[name] = as_array(x[..., : self.d])
            if self.rope:
                data["d"] = self.d
                data[name] = (heads * rows * self.d, rows * self.d, self.d)
                given[f"{name}_rope"] = as_array(x[..., self.d :])
                data["rope"]["d"] = self.rope
                data["rope"][name] = (heads * rows * self.rope, rows * self.rope, self.rope)
        given["value"] = as_array(self.v)
        if self.mask is not None:
            given["atten_mask"] = self.mask.numpy().astype(np.uint8)
        outputs = [np.full((self.b, self.n1, self.s1, 8), np.nan, np.float32) for _ in range(2)]
        out = as_array(torch.full((self.b, self.n1, self.s1, self.dv), float("nan")).to(self.dtype))
        workspace = np.zeros(result.workspace, np.uint8)
        arguments = [*(given.get(name) for name in INPUTS), *outputs, None, out, workspace]
        unwritten = [len(INPUTS), len(INPUTS) + 1, len(INPUTS) + 3, len(INPUTS) + 4]
        cores = min(self.cores, result.block_dim)
        report = kernel_of(self.dtype).launch(
            cores, *arguments, tiling=data, key=result.key, check=check, unwritten=unwritten
        )
        tensors = [torch.from_numpy(x) for x in (out, *outputs)]
        tensors[0] = tensors[0] if self.dtype == torch.float32 else tensors[0].view(self.dtype)
        return AttentionResult(*tensors, torch.zeros(())), report

    def planned_inputs(self):
        """(inputs, attributes) of a call that takes as much room in UB."""
        names = {"pre_tokens": "pre_tockens", "next_tokens": "next_tockens", "sparse_mode": "sparse_mode"}
        inputs, attrs = {}, {names[name]: value for name, value in self.attrs.items()}
        if "shift" in self.tiling:
            is_float = self.arrays["real_shift"].dtype == np.float32 and self.tiling["shift"][0] < 3
            dtype = "float32" if is_float else str(self.dtype).removeprefix("torch.")
            inputs["real_shift"] = ((self.s1, self.s2), dtype)
            attrs["pse_type"] = 0
        if "dropout" in self.tiling:
            inputs["drop_mask"] = ((self.b * self.n1 * self.s1 * self.s2 // 8 + 1,), "uint8")
            attrs["keep_prob"] = self.tiling["dropout"][1]
        return inputs, attrs


def as_array(x):
    x = x.contiguous()
    return (x.view(torch.int16) if x.dtype in (torch.bfloat16, torch.float16) else x).numpy().copy()
