#!/usr/bin/env python3
# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""For somebody with an Atlas A2 or A3: build the op package, compare and time it on the NPU, write one report.

    source /usr/local/Ascend/ascend-toolkit/set_env.sh
    python3 scripts/npu_acceptance.py

1. build.sh --pkg, or --run-file=FILE that is there already; installed in --out, for the processes of this script only.
2. Cases of tests/cases through torch_npu.npu_fusion_attention on npu:0, once with the package and once with CANN's
   built-in operator, both against the float64 reference; a crash or a hang costs one case.
3. Times of both; msprof for one case when it is installed.
4. --out/acceptance.md and acceptance.json. Exit code 0: the package passes, 1: it does not, 2: it could not be tried.

Needs torch, torch_npu, numpy and PyYAML in the Python that runs the cases (--python).
"""

import argparse
import json
import os
import random
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.acceptance import machine, processes, report  # noqa: E402

VENDOR = "afa_acceptance"
DIRECTIONS = ("forward", "gradient")


def parse(arguments: list[str]) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--soc", default="ascend910b", help="ascend910b, ascend910_93, or cpu for the emulation")
    parser.add_argument("-p", "--package-path", metavar="CANN", help="as for build.sh")
    parser.add_argument("--run-file", type=Path, help="package to use instead of building one")
    parser.add_argument("--python", default=sys.executable, help="interpreter with torch_npu (%(default)s)")
    parser.add_argument("--check", default="smoke,full", metavar="TAGS", help="cases to check (%(default)s)")
    parser.add_argument("--time", default="bench", metavar="TAGS", help="cases to time; none: no times (%(default)s)")
    parser.add_argument("--directions", default="forward,gradient", help="or one of them (%(default)s)")
    parser.add_argument("--match", default="", help="only cases with this text in their names")
    parser.add_argument("--limit", type=int, help="at most so many cases to check, and to time")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one case (%(default)s)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31), help="of all inputs")
    parser.add_argument("--out", type=Path, default=ROOT / "build/acceptance", help="folder (%(default)s)")
    return parser.parse_args(arguments)


def install(options: argparse.Namespace) -> Path:
    """Build if asked for, and install below --out; returns the vendor's folder."""
    run_file = options.run_file
    if run_file is None:
        command = ["bash", ROOT / "build.sh", "--pkg", f"--soc={options.soc}", f"--vendor_name={VENDOR}"]
        command += ["-p", options.package_path] if options.package_path else []
        if subprocess.run(command).returncode != 0:
            raise SystemExit(2)
        run_file = max((ROOT / "build_out").glob("custom_opp_*.run"), key=lambda path: path.stat().st_mtime)
    if not run_file.is_file():
        print(f"npu_acceptance: no package {run_file}", file=sys.stderr)
        raise SystemExit(2)
    target = options.out.resolve() / "opp"
    if subprocess.run(["sh", run_file, "--quiet", f"--install-path={target}"]).returncode != 0:
        raise SystemExit(2)
    vendors = sorted((path.parent for path in target.glob("vendors/*/version.info")), key=lambda p: p.stat().st_mtime)
    return vendors[-1]


def case_names(options: argparse.Namespace, tags: str) -> list[str]:
    """Cases of the table, at most --limit."""
    command = [options.python, "-m", "scripts.acceptance.cases", tags, options.match]
    variables = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    shown = subprocess.run(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True)
    if shown.returncode != 0:
        raise SystemExit(2)
    return json.loads(shown.stdout)[: options.limit]


def jobs(options: argparse.Namespace) -> list[dict]:
    """Cases to check and to time, each once for each direction."""
    check, timed = case_names(options, options.check), case_names(options, options.time)
    directions = options.directions.split(",")
    names = dict.fromkeys([*check, *timed])
    if not names:
        print("npu_acceptance: no case has these tags and this text in its name", file=sys.stderr)
        raise SystemExit(2)
    return [
        {"case": name, "direction": way, "seed": options.seed, "check": name in check, "timed": name in timed}
        for way in directions
        for name in names
    ]


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    if not options.directions or set(options.directions.split(",")) - set(DIRECTIONS):
        print(
            f"npu_acceptance: --directions: got {options.directions!r}, allowed: {', '.join(DIRECTIONS)}",
            file=sys.stderr,
        )
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    vendor = install(options)
    todo = jobs(options)
    environments = {
        "package": processes.package_environment(vendor),
        "built-in": processes.built_in_environment(vendor),
    }
    results = {}
    for side, variables in environments.items():
        print(f"{side}: {len(todo)} cases", flush=True)
        folder = options.out / side
        results[side] = processes.run_jobs(options.python, todo, folder, variables, options.timeout)
    notes = [f"inputs: --seed={options.seed}", (vendor / "version.info").read_text().strip().replace("\n", ", ")]
    timed = [index for index, job in enumerate(todo) if job["timed"]]
    if timed:
        one = options.out / "msprof/jobs.json"
        one.parent.mkdir(exist_ok=True)
        one.write_text(json.dumps([{**todo[timed[0]], "check": False}]))
        notes.append(machine.profile(options.python, one, options.out / "msprof", 0, environments["package"]))
    emulation = (vendor / "ascendc_cpu").is_dir()
    facts = machine.facts(options.python, environments["package"])
    (options.out / "acceptance.md").write_text(report.markdown(facts, results, notes, emulation))
    content = {"emulation": emulation, "facts": facts, "notes": notes, "results": results}
    (options.out / "acceptance.json").write_text(json.dumps(content, indent=1) + "\n")
    good, line = report.verdict(results)
    print(f"{line}\n{options.out / 'acceptance.md'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
