# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the READMEs say about speed and memory, from the rows of results/*.csv."""

import re
from pathlib import Path
from textwrap import fill

ROOT = Path(__file__).parents[2]
WIDTH = 120
SPEED_README, MEMORY_README = "ascendc_cpu/README.md", "flash_attention_score/README.md"
BEGIN, END = "<!-- measured: written by tests/benchmark/publish.py -->", "<!-- end of measured -->"
DTYPES = ("fp32", "bf16", "fp16")
COMMAND = "`bash build.sh --bench --publish`"
# What is computed, case with the data type left out, metric, and what the throughput is relative to.
LINES = (
    ("forward, 8 heads, S 4096, D 128", "head_to_head-BNSD-{}-b1n8s4096x4096d128", "cpu_1_thread", "sdpa"),
    ("the same, D 64", "head_to_head-BNSD-{}-b1n8s4096x4096d64", "cpu_1_thread", "sdpa"),
    ("causal, S 4096, D 128", "head_to_head_breadth-BNSD-{}-b1n8s4096x4096d128-mode3", "cpu_1_thread", "sdpa"),
    ("causal, S 512, D 128", "head_to_head_breadth-BNSD-{}-b1n8s512x512d128-mode3", "cpu_1_thread", "sdpa"),
    ("forward, S 4096, D 128", "head_to_head-BNSD-{}-b1n8s4096x4096d128", "cpu_1_thread", "unfused"),
    ("the same, D 64", "head_to_head-BNSD-{}-b1n8s4096x4096d64", "cpu_1_thread", "unfused"),
    ("forward, S 4096, D 128", "head_to_head-BNSD-{}-b1n8s4096x4096d128", "cpu_1_thread", "onnxruntime"),
    (
        "forward and gradient, S 4096, D 128",
        "head_to_head-BNSD-{}-b1n8s4096x4096d128",
        "training_cpu_1_thread",
        "sdpa",
    ),
    (
        "window of 512 keys in 16,384, SDPA with a mask tensor",
        "window_bench-BNSD-{}-b1n1s16384x16384d128-mode4p511n0",
        "cpu_1_thread",
        "sdpa",
    ),
    ("decode, 32 heads on 8, 8192 keys", "decode_bench-BNSD-{}-b1n32-8s1x8192d128", "cpu_1_thread", "sdpa"),
    ("the same", "decode_bench-BNSD-{}-b1n32-8s1x8192d128", "cpu_1_thread", "folded"),
    ("LLaMA-7B layer, prefill of 4096", "llama_7b_prefill-BNSD-{}-b1n32s4096x4096d128-mode3", "cpu_1_thread", "sdpa"),
    (
        "LLaMA-7B layer, training step",
        "llama_7b_prefill-BNSD-{}-b1n32s4096x4096d128-mode3",
        "training_cpu_1_thread",
        "sdpa",
    ),
    ("LLaMA-7B layer, decode, 4096 keys", "llama_7b_decode-BNSD-{}-b1n32s1x4096d128", "cpu_1_thread", "sdpa"),
)
TINY = ("tiny_bench-BNSD-fp32-b1n1s1x1d64", "cpu_1_thread", "ours")
NAMES = {"sdpa": "torch SDPA", "unfused": "unfused", "onnxruntime": "onnxruntime", "folded": "SDPA, group folded"}


def origin(rows):
    """Command, commit and machine; commits if parts were measured on several."""
    commits = ", ".join(dict.fromkeys(row["commit"] for row in rows))
    machines = ", ".join(dict.fromkeys(row["machine"] for row in rows))
    disturbed = " beside other processes" if any(row.get("disturbed") for row in rows) else ""
    return f"Measured{disturbed} with {COMMAND} at commit {commits} on {machines}."


def _wrapped(text):
    return fill(text.replace(COMMAND, COMMAND.replace(" ", "\0")), WIDTH).replace("\0", " ")


def _cell(ratios, line, dtype):
    _, case, metric, over = line
    ours, other = (ratios.get((case.format(dtype), metric, name)) for name in ("ours", over))
    return "-" if ours is None or other is None else f"{ours / other:.2f}"


def speed_table(rows):
    """Markdown: throughput of ours relative to another."""
    ratios = {(row["case"], row["metric"], row["contender"]): float(row["ratio"]) for row in rows}
    lines = ["| what | relative to | float32 | bfloat16 | float16 |", "|---|---|---:|---:|---:|"]
    for line in LINES:
        cells = [_cell(ratios, line, dtype) for dtype in DTYPES]
        if set(cells) != {"-"}:
            lines.append(f"| {line[0]} | {NAMES[line[3]]} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _head_dims(rows):
    ratios = [float(r["ratio"]) for r in rows if r["case"].startswith("head_dims") and r["contender"] == "ours"]
    return f"D of 40, 80, 96, 192 and 256, S of 1000 and 4097: {min(ratios):.2f} to {max(ratios):.2f} times torch SDPA."


def _tiny(rows):
    (seconds,) = [float(r["median_s"]) for r in rows if (r["case"], r["metric"], r["contender"]) == TINY]
    words = f"{seconds * 1e6:.0f} microseconds of CPU time"
    return f"A call that has next to nothing to compute, (1, 1, 1, 64), takes {words}."


def speed_text(rows):
    return f"{speed_table(rows)}\n\n{_wrapped(f'{_head_dims(rows)} {_tiny(rows)} {origin(rows)}')}"


def memory_text(rows):
    extra = {(row["contender"], int(row["heads"]), int(row["s"])): float(row["extra_mib"]) for row in rows}
    heads, length = max(n for _, n, _ in extra), max(s for *_, s in extra)
    ours, unfused = (extra[name, heads, length] for name in ("ours", "unfused"))
    words = (
        f"{heads} heads of {length} tokens, D = 64, float32: {ours:.1f} MiB beside inputs and output, unfused "
        f"attention {unfused:.0f} MiB; {1 - ours / unfused:.1%} less."
    )
    return _wrapped(f"{words} {origin(rows)}")


def replaced(text, between, name):
    """The page with what stands between the markers replaced; ValueError unless both are there once, in order."""
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise ValueError(f"{name}: needed are the lines {BEGIN!r} and {END!r}, once and in this order")
    return pattern.sub(lambda _: f"{BEGIN}\n\n{between}\n\n{END}", text)


def write_readmes(speed_rows, memory_rows):
    for name, between in ((SPEED_README, speed_text(speed_rows)), (MEMORY_README, memory_text(memory_rows))):
        path = ROOT / name
        path.write_text(replaced(path.read_text(encoding="utf-8"), between, name), encoding="utf-8")
        print(f"written: {path}")
