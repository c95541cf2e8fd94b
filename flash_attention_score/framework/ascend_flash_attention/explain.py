# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the operator's tiling decides for a problem and why, without data and without running it."""

from dataclasses import asdict, dataclass

from ascend_flash_attention import _tiling_library
from ascend_flash_attention._arguments import checked
from ascend_flash_attention._layouts import HEAD_AXIS, MAX_TOKENS, resolve_layout
from ascend_flash_attention._lists import integers
from ascend_flash_attention.tuning import npu_get_flash_attention_tuning_params, tuning_text

_DTYPES = {
    "float32": "float32", "fp32": "float32", "float": "float32",
    "float16": "float16", "fp16": "float16", "half": "float16",
    "bfloat16": "bfloat16", "bf16": "bfloat16",
}  # fmt: skip


@dataclass(frozen=True)
class Refusal:
    """A strategy that was not taken."""

    strategy: str
    reason: str


@dataclass(frozen=True)
class TilingReport:
    """The decision. Bytes, rows and keys are counts; work is counted in granules of 128 visible keys a row block."""

    soc: str  # row of the platform table
    cores: int  # cube cores of it, each with two vector cores
    strategy: str
    refusals: tuple[Refusal, ...]  # strategies that were tried before, in order
    tiling_key: int
    block_dim: int  # cores that are used
    block_size_q: int  # query rows of a tile
    block_size_kv: int  # keys of a stack
    num_blocks_q: int  # tiles of the rows of a head (of a group of heads when heads_per_tile > 1), all of TND's
    num_blocks_kv: int  # stacks of a row that sees every key; here and below of the sequence of TND that has most
    use_double_buffer: bool  # parts of K and V are loaded while others are multiplied
    heads_per_tile: int  # query heads whose rows share a tile
    kv_chunk: int  # keys of the chunks whose partial results are merged; 0: the keys of a row are not split
    kv_chunks: int
    acc_in_ub: bool  # the output accumulator stays in the unified buffer, else in the workspace
    l1_used: int  # of a core
    l1_bytes: int
    ub_used: int  # of a vector core, room for every feature of the operator included
    ub_bytes: int
    workspace_bytes: int  # all cores, the 16 MiB of the system included
    core_weights: tuple[int, ...]  # work of each used core
    imbalance: float  # core_work_max / core_work_mean; 1.0 without work

    @property
    def core_work_max(self) -> int:
        return max(self.core_weights)

    @property
    def core_work_mean(self) -> float:
        return sum(self.core_weights) / len(self.core_weights)

    def to_dict(self) -> dict:
        """Everything, with core_work_max and core_work_mean, ready for json.dumps."""
        return asdict(self) | {"core_work_max": self.core_work_max, "core_work_mean": self.core_work_mean}

    def __str__(self) -> str:
        kib = 1024
        lines = [
            f"{self.strategy} on {self.soc} ({self.cores} cores), tiling key {self.tiling_key}",
            *(f"  not {refusal.strategy}: {refusal.reason}" for refusal in self.refusals),
            f"tile       {self.block_size_q} query rows x {self.block_size_kv} keys, "
            f"{self.num_blocks_q} x {self.num_blocks_kv} of them a head"
            + (f" group; the rows of {self.heads_per_tile} heads share a tile" if self.heads_per_tile > 1 else ""),
            f"KV chunks  {f'{self.kv_chunks} of {self.kv_chunk} keys' if self.kv_chunk else 'none'}",
            f"buffers    {'double' if self.use_double_buffer else 'single'}, "
            f"accumulator in {'UB' if self.acc_in_ub else 'the workspace'}",
            f"L1         {self.l1_used / kib:g} of {self.l1_bytes / kib:g} KiB",
            f"UB         {self.ub_used / kib:g} of {self.ub_bytes / kib:g} KiB",
            f"workspace  {self.workspace_bytes / kib / kib:.2f} MiB, of which 16 are the system's",
            f"work       {self.block_dim} cores, largest {self.core_work_max}, mean {self.core_work_mean:.1f} granules "
            f"of 128 keys a row block, largest/mean {self.imbalance:.3f}",
        ]
        return "\n".join(lines)


def _head_num(shape: list[int], head_num: int | None, layout: str) -> int:
    if head_num is not None:
        return head_num
    if layout not in HEAD_AXIS:
        raise ValueError(f"head_num is needed for input_layout {layout}, query_shape {shape}")
    return shape[HEAD_AXIS[layout]]


def dtype_name(dtype) -> str:
    """float32, float16 or bfloat16 from one of their names or a torch.dtype."""
    name = _DTYPES.get(str(dtype).removeprefix("torch."))
    if name is None:
        raise ValueError(f"dtype must be float32, float16 or bfloat16, got {dtype!r}")
    return name


@checked
def explain_tiling(
    query_shape,
    key_shape=None,
    value_shape=None,
    *,
    dtype="float16",
    head_num: int | None = None,
    input_layout: str | None = None,
    atten_mask_shape=None,
    sparse_mode: int = 0,
    pre_tokens: int = MAX_TOKENS,
    next_tokens: int = MAX_TOKENS,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    prefix=None,
    block_size_q: int | None = None,
    block_size_kv: int | None = None,
    preload: int | None = None,
    strategy: str | None = None,
    soc: str | None = None,
) -> TilingReport:
    """What npu_flash_attention's tiling decides for tensors of these shapes. The same host code plans the real call.

    Args:
        query_shape: as the tensor is in input_layout, for instance [B, N1, S1, D].
        key_shape: default: query_shape. value_shape: default: key_shape.
        dtype: float32, float16 or bfloat16, as text (fp32, fp16 and bf16 too) or as torch.dtype.
        head_num: N1; follows from query_shape unless it has all heads in one dimension.
        input_layout: BNSD, BSND, BSH, SBH or TND; default BNSD for 4-D and BSH for 3-D.
        atten_mask_shape: of a bool mask tensor, None without one.
        sparse_mode, pre_tokens, next_tokens, actual_seq_qlen, actual_seq_kvlen, prefix: see npu_flash_attention.
        block_size_q, block_size_kv, preload, strategy: see npu_set_flash_attention_tuning_params; None: what is set
            there, as in a real call.
        soc: Ascend910B1, Ascend910B3 ... or cpu; None: the environment variable ASCENDC_CPU_SOC, else cpu.

    Raises:
        ValueError: what the operator refuses, with its text; an unknown soc; tuning that the problem does not allow.
        TypeError: an argument of a wrong type.
    """
    query = list(query_shape)
    key = query if key_shape is None else list(key_shape)
    value = key if value_shape is None else list(value_shape)
    layout = resolve_layout(query, input_layout)
    if len(key) != len(query) or len(value) != len(query):
        raise ValueError(f"query, key and value must have one number of dimensions, got {query}, {key} and {value}")
    mask = [] if atten_mask_shape is None else list(atten_mask_shape)
    if atten_mask_shape is not None and not mask:
        raise ValueError("atten_mask_shape must have 2 or 4 dimensions, got []; None means without a mask")

    tuning = {"block_size_q": block_size_q, "block_size_kv": block_size_kv, "preload": preload, "strategy": strategy}
    tuning = {name: value for name, value in tuning.items() if value is not None}
    answer = _tiling_library.explain(
        soc,
        dtype=dtype_name(dtype),
        layout=layout,
        query=query,
        key=key,
        value=value,
        atten_mask=mask,
        head_num=_head_num(query, head_num, layout),
        sparse_mode=sparse_mode,
        pre_tokens=pre_tokens,
        next_tokens=next_tokens,
        query_ends=integers("actual_seq_qlen", actual_seq_qlen),
        key_ends=integers("actual_seq_kvlen", actual_seq_kvlen),
        prefix=integers("prefix", prefix),
        tuning=tuning_text(**npu_get_flash_attention_tuning_params() | tuning),
    )
    if "error" in answer:
        raise ValueError(answer["error"])
    answer["refusals"] = tuple(Refusal(**refusal) for refusal in answer["refusals"])
    answer["core_weights"] = tuple(answer["core_weights"])
    return TilingReport(**answer)
