# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""torch operator -> one npu::FlashAttentionScore node, for torch.onnx.export with dynamo."""

import onnxscript

from ascend_flash_attention._library import flash_attention_score
from ascend_flash_attention.onnx import _schema
from ascend_flash_attention.onnx._arguments import check_types, node_attributes, node_inputs, tensors_of

_INT64 = onnxscript.ir.DataType.INT64


def _type_name(value) -> str | None:
    return None if value is None else value.dtype.name.lower()


def _flash_attention_score(query, key, value, head_num, input_layout, **options):
    tensors = tensors_of(query, key, value, options)
    check_types({name: _type_name(given) for name, given in tensors.items()}, options)
    attributes = node_attributes(head_num, input_layout, options)
    inputs = [
        onnxscript.opset18.Constant(value=onnxscript.ir.tensor(given, _INT64)) if isinstance(given, list) else given
        for given in node_inputs(tensors, options)
    ]
    opset = onnxscript.values.Opset(_schema.DOMAIN, _schema.VERSION)
    op = onnxscript.values.Op(opset, _schema.OP_TYPE, _schema.register())
    softmax_max, softmax_sum, _, attention = op(*inputs, **attributes)
    return attention, softmax_max, softmax_sum


def translation_table() -> dict:
    """For torch.onnx.export(..., dynamo=True, custom_translation_table=translation_table())."""
    return {flash_attention_score: _flash_attention_score}
