# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The compiler command for torch_npu's extension; tests/npu uses what it builds."""

import sysconfig

import pytest

from scripts.build import npu_extension
from scripts.build.environment import BuildError


@pytest.fixture
def torch_npu(tmp_path):
    (tmp_path / "version.py").write_text('__version__ = "2.13.0"\n')
    return tmp_path


@pytest.fixture
def python_headers(tmp_path, monkeypatch):
    (tmp_path / "Python.h").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))


def test_command_names_the_release_and_links_the_wheel(torch_npu, python_headers, monkeypatch):
    monkeypatch.setenv("CXX", "ccache clang++")
    command = npu_extension.command(torch_npu / "torch", torch_npu, torch_npu / "out.so")
    assert command[:2] == ["ccache", "clang++"]
    assert "-DCURRENT_VERSION=V2R13" in command and f"-L{torch_npu / 'lib'}" in command
    assert command[command.index("-o") + 1] == str(torch_npu / "out.so")


def test_missing_python_headers_are_named(torch_npu, monkeypatch):
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(torch_npu / "nowhere"))
    with pytest.raises(BuildError, match=r"no Python.h in .*nowhere.*install python3-dev"):
        npu_extension.command(torch_npu, torch_npu, torch_npu)


def test_wheel_without_version(torch_npu, python_headers):
    (torch_npu / "version.py").write_text("")
    with pytest.raises(BuildError, match="no version in .*version.py"):
        npu_extension.command(torch_npu, torch_npu, torch_npu)


def test_package_that_is_not_installed():
    with pytest.raises(BuildError, match="no_such_package is not installed"):
        npu_extension.package_folder("no_such_package")
