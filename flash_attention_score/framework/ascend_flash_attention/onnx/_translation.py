# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""torch operator -> one npu::FlashAttentionScore node, for torch.onnx.export with dynamo."""

import onnxscript

from ascend_flash_attention._library import flash_attention_score
from ascend_flash_attention.onnx import _schema
from ascend_flash_attention.onnx._arguments import check_types, node_attributes, node_inputs


def _type_name(value) -> str | None:
    return None if value is None else value.dtype.name.lower()


def _flash_attention_score(query, key, value, head_num, input_layout, **options):
    tensors = query, key, value, options.pop("atten_mask", None), options.get("pse"), options.get("sink")
    check_types(*map(_type_name, tensors))
    attributes = node_attributes(head_num, input_layout, options)
    opset = onnxscript.values.Opset(_schema.DOMAIN, _schema.VERSION)
    op = onnxscript.values.Op(opset, _schema.OP_TYPE, _schema.register())
    softmax_max, softmax_sum, _, attention = op(*node_inputs(*tensors), **attributes)
    return attention, softmax_max, softmax_sum


def translation_table() -> dict:
    """For torch.onnx.export(..., dynamo=True, custom_translation_table=translation_table())."""
    return {flash_attention_score: _flash_attention_score}
