# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""torch.onnx.export with the operator's translation and its portable form."""

import io
from pathlib import Path

import onnx
import torch

from ascend_flash_attention._arguments import ExportError
from ascend_flash_attention.onnx import _symbolic
from ascend_flash_attention.onnx._list_inputs import lists_to_inputs
from ascend_flash_attention.onnx._portable import add_function
from ascend_flash_attention.onnx._translation import translation_table


def _own_error(error: BaseException | None) -> ExportError | None:
    while error is not None and not isinstance(error, ExportError):
        error = error.__cause__ or error.__context__
    return error


def _export_dynamo(model, args, options: dict) -> onnx.ModelProto:
    table = translation_table() | (options.pop("custom_translation_table", None) or {})
    return torch.onnx.export(model, args, dynamo=True, custom_translation_table=table, **options).model_proto


def _export_traced(model, args, options: dict) -> onnx.ModelProto:
    _symbolic.register()
    file = io.BytesIO()
    torch.onnx.export(model, args, file, dynamo=False, **options)
    return onnx.shape_inference.infer_shapes(onnx.load_from_string(file.getvalue()))


def export(
    model: torch.nn.Module,
    args: tuple = (),
    path: str | Path | None = None,
    *,
    dynamo: bool = True,
    opset_version: int = 18,
    portable: bool = True,
    lists_as_inputs: bool = False,
    external_data: bool = False,
    **options,
) -> onnx.ModelProto:
    """Export a module whose attention is npu_flash_attention or npu_fusion_attention.

    Every call becomes one npu::FlashAttentionScore node. The file runs in onnxruntime with session_options() on our
    kernel, and without them anywhere by the attached function of standard operators.

    Args:
        model, args: as for torch.onnx.export; the model is exported without gradients.
        path: file to write; None: only return the model.
        dynamo: torch.export (True) or tracing (False).
        opset_version: 18 to 20 with dynamo, 17 to 20 without. CANN's converter knows 18, not all of 20.
        portable: attach the function.
        lists_as_inputs: actual_seq_qlen, actual_seq_kvlen and prefix, constants of the exported calls, become inputs of
            the model, int64 [sequences] or [B].
        external_data: weights in a second file beside path, needed above 2 GB (dynamo only).
        options: dynamic_shapes (dynamo), dynamic_axes (tracing), kwargs, input_names, output_names and others of
            torch.onnx.export.

    Returns:
        The model.

    Raises:
        ExportError: a ValueError; the model uses something that has no ONNX form (dropout).
        ValueError: opset_version out of range, or no attention call in the model.
    """
    lowest = 18 if dynamo else 17
    if not lowest <= opset_version <= 20:
        raise ValueError(f"opset_version must be {lowest} to 20 with dynamo={dynamo}, got {opset_version}")
    run = _export_dynamo if dynamo else _export_traced
    try:
        with torch.no_grad():
            result = run(model, args, options | {"opset_version": opset_version})
    except Exception as error:
        own = _own_error(error)
        if own is None:
            raise
        raise own from None
    if lists_as_inputs:
        lists_to_inputs(result)
    if portable:
        add_function(result)
    if path is not None:
        onnx.save_model(result, str(path), save_as_external_data=external_data)
    return result
