# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The host half of an operator without kernels: shape inference and tiling.

host.load("build/cpu/vendors/custom/op_api/lib/libcust_opapi.so")
result = host.run_tiling("FlashAttentionScore", [((1, 8, 128, 64), "float16")] * 3, {"head_num": 8, ...})
"""

import ctypes
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .acl_objects import AclObjects, pointer_list, recent_error
from .native import runtime

Tensor = tuple  # (shape, dtype) or (shape, dtype, data); dtype by name: "float16", "bfloat16", "int64" ...
_SCALARS = {"bool": ctypes.c_bool, "float": ctypes.c_double, "int": ctypes.c_int64}
_LIST_DTYPES = {"list_bool": "bool", "list_float": "float32", "list_int": "int64"}


class HostFunctionError(ValueError):
    """A check, an inference or a tiling that failed, with the host's text. status: the aclnn status."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


@dataclass(frozen=True)
class TilingResult:
    """What the tiling answered."""

    key: int
    block_dim: int
    workspace: int  # bytes, the library's 16 MiB included
    schedule_mode: int  # 1: all blocks start together
    tiling_data: bytes
    column: int  # of the OpDef's dtype lists
    outputs: tuple[tuple[tuple[int, ...], str], ...]  # (shape, "DT_FLOAT16") of each output

    def record(self, dtype: np.dtype) -> np.void:
        """The tiling data as a record of a numpy struct dtype that describes all of it."""
        if np.dtype(dtype).itemsize != len(self.tiling_data):
            raise ValueError(f"dtype has {np.dtype(dtype).itemsize} bytes, the tiling data {len(self.tiling_data)}")
        return np.frombuffer(self.tiling_data, dtype)[0]


def load(*libraries: str | Path) -> None:
    """Load libraries that register operators: a libcust_opapi.so, or definition, inference and tiling libraries."""
    runtime()
    for library in libraries:
        ctypes.CDLL(str(Path(library).resolve()))


def definition(op: str) -> dict:
    """The operator's entry of opdefs.json."""
    runtime().AscendcCpuOpDefsJson.restype = ctypes.c_char_p
    ops = {each["type"]: each for each in json.loads(runtime().AscendcCpuOpDefsJson())["ops"]}
    if op not in ops:
        raise ValueError(f"op: got {op}, loaded: {', '.join(ops) or 'none'}")
    return ops[op]


def _tensor_argument(objects: AclObjects, param: dict, value: Tensor | None) -> int | None:
    if value is None:
        return None
    shape, dtype, data = (*value, None)[:3]
    if data is None:
        return objects.shape(shape, dtype) if any(dim < 0 for dim in shape) else objects.tensor(shape, dtype)
    if param["value_depend"]:
        return objects.array(dtype, data)
    array = objects.keep(np.ascontiguousarray(data))
    return objects.tensor(shape, dtype, array.ctypes.data)


def _tensor_arguments(objects: AclObjects, params: Sequence[dict], values: Sequence[Tensor | None]) -> ctypes.Array:
    if len(values) > len(params):
        raise ValueError(f"got {len(values)} tensors, allowed: {len(params)}")
    padded = [*values, *[None] * (len(params) - len(values))]
    return pointer_list([_tensor_argument(objects, *each) for each in zip(params, padded, strict=True)])


def _attr_argument(objects: AclObjects, attr: dict, values: Mapping[str, object]) -> int | None:
    if attr["name"] not in values and attr["required"]:
        raise ValueError(f"attribute {attr['name']} is required")
    value = values.get(attr["name"], attr["default"])
    if attr["type"] == "str":
        return ctypes.cast(objects.keep(ctypes.create_string_buffer(str(value).encode())), ctypes.c_void_p).value
    if attr["type"] in _LIST_DTYPES:
        return objects.array(_LIST_DTYPES[attr["type"]], value)
    return ctypes.addressof(objects.keep(_SCALARS[attr["type"]](value)))


def _attr_arguments(objects: AclObjects, attrs: Sequence[dict], values: Mapping[str, object]) -> ctypes.Array:
    names = [each["name"] for each in attrs]
    for name in values:
        if name not in names:
            raise ValueError(f"attribute: got {name}, allowed: {', '.join(names)}")
    return pointer_list([_attr_argument(objects, each, values) for each in attrs])


def answer_of(status: int, text: ctypes.c_char_p) -> object:
    """The JSON answer of a C function; HostFunctionError with its text unless status is 0."""
    error = recent_error()
    if status != 0:
        raise HostFunctionError(status, error)
    return json.loads(text.value)


def _shapes(outputs: Sequence[dict]) -> tuple[tuple[tuple[int, ...], str], ...]:
    return tuple((tuple(each["shape"]), each["dtype"]) for each in outputs)


def run_tiling(
    op: str,
    inputs: Sequence[Tensor | None],
    attrs: Mapping[str, object] | None = None,
    outputs: Sequence[Tensor | None] | None = None,
    soc: str | None = "cpu",
    fill: int = 0,
) -> TilingResult:
    """Run inference and tiling of a loaded operator.

    inputs: (shape, dtype) or (shape, dtype, data) by position in the OpDef, None when absent; missing ones at the end
        are absent. Data is needed for value-depend inputs only, and must stay as it is during the call.
    attrs: by name; the others have their defaults.
    outputs: checked against inference when given, else what inference says.
    soc: row of the platform table; None: ASCENDC_CPU_SOC, else "cpu".
    fill: every byte of the tiling buffer before the tiling, to find fields that it does not assign.
    Raises HostFunctionError with the host's text, ValueError for arguments that do not fit the definition.
    """
    entry = definition(op)
    text = ctypes.c_char_p()
    with AclObjects() as objects:
        status = runtime().AscendcCpuRunTiling(
            op.encode(),
            _tensor_arguments(objects, entry["inputs"], inputs),
            _attr_arguments(objects, entry["attrs"], attrs or {}),
            None if outputs is None else _tensor_arguments(objects, entry["outputs"], outputs),
            None if soc is None else soc.encode(),
            ctypes.c_uint8(fill),
            ctypes.byref(text),
        )
        answer = answer_of(status, text)
    data = bytes.fromhex(answer.pop("tiling_data"))
    return TilingResult(tiling_data=data, outputs=_shapes(answer.pop("outputs")), **answer)


def infer_shape(
    op: str, inputs: Sequence[Tensor | None], attrs: Mapping[str, object] | None = None
) -> tuple[tuple[tuple[int, ...], str], ...]:
    """(shape, dtype as in "DT_FLOAT16") of each output. Arguments and errors as for run_tiling, but dimensions may be
    unknown: -1, or a single -2 when the rank is."""
    entry = definition(op)
    text = ctypes.c_char_p()
    with AclObjects() as objects:
        status = runtime().AscendcCpuInferShape(
            op.encode(),
            _tensor_arguments(objects, entry["inputs"], inputs),
            _attr_arguments(objects, entry["attrs"], attrs or {}),
            ctypes.byref(text),
        )
        return _shapes(answer_of(status, text))
