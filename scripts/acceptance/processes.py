# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Runs worker.py over all jobs, in spite of crashes and hangs; shells that a package is active in."""

import json
import os
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_POLL = 0.2


def package_environment(vendor: Path) -> dict[str, str]:
    """This process's environment after `source <vendor>/bin/set_env.bash`."""
    command = ["bash", "-c", 'source "$1/bin/set_env.bash" && env -0', "-", vendor]
    shown = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
    return dict(pair.split("=", 1) for pair in shown.split("\0") if "=" in pair)


def built_in_environment(vendor: Path) -> dict[str, str]:
    """This process's environment, without custom packages. A package for the CPU has to lend its runtime."""
    variables = {key: value for key, value in os.environ.items() if key != "ASCEND_CUSTOM_OPP_PATH"}
    emulation = vendor / "ascendc_cpu/lib/acl"
    if emulation.is_dir():
        variables["LD_LIBRARY_PATH"] = os.pathsep.join([str(emulation), variables.get("LD_LIBRARY_PATH", "")])
    return variables


def _finished(file: Path) -> tuple[dict[int, dict], int | None]:
    """Results so far by index, and the index that was begun and not finished."""
    done: dict[int, dict] = {}
    begun = None
    for line in file.read_text().splitlines() if file.exists() else []:
        entry = json.loads(line)
        begun = entry["index"]
        if "status" in entry:
            done[begun] = entry
    return done, None if begun in done else begun


def _watch(process: subprocess.Popen, file: Path, limit: float) -> str | None:
    """Wait for the worker; None when it ended by itself, else why it was stopped."""
    changed, size = time.monotonic(), -1
    while process.poll() is None:
        time.sleep(_POLL)
        now = file.stat().st_size if file.exists() else 0
        if now != size:
            changed, size = time.monotonic(), now
        if time.monotonic() - changed > limit:
            process.kill()
            process.wait()
            return f"no result within {limit:.0f} s"
    return None


def run_jobs(python: str, jobs: list[dict], folder: Path, variables: dict[str, str], limit: float) -> list[dict]:
    """One result a job, in order: what worker.py wrote, or {"status": "crash" | "hang" | "no start", "message"}."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs_file, results, log = folder / "jobs.json", folder / "results.jsonl", folder / "output.log"
    jobs_file.write_text(json.dumps(jobs))
    results.unlink(missing_ok=True)
    variables = {**variables, "PYTHONPATH": str(ROOT), "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    died: dict[int, dict] = {}
    first = 0
    while first < len(jobs):
        command = [python, "-m", "scripts.acceptance.worker", str(jobs_file), str(results), str(first)]
        with log.open("a") as output:
            process = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=output, stderr=subprocess.STDOUT)
            stopped = _watch(process, results, limit)
        done, broken = _finished(results)
        if stopped is None and process.returncode == 0:
            break
        last = log.read_text(errors="replace").strip().splitlines()[-1:]
        why = stopped or f"exit code {process.returncode}: {''.join(last)}"
        if broken is None or broken < first:  # it did not get to a case
            died |= {index: {"status": "no start", "message": why} for index in range(first, len(jobs))}
            break
        died[broken] = {"status": "hang" if stopped else "crash", "message": why}
        with results.open("a") as file:
            print(json.dumps({"index": broken, **died[broken]}), file=file)
        first = broken + 1
    done, _ = _finished(results)
    return [{**job, **(done.get(i) or died[i])} for i, job in enumerate(jobs)]
