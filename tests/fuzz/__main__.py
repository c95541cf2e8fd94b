# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Random cases from the whole contract, forward and gradient, against the float64 reference.

python -m tests.fuzz --cases 20000               # other cases in every run; prints the seed
python -m tests.fuzz --seed S --first I --cases 1    # case I of seed S, which a failure is reported with
python -m tests.fuzz --check --cases 500         # in the checked mode: no finding instead of the right values
"""

import argparse
import os
import random
import selectors
import subprocess
import sys
import time

WORKER = [sys.executable, "-m", "tests.fuzz.worker"]
PATIENCE = 300  # seconds without a result after which a case counts as hanging


class Worker:
    """A process that checks every STEP-th case; a crash or a hang costs one case and a new process."""

    def __init__(self, seed, first, step, end, checked):
        self.arguments = [seed, first, step, end, int(checked)]
        self.start()

    def start(self):
        self.current, self.text, self.killed = None, b"", False
        threads = {"ASCENDC_CPU_NUM_THREADS": "1"} if self.arguments[2] > 1 else {}  # several workers: one each
        self.process = subprocess.Popen(
            [*WORKER, *map(str, self.arguments)], stdout=subprocess.PIPE, env=threads | os.environ
        )
        self.since = time.monotonic()

    def lines(self):
        """What it printed since the last call, None at its end."""
        data = os.read(self.process.stdout.fileno(), 1 << 16)
        if not data:
            return None
        *lines, self.text = (self.text + data).split(b"\n")
        self.since = time.monotonic()
        return [line.decode() for line in lines]

    def restart_after(self, index):
        """False if no case is left."""
        self.arguments[1] = index + self.arguments[2]
        if self.arguments[1] >= self.arguments[3]:
            return False
        self.start()
        return True

    def kill_if_it_hangs(self):
        if self.current is not None and time.monotonic() - self.since > PATIENCE:
            self.killed = True
            self.process.kill()


def _ended(worker):
    """(index, verdict, text) of the case that the end of a process cost, or None."""
    code = worker.process.wait()
    if worker.current is None and code != 0:
        raise RuntimeError(f"a worker ended with status {code} outside a case")
    text = f"no result in {PATIENCE} s" if worker.killed else f"exit status {code}"
    return None if worker.current is None else (worker.current, "crash", text)


def results(workers):
    """(index, verdict, text) of all cases as they end; verdict: right, wrong or crash."""
    selector = selectors.DefaultSelector()
    for worker in workers:
        selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
    while selector.get_map():
        for key, _ in selector.select(timeout=1):
            worker, lines = key.data, key.data.lines()
            for line in lines or []:
                word, index, *text = line.split(" ", 2)
                worker.current = int(index) if word == "case" else None
                if word != "case":
                    yield int(index), word, "".join(text)
            if lines is None:
                selector.unregister(key.fileobj)
                lost = _ended(worker)
                if lost is not None:
                    yield lost
                    if worker.restart_after(lost[0]):
                        selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
        for key in selector.get_map().values():
            key.data.kill_if_it_hangs()


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31))
    parser.add_argument("--first", type=int, default=0, help="index of the first case")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--check", action="store_true", help="in the checked mode")
    options = parser.parse_args(arguments)
    end = options.first + options.cases
    jobs = min(options.jobs, options.cases)
    print(f"seed {options.seed}, cases {options.first}..{end - 1}", flush=True)
    begin, shown = time.monotonic(), time.monotonic()
    counts = dict.fromkeys(("right", "wrong", "crash"), 0)
    workers = [Worker(options.seed, options.first + j, jobs, end, options.check) for j in range(jobs)]
    for index, verdict, text in results(workers):
        counts[verdict] += 1
        if verdict != "right":
            checked = "--check " if options.check else ""
            reproduce = f"python -m tests.fuzz {checked}--seed {options.seed} --first {index} --cases 1"
            print(f"\n{verdict}: {text}\nreproduce with: {reproduce}", flush=True)
        if time.monotonic() - shown > 30:
            shown = time.monotonic()
            print(f"{sum(counts.values())} cases, {sum(counts.values()) / (shown - begin):.1f} a second", flush=True)
    seconds = time.monotonic() - begin
    done = sum(counts.values())
    print(f"{done} cases, {counts['wrong']} wrong, {counts['crash']} crashes; {done / seconds:.1f} cases a second")
    return 0 if done == counts["right"] == options.cases else 1


if __name__ == "__main__":
    sys.exit(main())
