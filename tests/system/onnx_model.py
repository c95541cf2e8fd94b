# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A case of the case table as a module, its ONNX file and its runs, for the ONNX tests."""

import dataclasses

import ascend_flash_attention
import ascend_flash_attention.onnx as fa_onnx
import numpy as np
import onnxruntime
import torch
from onnx.reference import ReferenceEvaluator

from tests.cases.inputs import make_inputs

NAMES = ("query", "key", "value", "atten_mask")


class Attention(torch.nn.Module):
    """One call of npu_flash_attention; out, max and sum are outputs."""

    def __init__(self, case):
        super().__init__()
        self.options = {"head_num": case.n1, "input_layout": case.layout, "scale": case.scale, **case.sparse}

    def forward(self, query, key, value, atten_mask=None):
        return ascend_flash_attention.npu_flash_attention(query, key, value, atten_mask=atten_mask, **self.options)[:3]


def arguments(case, seed):
    """Tensors of a case in its layout: query, key, value and perhaps the mask."""
    inputs = make_inputs(case, seed)
    mask = () if inputs.mask is None else (inputs.mask,)
    return inputs, (*inputs.in_layout(case.layout), *mask)


def _axes(case):
    """Dynamic dimensions of each argument: dimension -> B, S1 or S2."""
    batch, length = {"SBH": (1, 0), "BNSD": (0, 2)}.get(case.layout, (0, 1))
    axes = [{batch: "B", length: name} for name in ("S1", "S2", "S2")]
    if case.mask is not None:
        axes.append({dim: token for dim, token in enumerate(case.mask.shape) if token in ("B", "S1", "S2")})
    return axes


def export(case, seed, dynamo, opset, path):
    """Export at other sizes than the case's, with dynamic batch and lengths; returns the model."""
    small = dataclasses.replace(case, b=3, s1=5, s2=6)
    _, given = arguments(small, seed)
    axes = _axes(case)
    names = NAMES[: len(given)]
    outputs = ["out", "softmax_max", "softmax_sum"]
    if dynamo:
        dims = {name: torch.export.Dim(name) for name in ("B", "S1", "S2")}
        shapes = tuple({dim: dims[name] for dim, name in entry.items()} for entry in axes)
        options = {"dynamic_shapes": shapes, "verbose": False}
    else:
        options = {"dynamic_axes": dict(zip(names, axes, strict=True))}
    return fa_onnx.export(
        Attention(case).eval(), given, path, dynamo=dynamo, opset_version=opset, input_names=list(names),
        output_names=outputs, **options,
    )  # fmt: skip


def run(path, given, options=None):
    """Results of onnxruntime as torch tensors."""
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return _results(session.run(None, _feed(given)))


def run_reference(model, given):
    """Results of onnx's reference evaluator."""
    return _results(ReferenceEvaluator(model).run(None, _feed(given)))


def _feed(given):
    return {name: x.numpy() for name, x in zip(NAMES, given, strict=False)}


def _results(arrays):
    return [torch.from_numpy(np.array(array)) for array in arrays]
