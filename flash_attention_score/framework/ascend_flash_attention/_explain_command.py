# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Show what the tiling decides for a problem, and why."""

import argparse
import json

from ascend_flash_attention._layouts import MAX_TOKENS
from ascend_flash_attention.explain import explain_tiling
from ascend_flash_attention.tuning import NAMES


def _shape(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"needed are integers with commas between, got {text!r}") from None


def add_tuning_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--block-size-q", type=int, metavar="ROWS", help="of a tile; default: what the tiling takes")
    parser.add_argument("--block-size-kv", type=int, metavar="KEYS", help="of a stack; default: what the tiling takes")
    parser.add_argument("--preload", type=int, metavar="STACKS", help="that QK^T runs ahead of PV; default: 1")
    parser.add_argument("--strategy", help="plan with short_seq, default or long_seq; default: what the tiling takes")


def add_problem_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that describe a call."""
    shape = {"type": _shape, "metavar": "SIZES"}
    parser.add_argument("--shape", required=True, help="of query in its layout, for instance 1,8,4096,128", **shape)
    parser.add_argument("--kv-shape", help="of key; default: that of query", **shape)
    parser.add_argument("--value-shape", help="of value; default: that of key", **shape)
    parser.add_argument("--dtype", default="float16", help="fp32, fp16, bf16 or their long names")
    parser.add_argument("--heads", type=int, metavar="N1", help="query heads, needed for BSH and SBH")
    parser.add_argument("--layout", help="BNSD (default of 4-D shapes), BSND, BSH (default of 3-D shapes), SBH or TND")
    parser.add_argument("--mask-shape", help="of atten_mask; default: no mask tensor", **shape)
    parser.add_argument("--sparse-mode", type=int, default=0, metavar="MODE")
    parser.add_argument("--pre-tokens", type=int, default=MAX_TOKENS, metavar="TOKENS")
    parser.add_argument("--next-tokens", type=int, default=MAX_TOKENS, metavar="TOKENS")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_problem_arguments(parser)
    ends = {"type": _shape, "metavar": "ENDS"}
    parser.add_argument("--actual-seq-qlen", help="of TND: cumulative ends of the sequences, e.g. 100,300", **ends)
    parser.add_argument("--actual-seq-kvlen", help="the same for keys", **ends)
    parser.add_argument("--prefix", type=_shape, metavar="KEYS", help="of sparse_mode 5 and 6, one number a batch")
    add_tuning_arguments(parser)
    parser.add_argument("--soc", help="Ascend910B1, Ascend910B3 ... or cpu; default: $ASCENDC_CPU_SOC, else cpu")
    parser.add_argument("--json", action="store_true", help="print the whole report as JSON")


def run(options: argparse.Namespace) -> int:
    report = explain_tiling(
        options.shape,
        options.kv_shape,
        options.value_shape,
        dtype=options.dtype,
        head_num=options.heads,
        input_layout=options.layout,
        atten_mask_shape=options.mask_shape,
        sparse_mode=options.sparse_mode,
        pre_tokens=options.pre_tokens,
        next_tokens=options.next_tokens,
        actual_seq_qlen=options.actual_seq_qlen,
        actual_seq_kvlen=options.actual_seq_kvlen,
        prefix=options.prefix,
        **{name: getattr(options, name) for name in NAMES},
        soc=options.soc,
    )
    print(json.dumps(report.to_dict(), indent=2) if options.json else report)
    return 0
