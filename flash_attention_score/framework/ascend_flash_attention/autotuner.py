# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Tuning parameters by wall clock: try what is legal for a call, remember what was fastest."""

import json
import os
import statistics
import time
from pathlib import Path

import torch

from ascend_flash_attention.kernel_choice import which_kernel
from ascend_flash_attention.ops import npu_flash_attention
from ascend_flash_attention.tuning import flash_attention_tuning

CACHE_VARIABLE = "ASCEND_FLASH_ATTENTION_CACHE"
TABLE = {}  # nothing fixed
CANDIDATES = (
    TABLE,
    *(
        {"block_size_q": rows, "block_size_kv": keys, "preload": preload}
        for rows in (128, 64)
        for keys in (512, 256, 128)
        for preload in (1, 2)
    ),
)
MIN_GAIN = 0.03  # below it the table stays: wall clocks scatter by as much


def cache_path() -> Path:
    """$ASCEND_FLASH_ATTENTION_CACHE/tuning.json, or that of the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get(CACHE_VARIABLE) or Path(base) / "ascend_flash_attention") / "tuning.json"


def _read_cache() -> dict:
    try:
        return json.loads(cache_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):  # absent, or cut short: as good as empty
        return {}


def _write_cache(key: str, choice: dict) -> None:
    path = cache_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(json.dumps(_read_cache() | {key: choice}, indent=1), encoding="utf-8")
    fresh.replace(path)


def _describe(value) -> str:
    return (
        f"{value.dtype} {list(value.shape)} {list(value.stride())}" if isinstance(value, torch.Tensor) else repr(value)
    )


def _key(device: str, arguments: tuple, options: dict) -> str:
    """The call, the machine and the build: a choice is good for all of them together only."""
    kernel = which_kernel(device)
    file = kernel.kernels or kernel.library
    build = file.stat().st_mtime_ns if file else None
    call = [*map(_describe, arguments), *(f"{name}={_describe(value)}" for name, value in sorted(options.items()))]
    return "; ".join([*call, str((kernel.backend, kernel.isa, kernel.soc, kernel.threads, os.uname().nodename, build))])


def measure(arguments: tuple, options: dict, rounds: int) -> list[tuple[dict, float]]:
    """(candidate, median seconds of a call) of all that the call allows, the table first. Candidates alternate."""
    synchronize = torch.npu.synchronize if arguments[0].device.type == "npu" else lambda: None

    def seconds(candidate):
        with flash_attention_tuning(**candidate):
            begin = time.perf_counter()
            npu_flash_attention(*arguments, **options)
            synchronize()
            return time.perf_counter() - begin

    with torch.no_grad():
        seconds(TABLE)  # a call that is wrong in itself fails here
        times = {}
        for index, candidate in enumerate(CANDIDATES):
            try:
                seconds(candidate)
                times[index] = []
            except ValueError:  # does not fit L1
                continue
        for _ in range(rounds):
            for index, samples in times.items():
                samples.append(seconds(CANDIDATES[index]))
    return [(CANDIDATES[index], statistics.median(samples)) for index, samples in times.items()]


def fastest(measured: list[tuple[dict, float]]) -> dict:
    """The table, unless another candidate is faster by MIN_GAIN or more."""
    choice, seconds = min(measured, key=lambda pair: pair[1])
    return choice if seconds <= (1 - MIN_GAIN) * measured[0][1] else TABLE


def autotune(*arguments, rounds: int = 5, refresh: bool = False, **options) -> dict:
    """Fastest tuning parameters of a call npu_flash_attention(*arguments, **options), by wall clock.

    Args:
        arguments, options: of npu_flash_attention; results are thrown away.
        rounds: timed calls of each candidate; the median counts.
        refresh: measure again instead of taking a choice from the cache, which is a file of the user
            (cache_path()) and holds for the same call, threads, machine and build of the kernels.

    Returns:
        Arguments of npu_set_flash_attention_tuning_params and flash_attention_tuning; empty: the table is best.

    Raises:
        ValueError: a call that npu_flash_attention refuses, or rounds below 1.
    """
    if rounds < 1:
        raise ValueError(f"rounds must be at least 1, got {rounds}")
    key = _key(arguments[0].device.type, arguments, options)
    known = {} if refresh else _read_cache()
    if key not in known:
        known[key] = fastest(measure(arguments, options, rounds))
        _write_cache(key, known[key])
    return known[key]
