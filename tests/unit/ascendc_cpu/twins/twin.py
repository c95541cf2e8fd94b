# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A kernel file with scenarios, each of them a mistake (`wrong`) and its correct twin."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

KERNELS = Path(__file__).parent / "kernels"


@dataclass(frozen=True)
class Mistake:
    """What the checker has to say about one scenario; "" and -1 are not looked at."""

    kind: str | tuple  # a tuple: any of them
    official_class: str = ""
    memory: str = ""
    pipe: str = ""
    api: str = ""
    argument: int = -1
    also: tuple = ()  # kinds that follow from the same mistake


class KernelFile:
    """kernels/<entry>.cpp: number of each scenario and the line that each is found at."""

    def __init__(self, entry):
        self.entry = entry
        text = (KERNELS / f"{entry}.cpp").read_text()
        body = re.search(r"enum Scenario : uint32_t \{(.*?)\}", text, re.S).group(1)
        self.scenarios = re.findall(r"^\s*([A-Z0-9_]+),", body, re.M)
        self.lines = {}
        for number, line in enumerate(text.splitlines(), 1):
            for name in line.partition("// line: ")[2].split():
                self.lines.setdefault(name, []).append(number)
        assert set(self.lines) <= set(self.scenarios)

    def launch(self, cache, scenario, wrong, arrays, unwritten, groups=1):
        import ascendc_cpu

        module = ascendc_cpu.compile(KERNELS / f"{self.entry}.cpp", self.entry, build_dir=cache)
        number = np.uint32(self.scenarios.index(scenario))
        return module.launch(groups, *arrays, number, np.uint32(wrong), check=True, unwritten=unwritten)


def aligned(array):
    """A copy of the array that starts at a multiple of 512 B, as on a device, with memory behind it."""
    memory = np.empty(array.nbytes + 1024, np.uint8)
    start = -memory.ctypes.data % 512
    out = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    out[...] = array
    return out


def poisoned(*shape, dtype=np.float32):
    return aligned(np.full(shape, 1e4, dtype))


def integers(seed, *shape, dtype=np.float32):
    """Small integers: every sum of them is exact."""
    return aligned(np.random.default_rng(seed).integers(-8, 9, shape).astype(dtype))


def vector_runner(file, count, two_groups=()):
    """Launches a kernel that makes y = x + 1; returns its report, y and what y has to be."""

    def run(cache, scenario, wrong, seed):
        x, y = integers(seed, count), poisoned(count)
        report = file.launch(cache, scenario, wrong, [x, y], [1], groups=2 if scenario in two_groups else 1)
        return report, y, x + 1

    return run


def cases(files):
    """A case for each scenario of (file, run, mistakes) in `files`."""
    return [
        pytest.param(file, run, name, mistakes[name], id=f"{file.entry}-{name}")
        for file, run, mistakes in files
        for name in file.scenarios
    ]


def line_in(file, here):
    """Line of the kernel file that the finding is at; None where it names none."""
    for frame in here.stack:
        if Path(frame.file).name == f"{file.entry}.cpp":
            return frame.line
    return None


def summary(file, report):
    """One line for each finding."""
    return "\n".join(
        f"{f.kind} {f.official_class} {f.memory} [{f.begin}, {f.end}) of argument {f.argument} at {f.here.core} "
        f"{f.here.pipe} {f.here.api} line {line_in(file, f.here)}: {f.message}"
        for f in report.findings
    )


def expect(file, scenario, mistake, report):
    """The report has the mistake where the kernel marks it, and nothing that does not follow from it."""
    kinds = (mistake.kind,) if isinstance(mistake.kind, str) else mistake.kind
    got = f"expected {mistake} at {file.lines.get(scenario)}, found\n{summary(file, report)}"

    def fits(f):
        return (
            f.kind in kinds
            and mistake.official_class in ("", f.official_class)
            and mistake.memory in ("", f.memory)
            and (not mistake.pipe or f.here.pipe == f"PIPE_{mistake.pipe}")
            and f.here.api.startswith(mistake.api)
            and mistake.argument in (-1, f.argument)
            and (scenario not in file.lines or line_in(file, f.here) in file.lines[scenario])
        )

    assert any(map(fits, report.findings)), got
    assert {f.kind for f in report.findings} <= {*kinds, *mistake.also}, got
