# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""ONNX: export the attention functions as npu::FlashAttentionScore nodes, and run them.

Needs the packages onnx and onnxscript; onnxruntime for session_options. See docs/onnx.md of the operator.
"""

from ascend_flash_attention._arguments import ExportError
from ascend_flash_attention.onnx import _schema, _symbolic
from ascend_flash_attention.onnx._export import export
from ascend_flash_attention.onnx._portable import add_function
from ascend_flash_attention.onnx._runtime import library_path, session_options
from ascend_flash_attention.onnx._translation import translation_table

__all__ = ["ExportError", "add_function", "export", "library_path", "session_options", "translation_table"]

_schema.register()
_symbolic.register()
