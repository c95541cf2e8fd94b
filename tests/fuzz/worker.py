# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Checks random cases one after the other and prints a line before and after each; started by __main__.py.

python -m tests.fuzz.worker SEED FIRST STEP END CHECKED: the cases FIRST, FIRST + STEP, ... below END of a base seed;
CHECKED 1: in the checked mode
"""

import sys
import traceback
import zlib

import torch

from tests.fuzz.check import check, check_findings
from tests.fuzz.contract_draw import draw_call
from tests.system.tuned import tuning

TWICE = 10  # every tenth case runs twice


def case_of(base_seed, index):
    """(case, tuning parameters, seed of its inputs)"""
    seed = zlib.crc32(f"{base_seed} {index}".encode())
    return *draw_call(seed), seed


def main(base_seed, first, step, end, checked):
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)  # memory that nobody wrote is NaN
    for index in range(first, end, step):
        print("case", index, flush=True)
        case, parameters, seed = case_of(base_seed, index)
        try:
            with tuning(parameters):
                if checked:
                    check_findings(case, seed)
                else:
                    check(case, seed, index % TWICE == 0)
            print("right", index, flush=True)
        except Exception as error:
            text = "".join(traceback.format_exception_only(error)).strip().replace("\n", " ")
            print("wrong", index, case.name, parameters, text, flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
