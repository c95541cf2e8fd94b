# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""npu::FlashAttentionScore in onnxruntime against its own Attention operator (opset 23), one thread each.

    python -m tests.benchmark.onnx_attention [--shape 1,8,2048,64] [--causal] [--rounds 7]

Three sessions run alternating on the same inputs: our library, onnxruntime's Attention, and our node by its attached
function of standard operators. Prints CPU seconds a call, the ratio and the largest difference; judges nothing.
"""

import argparse
import os

os.environ["ASCENDC_CPU_NUM_THREADS"] = "1"  # read when the library loads

import ascend_flash_attention.onnx as fa_onnx  # noqa: E402
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402

from tests.benchmark.measure import alternate  # noqa: E402

NAMES = ("query", "key", "value")


def _model(node, shape, opsets):
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in (*NAMES, "out")]
    graph = helper.make_graph([node], "attention", values[:3], values[3:])
    imports = [helper.make_opsetid(domain, version) for domain, version in opsets.items()]
    return helper.make_model(graph, opset_imports=imports, ir_version=10)


def standard_model(shape, causal):
    node = helper.make_node("Attention", NAMES, ["out"], is_causal=int(causal))
    return _model(node, shape, {"": 23})


def own_model(shape, causal):
    outputs = ["softmax_max", "softmax_sum", "softmax_out", "out"]
    node = helper.make_node(
        "FlashAttentionScore", NAMES, outputs, domain="npu", head_num=shape[1], input_layout="BNSD",
        scale_value=shape[3] ** -0.5, sparse_mode=2 if causal else 0,
    )  # fmt: skip
    return fa_onnx.add_function(_model(node, shape, {"": 18, "npu": 1}))


def session(model, with_library):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    if with_library:
        fa_onnx.session_options(options)
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="1,8,2048,64", help="B,N,S,D")
    parser.add_argument("--causal", action="store_true")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    shape = [int(size) for size in options.shape.split(",")]
    rng = np.random.default_rng(1)
    feed = {name: rng.standard_normal(shape, np.float32) for name in NAMES}
    sessions = {
        "library": session(own_model(shape, options.causal), True),
        "Attention": session(standard_model(shape, options.causal), False),
        "function": session(own_model(shape, options.causal), False),
    }
    runs = {name: lambda s=s: s.run(["out"], feed)[0] for name, s in sessions.items()}
    results = {name: run() for name, run in runs.items()}
    timings = alternate(runs, options.rounds, "cpu", 1)
    print(f"onnxruntime {onnxruntime.__version__}, float32 {options.shape}{', causal' if options.causal else ''}")
    for name, timing in timings.items():
        difference = np.abs(results[name] - results["Attention"]).max()
        ratio = timing.speed_over(timings["Attention"])
        print(f"{name:10} {timing.median * 1e3:8.1f} ms  {ratio:5.2f} x Attention  difference {difference:.1e}")


if __name__ == "__main__":
    main()
