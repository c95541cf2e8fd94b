# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Runs cases in the checked mode and prints what is found: python -m tests.check [--case NAME] [--json FILE]."""

import argparse
import json
import sys
from pathlib import Path

from tests.cases.loader import load

from . import operators


def planned(name):
    """(title, call) of the smoke table and the strategies, or of the cases that have `name` in their names."""
    cases = [case for case in load() if name in case.name] if name else operators.smoke_cases()
    if not cases:
        sys.exit(f"--case: no case of the table has {name!r} in its name")
    for case in cases:
        yield f"forward {case.name}", lambda case=case: operators.check_forward(case)
        yield f"gradient {case.name}", lambda case=case: operators.check_gradient(case)
    for case, strategy in () if name else operators.strategy_cases():
        yield f"{strategy} {case.name}", lambda c=case, s=strategy: operators.check_strategy(c, s)


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.check", description=__doc__)
    parser.add_argument("--case", metavar="NAME", help="part of cases' names; default: the smoke table")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all findings there")
    options = parser.parse_args()
    print("compiling the kernels for the checked mode (once, and again when they change)", flush=True)
    operators.load_all_kernels()
    count, findings, bad = 0, [], 0
    for title, call in planned(options.case):
        report, same = call()
        count += 1
        if report.findings or not same:
            bad += 1
            print(f"\n== {title}\n{report}" + ("" if same else "\nother bits than the fast mode's"), flush=True)
        findings += [{"case": title, **each} for each in json.loads(report.json())["findings"]]
    if options.json:
        options.json.write_text(json.dumps(findings, indent=1))
    print(f"{count} checked runs, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
