# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""ONNX export beyond single calls: several calls in a model, refusals, shapes, and who runs a node."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ascend_flash_attention
import ascend_flash_attention.onnx as fa_onnx
import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from ascend_flash_attention.onnx._arguments import node_attributes
from ascendc_cpu.native import runtime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from ascendc_cpu import host

pytestmark = pytest.mark.filterwarnings("ignore")  # the exporters' own
ROOT = Path(__file__).parents[2]
B, HEADS, S, D = 2, 4, 12, 16


class Calls(torch.nn.Module):
    """Sum of attention calls, each with its own options; the mask goes where options say mask=True."""

    def __init__(self, *calls, function=ascend_flash_attention.npu_flash_attention):
        super().__init__()
        self.calls, self.function = calls, function
        self.factor = torch.nn.Parameter(torch.tensor(1.25))  # calls that could be differentiated

    def forward(self, x, mask=None):
        x = self.factor * x
        total = 0
        for options in self.calls:
            options = dict(options)
            given = mask if options.pop("mask", False) else None
            total = total + self.function(x, x, x, HEADS, "BSH", atten_mask=given, **options)[0]
        return total


def tensors(rng):
    x = torch.randn(B, S, HEADS * D, generator=rng)
    mask = torch.rand(B, 1, 1, S, generator=rng) < 0.4
    return x, mask


def export(model, given, path=None, **options):
    return fa_onnx.export(model.eval(), given, path, dynamo=False, input_names=["x", "mask"][: len(given)], **options)


def feed(given):
    return {name: x.numpy() for name, x in zip(("x", "mask"), given, strict=False)}


def session(model, options=None):
    return onnxruntime.InferenceSession(model.SerializeToString(), options)


def single_node(dtype=TensorProto.FLOAT, sizes=("B", HEADS, "S", D), **attributes):
    """A hand-written model of one BNSD call, without shapes of its outputs."""
    outputs = [("softmax_max", TensorProto.FLOAT), ("softmax_sum", TensorProto.FLOAT), ("reserved", dtype)]
    outputs += [("out", dtype)]
    attributes = {"head_num": HEADS, "input_layout": "BNSD"} | attributes
    node = helper.make_node("FlashAttentionScore", ["q", "k", "v"], [o[0] for o in outputs], domain="npu", **attributes)
    inputs = [helper.make_tensor_value_info(name, dtype, sizes) for name in "qkv"]
    results = [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs]
    graph = helper.make_graph([node], "one", inputs, results)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid("npu", 1)],
                             ir_version=9)  # fmt: skip


def qkv(rng, dtype=np.float32):
    return {name: torch.randn(B, HEADS, S, D, generator=rng).numpy().astype(dtype) for name in "qkv"}


SLOPES = torch.arange(1.0, HEADS + 1) / 10
MIXED = [
    ({"mask": True}, {"sparse_mode": 3}, {}),
    ({"sparse_mode": 4, "pre_tokens": 3, "next_tokens": 1}, {"mask": True, "pre_tokens": 2}, {"sparse_mode": 2}),
    ({"sparse_mode": 1}, {"sparse_mode": 2}),
    ({"mask": True}, {"mask": True, "sparse_mode": 1}),
    ({"pse": SLOPES, "pse_type": 3, "q_start_idx": [2], "kv_start_idx": [-7]}, {"pse": SLOPES, "pse_type": 2}, {}),
    ({"sparse_mode": 6, "prefix": [3, 7]}, {"mask": True}, {"sparse_mode": 3}),
    ({"sparse_mode": 5, "prefix": [0, 12], "mask": True}, {"sparse_mode": 5, "prefix": [5, 1]}, {"sparse_mode": 2}),
]


@pytest.mark.parametrize("calls", MIXED)
def test_one_function_serves_calls_of_all_kinds(calls, rng):
    given = tensors(rng)
    model = export(Calls(*calls), given)
    onnx.checker.check_model(model, full_check=True)
    assert sum(node.op_type == "FlashAttentionScore" for node in model.graph.node) == len(calls)
    expected = Calls(*calls)(*given).detach().numpy()
    names = [value.name for value in model.graph.input]  # a mask that no call takes is no input
    inputs = {name: value for name, value in feed(given).items() if name in names}
    for options in (None, fa_onnx.session_options()):
        np.testing.assert_allclose(session(model, options).run(None, inputs)[0], expected, rtol=4e-6, atol=4e-6)
    np.testing.assert_allclose(ReferenceEvaluator(model).run(None, inputs)[0], expected, rtol=4e-6, atol=4e-6)


def test_slopes_beside_other_shifts_have_no_portable_form(rng):
    calls = Calls({"pse": SLOPES, "pse_type": 2}, {"pse": torch.zeros(S, S), "pse_type": 0})
    with pytest.raises(
        ValueError, match="one kind of real_shift in the calls of a model .* got shifts of scores and slopes"
    ):
        export(calls, tensors(rng)[:1])
    assert not export(calls, tensors(rng)[:1], portable=False).functions


class Adapters(torch.nn.Module):
    """Calls of other libraries' entries."""

    def forward(self, x, mask):
        first = ascend_flash_attention.scaled_dot_product_attention(x, x, x, attn_mask=mask, is_causal=False)
        y = first.transpose(1, 2)
        second = ascend_flash_attention.flash_attn_func(y, y, y, causal=True, window_size=(5, 0), alibi_slopes=SLOPES)
        ends = [0, 7, B * S]
        z = second.flatten(0, 1)
        return ascend_flash_attention.flash_attn_varlen_func(z, z, z, ends, ends, 17, 17, alibi_slopes=SLOPES)


@pytest.mark.parametrize("dynamo", [True, False])
def test_entries_of_other_libraries_are_exported(dynamo, rng):
    given = torch.randn(B, HEADS, S, D, generator=rng), torch.rand(B, 1, 1, S, generator=rng) < 0.7
    model = fa_onnx.export(Adapters().eval(), given, dynamo=dynamo, input_names=["x", "mask"], verbose=False)
    assert sum(node.op_type == "FlashAttentionScore" for node in model.graph.node) == 3
    expected = Adapters()(*given).numpy()
    for options in (None, fa_onnx.session_options()):
        got = session(model, options).run(None, feed(given))[0]
        np.testing.assert_allclose(got, expected, rtol=4e-6, atol=4e-6)


class Branches(torch.nn.Module):
    def forward(self, x, flag):
        npu_flash_attention = ascend_flash_attention.npu_flash_attention
        hidden = torch.ones(1, S, dtype=torch.bool).triu(S - 2)  # of every query the last two keys

        def masked(y):
            return npu_flash_attention(y, y, y, HEADS, atten_mask=hidden)[0]

        def causal(y):
            return npu_flash_attention(y, y, y, HEADS, sparse_mode=3)[0]

        return torch.cond(flag, masked, causal, (x,))


def test_calls_in_branches(rng):
    x, _ = tensors(rng)
    model = fa_onnx.export(Branches().eval(), (x, torch.tensor(True)), input_names=["x", "flag"], verbose=False)
    onnx.checker.check_model(model, full_check=True)
    for flag in (True, False):
        expected = Branches()(x, torch.tensor(flag)).numpy()
        for options in (None, fa_onnx.session_options()):
            got = session(model, options).run(None, {"x": x.numpy(), "flag": np.array(flag)})[0]
            np.testing.assert_allclose(got, expected, rtol=4e-6, atol=4e-6)


def test_compressed_mask_is_accepted_and_not_read(rng):
    x, _ = tensors(rng)
    mask = torch.rand(2048, 2048, generator=rng) < 0.5
    calls = Calls({"mask": True, "sparse_mode": 3})
    model = export(calls, (x, mask))
    for options in (None, fa_onnx.session_options()):
        got = session(model, options).run(None, feed((x, mask)))[0]
        np.testing.assert_allclose(got, calls(x, mask).detach().numpy(), rtol=4e-6, atol=4e-6)


@pytest.mark.parametrize("dynamo", [True, False])
def test_torch_onnx_export_itself(dynamo, rng, tmp_path):
    given, path = tensors(rng), tmp_path / "model.onnx"
    calls = Calls({"mask": True, "scale": 0.2}, function=ascend_flash_attention.npu_fusion_attention).eval()
    options = {"custom_translation_table": fa_onnx.translation_table(), "verbose": False} if dynamo else {}
    torch.onnx.export(calls, given, path, dynamo=dynamo, opset_version=18, input_names=["x", "mask"], **options)
    expected = calls(*given).detach().numpy()
    library = onnxruntime.InferenceSession(path, fa_onnx.session_options())
    np.testing.assert_array_equal(library.run(None, feed(given))[0], expected)
    with pytest.raises(Exception, match="FlashAttentionScore"):
        onnxruntime.InferenceSession(path)
    portable = fa_onnx.add_function(onnx.load(path))
    np.testing.assert_allclose(session(portable).run(None, feed(given))[0], expected, rtol=4e-6, atol=4e-6)


REFUSED = [
    ({"keep_prob": 0.9}, "keep_prob must be 1, got 0.9: dropout is not supported"),
    ({"pse": torch.zeros(HEADS), "pse_type": 4}, "pse_type must be 0 to 3, got 4"),
    ({"pse": torch.zeros(HEADS), "pse_type": 2, "q_start_idx": [3]}, "q_start_idx and kv_start_idx belong together"),
    (
        {"pse": torch.zeros(S, S), "q_start_idx": [3], "kv_start_idx": [0]},
        ".* pse_type 2 and 3, got ..3., .0.. and pse_type 1",
    ),
    ({"padding_mask": torch.zeros(B, S)}, "padding_mask: it is reserved"),
    ({"prefix": [1, 2]}, "sparse_mode 5 and 6, and no other, need prefix, got sparse_mode 0 and prefix .1, 2."),
    ({"sparse_mode": 6}, "sparse_mode 5 and 6, and no other, need prefix, got sparse_mode 6 and prefix None"),
    ({"actual_seq_qlen": [S]}, "input_layout TND, and no other, needs actual_seq_qlen"),
    ({"softmax_layout": "same_as_input"}, "softmax_layout must be empty or, for input_layout TND, same_as_input"),
    ({"query_rope": torch.zeros(B, S, 8)}, "query_rope and key_rope belong together"),
    (
        {"query_rope": torch.zeros(B, S, 8), "key_rope": torch.zeros(B, S, 8)},
        "query_rope and key_rope need input_layout TND",
    ),
    ({"sparse_mode": 7}, "sparse_mode must be one of 0, 1, 2, 3, 4, 5, 6 for input_layout BSH, got 7"),
    ({"pse_type": 2}, "pse_type must be 1 without pse, got 2"),
]


class Refused(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options

    def forward(self, x):
        return torch.ops.ascend_flash_attention.flash_attention_score(x, x, x, HEADS, "BSH", **self.options)[0]


@pytest.mark.parametrize("options, text", REFUSED)
def test_what_cannot_be_exported_is_named(options, text):
    with pytest.raises(fa_onnx.ExportError, match=f"^FlashAttentionScore cannot be exported: {text}"):
        node_attributes(HEADS, "BSH", options)


class Dropout(torch.nn.Module):
    def forward(self, x):
        return ascend_flash_attention.npu_flash_attention(x, x, x, HEADS, "BSH", keep_prob=0.5)[0]


@pytest.mark.parametrize("dynamo", [True, False])
def test_both_exporters_refuse_dropout(dynamo, rng):
    with pytest.raises(
        fa_onnx.ExportError, match="^FlashAttentionScore cannot be exported: keep_prob must be 1, got 0.5"
    ):
        fa_onnx.export(Dropout().eval(), tensors(rng)[:1], dynamo=dynamo, verbose=False)


@pytest.mark.parametrize("options, text", [REFUSED[0], REFUSED[3]])
def test_the_exporters_error_is_that_text(options, text, rng):
    with pytest.raises(fa_onnx.ExportError, match=f"^FlashAttentionScore cannot be exported: {text}"):
        fa_onnx.export(Refused(options).eval(), tensors(rng)[:1], verbose=False)


@pytest.mark.parametrize(
    "x, options, text",
    [
        (torch.zeros(B, S, HEADS * D, dtype=torch.float64), {},
         "query must be float32, float16 or bfloat16, got torch.float64"),
        (torch.zeros(B, S, HEADS * D), {"atten_mask": torch.zeros(B, 1, 1, S)}, "atten_mask must be bool or uint8"),
        (torch.zeros(B, S, HEADS * D), {"pse": torch.zeros(HEADS).half(), "pse_type": 2}, "pse must be float"),
    ],
)  # fmt: skip
def test_types_that_cannot_be_exported_are_named(x, options, text):
    with pytest.raises((fa_onnx.ExportError, torch.onnx.errors.OnnxExporterError), match=text):
        fa_onnx.export(Refused(options).eval(), (x,), verbose=False)


@pytest.mark.parametrize("head_dim", [6, 24, 67])  # float32 rounds their power otherwise
def test_a_traced_default_scale_has_the_eager_ones_bits(head_dim, rng):
    class Default(torch.nn.Module):
        def forward(self, x):
            return ascend_flash_attention.npu_flash_attention(x, x, x)[0]

    x = torch.randn(1, 2, S, head_dim, generator=rng)
    model = export(Default(), (x,), portable=False)
    [got] = session(model, fa_onnx.session_options()).run(None, {"x": x.numpy()})
    np.testing.assert_array_equal(got, Default()(x).numpy())


@pytest.mark.parametrize("dynamo, opset", [(True, 17), (True, 21), (False, 16), (False, 21)])
def test_opsets_out_of_range_are_refused(dynamo, opset, rng):
    with pytest.raises(ValueError, match=f"opset_version must be .* to 20 with dynamo={dynamo}, got {opset}"):
        fa_onnx.export(Calls({}), tensors(rng)[:1], dynamo=dynamo, opset_version=opset)


def test_a_model_without_attention_is_refused():
    with pytest.raises(ValueError, match="the model has no npu::FlashAttentionScore node"):
        export(torch.nn.Linear(3, 4), (torch.zeros(2, 3),))


def test_an_input_without_portable_form_is_refused():
    model = single_node()
    model.graph.node[0].input.extend(["", "drop_mask"])
    with pytest.raises(ValueError, match="a portable form with drop_mask is not supported"):
        fa_onnx.add_function(model)


def test_dropout_has_no_portable_form():
    with pytest.raises(ValueError, match="a portable form needs keep_prob 1: dropout is not supported"):
        fa_onnx.add_function(single_node(keep_prob=0.5))


def test_the_library_goes_before_the_function(rng):
    model = fa_onnx.add_function(single_node())
    [function] = model.functions
    for node in function.node:
        if node.output[0] == "attention_out":
            node.input[0] = "query"  # what the function now returns is wrong
    inputs = qkv(rng)
    np.testing.assert_array_equal(session(model).run(["out"], inputs)[0], inputs["q"])
    got = session(model, fa_onnx.session_options()).run(["out"], inputs)[0]
    q, k, v = (torch.from_numpy(inputs[name]) for name in "qkv")
    expected = ascend_flash_attention.npu_flash_attention(q, k, v, scale=1.0)[0].numpy()
    np.testing.assert_array_equal(got, expected)


def test_bfloat16_runs_in_the_library_and_in_the_function(rng):
    model = single_node(TensorProto.BFLOAT16, scale_value=0.25)
    model.graph.node.append(helper.make_node("Cast", ["out"], ["out32"], to=TensorProto.FLOAT))
    model.graph.output.append(helper.make_tensor_value_info("out32", TensorProto.FLOAT, None))
    fa_onnx.add_function(model)
    given = [torch.from_numpy(x).to(torch.bfloat16) for x in qkv(rng).values()]
    make = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type
    values = {
        name: make(x.view(torch.int16).numpy(), TensorProto.BFLOAT16) for name, x in zip("qkv", given, strict=True)
    }
    out, row_max, _ = (x.float().numpy() for x in ascend_flash_attention.npu_flash_attention(*given, scale=0.25)[:3])
    for options, tolerance in ((fa_onnx.session_options(), 0), (None, 2**-7)):
        results = session(model, options).run_with_ort_values(["out32", "softmax_max"], values)
        np.testing.assert_allclose(results[0].numpy(), out, rtol=0, atol=tolerance)
        np.testing.assert_allclose(results[1].numpy(), row_max, rtol=0, atol=1e-5)


def test_shapes_are_inferred_before_the_run():
    statistics, attention = ["B", HEADS, "S", 8], ["B", HEADS, "S", D]
    expected = [statistics, statistics, [0], attention]
    inferred = onnx.shape_inference.infer_shapes(single_node(), strict_mode=True)
    got = [[d.dim_value or d.dim_param or 0 for d in o.type.tensor_type.shape.dim] for o in inferred.graph.output]
    assert got == expected
    by_library = session(single_node(), fa_onnx.session_options()).get_outputs()
    assert [output.shape for output in by_library] == expected


def test_a_shift_of_1024_rows_that_are_all_is_no_table(rng):
    """Which the function finds out when it runs."""
    model = single_node(sizes=(1, HEADS, None, D), pse_type=0)
    model.graph.node[0].input.append("shift")
    model.graph.input.append(helper.make_tensor_value_info("shift", TensorProto.FLOAT, (1, 1, 1024, None)))
    fa_onnx.add_function(model)
    q, k, v = (torch.randn(1, HEADS, s, D, generator=rng) for s in (1024, 37, 37))
    shift = torch.randn(1, 1, 1024, 37, generator=rng)
    feed = {"q": q.numpy(), "k": k.numpy(), "v": v.numpy(), "shift": shift.numpy()}
    expected = ascend_flash_attention.npu_flash_attention(q, k, v, scale=1.0, pse=shift, pse_type=0)[0].numpy()
    np.testing.assert_allclose(session(model).run(["out"], feed)[0], expected, rtol=1e-4, atol=1e-5)


def test_unknown_dimensions_stay_unknown(rng, capfd):
    model = session(single_node(sizes=(None, HEADS, None, None)), fa_onnx.session_options())
    statistics, attention = model.get_outputs()[0].shape, model.get_outputs()[3].shape
    assert (statistics[1], statistics[3], attention[1]) == (HEADS, 8, HEADS)
    unknown = [statistics[0], statistics[2], attention[3]]
    assert all(isinstance(name, str) for name in unknown) and len(set(unknown)) == 3
    assert attention[:3] == statistics[:3]
    assert model.run(["out"], qkv(rng))[0].shape == (B, HEADS, S, D)
    assert "Error merging shape" not in capfd.readouterr().err


@pytest.mark.parametrize("layout, batch, length", [("BSH", 0, 1), ("SBH", 1, 0)])
def test_folded_shapes_are_inferred(layout, batch, length):
    sizes = ["S", "B", 48] if layout == "SBH" else ["B", "S", 48]
    model = single_node(sizes=sizes, input_layout=layout, head_num=3)
    for info, width in zip(model.graph.input, (48, 16, 8), strict=True):  # D 16, one key head, Dv 8
        info.type.tensor_type.shape.dim[2].dim_value = width
    outputs = session(model, fa_onnx.session_options()).get_outputs()
    assert outputs[3].shape == [*sizes[:2], 24]
    assert outputs[0].shape == [sizes[batch], 3, sizes[length], 8]
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True).graph.output[3]
    assert inferred.type.tensor_type.shape.dim[2].dim_value == 24


def test_the_operators_refusal_is_onnxruntimes_error(rng):
    inputs = qkv(rng)
    model = session(single_node(keep_prob=0.5), fa_onnx.session_options())
    with pytest.raises(Exception, match="FlashAttentionScore: .*keep_prob 0.5 needs drop_mask"):
        model.run(None, inputs)
    model = session(single_node(head_num=3), fa_onnx.session_options())
    with pytest.raises(Exception, match="head_num must equal query's dimension 1"):
        model.run(None, inputs)


def test_threads_share_a_session(rng):
    model = session(single_node(), fa_onnx.session_options())
    inputs = [qkv(rng) for _ in range(4)]
    expected = [model.run(["out"], each)[0] for each in inputs]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda i: model.run(["out"], inputs[i % 4])[0], range(40)))
    for i, result in enumerate(results):
        np.testing.assert_array_equal(result, expected[i % 4])


def test_the_number_of_threads_of_other_calls_does_not_count(rng):
    runtime().AscendcCpuSetNumThreads(7)
    session(single_node(), fa_onnx.session_options()).run(["out"], qkv(rng))
    assert runtime().AscendcCpuSetNumThreads(0) == 7


ON_ITS_THREADS = """
import sys, numpy as np, onnxruntime
from pathlib import Path
path, library, threads = sys.argv[1:]
rng = np.random.default_rng(3)
inputs = {name: rng.standard_normal((2, 4, 300, 16), np.float32) for name in "qkv"}
inputs["v"] *= np.float32(1e-39)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(threads)
options.add_session_config_entry("session.set_denormal_as_zero", "1")  # of this thread too
options.register_custom_ops_library(library)
session = onnxruntime.InferenceSession(path, options)
before = len(list(Path("/proc/self/task").iterdir()))
out = session.run(["out"], inputs)[0]
print(len(list(Path("/proc/self/task").iterdir())) - before, np.count_nonzero(out.view(np.int32) << 1) > 0.9 * out.size)
"""


@pytest.mark.parametrize("threads", [1, 3])
def test_calls_run_on_the_sessions_threads(threads, tmp_path):
    """No thread is started for them, and what a session sets for its threads, as to flush denormals, does not count."""
    path = tmp_path / "model.onnx"
    onnx.save(single_node(sizes=(2, HEADS, 300, D)), path)
    command = [sys.executable, "-c", ON_ITS_THREADS, str(path), str(fa_onnx.library_path()), str(threads)]
    environment = {**os.environ, "ASCENDC_CPU_NUM_THREADS": "3"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert result.stdout.split() == ["0", "True"], result.stderr


ALONE = """
import sys, numpy as np, onnx, onnxruntime
path, library = sys.argv[1:3]
onnx.checker.check_model(path, full_check=True)
rng = np.random.default_rng(3)
x = rng.standard_normal((2, 12, 64), np.float32)
mask = rng.random((2, 1, 1, 12)) < 0.4
plain = onnxruntime.InferenceSession(path).run(None, {"x": x, "mask": mask})[0]
for _ in range(2):  # the library is loaded, unloaded and loaded again
    options = onnxruntime.SessionOptions()
    options.register_custom_ops_library(library)
    fast = onnxruntime.InferenceSession(path, options)
    np.testing.assert_allclose(fast.run(None, {"x": x, "mask": mask})[0], plain, rtol=4e-6, atol=4e-6)
    del fast, options
assert "torch" not in sys.modules and "ascend_flash_attention" not in sys.modules
"""


def test_file_and_library_work_without_torch_and_our_package(rng, tmp_path):
    path = tmp_path / "model.onnx"
    export(Calls({"mask": True}, {"sparse_mode": 3}), tensors(rng), path)
    command = [sys.executable, "-c", ALONE, str(path), str(fa_onnx.library_path())]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_schema_is_the_operators_definition():
    schema, definition = onnx.defs.get_schema("FlashAttentionScore", 1, "npu"), host.definition("FlashAttentionScore")
    assert all(each.description for each in [*schema.inputs, *schema.outputs, *schema.attributes.values()])
    for kind in ("inputs", "outputs"):
        assert [each.name for each in getattr(schema, kind)] == [each["name"] for each in definition[kind]]
    for attribute in definition["attrs"]:
        declared = schema.attributes[attribute["name"]]
        assert declared.required == attribute["required"], attribute["name"]
        if not attribute["required"]:
            value = helper.get_attribute_value(declared.default_value)
            assert (value.decode() if isinstance(value, bytes) else value) == attribute["default"], attribute["name"]


def test_the_documents_snippets(tmp_path, monkeypatch):
    text = (ROOT / "flash_attention_score/docs/onnx.md").read_text(encoding="utf-8")
    snippets = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "snippet"}
    for snippet in snippets:
        exec(snippet, names)
    feed = {value.name: x.numpy() for value, x in zip(names["session"].get_inputs(), names["qkv"], strict=True)}
    expected = names["Attention"]()(*names["qkv"]).numpy()
    np.testing.assert_array_equal(names["session"].run(None, feed)[0], expected)
    assert len(snippets) == 2


def test_the_benchmark_runs():
    command = [sys.executable, "-m", "tests.benchmark.onnx_attention", "--shape", "1,2,33,16", "--rounds", "1"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stdout.splitlines() if "difference" in line]
    assert len(lines) == 8 and max(float(line.split()[-1]) for line in lines) < 1e-5  # dense and causal
