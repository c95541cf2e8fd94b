# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A loaded kernel and its launches."""

import ctypes
from collections.abc import Callable, Collection

import numpy as np

from . import native
from .findings import Report, parse_report


class KernelError(RuntimeError):
    """What a core reported: "AIV 3.1: DataCopy: ..."."""


def _slot(position: int, argument) -> int:
    """The 64 bits of one kernel argument: an address, or a scalar's bits."""
    if argument is None:
        return 0
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise ValueError(f"argument {position} of shape {argument.shape} is not contiguous")
        if not argument.flags.writeable:
            raise ValueError(f"argument {position} is read-only, and a kernel may write to any array: pass a copy")
        return argument.ctypes.data
    if isinstance(argument, np.generic):
        if argument.dtype.itemsize > 8:
            raise ValueError(f"argument {position} is a scalar of {argument.dtype.itemsize} bytes, pass it as an array")
        return int.from_bytes(argument.tobytes(), "little")
    if isinstance(argument, int):
        return argument & 0xFFFFFFFFFFFFFFFF
    raise ValueError(f"argument {position} is a {type(argument).__name__}, allowed are numpy arrays, ints and None")


def _check_integer(name: str, value, allowed: range) -> None:
    is_integer = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_integer or int(value) not in allowed:
        raise ValueError(f"{name} is {value!r}, allowed are integers from {allowed.start} to {allowed.stop - 1}")


def _tiling_array(tiling) -> np.ndarray:
    """Bytes of the tiling struct. A copy: the kernel gets it for the launch only."""
    if isinstance(tiling, bytes | bytearray | memoryview):
        return np.frombuffer(bytes(tiling), np.uint8)
    return np.frombuffer(np.asarray(tiling).tobytes(), np.uint8)


class KernelModule:
    """Kernels of one compile(): one dtype column, one or more tiling keys."""

    def __init__(self, op: str, column: str, handle: ctypes.CDLL, load_checked: Callable[[], ctypes.CDLL]):
        self.op = op
        self.column = column
        self._handle = handle
        self._load_checked = load_checked
        self._checked_handle: ctypes.CDLL | None = None

    def launch(
        self,
        block_dim: int,
        *arguments,
        tiling=None,
        key: int = 0,
        threads: int | None = None,
        check: bool = False,
        unwritten: Collection[int] = (),
        auto_sync: bool = False,
        constant: Collection[int] = (),
    ) -> Report | None:
        """Run `block_dim` (1 to 64) groups of cores.

        arguments: in the order of the entry; a contiguous, writeable numpy array is passed by address, an int or numpy
        scalar by value, None as nullptr.
        tiling: bytes or a numpy record, passed as the last argument.
        threads: default ASCENDC_CPU_NUM_THREADS, or all host cores.
        Raises KernelError with the first error of a core, ValueError for arguments that cannot be passed. The GIL is
        not held meanwhile.

        check: run in the checked mode, in one thread, and return what was found instead of raising KernelError.
        unwritten: positions of arguments whose contents do not count, e.g. outputs and workspace: they are filled with
        NaN, and reading them before they are written is a finding.
        auto_sync: take for granted what the compiler orders with --cce-auto-sync=on.
        constant: positions of arguments that nobody writes during the launch: copies from there to L1 may wait until
        something reads what they write. Without effect in the checked mode.
        """
        _check_integer("block_dim", block_dim, range(-(1 << 31), 1 << 31))  # the runtime knows how many there are
        _check_integer("key", key, range(1 << 64))
        if threads is not None:
            _check_integer("threads", threads, range(1, 1 << 31))
        slots = [_slot(i, argument) for i, argument in enumerate(arguments)]
        if tiling is not None:
            tiling = _tiling_array(tiling)  # alive until the kernel has ended
            slots.append(tiling.ctypes.data)
        sizes = [each.nbytes if isinstance(each, np.ndarray) else 0 for each in arguments]
        sizes += [tiling.nbytes] if tiling is not None else []
        if check:
            return self._check(block_dim, slots, sizes, key, unwritten, auto_sync)
        count = len(slots)
        failed = native.runtime().AscendcCpuLaunchWithConstants(
            self.op.encode(), self.column.encode(), int(key), int(block_dim), int(threads or 0),
            (ctypes.c_uint64 * count)(*slots), count, (ctypes.c_uint64 * count)(*sizes),
            (ctypes.c_uint8 * count)(*(i in constant for i in range(count))),
        )  # fmt: skip
        if failed:
            raise KernelError(native.last_error())
        return None

    def _check(
        self,
        block_dim: int,
        slots: list[int],
        sizes: list[int],
        key: int,
        unwritten: Collection[int],
        auto_sync: bool,
    ) -> Report:
        if self._checked_handle is None:
            self._checked_handle = self._load_checked()
        count = len(slots)
        report = native.runtime().AscendcCpuLaunchChecked(
            self.op.encode(), self.column.encode(), int(key), int(block_dim), (ctypes.c_uint64 * count)(*slots), count,
            (ctypes.c_uint64 * count)(*sizes), (ctypes.c_uint8 * count)(*(i in unwritten for i in range(count))),
            auto_sync,
        )  # fmt: skip
        if report is None:
            raise KernelError(native.last_error())
        return parse_report([report])
