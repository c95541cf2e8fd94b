# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Say what of driver, CANN, torch and this package is here, which kernel runs and why, and what to do."""

import argparse
import json
import os
from dataclasses import asdict

from ascend_flash_attention._doctor_checks import BAD, CHECKS, OK, Finding, Machine, version_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def _kernels() -> list[Finding]:
    """One finding for each kind of tensor. Loads torch and the package: only where both can be imported."""
    os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
    from ascend_flash_attention import _library  # noqa: F401 - loads what which_kernel looks at
    from ascend_flash_attention.kernel_choice import which_kernel

    findings = []
    for device in ("cpu", "npu") if version_of("torch_npu") else ("cpu",):
        try:
            kernel = which_kernel(device)
            findings.append(Finding(BAD if kernel.backend == "none" else OK, "kernel", str(kernel)))
        except ValueError as error:
            findings.append(Finding(BAD, "kernel", f"{device} tensors: {error}"))
    return findings


def examine(machine: Machine) -> list[Finding]:
    findings = [finding for check in CHECKS for finding in check(machine)]
    broken = any(finding.state == BAD and finding.topic in ("torch", "this package") for finding in findings)
    return findings if broken else findings + _kernels()


def run(options: argparse.Namespace) -> int:
    findings = examine(Machine())
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        for finding in findings:
            print(f"{finding.state:4}  {finding.topic}: " + finding.text.replace("\n", "\n      "))
            if finding.advice:
                print(f"      -> {finding.advice}")
        print("More: flash_attention_score/docs/troubleshooting.md in the clone of the project")
    return 1 if any(finding.state == BAD for finding in findings) else 0
