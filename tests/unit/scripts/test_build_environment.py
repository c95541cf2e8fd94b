# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.build import environment
from scripts.build.options import ROOT


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project whose .venv is made of nothing, with the commands that would have been run."""
    commands = []

    def run(command, **_):
        commands.append([str(word) for word in command])
        if "venv" in commands[-1]:
            (tmp_path / ".venv/bin").mkdir(parents=True)
            (tmp_path / ".venv/bin/python").touch()
        return subprocess.CompletedProcess(command, 0)

    (tmp_path / "pins.txt").write_text("numpy==1\n")
    monkeypatch.setattr(environment.subprocess, "run", run)
    return tmp_path, commands


def installs(commands):
    return [command for command in commands if "install" in command]


def test_packages_are_installed_only_when_the_pins_change(project):
    root, commands = project
    assert environment.ensure(root, "pins.txt") == root / ".venv/bin/python"
    environment.ensure(root, "pins.txt")
    assert len(installs(commands)) == 1
    (root / "pins.txt").write_text("numpy==2\n")
    environment.ensure(root, "pins.txt", "--no-deps")
    assert len(installs(commands)) == 2
    assert "--no-deps" in commands[-1] and commands[-1][-2:] == ["-r", str(root / "pins.txt")]


def test_failed_install_is_tried_again(project, monkeypatch):
    root, commands = project
    environment.ensure(root, "pins.txt")
    (root / "pins.txt").write_text("numpy==2\n")
    works = environment.subprocess.run
    monkeypatch.setattr(
        environment.subprocess, "run", lambda c, **k: subprocess.CompletedProcess(c, int("install" in map(str, c)))
    )
    with pytest.raises(environment.BuildError, match="pip could not install pins.txt"):
        environment.ensure(root, "pins.txt")
    monkeypatch.setattr(environment.subprocess, "run", works)
    environment.ensure(root, "pins.txt")
    assert len(installs(commands)) == 2


def test_missing_venv_module_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else name)
    with pytest.raises(environment.BuildError, match="apt-get install python3-venv"):
        environment.ensure(tmp_path, "pins.txt")


def test_missing_compiler_is_one_line(tmp_path):
    (tmp_path / "python3").symlink_to(sys.executable)
    for tool in ("bash", "dirname", "env"):
        (tmp_path / tool).symlink_to(Path("/usr/bin") / tool)
    result = subprocess.run(
        ["/usr/bin/bash", ROOT / "build.sh"], env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert result.returncode == 1
    assert result.stderr == "build.sh: C++ compiler 'g++' not found: install it (apt-get install g++) or set CXX\n"


def test_missing_python_is_one_line(tmp_path):
    for tool in ("bash", "dirname"):
        (tmp_path / tool).symlink_to(Path("/usr/bin") / tool)
    result = subprocess.run(
        ["/usr/bin/bash", ROOT / "build.sh"], env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert result.returncode == 1
    assert result.stderr.startswith("build.sh: python3 not found") and result.stderr.count("\n") == 1


def test_other_compiler_is_taken_from_the_environment(monkeypatch):
    monkeypatch.setenv("CXX", os.devnull + "-missing")
    with pytest.raises(environment.BuildError, match="-missing"):
        environment.require_compiler()
