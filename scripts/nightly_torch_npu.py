# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The whole proof beside torch_npu, from a checkout: about half an hour on two cores, once a night.

    python3 scripts/nightly_torch_npu.py [--keep]

1. A fresh environment build/torch_npu/nightly with torch, torch_npu, transformers and this project, built there with
   torch_npu present, so that cmake makes the extension for npu tensors.
2. tests/npu in it: every case of the case table on npu tensors, Hugging Face's paths on a small Llama.
3. The op package for the CPU: built, installed with --install-path, and found by torch_npu through its set_env.bash.

--keep: use the environment of an earlier run again.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "torch_npu"
VENV = FOLDER / "nightly"
PACKAGES = ["-r", "scripts/build/requirements.txt", "transformers==5.24.0"]
TORCH_NPU = "torch_npu==2.13.0"
PROGRAM = """
import torch
import torch_npu

torch.manual_seed(0)
query, key, value = (torch.randn(2, 8, 300, 64, dtype=torch.float16) for _ in range(3))
mask = torch.ones(2048, 2048, dtype=torch.bool).triu(1)
out = torch_npu.npu_fusion_attention(
    query.npu(), key.npu(), value.npu(), 8, "BNSD", scale=64**-0.5, atten_mask=mask.npu(), sparse_mode=2
)[0].cpu()
import ascend_flash_attention

expected = ascend_flash_attention.npu_flash_attention(query, key, value, sparse_mode=2)[0]
libraries = {line.split()[-1] for line in open("/proc/self/maps") if "libascendc_cpu.so" in line}
print("same bits:", out.equal(expected), "runtimes:", len(libraries), "of the package:", PACKAGE in libraries.pop())
"""


def run(*command, **variables) -> str:
    """Output of a command that must succeed; shown as it comes."""
    print("+", *command, flush=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND")}
    environment |= {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0", **variables}
    lines = []
    with subprocess.Popen(
        list(map(str, command)), cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode != 0:
        sys.exit(f"exit code {process.returncode} of {' '.join(map(str, command))}")
    return "".join(lines)


def in_environment_of(script: Path, *command) -> str:
    """run() after `source script`, with torch_npu loaded by torch."""
    return run("bash", "-c", 'source "$0" && exec "$@"', script, *command, TORCH_DEVICE_BACKEND_AUTOLOAD="1")


def make_environment(keep: bool) -> Path:
    """Interpreter of the environment with everything installed."""
    python = VENV / "bin" / "python"
    if not (keep and python.exists()):
        shutil.rmtree(VENV, ignore_errors=True)
        run(sys.executable, "-m", "venv", VENV)
        pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
        run(*pip, *PACKAGES)
        run(*pip, "--no-deps", TORCH_NPU)
    options = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check", "--force-reinstall"]
    run(python, "-m", "pip", "install", *options, f"-Cbuild-dir={FOLDER / 'nightly_build'}", ".")
    return python


def package_of(python: Path) -> Path:
    lines = run(python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").splitlines()
    return Path(lines[-1]) / "ascend_flash_attention"


def check_op_package(python: Path) -> None:
    """Build, install and use the op package beside the environment's torch_npu."""
    target = FOLDER / "opp"
    shutil.rmtree(target, ignore_errors=True)
    run("bash", "build.sh", "--pkg", "--soc=cpu")
    (package,) = (ROOT / "build_out").glob("custom_opp_*.run")
    run("bash", package, "--quiet", f"--install-path={target}")
    vendor = target / "vendors" / "custom"
    output = in_environment_of(
        vendor / "bin" / "set_env.bash", python, "-c", PROGRAM.replace("PACKAGE", repr(str(vendor)))
    )
    if "same bits: True runtimes: 1 of the package: True\n" not in output:
        sys.exit("torch_npu and the CPU path differ, or more than one runtime is in the process")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true")
    start = time.monotonic()
    python = make_environment(parser.parse_args().keep)
    package = package_of(python)
    if not (package / "libascend_flash_attention_npu.so").exists():
        sys.exit("cmake did not build the extension for npu tensors")
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", "--case-tags=smoke,full", "tests/npu"]
    in_environment_of(package / "set_env.bash", python, *tests)
    check_op_package(python)
    print(f"torch_npu nightly: ok, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
