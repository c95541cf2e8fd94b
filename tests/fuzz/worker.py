# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Checks random cases one after the other and prints a line before and after each; started by __main__.py.

python -m tests.fuzz.worker SEED FIRST STEP END: the cases FIRST, FIRST + STEP, ... below END of a base seed
"""

import random
import sys
import traceback
import zlib

import torch

from tests.fuzz.check import check
from tests.fuzz.contract_draw import draw_contract_case

TWICE = 10  # every tenth case runs twice


def case_of(base_seed, index):
    """(case, seed of its inputs)"""
    seed = zlib.crc32(f"{base_seed} {index}".encode())
    return draw_contract_case(random.Random(seed)), seed


def main(base_seed, first, step, end):
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)  # memory that nobody wrote is NaN
    for index in range(first, end, step):
        print("case", index, flush=True)
        case, seed = case_of(base_seed, index)
        try:
            check(case, seed, index % TWICE == 0)
            print("right", index, flush=True)
        except Exception as error:
            text = "".join(traceback.format_exception_only(error)).strip().replace("\n", " ")
            print("wrong", index, case.name, text, flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
