# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Findings of the checked mode: objects, text, JSON."""

import functools
import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from . import native


@dataclass(frozen=True)
class SourceLine:
    """A line of the call stack, innermost first."""

    function: str
    file: str
    line: int


@dataclass(frozen=True)
class Side:
    """One of the two accesses or calls of a finding; core and api are "" when there is none."""

    core: str
    pipe: str
    api: str
    stack: tuple[SourceLine, ...]

    @property
    def line(self) -> SourceLine | None:
        """Where the kernel's own source called the API."""
        return self.own_stack[0] if self.own_stack else None

    @property
    def own_stack(self) -> tuple[SourceLine, ...]:
        """The stack without the SDK's headers."""
        return tuple(each for each in self.stack if each.line and not _is_sdk(each.file))


@dataclass(frozen=True)
class Finding:
    """kind: see docs/checked_mode.md; official_class: npu_check's class, "" when it has none.

    Bytes [begin, end) of memory; in GM those of the launch's argument number `argument`.
    """

    kind: str
    official_class: str
    message: str
    memory: str
    argument: int
    begin: int
    end: int
    count: int
    advice: str
    here: Side
    other: Side

    def __str__(self) -> str:
        name = f"{self.official_class} {self.kind}" if self.official_class else self.kind
        lines = [f"{name}: {self.message}"]
        if self.memory:
            argument = f" of argument {self.argument}" if self.argument >= 0 else ""
            lines.append(f"  bytes {self.begin} to {self.end - 1} of {self.memory}{argument}")
        lines += _side_lines("", self.here) + (_side_lines("other: ", self.other) if self.other.core else [])
        return "\n".join([*lines, f"  found {self.count} times; {self.advice}"])


@dataclass(frozen=True)
class Report:
    """Everything that a checked launch found."""

    findings: tuple[Finding, ...]
    dropped: int  # further findings, past the list's capacity

    def __str__(self) -> str:
        more = f"\nand {self.dropped} more" if self.dropped else ""
        return "\n\n".join(str(each) for each in self.findings) + more if self.findings else "no findings"

    def json(self) -> str:
        """All fields of all findings."""
        return json.dumps(asdict(self), indent=1)


def _is_sdk(file: str) -> bool:
    return "/include/kernel/" in file or "/include/mode/" in file


def _side_lines(title: str, side: Side) -> list[str]:
    where = ", ".join(part for part in (side.core, side.pipe, side.api) if part)
    calls = [f"    {Path(each.file).name}:{each.line} {each.function}" for each in side.own_stack[:6]]
    return [f"  {title}{where}", *calls]


@functools.cache
def _symbolize(library: str, offset: int) -> tuple[SourceLine, ...]:
    """The inlined chain of functions at an offset of a library."""
    tool = shutil.which("addr2line")
    if tool is None:
        return (SourceLine("?", f"{library}+{offset:#x} (install binutils for source lines)", 0),)
    command = [tool, "-e", library, "-f", "-C", "-i", hex(offset)]
    lines = subprocess.run(command, text=True, capture_output=True, check=True).stdout.splitlines()
    pairs = zip(lines[::2], lines[1::2], strict=False)
    return tuple(_source_line(function, place) for function, place in pairs)


def _source_line(function: str, place: str) -> SourceLine:
    file, _, line = place.split(" (discriminator")[0].rpartition(":")
    return SourceLine(_short(function), file, int(line) if line.isdigit() else 0)


def _short(function: str) -> str:
    """Without template arguments and parameters."""
    depth, kept = 0, ""
    for char in function:
        depth += char == "<"
        if depth == 0 and char == "(":
            break
        if depth == 0:
            kept += char
        depth -= char == ">"
    return kept.split("::")[-1].strip() or function


def _side(raw: dict) -> Side:
    frames = [frame for frame in raw["frames"] if Path(frame[0]).name != "libascendc_cpu.so"]
    stack = [line for library, offset in frames for line in _symbolize(library, offset)]
    entry = next((i for i, line in enumerate(stack) if line.function in ("InvokeIndexed", "Invoke")), len(stack))
    stack = stack[:entry]
    return Side(raw["core"], raw["pipe"], raw["api"], tuple(stack))


@contextmanager
def check_session(auto_sync: bool = False) -> Iterator[list[Report]]:
    """Every launch of the process inside the block is a checked one; its report is the list's only item afterwards.

    Operators need their checked kernels: compiler.load_checked_operator().
    """
    reports: list[Report] = []
    native.runtime().AscendcCpuOpenCheckSession(auto_sync)
    try:
        yield reports
    finally:
        reports.append(parse_report([native.runtime().AscendcCpuCloseCheckSession()]))


def parse_report(texts: Sequence[bytes]) -> Report:
    """Report out of the runtime's JSON."""
    raws = [json.loads(text) for text in texts]
    findings = [
        Finding(**{**raw, "here": _side(raw["here"]), "other": _side(raw["other"])})
        for each in raws
        for raw in each["findings"]
    ]
    return Report(tuple(findings), sum(each["dropped"] for each in raws))
