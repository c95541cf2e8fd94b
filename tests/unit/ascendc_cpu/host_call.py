# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Calls the generated aclnn code of AddScaled through ctypes."""

import ctypes
from dataclasses import dataclass

import numpy as np
from ascendc_cpu.acl_objects import AclObjects

ALIGNMENT_SLACK = 512
POISON = 0xFF


@dataclass(frozen=True)
class Plan:
    """Answer of the first phase."""

    status: int
    workspace_size: int
    executor: ctypes.c_void_p


class AddScaled:
    """The two phases, with numpy arrays as tensors. Views are passed as views of their base array."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))

    @staticmethod
    def tensor(objects: AclObjects, array: np.ndarray | None) -> ctypes.c_void_p:
        if array is None:
            return ctypes.c_void_p()
        base = array if array.base is None or not isinstance(array.base, np.ndarray) else array.base
        offset = (array.ctypes.data - base.ctypes.data) // array.itemsize
        strides = [stride // array.itemsize for stride in array.strides]
        return ctypes.c_void_p(objects.tensor(array.shape, str(array.dtype), base.ctypes.data, strides, offset))

    def plan(
        self,
        objects: AclObjects,
        x1,
        x2,
        out,
        bias=None,
        shifts=None,
        total=None,
        *,
        blocks: int = 2,
        scale: float = 0.5,
        case: str | None = None,
        weights: list[int] | None = None,
    ) -> Plan:
        workspace_size, executor = ctypes.c_uint64(99), ctypes.c_void_p(99)
        status = self.library.aclnnInnerAddScaledGetWorkspaceSize(
            self.tensor(objects, x1),
            self.tensor(objects, x2),
            self.tensor(objects, bias),
            None if shifts is None else ctypes.c_void_p(objects.array("int64", shifts)),
            ctypes.c_int64(blocks),
            ctypes.c_double(scale),
            None if case is None else case.encode(),
            None if weights is None else ctypes.c_void_p(objects.array("int64", weights)),
            self.tensor(objects, out),
            self.tensor(objects, total),
            ctypes.byref(workspace_size),
            ctypes.byref(executor),
        )
        return Plan(status, workspace_size.value, executor)

    def run(self, plan: Plan, workspace: np.ndarray | None = None) -> int:
        """Second phase, on a poisoned workspace of exactly the size asked for."""
        if workspace is None:
            workspace = np.full(plan.workspace_size, POISON, np.uint8)
        address = ctypes.c_void_p(workspace.ctypes.data if workspace.size else None)
        return self.library.aclnnInnerAddScaled(address, ctypes.c_uint64(workspace.size), plan.executor, None)

    def __call__(self, *arrays, **options) -> int:
        """Both phases; the aclTensors are destroyed in between. Returns the first status that is not 0."""
        with AclObjects() as objects:
            plan = self.plan(objects, *arrays, **options)
        return plan.status or self.run(plan)
