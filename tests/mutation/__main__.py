# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Runs the mutants of a category, or those with PART in their names, and prints what gave each away."""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .mutants import CATEGORIES, generate
from .runner import NOT_COMPILED, ROOT, kill
from .survivors import explanation


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--category", choices=CATEGORIES, default="sync")
    parser.add_argument("-j", dest="jobs", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write what gave each mutant away there")
    options = parser.parse_args()
    chosen = [mutant for mutant in generate(ROOT, options.category) if options.part in mutant.name]
    results = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for mutant, found in zip(chosen, pool.map(kill, chosen), strict=True):
            results[f"{mutant.operator}/{mutant.name}"] = found
            verdict = found.split("\n")[0] if found else f"SURVIVED ({explanation(mutant) or 'not explained'})"
            print(f"{mutant.name}\n    {verdict}", flush=True)
            if options.json:
                options.json.write_text(json.dumps(results, indent=1))
    compiled = [found for found in results.values() if not found.startswith(NOT_COMPILED)]
    killed = sum(bool(found) for found in compiled)
    unexplained = sum(not results[f"{m.operator}/{m.name}"] and not explanation(m) for m in chosen)
    print(f"{len(chosen)} mutants, {len(results) - len(compiled)} do not compile, {killed} found out, "
          f"{len(compiled) - killed - unexplained} survivors explained, {unexplained} not")  # fmt: skip
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
