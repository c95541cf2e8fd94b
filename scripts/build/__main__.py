# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What `bash build.sh` does: options, virtual environment, CPU build, then tests or an example."""

import sys

from . import cpu, environment, run
from .options import ROOT, Options, parse


def execute(options: Options) -> int:
    """Carry out one command line; returns the exit code."""
    if options.make_clean:
        return cpu.clean(ROOT)
    environment.require_compiler()
    python = environment.ensure(ROOT)
    code = cpu.build(ROOT, python, options)
    if code != 0:
        return code
    if options.run_example is not None:
        return run.example(ROOT, python, options.run_example)
    if options.test is not None:
        return run.test(ROOT, python, options.test)
    print("\nInstalled in .venv. Try:\n    bash build.sh --run_example minilm\n    bash build.sh --test")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(execute(parse(sys.argv[1:])))
    except environment.BuildError as error:
        print(f"build.sh: {error}", file=sys.stderr)
        sys.exit(1)
