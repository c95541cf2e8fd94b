# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The unmodified torch_npu wheel on the CPU's ACL runtime, in a virtual environment of its own (tests/npu)."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.npu import environment

PRINT_SAME = """
import torch
q = torch.randn(1, 2, 9, 16)
out = torch_npu.npu_fusion_attention(q.npu(), q.npu(), q.npu(), 2, "BNSD", scale=0.25)[0].cpu()
plain = (0.25 * q @ q.mT).softmax(-1) @ q
print("error below 1e-5:", bool((out - plain).abs().max() < 1e-5))
"""
SAME = "error below 1e-5: True"
TIMEOUT = 600


@pytest.fixture(scope="module")
def python():
    """Interpreter with torch_npu; the tests are skipped when it cannot be had."""
    try:
        return environment.make()
    except environment.Unavailable as reason:
        pytest.skip(f"no environment with {environment.TORCH_NPU}: {reason}")


def run(python, script, variables):
    command = [python, "-c", script]
    return subprocess.run(command, env=variables, cwd="/", capture_output=True, text=True, timeout=TIMEOUT)


def check(result, *lines):
    assert result.returncode == 0, result.stderr
    own = [line for line in result.stdout.splitlines() if not line.startswith("Warning: ")]  # torch_npu's without CANN
    assert own == list(lines), result.stderr


def test_suite_beside_torch_npu(python, request):
    """tests/npu in the environment; its report is the output of this test."""
    tags = request.config.getoption("--case-tags")
    slow = os.environ.get("FA_NIGHTLY") == "1"
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", "tests/npu"]
    command += [f"--case-tags={tags if slow else 'smoke'}"]
    result = subprocess.run(
        command, env=environment.variables(), cwd=environment.ROOT, capture_output=True, text=True, timeout=4 * TIMEOUT
    )
    print(result.stdout, result.stderr)
    assert result.returncode == 0, "see the report above"
    assert int(re.search(r"(\d+) passed", result.stdout).group(1)) > 100


def test_torch_npu_alone_finds_the_package_by_its_path(python):
    result = run(python, "import torch, torch_npu" + PRINT_SAME, environment.variables())
    check(result, SAME)
    assert result.stderr.count("ascendc_cpu emulation\n") == 1


def test_package_found_by_config_ini(python):
    variables = environment.variables()
    del variables["ASCEND_CUSTOM_OPP_PATH"]
    missing = run(python, "import torch, torch_npu" + PRINT_SAME, variables)
    assert missing.returncode == 1 and "aclnnFlashAttentionScore" in missing.stderr
    variables["ASCEND_OPP_PATH"] = str(environment.site_packages() / "ascend_flash_attention")
    check(run(python, "import torch, torch_npu" + PRINT_SAME, variables), SAME)


@pytest.mark.parametrize(
    "imports",
    [
        "import torch_npu, ascend_flash_attention",
        "import ascend_flash_attention, torch_npu",
        "import ascend_flash_attention",
    ],
)
def test_npu_flash_attention_whatever_is_imported_first(python, imports):
    script = (
        imports
        + """
import sys
torch_npu = sys.modules["torch_npu"]
q = __import__("torch").randn(1, 9, 32)
out = torch_npu.npu_flash_attention(q.npu(), q.npu(), q.npu(), scale=16 ** -0.5)[0]
print(out.device, torch_npu.npu_flash_attention is ascend_flash_attention.npu_flash_attention)
print(out.cpu().equal(ascend_flash_attention.npu_flash_attention(q, q, q, scale=16 ** -0.5)[0]))
"""
    )
    check(run(python, script, environment.variables()), "npu:0 True", "True")


def test_imported_after_the_package_when_torch_does_not_load_it(python):
    variables = {**environment.variables(), "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    script = """
import sys, ascend_flash_attention
print("torch_npu" in sys.modules)
import torch_npu
print(torch_npu.npu_flash_attention is ascend_flash_attention.npu_flash_attention)
"""
    check(run(python, script, variables), "False", "True")


def test_cpu_tensors_beside_an_unusable_torch_npu(python):
    variables = {**environment.variables(package=False), "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    script = """
import torch, ascend_flash_attention
q = torch.randn(1, 2, 9, 16)
print(ascend_flash_attention.npu_flash_attention(q, q, q)[0].shape == q.shape)
import torch_npu
"""
    result = run(python, script, variables)
    assert result.returncode == 1 and result.stdout == "True\n", result.stderr
    assert "libhccl.so: cannot open shared object file" in result.stderr


def test_package_that_was_built_without_torch_npu(python, tmp_path):
    package = environment.site_packages() / "ascend_flash_attention"
    copy = tmp_path / "ascend_flash_attention"
    shutil.copytree(package, copy, symlinks=True, ignore=shutil.ignore_patterns("libascend_flash_attention_npu.so"))
    (tmp_path / "ascendc_cpu").symlink_to(package.parent / "ascendc_cpu")
    script = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import torch, ascend_flash_attention
q = torch.randn(1, 2, 9, 16).npu()
ascend_flash_attention.npu_flash_attention(q, q, q)
"""
    result = run(python, script, environment.variables())
    assert result.returncode == 1
    assert "NotImplementedError: libascend_flash_attention_npu.so is missing" in result.stderr
    assert "python -m scripts.build.npu_extension" in result.stderr


def undefined(library):
    output = subprocess.check_output(["nm", "-D", "--undefined-only", str(library)], text=True)
    return {line.split()[-1] for line in output.splitlines()}


def test_every_name_that_the_wheel_is_linked_to_exists(python):
    site = environment.site_packages()
    libraries = [*(site / "torch_npu" / "lib").glob("*.so"), *(site / "torch_npu").glob("*.so")]
    # The ATB library is loaded only by who calls torch_npu.atb, and needs libatb.so first.
    names = set().union(*(undefined(library) for library in libraries if "atb" not in library.name))
    wanted = {name for name in names if re.match(r"(acl[a-z]*[A-Z]|rt[A-Z]|Msprof|Hccl|ge[A-Z])", name)}
    assert len(wanted) > 80
    runtime = site / "ascendc_cpu" / "lib" / "acl" / "libascendcl.so"
    output = subprocess.check_output(["nm", "-D", "--defined-only", str(runtime)], text=True)
    assert wanted <= {line.split()[-1] for line in output.splitlines()}


def test_the_environment_of_the_other_tests_stays_without_torch_npu():
    result = subprocess.run([sys.executable, "-c", "import torch_npu"], capture_output=True, text=True, cwd="/")
    assert "No module named 'torch_npu'" in result.stderr
