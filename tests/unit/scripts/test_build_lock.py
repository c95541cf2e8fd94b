# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Two runs of build.sh in one clone: the second waits and says so."""

import os
import subprocess
import sys

import pytest

from scripts.build import lock
from scripts.build.options import ROOT

ENTER = """
import sys
from pathlib import Path
from scripts.build import lock
with lock.alone(Path(sys.argv[1])):
    print("inside")
"""


def start(clone, variables):
    return subprocess.Popen(
        [sys.executable, "-c", ENTER, clone], cwd=ROOT, env=variables, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_second_run_waits(tmp_path, monkeypatch):
    monkeypatch.delenv(lock.HELD, raising=False)  # of the run that this test is part of
    stranger = dict(os.environ)
    (tmp_path / "other").mkdir()
    with lock.alone(tmp_path):
        waiting = start(tmp_path, stranger)
        assert waiting.stderr.readline().startswith("build.sh: another build.sh works in this clone; waiting")
        assert start(tmp_path / "other", stranger).communicate() == ("inside\n", "")
        assert start(tmp_path, dict(os.environ)).communicate() == ("inside\n", "")  # started by the holder
        assert waiting.poll() is None
    assert waiting.communicate() == ("inside\n", "")
    assert lock.HELD not in os.environ


def test_failure_ends_it(tmp_path, monkeypatch):
    monkeypatch.delenv(lock.HELD, raising=False)
    with pytest.raises(ValueError), lock.alone(tmp_path):
        raise ValueError
    assert start(tmp_path, dict(os.environ)).communicate() == ("inside\n", "")


def test_killed_run_gives_way(tmp_path, monkeypatch):
    monkeypatch.delenv(lock.HELD, raising=False)
    code = ENTER.replace('print("inside")', 'print("inside", flush=True); sys.stdin.read()')
    with subprocess.Popen([sys.executable, "-c", code, tmp_path], cwd=ROOT, text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as holder:  # fmt: skip
        assert holder.stdout.readline() == "inside\n"
        holder.kill()
    assert start(tmp_path, dict(os.environ)).communicate() == ("inside\n", "")
