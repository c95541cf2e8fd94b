# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""npu::FlashAttentionScore in onnxruntime against its own operators, dense and causal.

    python -m tests.benchmark.onnx_attention [--shape 1,8,2048,64] [--threads 1] [--rounds 7]

Sessions run alternating on the same inputs: our library, onnxruntime's Attention (opset 23) and MultiHeadAttention
(com.microsoft, on [B, S, N * D]), and our node by its attached function of standard operators. Prints milliseconds a
call (CPU time of one thread, else wall time), the ratio and the largest difference; judges nothing.
"""

import argparse
import os

import ascend_flash_attention.onnx as fa_onnx
import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from tests.benchmark.measure import alternate

NAMES = ("query", "key", "value")
LINE_BYTES = 64


def _model(node, shape, opsets):
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in (*NAMES, "out")]
    graph = helper.make_graph([node], "attention", values[:3], values[3:])
    imports = [helper.make_opsetid(domain, version) for domain, version in opsets.items()]
    return helper.make_model(graph, opset_imports=imports, ir_version=10)


def standard_model(shape, causal):
    node = helper.make_node("Attention", NAMES, ["out"], is_causal=int(causal))
    return _model(node, shape, {"": 23})


def multi_head_model(shape, causal):
    heads = {"num_heads": shape[1], "unidirectional": int(causal)}
    node = helper.make_node("MultiHeadAttention", NAMES, ["out"], domain="com.microsoft", **heads)
    return _model(node, [shape[0], shape[2], shape[1] * shape[3]], {"": 18, "com.microsoft": 1})


def own_model(shape, causal):
    outputs = ["softmax_max", "softmax_sum", "softmax_out", "out"]
    node = helper.make_node(
        "FlashAttentionScore", NAMES, outputs, domain="npu", head_num=shape[1], input_layout="BNSD",
        scale_value=shape[3] ** -0.5, sparse_mode=2 if causal else 0,
    )  # fmt: skip
    return fa_onnx.add_function(_model(node, shape, {"": 18, "npu": 1}))


def session(model, threads, with_library=False):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # on the cores of the next session
    if with_library:
        fa_onnx.session_options(options)
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def aligned(x):
    """A copy that starts at a cache line, as tensors of a session do."""
    room = np.empty(x.nbytes + LINE_BYTES, np.uint8)
    begin = -room.ctypes.data % LINE_BYTES
    copy = room[begin : begin + x.nbytes].view(x.dtype).reshape(x.shape)
    copy[:] = x
    return copy


def token_major(x):
    """[B, N, S, D] to [B, S, N * D]."""
    return aligned(x.transpose(0, 2, 1, 3)).reshape(x.shape[0], x.shape[2], -1)


def compare(shape, causal, threads, rounds):
    rng = np.random.default_rng(1)
    feed = {name: aligned(rng.standard_normal(shape, np.float32)) for name in NAMES}
    by_token = {name: token_major(x) for name, x in feed.items()}
    sessions = {
        "library": (session(own_model(shape, causal), threads, True), feed),
        "Attention": (session(standard_model(shape, causal), threads), feed),
        "MultiHead": (session(multi_head_model(shape, causal), threads), by_token),
        "function": (session(own_model(shape, causal), threads), feed),
    }
    runs = {name: lambda s=s, x=x: s.run(["out"], x)[0] for name, (s, x) in sessions.items()}
    results = {name: token_major(out) if out.ndim == 4 else out for name, out in ((n, r()) for n, r in runs.items())}
    timings = alternate(runs, rounds, "cpu" if threads == 1 else "wall", threads)
    clock = "CPU time of one thread" if threads == 1 else f"wall time, {threads} threads"
    print(f"onnxruntime {onnxruntime.__version__}, float32 {shape}{', causal' if causal else ''}, {clock}")
    for name, timing in timings.items():
        difference = np.abs(results[name] - results["Attention"]).max()
        ratio = timing.speed_over(timings["Attention"])
        print(f"{name:10} {timing.median * 1e3:8.1f} ms  {ratio:5.2f} x Attention  difference {difference:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="1,8,2048,64", help="B,N,S,D")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    os.environ["ASCENDC_CPU_NUM_THREADS"] = str(options.threads)  # of our library
    shape = [int(size) for size in options.shape.split(",")]
    for causal in (False, True):
        compare(shape, causal, options.threads, options.rounds)


if __name__ == "__main__":
    main()
