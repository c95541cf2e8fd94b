# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Everything of the benchmark in one go: speed, on request memory, the floors that were measured, pictures.

python -m tests.benchmark [--quick] [--memory] [options of tests.benchmark.bench]
python -m tests.benchmark --publish [options of tests.benchmark.publish]
"""

import argparse
import sys

from tests.benchmark import bench, judge, memory, plots, publish


def main():
    if sys.argv[1:2] == ["--publish"]:
        return publish.main(sys.argv[2:])
    parser = argparse.ArgumentParser(
        prog="bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    bench.add_arguments(parser)
    parser.add_argument("--memory", action="store_true", help="also what a call allocates, 512 to 4096 tokens")
    options = parser.parse_args()
    written = [bench.measure(parser, options)]
    if options.memory:
        written.append(written[0].with_name(f"memory-{written[0].name}"))
        memory.write(written[1], options.quick, {"commit": bench.commit(), "machine": bench.machine()})
    good = judge.judge(judge.read_rows(written[:1]), judge.read_floors(judge.FLOORS), measured_only=True)
    try:
        for path in written:
            plots.draw(path)
    except ImportError as error:
        print(f"no pictures: {error.name} is not installed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
