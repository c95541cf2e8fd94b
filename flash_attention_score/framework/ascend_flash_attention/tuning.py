# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Tuning parameters of the forward's tiling, for the whole process."""

import contextlib
import os
from collections.abc import Iterator

from ascend_flash_attention import _tiling_library
from ascend_flash_attention._arguments import check_integer, check_text

VARIABLE = "FLASH_ATTENTION_SCORE_TUNING"
NAMES = ("block_size_q", "block_size_kv", "preload", "strategy")


def tuning_text(**parameters) -> str:
    """The form of the environment variable; TypeError and ValueError where a value is never allowed."""
    for name in NAMES:
        if parameters.get(name) is not None:
            check_type = check_text if name == "strategy" else check_integer
            check_type(name, parameters[name])
    strategy = parameters.get("strategy")
    if strategy is not None and not strategy.isidentifier():
        raise ValueError(f"strategy must be short_seq, long_seq or default, got {strategy!r}")
    text = ",".join(f"{name}={parameters[name]}" for name in NAMES if parameters.get(name) is not None)
    _tiling_library.check_tuning(text)
    return text


def npu_set_flash_attention_tuning_params(
    block_size_q: int | None = None,
    block_size_kv: int | None = None,
    preload: int | None = None,
    strategy: str | None = None,
) -> None:
    """Fix the tiling of the forward, for every later call of this process. None, the default: what the tables choose.

    Args:
        block_size_q: rows of a tile, a multiple of 16 from 16 to 128; a problem with fewer rows takes what it has.
        block_size_kv: keys of a stack, 128, 256, 384 or 512. 128 x 256 fits every data type with D <= 256.
        preload: stacks that QK^T runs ahead of PV, 1 or 2.
        strategy: short_seq (S2 <= block_size_kv), long_seq (few rows, many keys) or default (anything).

    Sizes that do not fit L1 for the data type and D of a call make that call fail, as does a strategy that cannot take
    it; nothing is adjusted silently. Sizes may change the last bits of results, preload and strategy do not. The
    gradient has a tiling of its own. The environment variable FLASH_ATTENTION_SCORE_TUNING is the same setting:
    block_size_q=128,block_size_kv=256. On an NPU, set it before the first call: CANN reuses tilings of equal calls.

    Raises:
        ValueError: a value that no problem allows; the setting stays what it was.
        TypeError: a value of a wrong type; likewise.
    """
    text = tuning_text(block_size_q=block_size_q, block_size_kv=block_size_kv, preload=preload, strategy=strategy)
    if text:
        os.environ[VARIABLE] = text
    else:
        npu_reset_flash_attention_tuning_params()


def npu_get_flash_attention_tuning_params() -> dict:
    """The setting, as arguments of npu_set_flash_attention_tuning_params; ValueError if the variable is malformed."""
    text = os.environ.get(VARIABLE, "")
    _tiling_library.check_tuning(text)
    given = dict(pair.split("=") for pair in text.split(",") if pair)
    return {name: int(given[name]) if name in given and name != "strategy" else given.get(name) for name in NAMES}


def npu_reset_flash_attention_tuning_params() -> None:
    """Back to the tables."""
    os.environ.pop(VARIABLE, None)


@contextlib.contextmanager
def flash_attention_tuning(**parameters) -> Iterator[None]:
    """with flash_attention_tuning(block_size_kv=256): ... sets (None for what is not named) and restores afterwards."""
    before = os.environ.get(VARIABLE)
    npu_set_flash_attention_tuning_params(**parameters)
    try:
        yield
    finally:
        if before is None:
            npu_reset_flash_attention_tuning_params()
        else:
            os.environ[VARIABLE] = before
