# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Two-phase calls of the official aclnn functions in the installed libcust_opapi.so."""

import ctypes
import importlib.util
from dataclasses import dataclass
from pathlib import Path

import torch
from ascendc_cpu.acl_objects import AclObjects, recent_error
from ascendc_cpu.native import runtime

from tests.reference.visibility import UNLIMITED
from tests.system.aclnn_entries import ENTRIES, LISTS, PREFIX, ctype

SUCCESS, NULL_POINTER, INVALID, TILING = 0, 161001, 161002, 561002
DEFAULTS = {
    "scaleValue": 1.0, "keepProb": 1.0, "preTokens": UNLIMITED, "nextTokens": UNLIMITED, "innerPrecise": 0,
    "sparseMode": 0, "pseType": 1,
}  # fmt: skip


class AclnnError(Exception):
    """A phase failed; `status` is what it returned, the text is aclGetRecentErrMsg's."""

    def __init__(self, status):
        self.status = status
        super().__init__(recent_error())


def library_path():
    package = importlib.util.find_spec("ascend_flash_attention").submodule_search_locations[0]
    return Path(package) / "vendors/custom/op_api/lib/libcust_opapi.so"


def library():
    runtime()  # first, so that both use the one that ASCENDC_CPU_LIB_DIR selects
    return ctypes.CDLL(str(library_path()))


@dataclass
class Formatted:
    """A tensor argument of an aclFormat other than ND."""

    tensor: torch.Tensor
    acl_format: int


def _pointer(objects, name, value):
    if value is None or isinstance(value, int):
        return value
    if name in LISTS:
        return objects.array("int64", value)
    if isinstance(value, Formatted):
        return objects.tensor(value.tensor.shape, "float32", acl_format=value.acl_format)
    dtype = str(value.dtype).removeprefix("torch.")
    return objects.tensor(value.shape, dtype, value.data_ptr(), value.stride())


def plan(name, arguments, first_phase="GetWorkspaceSize"):
    """First phase. Arguments by parameter name: tensors, lists, numbers, text; the missing ones as a caller without
    wishes gives them. workspaceSize and executor may be given as None. Returns (workspace size, executor address)."""
    function = getattr(library(), PREFIX + name + first_phase)
    parameters = ENTRIES[name]
    function.argtypes = [ctype(each) for each in parameters]
    unknown = set(arguments) - set(parameters)
    if unknown:
        raise TypeError(f"{name} has no {unknown}")
    size, executor = ctypes.c_uint64(12345), ctypes.c_void_p()
    values = {"workspaceSize": ctypes.addressof(size), "executor": ctypes.addressof(executor)} | DEFAULTS | arguments
    recent_error()
    with AclObjects() as objects:
        passed = []
        for each in parameters:
            value = values.get(each)
            pointer = ctype(each) is ctypes.c_void_p
            text = ctype(each) is ctypes.c_char_p and value is not None
            passed.append(_pointer(objects, each, value) if pointer else value.encode() if text else value)
        status = function(*passed)
    if status != SUCCESS:
        raise AclnnError(status)
    return size.value, executor.value


def run(name, size, executor):
    """Second phase."""
    function = getattr(library(), PREFIX + name)
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p]
    workspace = torch.empty(size, dtype=torch.uint8)
    status = function(workspace.data_ptr(), size, executor, None)
    if status != SUCCESS:
        raise AclnnError(status)


def call(name, arguments):
    """Both phases."""
    run(name, *plan(name, arguments))
