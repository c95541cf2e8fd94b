# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Share of forward and backward that goes into computing the scores and weights a second time instead of keeping them.

    python -m tests.benchmark.recompute [--cases REGEX] [--rounds 5]

The second computation is timed as a forward with Dv = 1: Q K^T and the softmax, next to nothing for P V. It is an upper
bound: the backward pass needs neither the largest score nor the sum again. CPU time on one thread.
"""

import argparse
import re
from dataclasses import replace

from tests.benchmark.bench import commit, machine
from tests.benchmark.contenders import ours, training
from tests.benchmark.measure import alternate
from tests.cases.inputs import make_inputs
from tests.cases.loader import STEPS, load, select


def shares(case, rounds):
    """(seconds of forward and backward, forward, scores and weights) of a case."""
    inputs = make_inputs(case, seed=1)
    narrow = replace(case, dv=1)
    runs = {
        "both": training(ours, case, inputs),
        "forward": ours(case, inputs),
        "scores": ours(narrow, replace(inputs, value=inputs.value[..., :1].contiguous())),
    }
    timings = alternate(runs, rounds, "cpu", 1)
    return tuple(timings[name].median for name in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default="", help="regular expression that case names must contain")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"commit {commit()}, {machine()}")
    for case in select(load(), ["bench"], STEPS):
        if re.search(options.cases, case.name):
            both, forward, scores = shares(case, options.rounds)
            print(
                f"{case.name}: forward and backward {both:.3f} s, of it forward {forward / both:.1%}, "
                f"recomputed scores and weights {scores / both:.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
