# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Speed of the SDK's cube and copy instructions on one core: GF/s and share of the FMA peak, GB/s of the copies.

    ASCENDC_CPU_LIB_DIR=... python tests/benchmark/sdk_cube.py [--isa avx2] [--dtype float]

CPU time of the process, best of several: robust against neighbours. The peak is measured in the same process, on
registers, with the flags of the instruction set in use: multiply-add, and vdpbf16ps for bf16. Asserts nothing.
"""

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "ascendc_cpu" / "python"))
OPERATIONS = ["MMAD", "ND2NZ", "LOAD_A", "LOAD_KEY", "LOAD_VALUE", "FIXPIPE", "FIXPIPE_ATOMIC", "CHAIN"]
CASE = np.dtype([(name, "<u4") for name in ("operation", "repeats", "m", "n", "k", "rows_in_gm")])
SIZES = {"float": 4, "half": 2, "bfloat16_t": 2}
# m, n, k; k such that an operand of 128 rows is at most 32 KiB (float: 64)
SHAPES = [(128, 128, 128), (128, 128, 64), (128, 128, 32), (64, 128, 64), (128, 64, 64), (128, 112, 60), (16, 128, 64)]
AVX2_FLAGS = ["-mavx2", "-mfma", "-mf16c"]
ISA_FLAGS = {"generic": [], "avx2": AVX2_FLAGS, "avx512": [*AVX2_FLAGS, "-mavx512f", "-mavx512bf16"]}
ROUNDS = 7
SECONDS = 0.04
PEAK_LOOPS = 3_000_000


def register_peaks(isa) -> tuple[float, float]:
    """GF/s of one core with operands in registers: float multiply-add, and the bf16 instruction if the ISA has one."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "fma_peak.so"
        flags = ["-O3", *ISA_FLAGS[isa], "-shared", "-fPIC", "-ffp-contract=fast", "-Wno-psabi"]
        source = str(FOLDER / "kernels" / "fma_peak.cpp")
        subprocess.run([os.environ.get("CXX", "g++"), *flags, source, "-o", str(library)], check=True)
        loaded = ctypes.CDLL(str(library))

    def peak(run):
        run.argtypes, run.restype = [ctypes.c_uint64], ctypes.c_uint64
        return max(PEAK_LOOPS * run(1) / timed(lambda: run(PEAK_LOOPS)) for _ in range(2 * ROUNDS)) / 1e9

    return peak(loaded.FmaPeak), peak(loaded.Bf16Peak)


def timed(function) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


class Bench:
    def __init__(self, ctype):
        import ascendc_cpu

        self.module = ascendc_cpu.compile(FOLDER / "kernels" / "cube_bench.cpp", "cube_bench", {"DTYPE_X": ctype})
        self.size = SIZES[ctype]
        random = np.random.default_rng(0).standard_normal(1 << 23).astype(np.float32)  # 32 MiB
        storage = {"float": random, "half": random.astype(np.float16)}
        self.matrix = storage.get(ctype, (random.view(np.uint32) >> 16).astype(np.uint16))
        self.out = np.zeros(128 * 128, np.float32)

    def run(self, operation, repeats, shape) -> float:
        case = np.zeros((), CASE)
        case["operation"], case["repeats"] = OPERATIONS.index(operation), repeats
        case["m"], case["n"], case["k"] = shape
        case["rows_in_gm"] = self.matrix.size // shape[2] // 128 * 128
        return timed(lambda: self.module.launch(1, self.matrix, self.out, tiling=case, threads=1))

    def seconds(self, operation, shape) -> float:
        """Of one instruction (or one link of the chain)."""
        repeats = 64
        while self.run(operation, repeats, shape) < SECONDS:
            repeats *= 2
        few = min(self.run(operation, repeats // 8, shape) for _ in range(ROUNDS))
        many = min(self.run(operation, repeats, shape) for _ in range(ROUNDS))
        return (many - few) / (repeats - repeats // 8)


def report(ctype, isa):
    bench = Bench(ctype)
    fastest = register_peaks(isa)[ctype == "bfloat16_t"]
    print(f"\n{ctype}: peak {fastest:.0f} GF/s")
    for shape in SHAPES:
        if shape[2] * max(shape[:2]) * bench.size > 64 * 1024 or shape[2] % (32 // bench.size) not in (0, 4, 8):
            continue  # no room in L0, or no channelSize of a 3D load
        for operation in ("MMAD", "CHAIN"):
            m, n, k = shape
            rate = 2 * m * n * k / bench.seconds(operation, shape) / 1e9
            print(f"  {operation:6} {m:3} x {n:3} x {k:3}: {rate:6.1f} GF/s {100 * rate / fastest:5.1f} %", flush=True)
            if operation == "MMAD" and k * bench.size % 32:
                break  # the chain's loads need whole fractals
    k = 128 if bench.size == 2 else 64
    for operation in ("ND2NZ", "LOAD_A", "LOAD_KEY", "LOAD_VALUE", "FIXPIPE", "FIXPIPE_ATOMIC"):
        size = 128 * (128 * 4 if operation.startswith("FIXPIPE") else k * bench.size)
        rate = size / bench.seconds(operation, (128, 128, k)) / 1e9
        print(f"  {operation:14} of 128 rows, {size // 1024} KiB: {rate:6.1f} GB/s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--isa", choices=["avx512", "avx2", "generic"], help="default: the best of this CPU")
    parser.add_argument("--dtype", choices=list(SIZES), action="append", help="default: all")
    arguments = parser.parse_args()
    if arguments.isa:
        os.environ["ASCENDC_CPU_ISA"] = arguments.isa
    import ascendc_cpu

    isa = ascendc_cpu.isa_name()
    print(f"isa {isa}, load {os.getloadavg()[0]:.1f}")
    for ctype in arguments.dtype or SIZES:
        report(ctype, isa)


if __name__ == "__main__":
    main()
