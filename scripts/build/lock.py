# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""One build.sh at a time in a clone: build/, build_out/ and .venv are changed in place."""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HELD = "FA_BUILD_LOCKED_CLONE"  # for processes that the holder starts, which must not wait for it


def _take(folder: int) -> None:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("build.sh: another build.sh works in this clone; waiting for its end", file=sys.stderr, flush=True)
        fcntl.flock(folder, fcntl.LOCK_EX)
    except OSError:  # a file system that cannot lock folders (NFS): two runs collide there, as without this
        pass


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Wait until no other process is in here for `root`, and keep others out. A killed process gives way, too."""
    if os.environ.get(HELD) == str(root):
        yield
        return
    folder = os.open(root, os.O_RDONLY)  # not inherited: processes that outlive this one keep nobody waiting
    try:
        _take(folder)
        os.environ[HELD] = str(root)
        yield
    finally:
        os.environ.pop(HELD, None)
        os.close(folder)
