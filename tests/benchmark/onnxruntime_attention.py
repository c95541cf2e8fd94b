# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""onnxruntime's own Attention operator (opset 23) as a contender, where onnx and onnxruntime are installed."""

import torch

from tests.benchmark.not_applicable import NotApplicable


def _model(case, causal):
    from onnx import TensorProto, helper

    kind = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}[case.dtype]
    shapes = {
        "query": (case.b, case.n1, case.s1, case.d),
        "key": (case.b, case.n2, case.s2, case.d),
        "value": (case.b, case.n2, case.s2, case.dv),
        "out": (case.b, case.n1, case.s1, case.dv),
    }
    values = [helper.make_tensor_value_info(name, kind, shape) for name, shape in shapes.items()]
    node = helper.make_node("Attention", list(shapes)[:3], ["out"], is_causal=int(causal), scale=case.scale)
    graph = helper.make_graph([node], "attention", values[:3], values[3:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10).SerializeToString()


def build(case, inputs, causal):
    """Callable that returns out [B,N1,S1,Dv]; it follows torch.get_num_threads()."""
    try:
        import onnx  # noqa: F401 - needed to make the model
        import onnxruntime
    except ImportError as error:
        raise NotApplicable(f"{error.name} is not installed") from None
    if case.dtype == "bfloat16":
        raise NotApplicable("no bfloat16 on onnxruntime's CPU")
    model, sessions = _model(case, causal), {}
    feed = {name: getattr(inputs, name).numpy() for name in ("query", "key", "value")}

    def run():
        threads = torch.get_num_threads()
        if threads not in sessions:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # CPU time is measured
            sessions[threads] = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        return torch.from_numpy(sessions[threads].run(["out"], feed)[0])

    return run
