# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""aclTensor and its relatives from Python, as arguments of the host runtime's C functions."""

import ctypes
from collections.abc import Sequence

import numpy as np

from .native import runtime

ACL_FORMAT_ND = 2
# name of a dtype -> aclDataType, which has ge::DataType's numbers
ACL_DTYPES = {
    "float32": 0,
    "float16": 1,
    "int8": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 6,
    "uint16": 7,
    "uint32": 8,
    "int64": 9,
    "uint64": 10,
    "float64": 11,
    "bool": 12,
    "bfloat16": 27,
}
_ARRAYS = {  # dtype -> function, numpy dtype of its elements
    "int64": ("aclCreateIntArray", np.int64),
    "float32": ("aclCreateFloatArray", np.float32),
    "bool": ("aclCreateBoolArray", np.bool_),
}


def recent_error() -> str:
    """What aclGetRecentErrMsg has for this thread; reading clears it."""
    library = runtime()
    library.aclGetRecentErrMsg.restype = ctypes.c_char_p
    return (library.aclGetRecentErrMsg() or b"").decode(errors="replace")


def _number(dtype: str) -> int:
    if dtype not in ACL_DTYPES:
        raise ValueError(f"dtype: got {dtype}, allowed: {', '.join(ACL_DTYPES)}")
    return ACL_DTYPES[dtype]


def _int64_array(values: Sequence[int]) -> ctypes.Array:
    return (ctypes.c_int64 * len(values))(*values)


class AclObjects:
    """Objects made for one call, destroyed on leaving the `with` block."""

    def __init__(self):
        self._destroy: list[tuple[str, int]] = []
        self._keep: list[object] = []

    def __enter__(self) -> "AclObjects":
        return self

    def __exit__(self, *_exception: object) -> None:
        for function, pointer in self._destroy:
            getattr(runtime(), function)(ctypes.c_void_p(pointer))

    def _create(self, function: str, *arguments: object) -> int:
        create = getattr(runtime(), function)
        create.restype = ctypes.c_void_p
        pointer = create(*arguments)
        if not pointer:
            raise ValueError(recent_error())
        self._destroy.append((function.replace("Create", "Destroy"), pointer))
        return pointer

    def tensor(
        self,
        shape: Sequence[int],
        dtype: str,
        address: int = 0,
        strides: Sequence[int] | None = None,
        offset: int = 0,
        acl_format: int = ACL_FORMAT_ND,
    ) -> int:
        """An aclTensor. Strides and offset in elements; address 0: a tensor without data."""
        return self._create(
            "aclCreateTensor",
            _int64_array(shape),
            ctypes.c_uint64(len(shape)),
            _number(dtype),
            None if strides is None else _int64_array(strides),
            ctypes.c_int64(offset),
            acl_format,
            _int64_array(shape),
            ctypes.c_uint64(len(shape)),
            ctypes.c_void_p(address or None),
        )

    def shape(self, shape: Sequence[int], dtype: str) -> int:
        """An aclTensor for inference: no data, dimensions may be -1 (unknown) or a single -2 (unknown rank)."""
        create = runtime().AscendcCpuCreateShape
        create.restype = ctypes.c_void_p
        pointer = create(_int64_array(shape), ctypes.c_uint64(len(shape)), _number(dtype))
        if not pointer:
            raise ValueError(recent_error())
        self._destroy.append(("aclDestroyTensor", pointer))
        return pointer

    def array(self, dtype: str, values: Sequence) -> int:
        """An aclIntArray, aclFloatArray or aclBoolArray."""
        if dtype not in _ARRAYS:
            raise ValueError(f"dtype of a list: got {dtype}, allowed: {', '.join(_ARRAYS)}")
        function, element = _ARRAYS[dtype]
        data = np.ascontiguousarray(values, dtype=element)
        return self._create(function, ctypes.c_void_p(data.ctypes.data), ctypes.c_uint64(data.size))

    def keep(self, value: object) -> object:
        """Hold a ctypes value until the end of the call; gives it back."""
        self._keep.append(value)
        return value


def pointer_list(pointers: Sequence[int | None]) -> ctypes.Array:
    return (ctypes.c_void_p * max(len(pointers), 1))(*pointers)
