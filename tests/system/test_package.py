# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The .run file and its scripts: options, targets, priorities, removal. The payload is a small vendor's folder."""

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.build import package

ROOT = Path(__file__).parents[2]
NOBODY = 65534
CONFIG = "vendors/config.ini"


def make_package(folder, vendor="custom", text="one", **changes):
    """A .run file in `folder` whose package holds op_api/lib/libcust_opapi.so with `text` in it."""
    root = folder / f"root_{vendor}_{text}"
    tree = root / "tree"
    (tree / "op_api/lib").mkdir(parents=True)
    (tree / "op_api/lib/libcust_opapi.so").write_text(text)
    (tree / "op_api/lib/link.so").symlink_to("libcust_opapi.so")
    (root / "scripts").mkdir()
    (root / "scripts/package").symlink_to(ROOT / "scripts/package")
    shutil.copy(ROOT / "pyproject.toml", root)
    record = package.describe(root, vendor, ["cpu"]) | changes
    return package.pack(root, tree, record)


@pytest.fixture
def run_file(tmp_path):
    return make_package(tmp_path)


def call(file, *arguments, code=0, user=None, **variables):
    environment = {"PATH": os.environ["PATH"], "HOME": "/nowhere"} | {
        key: str(value) for key, value in variables.items()
    }
    ids = {"user": user, "group": user, "extra_groups": []} if user is not None else {}
    done = subprocess.run(
        [file, *map(str, arguments)], env=environment, cwd=file.parent, capture_output=True, text=True, **ids
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def priority(target):
    return (target / CONFIG).read_text()


def library(target, vendor="custom"):
    return (target / "vendors" / vendor / "op_api/lib/libcust_opapi.so").read_text()


def uninstall(target, vendor="custom", code=0, user=None):
    return call(target / "vendors" / vendor / "scripts/uninstall.sh", code=code, user=user)


def test_help_lists_every_option(run_file):
    text = call(run_file, "--help").stdout
    options = ("--help", "--info", "--list", "--check", "--quiet", "--noexec", "--extract=", "--install-path=")
    assert all(option in text for option in options)


def test_info_and_list(run_file):
    info = call(run_file, "--info").stdout
    assert "package=ascend-flash-attention\n" in info
    assert f"arch={platform.machine()}\n" in info and "targets=cpu (emulation, not for an NPU)\n" in info
    listed = call(run_file, "--list").stdout
    assert "packages/vendors/custom/op_api/lib/libcust_opapi.so" in listed and "install.sh" in listed


def test_unknown_option(run_file):
    assert "unknown option --frobnicate; allowed: --install-path" in call(run_file, "--frobnicate", code=2).stderr


def test_same_folder_same_bytes(tmp_path):
    first = make_package(tmp_path / "a").read_bytes()
    os.utime(tmp_path)
    assert make_package(tmp_path / "b").read_bytes() == first


@pytest.mark.parametrize("damage", ["flip", "cut"])
def test_damaged_file(run_file, tmp_path, damage):
    assert "sha256 is right" in call(run_file, "--check").stdout
    content = bytearray(run_file.read_bytes())
    content[-20] ^= 1
    run_file.write_bytes(content if damage == "flip" else content[:-7])
    for arguments in (["--check"], [f"--install-path={tmp_path / 'opp'}"], ["--noexec"]):
        assert "damaged or incomplete file: sha256 is " in call(run_file, *arguments, code=1).stderr
    assert not (tmp_path / "opp").exists()


def test_extract(run_file, tmp_path):
    call(run_file, "--noexec", f"--extract={tmp_path / 'out'}")
    assert (tmp_path / "out/packages/vendors/custom/op_api/lib/link.so").readlink() == Path("libcust_opapi.so")
    assert "is not empty" in call(run_file, f"--extract={tmp_path / 'out'}", code=1).stderr
    folder = Path(call(run_file, "--noexec", TMPDIR=tmp_path).stdout.strip())
    assert folder.parent == tmp_path and (folder / "install.sh").is_file()


def test_install_path(run_file, tmp_path):
    target = tmp_path / "my opp" / "deep"
    shown = call(run_file, f"--install-path={target}", ASCEND_OPP_PATH=tmp_path / "other").stdout
    assert f"source {target}/vendors/custom/bin/set_env.bash" in shown
    assert library(target) == "one"
    assert not (target / CONFIG).exists()  # only shells that source set_env.bash see it
    assert not (tmp_path / "other").exists()
    assert not list(tmp_path.glob("op_package.*")), "temporary folder left behind"


def test_set_env_survives_a_move(run_file, tmp_path):
    call(run_file, f"--install-path={tmp_path / 'opp'}", "--quiet")
    (tmp_path / "opp").rename(tmp_path / "moved opp")
    vendor = tmp_path / "moved opp/vendors/custom"
    show = 'source "$1/bin/set_env.bash" && printf "%s\\n" "$ASCEND_CUSTOM_OPP_PATH" "$LD_LIBRARY_PATH"'
    for before, after in (({}, ""), ({"ASCEND_CUSTOM_OPP_PATH": "/a", "LD_LIBRARY_PATH": "/b"}, ":/a")):
        environment = {"PATH": os.environ["PATH"], "CDPATH": "/usr", **before}
        shown = subprocess.run(["bash", "-uc", show, "-", vendor], env=environment, capture_output=True, text=True)
        assert shown.stdout.splitlines() == [f"{vendor}{after}", f"{vendor}/op_api/lib{after.replace('a', 'b')}"]


def test_quiet(run_file, tmp_path):
    done = call(run_file, "--quiet", f"--install-path={tmp_path / 'opp'}")
    assert (done.stdout, done.stderr) == ("", "")


def test_default_targets(run_file, tmp_path):
    opp, custom = tmp_path / "opp", tmp_path / "custom"
    assert "Give --install-path=DIR" in call(run_file, code=1).stderr
    assert f"ASCEND_OPP_PATH is no folder: {opp}" in call(run_file, code=1, ASCEND_OPP_PATH=opp).stderr
    opp.mkdir()
    call(run_file, ASCEND_OPP_PATH=opp)
    assert (library(opp), priority(opp)) == ("one", "load_priority=custom\n")
    assert not (opp / "vendors/custom/bin").exists()
    call(run_file, ASCEND_OPP_PATH=opp, ASCEND_CUSTOM_OPP_PATH=custom)
    assert (library(custom), priority(custom)) == ("one", "load_priority=custom\n")


def test_refused_targets(run_file, tmp_path):
    relative = call(run_file, "--install-path=opp", code=1)
    assert relative.stderr == "install: --install-path: needs an absolute path, got opp\n"
    several = call(run_file, code=1, ASCEND_CUSTOM_OPP_PATH="/a:/b").stderr
    assert "names several folders (/a:/b): choose one with --install-path" in several
    assert "needs an absolute path, got x/y" in call(run_file, code=1, ASCEND_CUSTOM_OPP_PATH="x/y").stderr
    call(run_file, f"--install-path={tmp_path / 'opp'}")
    sourced = call(run_file, code=1, ASCEND_CUSTOM_OPP_PATH=tmp_path / "opp/vendors/custom").stderr
    assert f"use --install-path={tmp_path}/opp, else unset" in sourced
    (tmp_path / "file").touch()
    assert "cannot create" in call(run_file, f"--install-path={tmp_path / 'file'}", code=1).stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "opp", "root_custom_one"]


def test_other_machine(tmp_path):
    foreign = make_package(tmp_path, arch="vax")
    refused = call(foreign, f"--install-path={tmp_path / 'opp'}", code=1).stderr
    assert f"the package is for vax, this machine is {platform.machine()}" in refused


@pytest.mark.parametrize("where", ["target", "vendors"])
def test_target_without_permission(run_file, tmp_path, where):
    target = tmp_path / "opp"
    (target / "vendors").mkdir(parents=True)
    user = NOBODY if os.geteuid() == 0 else None
    for folder in (tmp_path, *tmp_path.parents[:-1]):  # pytest's folders are private to the user
        if folder.stat().st_uid == os.geteuid() and os.geteuid() == 0 and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055)
    locked = target if where == "target" else target / "vendors"
    if where == "target":
        (target / "vendors").rmdir()
    locked.chmod(0o555)
    try:
        refused = call(run_file, f"--install-path={target}", code=1, user=user).stderr
    finally:
        locked.chmod(0o755)
    assert refused.startswith("install: cannot ") and f"{target}/vendors" in refused
    assert "permission" in refused
    assert not list(target.rglob("*.so"))


def test_reinstall_replaces(run_file, tmp_path):
    opp = tmp_path / "opp"
    opp.mkdir()
    call(run_file, ASCEND_OPP_PATH=opp)
    (opp / "vendors/custom/op_api/lib/stale.so").touch()
    call(make_package(tmp_path, text="two"), ASCEND_OPP_PATH=opp)
    assert (library(opp), priority(opp)) == ("two", "load_priority=custom\n")
    assert not (opp / "vendors/custom/op_api/lib/stale.so").exists()
    assert sorted(path.name for path in (opp / "vendors").iterdir()) == ["config.ini", "custom"]


def test_another_package_under_the_same_name_is_left_alone(run_file, tmp_path):
    theirs = tmp_path / "opp/vendors/custom"
    theirs.mkdir(parents=True)
    (theirs / "version.info").write_text("custom_opp_compiler_version=7.7\n")
    refused = call(run_file, f"--install-path={tmp_path / 'opp'}", code=1).stderr
    assert f"{theirs} holds another package" in refused and "--vendor_name=NAME" in refused
    assert [path.name for path in theirs.iterdir()] == ["version.info"]


def test_priorities_of_several_vendors(run_file, tmp_path):
    opp = tmp_path / "opp"
    (opp / "vendors").mkdir(parents=True)
    (opp / CONFIG).write_text("# kept\nload_priority = alpha, custom2 ,beta\n")
    other = make_package(tmp_path, vendor="second")
    steps = [
        (run_file, "custom,alpha,custom2,beta"),
        (other, "second,custom,alpha,custom2,beta"),
        (run_file, "custom,second,alpha,custom2,beta"),  # the newest install comes first
        (run_file, "custom,second,alpha,custom2,beta"),
    ]
    for file, expected in steps:
        call(file, ASCEND_OPP_PATH=opp)
        assert priority(opp) == f"# kept\nload_priority={expected}\n"
    assert uninstall(opp).stdout == f"uninstall: removed {opp}/vendors/custom\n"
    assert priority(opp) == "# kept\nload_priority=second,alpha,custom2,beta\n"
    assert library(opp, "second") == "one"


def test_uninstall_leaves_nothing(run_file, tmp_path):
    for variables, arguments in (({"ASCEND_OPP_PATH": tmp_path / "a"}, []), ({}, [f"--install-path={tmp_path / 'a'}"])):
        (tmp_path / "a").mkdir(exist_ok=True)
        call(run_file, *arguments, **variables)
        uninstall(tmp_path / "a")
        assert list((tmp_path / "a").iterdir()) == []


def test_uninstall_only_removes_an_installed_package(run_file, tmp_path):
    folder = tmp_path / "elsewhere/scripts"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "scripts/package/uninstall.sh", folder)
    refused = call(folder / "uninstall.sh", code=1).stderr
    assert "is not an installed package" in refused
    assert folder.exists()
