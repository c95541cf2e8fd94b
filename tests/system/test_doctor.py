# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The doctor's checks on made-up machines, its command, and which_kernel."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import ascend_flash_attention
import pytest
from ascend_flash_attention import _doctor_checks as checks
from ascend_flash_attention import _installation, explain_tiling, which_kernel
from ascend_flash_attention._doctor_command import _kernels

import ascendc_cpu

PACKAGE = Path(ascend_flash_attention.__file__).parent


def write(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def op_library(vendor, exports=None):
    exports = exports or _installation.FORWARD_ENTRY.decode()
    return write(vendor / "op_api/lib/libcust_opapi.so", f"\0{exports}\0")


def machine(tmp_path, **environ):
    return checks.Machine({"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], **environ}, tmp_path)


def findings(check, *arguments):
    return [(finding.state, finding.text) for finding in check(*arguments)]


def test_search_order_of_op_packages(tmp_path):
    opp = tmp_path / "opp"
    write(opp / "vendors/config.ini", "[x]\nload_priority = second, first\n")
    environ = {"ASCEND_CUSTOM_OPP_PATH": f"{tmp_path}/b::{tmp_path}/a", "ASCEND_OPP_PATH": str(opp)}
    vendors = [library.vendor for library in _installation.op_libraries(environ)]
    assert vendors == [tmp_path / "b", tmp_path / "a", opp / "vendors/second", opp / "vendors/first"]
    assert _installation.op_libraries({}) == []
    (opp / "vendors/config.ini").unlink()
    assert len(_installation.op_libraries(environ)) == 2


def test_op_packages_say_which_is_taken_and_what_is_wrong(tmp_path):
    good, other = tmp_path / "good", tmp_path / "other"
    op_library(good)
    op_library(other, "aclnnSomethingElse")
    write(good / "version.info", "vendor=custom\nversion=[1.2.3]\n")
    gone = tmp_path / "gone"
    both = findings(checks.op_packages, machine(tmp_path, ASCEND_CUSTOM_OPP_PATH=f"{gone}:{good}:{other}"))
    assert [state for state, _ in both] == [checks.NOTE, checks.OK, checks.NOTE]
    assert f"{gone}/op_api/lib/libcust_opapi.so does not exist" in both[0][1]
    assert f"{good} 1.2.3: taken for npu tensors (ASCEND_CUSTOM_OPP_PATH entry {good})" == both[1][1]
    assert f"{other}: hidden by {good}" in both[2][1]
    wrong = findings(checks.op_packages, machine(tmp_path, ASCEND_CUSTOM_OPP_PATH=f"{other}:{good}"))
    assert wrong[0][0] == checks.BAD and "does not export aclnnFlashAttentionScoreGetWorkspaceSize" in wrong[0][1]
    assert "none is installed" in findings(checks.op_packages, machine(tmp_path))[0][1]


def test_driver_and_devices(tmp_path):
    assert "no driver, no /dev/davinci*" in findings(checks.system, machine(tmp_path))[1][1]
    write(tmp_path / "usr/local/Ascend/driver/version.info", "Version=24.1.0\n")
    assert "driver 24.1.0, but no /dev/davinci*" in findings(checks.system, machine(tmp_path))[1][1]
    for name in ("davinci0", "davinci1", "davinci_manager"):
        write(tmp_path / "dev" / name)
    assert findings(checks.system, machine(tmp_path))[1] == (checks.OK, "24.1.0, devices davinci0, davinci1")


def test_cann_of_the_shell_and_of_the_machine(tmp_path):
    assert findings(checks.cann, machine(tmp_path)) == [(checks.NOTE, "not installed: CPU only")]
    home = tmp_path / "usr/local/Ascend/cann"
    write(home / "compiler/version.info", "Version=8.5.0\n")
    (unused,) = checks.cann(machine(tmp_path))
    assert "not used by this shell" in unused.text and f"source {home}/set_env.sh" in unused.advice
    used = findings(checks.cann, machine(tmp_path, ASCEND_HOME_PATH=str(home), ASCEND_OPP_PATH=str(home / "opp")))
    assert used == [(checks.OK, f"8.5.0 in {home}")]
    half = findings(checks.cann, machine(tmp_path, ASCEND_HOME_PATH=str(home)))
    assert half[1][0] == checks.BAD and "ASCEND_OPP_PATH is not set" in half[1][1]
    empty = findings(checks.cann, machine(tmp_path, ASCEND_HOME_PATH=str(tmp_path), ASCEND_OPP_PATH="x"))
    assert empty == [(checks.BAD, f"ASCEND_HOME_PATH is {tmp_path}, which holds no version.info")]


def test_emulation_in_front_of_cann_is_named(tmp_path):
    home = tmp_path / "cann"
    write(home / "version.info", "version=9.0.0\n")
    environ = {"ASCEND_HOME_PATH": str(home), "ASCEND_OPP_PATH": str(home / "opp")}
    write(tmp_path / "cpu/lib/libascendc_cpu.so")
    write(tmp_path / "cpu/lib/acl/libascendcl.so")
    write(home / "lib64/libascendcl.so")
    path = f"{tmp_path}/cpu/lib/acl:{home}/lib64"
    emulated = findings(checks.cann, machine(tmp_path, LD_LIBRARY_PATH=path, **environ))
    assert emulated[1][1].endswith("lib/acl/libascendcl.so, ascendc_cpu emulation")
    assert emulated[2][0] == checks.NOTE and "npu tensors are emulated" in emulated[2][1]
    real = findings(checks.cann, machine(tmp_path, LD_LIBRARY_PATH=f"{home}/lib64", **environ))
    assert real[1:] == [(checks.OK, f"{home}/lib64/libascendcl.so, CANN's")]


def test_versions_of_torch_and_torch_npu_must_agree(tmp_path, monkeypatch):
    versions = {"torch": "2.13.0+cpu", "torch_npu": "2.12.0"}
    monkeypatch.setattr(checks, "version_of", versions.get)
    failures = {"torch": "", "torch_npu": "ImportError: libhccl.so: cannot open shared object file"}
    monkeypatch.setattr(checks, "_import_failure", lambda machine, module, **variables: failures[module])
    found = list(checks.torch_packages(machine(tmp_path)))
    assert [finding.state for finding in found] == [checks.OK, checks.BAD, checks.BAD, checks.BAD]
    assert found[1].text == "2.12.0 with torch 2.13.0+cpu" and "set_env.sh" in found[2].advice
    assert "TORCH_DEVICE_BACKEND_AUTOLOAD=0" in found[3].advice
    versions["torch_npu"], failures["torch_npu"] = "2.13.0", ""
    assert {finding.state for finding in checks.torch_packages(machine(tmp_path))} == {checks.OK}


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("ImportError: libtorch_npu.so: undefined symbol: aclrtMalloc", "source one set_env only"),
        ("OSError: x.so: undefined symbol: _ZN3c106detail14torchCheckFailE", "built for another torch"),
        ("RuntimeError: You can disable it with TORCH_DEVICE_BACKEND_AUTOLOAD=0.", "see there"),
        ("ImportError: libascend_hal.so: cannot open shared object file", "install the driver"),
        ("ImportError: /lib/libstdc++.so.6: version `GLIBCXX_3.4.32' not found", "rebuild the package here"),
        ("ImportError: a.so is missing: the package is not built; run x", "bash build.sh"),
        ("ZeroDivisionError", ""),
    ],
)
def test_remedies(text, advice):
    assert advice in checks.remedy(text) and bool(advice) == bool(checks.remedy(text))


def command(*arguments, **environ):
    return subprocess.run(
        [sys.executable, "-m", "ascend_flash_attention", "doctor", *arguments],
        env={**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0", **environ},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_command_finds_a_working_package():
    run = command("--json")
    found = json.loads(run.stdout)
    package = [finding for finding in found if finding["topic"] == "this package"]
    assert package[0]["state"] == checks.OK and str(PACKAGE) in package[0]["text"], run.stderr
    (kernel, *_) = [finding["text"] for finding in found if finding["topic"] == "kernel"]
    assert kernel.startswith("cpu tensors: ascendc_cpu emulation")


def test_command_works_where_the_package_cannot_be_imported(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "ascend_flash_attention", ignore=shutil.ignore_patterns("*.so", "vendors"))
    run = command(PYTHONPATH=f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    assert run.returncode == 1 and "Traceback" not in run.stderr, run.stderr
    assert "BAD   this package: " in run.stdout and "-> run `bash build.sh` in a clone of the project" in run.stdout
    assert "kernel:" not in run.stdout


def test_which_kernel_of_cpu_tensors(monkeypatch):
    monkeypatch.delenv("ASCENDC_CPU_NUM_THREADS", raising=False)
    monkeypatch.setenv("ASCENDC_CPU_SOC", "Ascend910B3")
    kernel = which_kernel()
    assert kernel.backend == "ascendc_cpu emulation" and kernel.device == "cpu"
    assert kernel.library == PACKAGE / "vendors/custom/op_api/lib/libcust_opapi.so"
    assert kernel.kernels.is_file() and kernel.runtime.name == "libascendc_cpu.so"
    assert kernel.isa == ascendc_cpu.isa_name()
    assert (kernel.soc, kernel.cores) == ("Ascend910B3", explain_tiling((1, 1, 1, 1)).cores)
    assert str(kernel).startswith("cpu tensors: ascendc_cpu emulation\n") and kernel.isa in str(kernel)
    monkeypatch.setenv("ASCENDC_CPU_NUM_THREADS", "3")
    assert which_kernel().threads == 3


def test_which_kernel_of_npu_tensors(tmp_path, monkeypatch):
    for name in ("ASCEND_CUSTOM_OPP_PATH", "ASCEND_OPP_PATH", "LD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("ascend_flash_attention.kernel_choice._loaded", lambda name: None)
    assert which_kernel("npu").backend == "none"
    write(tmp_path / "cann/lib64/libascendcl.so")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{tmp_path}/cann/lib64")
    builtin = which_kernel("npu")
    assert builtin.backend == "CANN" and builtin.library is None and "built-in" in builtin.reason
    library = op_library(tmp_path / "vendor")
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", f"{tmp_path}/absent:{tmp_path}/vendor")
    custom = which_kernel("npu")
    assert (custom.backend, custom.library) == ("CANN", library) and "ASCEND_CUSTOM_OPP_PATH" in custom.reason
    op_library(tmp_path / "vendor", "nothing")
    assert which_kernel("npu").backend == "none" and "does not export" in which_kernel("npu").reason
    with pytest.raises(ValueError, match="device must be cpu or npu, got 'gpu'"):
        which_kernel("gpu")


def test_doctor_says_what_is_wrong_with_a_setting(monkeypatch):
    monkeypatch.setenv("ASCENDC_CPU_SOC", "Ascend310")
    assert [(finding.state, "Ascend310" in finding.text) for finding in _kernels()][0] == (checks.BAD, True)
