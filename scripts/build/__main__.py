# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What `bash build.sh` does: options, virtual environment, CPU build, then tests, an example or a package."""

import sys
from pathlib import Path

from . import cann_build, cpu, cpu_package, environment, lock, run
from .options import ROOT, VENDOR, Options, parse


def announce(package: Path) -> int:
    """Say what was made and how to go on."""
    name = package.relative_to(ROOT)
    print(f"\nMade {name}. Try:\n    bash {name} --info\n    bash {name} --install-path=$HOME/opp")
    return 0


def _for_cpu(options: Options) -> int:
    python = environment.ensure(ROOT)
    code = cpu.build(ROOT, python, options)
    if code != 0:
        return code
    if options.pkg:
        return announce(cpu_package.build(ROOT, python, options.vendor_name or VENDOR))
    if options.run_example is not None:
        return run.example(ROOT, python, options.run_example)
    if options.bench is not None:
        return run.bench(ROOT, python, options.bench)
    if options.check:
        return run.check(ROOT, python, options.case)
    if options.test is not None:
        return run.test(ROOT, python, options.test)
    print("\nInstalled in .venv. Try:\n    bash build.sh --run_example minilm\n    bash build.sh --test")
    return 0


def execute(options: Options) -> int:
    """Carry out one command line, alone in the clone; returns the exit code."""
    for_cpu = not options.make_clean and (not options.pkg or options.soc == ["cpu"])
    if for_cpu:
        environment.require_compiler()
    with lock.alone(ROOT):
        if options.make_clean:
            return cpu.clean(ROOT)
        return _for_cpu(options) if for_cpu else announce(cann_build.build(ROOT, options))


if __name__ == "__main__":
    try:
        sys.exit(execute(parse(sys.argv[1:])))
    except environment.BuildError as error:
        print(f"build.sh: {error}", file=sys.stderr)
        sys.exit(1)
