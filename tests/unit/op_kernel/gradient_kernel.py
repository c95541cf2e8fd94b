# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The gradient kernel itself on packed sequences, with tiling data of a dense call changed by hand, against the
reference. Every tensor is [1,N,T,D] here and [T,N,D] in the kernel."""

from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

import numpy as np
import torch

import ascendc_cpu
from tests.reference.attention import ROW_STATE_COPIES
from tests.reference.gradient import GradientResult, attention_grad, plain_attention_grad
from tests.reference.packed import lengths_of, packed_attention, packed_gradient
from tests.reference.plain import plain_attention
from tests.unit.op_host.gradient_call import GRADIENT_TILING_DATA, INPUTS, OUTPUTS, GradientCall
from tests.unit.op_host.test_tiling import SYSTEM_WORKSPACE
from tests.unit.op_kernel.gradient_features import as_array, copies_of, fields_of, inputs_of
from tests.unit.op_kernel.gradient_rounds import rounds_of

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = [ROOT / name / "op_kernel" for name in ("flash_attention_score_grad", "flash_attention_score")]
CTYPES = {torch.float32: "float", torch.bfloat16: "bfloat16_t", torch.float16: "half"}
INPUT_OF = {"dq": "query", "dk": "key", "dv": "value", "dq_rope": "query_rope", "dk_rope": "key_rope"}
_kernels = {}


def kernel_of(dtype):
    if dtype not in _kernels:
        _kernels[dtype] = ascendc_cpu.compile(
            FOLDERS[0],
            "flash_attention_score_grad",
            {"DTYPE_QUERY": CTYPES[dtype]},
            include_dirs=[FOLDERS[1]],
            build_dir=ROOT / "build" / "test_kernels",
        )
    return _kernels[dtype]


@dataclass
class Packed:
    """Sequences of `lengths` (S1, S2) and `rest` rows behind them (queries, keys). problem: as in
    reference/problem.py."""

    lengths: tuple
    rest: tuple = (0, 0)
    n1: int = 4
    n2: int = 2
    d: int = 32
    dv: int = 24
    rope: int = 0  # the last channels of q and k here, tensors of their own in the kernel
    dtype: torch.dtype = torch.float32
    problem: dict = field(default_factory=dict)
    stores_dpse: bool = False  # with dS, for shifts with an element for each score
    stats_like_input: bool = False
    cores: int = 3
    threads: int | None = None
    seed: int = 1

    def __post_init__(self):
        self.ends = [list(accumulate(each[side] for each in self.lengths)) for side in (0, 1)]
        self.tokens = [ends[-1] + rest for ends, rest in zip(self.ends, self.rest, strict=True)]
        rng = torch.Generator().manual_seed(self.seed)
        sizes = ((self.n1, self.tokens[0], self.d + self.rope), (self.n2, self.tokens[1], self.d + self.rope),
                 (self.n2, self.tokens[1], self.dv), (self.n1, self.tokens[0], self.dv))  # fmt: skip
        self.q, self.k, self.v, self.dy = (torch.randn(1, *size, generator=rng).to(self.dtype) for size in sizes)
        self.problem = {"scale": self.d**-0.5, **self.problem}
        self.forward = packed_attention(plain_attention, self.ends, self.q, self.k, self.v, **self.problem)
        for x in (self.forward.out, self.forward.softmax_max, self.forward.softmax_sum, self.dy):
            x[:, :, self.ends[0][-1] :] = float("nan")  # nobody may look at the rows behind the sequences

    def reference(self, plain=False):
        function = plain_attention_grad if plain else attention_grad
        return packed_gradient(function, self.ends, self.q, self.k, self.v, self.dy, **self.problem)

    def parts(self):
        """Inputs by the names of their gradients."""
        parts = {"dq": self.q[..., : self.d], "dk": self.k[..., : self.d], "dv": self.v}
        if self.rope:
            parts |= {"dq_rope": self.q[..., self.d :], "dk_rope": self.k[..., self.d :]}
        return parts

    def memory_of_rows(self, x):
        """Saved max or sum as the kernel reads it: sequence after sequence [N1][S1][8], or row after row."""
        if self.stats_like_input:
            return x[0].transpose(0, 1).contiguous().numpy()
        lengths = lengths_of(self.ends[0])
        parts = x[0].split([*lengths, self.tokens[0] - sum(lengths)], 1)
        return torch.cat([part.reshape(-1, ROW_STATE_COPIES) for part in parts]).contiguous().numpy()

    def tiling_data(self):
        """Planned for one dense sequence of all tokens: room for every tile, accumulators of the right size."""
        call = GradientCall(b=1, n1=self.n1, n2=self.n2, s1=self.tokens[0], s2=self.tokens[1], d=self.d, dv=self.dv,
                            layout="BSND", dtype=str(self.dtype).removeprefix("torch."))  # fmt: skip
        record = call.tile()[1]
        data = np.array([record], GRADIENT_TILING_DATA)
        data["s1"], data["s2"] = (max(each[side] for each in self.lengths) for side in (0, 1))
        for name in ("query", "key", "value", "out"):
            data[name]["b"] = 0
        listed = len(self.lengths)
        segments = listed + (self.rest[0] > 0)
        data["sequences"] = (segments, listed, *self.tokens, self.stats_like_input, 0)
        data["schedule"]["rounds"] = max(rounds_of(*each) for each in self.lengths)
        data["stores_dq_rope"] = data["stores_dk_rope"] = self.rope > 0
        data["stores_dsink"] = "sink" in self.problem
        for name, value in fields_of(self.problem).items():
            data[name] = value
        end = int(data["workspace"]["dq"][0] + data["workspace"]["acc_bytes"][0])
        data["rope"] = (self.rope, *((0, self.rope, n * self.rope) for n in (self.n1, self.n2)))
        rope_bytes = -(-self.rope // 16) * 64
        sums_bytes = 0
        if "shift" in self.problem:
            elems, copies = self.problem["shift"].values.numel(), copies_of(self.problem["shift"])
            data["shift_sums"] = (0, 1, elems) if self.stores_dpse else (elems, copies, 0)
            sums_bytes = copies * -(-elems // 16) * 64
        more = (self.n1 * self.tokens[0] * rope_bytes, self.n2 * self.tokens[1] * rope_bytes, sums_bytes)
        for name, size in zip(("dq_rope", "dk_rope", "dpse"), more, strict=True):
            data["workspace"][name] = end
            data["workspace"]["acc_bytes"] += size
            end += size
        # rings are planned for the cores of the platform, here there may be more: they come last instead
        ring = int(data["workspace"]["score_ring_bytes"][0]) * self.cores
        data["workspace"]["score_ring"] = end
        data["workspace"]["dp_ring"] = end + ring
        return data, SYSTEM_WORKSPACE + end + 2 * ring

    def run(self, check=False):
        """(GradientResult of the kernel, findings of the checked mode)."""
        tiling, workspace_bytes = self.tiling_data()
        attention = self.forward.out.to(self.dtype)
        given = {
            **{INPUT_OF[name]: _memory(x) for name, x in self.parts().items()},
            "dy": _memory(self.dy),
            "attention_in": _memory(attention),
            "softmax_max": self.memory_of_rows(self.forward.softmax_max),
            "softmax_sum": self.memory_of_rows(self.forward.softmax_sum),
            "actual_seq_qlen": np.array(self.ends[0], np.int64),
            "actual_seq_kvlen": np.array(self.ends[1], np.int64),
            **inputs_of(self.problem),
        }
        outputs = {name: _poisoned(x) for name, x in self.parts().items()}
        if "shift" in self.problem:
            outputs["dpse"] = as_array(torch.full_like(self.problem["shift"].values, float("nan")))
        if "sink" in self.problem:
            outputs["dsink"] = np.full(self.n1, np.nan, np.float32)
        arguments = [given.get(name) for name in INPUTS] + [outputs.get(name) for name in OUTPUTS]
        arguments.append(np.zeros(workspace_bytes, np.uint8))
        unwritten = range(len(INPUTS), len(arguments))
        report = kernel_of(self.dtype).launch(
            self.cores, *arguments, tiling=tiling, threads=self.threads, check=check, unwritten=unwritten
        )
        results = {name: _tensor(outputs[name], self.dtype) for name in self.parts()}
        dq, dk = (
            torch.cat([results[name], *([results[f"{name}_rope"]] if self.rope else [])], 3) for name in ("dq", "dk")
        )
        dsink = torch.from_numpy(outputs["dsink"]) if "dsink" in outputs else None
        dpse = None
        if "dpse" in outputs:
            dpse = torch.from_numpy(outputs["dpse"]).view(self.problem["shift"].values.dtype)
        return GradientResult(dq, dk, results["dv"], (), dpse=dpse, dsink=dsink), report


def _memory(x):
    """[1,N,T,D] as a numpy array [T,N,D], 16-bit types as int16."""
    packed = x[0].transpose(0, 1).contiguous()
    return (packed if x.dtype == torch.float32 else packed.view(torch.int16)).numpy().copy()


def _poisoned(x):
    return _memory(torch.full_like(x, float("nan")))


def _tensor(array, dtype):
    x = torch.from_numpy(array)
    return (x if dtype == torch.float32 else x.view(dtype)).transpose(0, 1)[None]
