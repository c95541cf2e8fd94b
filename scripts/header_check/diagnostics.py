# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Run a compiler and keep what matters of its messages."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

SHOWN = 5  # findings of one check
_MESSAGE = re.compile(r"^(.+?):(\d+):(?:\d+:)? (fatal error|error|warning|note): (.*)$")


@dataclass
class Result:
    """One check: what was checked, and its findings (none: ok)."""

    name: str
    findings: list[str]

    def lines(self) -> list[str]:
        """Report of this check."""
        if not self.findings:
            return [f"{self.name}: ok"]
        shown = [f"    {finding}" for finding in self.findings[:SHOWN]]
        more = len(self.findings) - SHOWN
        return [f"{self.name}: failed", *shown, *([f"    and {more} more"] if more > 0 else [])]


def findings(output: str, own: Path) -> list[str]:
    """Errors anywhere and warnings in files below `own`; an error elsewhere is followed by the place in `own` that
    led there."""
    found: list[list[str]] = []
    pending = False  # the last error has no place in `own` yet
    for line in output.splitlines():
        match = _MESSAGE.match(line)
        if not match:
            if re.match(r"^\S*(clang\S*|g\+\+\S*|cc1plus): (fatal error|error): ", line):
                found.append([line])
            continue
        path, number, kind, text = match.groups()
        place = Path(path).resolve()
        is_own = place.is_relative_to(own.resolve())
        where = f"{place.name}:{number}"
        if kind == "note":
            if pending and is_own:
                found[-1].append(f" [from {where}]")
                pending = False
        elif kind != "warning" or is_own:
            found.append([f"{where}: {kind}: {text}"])
            pending = not is_own
        else:
            pending = False
    return ["".join(parts) for parts in found]


def run(name: str, command: list[str], own: Path) -> Result:
    """Compile by `command`; a compiler that fails without a message is a finding too."""
    done = subprocess.run(command, capture_output=True, text=True)
    problems = findings(done.stderr, own)
    if done.returncode and not problems:
        problems = [f"{command[0]} ended with {done.returncode}: {done.stderr.strip()[-500:]}"]
    return Result(name, problems)
