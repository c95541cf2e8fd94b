# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Runs AscendC kernels on the CPU: compile() builds a kernel, .launch() runs it."""

from .compiler import CompileError, compile
from .findings import Finding, Report, check_session
from .kernel_module import KernelError, KernelModule
from .native import isa_name

__all__ = ["CompileError", "Finding", "KernelError", "KernelModule", "Report", "check_session", "compile", "isa_name"]
