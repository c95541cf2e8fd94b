# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A case of the case table as a module, its ONNX file, its runs and what they must give, for the ONNX tests."""

import ctypes
import dataclasses

import ascend_flash_attention
import ascend_flash_attention.onnx as fa_onnx
import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from tests.cases.contract_inputs import reference
from tests.cases.inputs import make_inputs
from tests.cases.loader import expand
from tests.reference.attention import attention, to_layout
from tests.reference.plain import plain_attention
from tests.reference.tolerance import assert_attention
from tests.system.forward_call import as_result, same_bits

TENSORS = ("query", "key", "value")
# argument -> field of Inputs
EXTRAS = {
    "atten_mask": "mask", "pse": "pse", "sink": "sink", "query_rope": "query_rope", "key_rope": "key_rope",
}  # fmt: skip
ALLOWED_NODES = {"FlashAttentionScore", "Identity", "Constant"}
OUTPUTS = ("out", "softmax_max", "softmax_sum")


def lists_of(case, inputs):
    """Arguments that are lists of integers."""
    lists = {}
    if inputs.prefix is not None:
        lists["prefix"] = list(inputs.prefix)
    if case.is_packed:
        lists |= {
            name: list(ends) for name, ends in zip(("actual_seq_qlen", "actual_seq_kvlen"), case.ends, strict=True)
        }
    if case.pse is not None and case.pse.start != (0, 0):
        lists |= {name: [start] for name, start in zip(("q_start_idx", "kv_start_idx"), case.pse.start, strict=True)}
    return lists


class Attention(torch.nn.Module):
    """The call of a case by npu_flash_attention; out, max and sum are outputs. forward takes what arguments() gives."""

    def __init__(self, case, inputs):
        super().__init__()
        self.options = {"head_num": case.n1, "input_layout": case.layout, "scale": case.scale, **case.sparse}
        self.options |= lists_of(case, inputs)
        if case.like_input:
            self.options["softmax_layout"] = "TND"
        if case.pse is not None:
            self.options["pse_type"] = case.pse.type
        self.extras = list(arguments(case, inputs))[3:]

    def forward(self, query, key, value, first=None, second=None, third=None):
        extras = dict(zip(self.extras, (first, second, third), strict=False))
        return ascend_flash_attention.npu_flash_attention(query, key, value, **extras, **self.options)[:3]


def arguments(case, inputs):
    """Tensors of a case by argument: query, key and value in its layout, and what else it has."""
    given = dict(zip(TENSORS, inputs.in_layout(case.layout), strict=True))
    extras = {name: getattr(inputs, field) for name, field in EXTRAS.items()}
    heads = [name for name in ("query_rope", "key_rope") if extras[name] is not None]
    extras |= {name: to_layout(extras[name], case.layout) for name in heads}
    return given | {name: x for name, x in extras.items() if x is not None}


def _axes(case, names, fixed):
    """Dynamic dimensions of each argument: dimension -> B, S1 or S2. fixed: those that are not."""
    if case.is_packed:
        return [{} for _ in names]
    batch, length = {"SBH": (1, 0), "BNSD": (0, 2)}.get(case.layout, (0, 1))
    axes = dict(zip(TENSORS, ({batch: "B", length: name} for name in ("S1", "S2", "S2")), strict=True))
    for name, spec in (("atten_mask", case.mask), ("pse", case.pse)):
        if spec is not None:
            axes[name] = {dim: token for dim, token in enumerate(spec.shape) if token in ("B", "S1", "S2")}
    return [{dim: name for dim, name in axes.get(each, {}).items() if name not in fixed} for each in names]


def export(case, seed, dynamo, opset, path):
    """Export with dynamic batch and lengths, at other sizes than the case's; lists and what depends on them are fixed.

    Returns the model.
    """
    table = case.pse is not None and case.pse.is_alibi
    listed = table or bool(lists_of(case, make_inputs(case, seed)).keys() - {"q_start_idx", "kv_start_idx"})
    small = case if listed else dataclasses.replace(case, b=3, s1=5, s2=6)
    inputs = make_inputs(small, seed)
    given = arguments(small, inputs)
    names = list(given)
    axes = _axes(case, names, ("B",) if listed else ())
    if dynamo:
        dims = {name: torch.export.Dim(name) for name in ("B", "S1", "S2")}
        shapes = [{dim: dims[name] for dim, name in entry.items()} for entry in axes]
        options = {"dynamic_shapes": tuple(shapes), "verbose": False}
    else:
        options = {"dynamic_axes": dict(zip(names, axes, strict=True))}
    return fa_onnx.export(
        Attention(small, inputs).eval(), tuple(given.values()), path, dynamo=dynamo, opset_version=opset,
        input_names=names, output_names=list(OUTPUTS), **options,
    )  # fmt: skip


def _ort_value(x):
    if x.dtype != torch.bfloat16:
        return onnxruntime.OrtValue.ortvalue_from_numpy(x.numpy())
    bits = x.view(torch.int16).numpy()  # NumPy has no bfloat16
    return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, TensorProto.BFLOAT16)


def _tensor_of(value):
    if value.element_type() != TensorProto.BFLOAT16:
        return torch.from_numpy(value.numpy())
    if 0 in value.shape():
        return torch.empty(value.shape(), dtype=torch.bfloat16)
    memory = (ctypes.c_char * value.tensor_size_in_bytes()).from_address(value.data_ptr())
    return torch.frombuffer(memory, dtype=torch.bfloat16).reshape(value.shape()).clone()


def run(path, given, options=None):
    """Results of onnxruntime as torch tensors."""
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    values = session.run_with_ort_values(None, {name: _ort_value(x) for name, x in given.items()})
    return [_tensor_of(value) for value in values]


def run_reference(model, given):
    """Results of onnx's reference evaluator as torch tensors."""
    bfloat16 = helper.tensor_dtype_to_np_dtype(TensorProto.BFLOAT16)
    feed = {
        name: x.view(torch.int16).numpy().view(bfloat16) if x.dtype == torch.bfloat16 else x.numpy()
        for name, x in given.items()
    }
    results = [np.array(x) for x in ReferenceEvaluator(model).run(None, feed)]
    return [
        torch.from_numpy(x.view(np.int16)).view(torch.bfloat16) if x.dtype == bfloat16 else torch.from_numpy(x)
        for x in results
    ]


def our_nodes(model):
    return [node for node in model.graph.node if (node.domain, node.op_type) == ("npu", "FlashAttentionScore")]


def case_of(axes):
    """A case of the case table; axes: see tests/cases/loader.py."""
    return expand({"name": "onnx", "step": "breadth", "tags": ["full"], **axes}, "onnx_model")[0]


def configurations(table):
    """Parameters of a test from rows (exporter, opset, axes)."""
    cases = [(kind, opset, case_of(axes)) for kind, opset, axes in table]
    return [pytest.param(kind, opset, case, id=f"{kind}{opset}-{case.name}") for kind, opset, case in cases]


def check(exporter, opset, case, seed, path):
    """Export a case and run it at other sizes: the library has the bits of PyTorch, the function the right values."""
    model = export(case, seed, exporter == "dynamo", opset, path)
    onnx.checker.check_model(str(path), full_check=True)
    assert {entry.domain: entry.version for entry in model.opset_import} == {"": opset, "npu": 1}
    # identities and constant lists at most
    assert len(our_nodes(model)) == 1 and {node.op_type for node in model.graph.node} <= ALLOWED_NODES

    inputs = make_inputs(case, seed if case.prefix or case.is_packed else seed + 1)
    given = arguments(case, inputs)
    eager = Attention(case, inputs)(*given.values())
    fast = run(path, given, fa_onnx.session_options())
    for name, ours, theirs in zip(OUTPUTS, fast, eager, strict=True):
        assert same_bits(ours, theirs), f"{name}: the library's bits differ from PyTorch's"

    expected, plain = reference(attention, case, inputs), reference(plain_attention, case, inputs)
    for portable in (run(path, given), run_reference(model, given)):
        assert portable[0].dtype == inputs.query.dtype
        assert_attention(as_result(case, portable), expected, plain)
