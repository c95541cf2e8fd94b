# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The operator library for onnxruntime."""

from pathlib import Path

_LIBRARY = "libascend_flash_attention_ort.so"


def library_path() -> Path:
    """The custom-op library that runs npu::FlashAttentionScore on the CPU kernel. ImportError if it was not built.

    It uses ASCENDC_CPU_NUM_THREADS threads or all cores: an operator cannot see onnxruntime's intra-op number.
    """
    path = Path(__file__).parents[1] / _LIBRARY
    if not path.exists():
        raise ImportError(f"{path} is missing: the package is not built; run `bash build.sh` in a clone of the project")
    return path


def session_options(options=None):
    """onnxruntime.SessionOptions (new, or the given ones) with the library registered."""
    import onnxruntime

    options = onnxruntime.SessionOptions() if options is None else options
    options.register_custom_ops_library(str(library_path()))
    return options
