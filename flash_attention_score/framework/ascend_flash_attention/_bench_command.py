# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Time a call with each tuning that it allows, and say which is fastest."""

import argparse

from ascend_flash_attention._explain_command import add_problem_arguments


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_problem_arguments(parser)
    parser.add_argument("--rounds", type=int, default=7, help="timed calls of each candidate")


def run(options: argparse.Namespace) -> int:
    import torch  # not at the top: the doctor runs where torch cannot be imported

    from ascend_flash_attention.autotuner import fastest, measure
    from ascend_flash_attention.explain import dtype_name
    from ascend_flash_attention.tuning import tuning_text

    if options.rounds < 1:
        raise ValueError(f"--rounds must be at least 1, got {options.rounds}")
    key_shape = options.kv_shape or options.shape
    shapes = (options.shape, key_shape, options.value_shape or key_shape)
    dtype = getattr(torch, dtype_name(options.dtype))
    arguments = tuple(torch.randn(shape).to(dtype) for shape in shapes)
    mask = None if options.mask_shape is None else torch.rand(options.mask_shape) < 0.2
    measured = measure(
        arguments,
        {
            "head_num": options.heads,
            "input_layout": options.layout,
            "atten_mask": mask,
            "sparse_mode": options.sparse_mode,
            "pre_tokens": options.pre_tokens,
            "next_tokens": options.next_tokens,
        },
        options.rounds,
    )
    for candidate, seconds in measured:
        name = tuning_text(**candidate) or "the table"
        print(f"{name:50} {seconds * 1e3:10.3f} ms  {measured[0][1] / seconds:6.3f} of the table's speed")
    choice = fastest(measured)
    print(f"fastest: {f'FLASH_ATTENTION_SCORE_TUNING={tuning_text(**choice)}' if choice else 'the table'}")
    return 0
