# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""ONNX models of packed sequences: lists that are inputs of the model, and TND calls beside others."""

import ascend_flash_attention
import ascend_flash_attention.onnx as fa_onnx
import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

pytestmark = pytest.mark.filterwarnings("ignore")  # the exporters' own
HEADS, D = 4, 16
LISTS = [([3, 20, 37], [9, 9, 44]), ([40], [50]), ([3, 7, 0, 0], [2, 50, 0, 0]), ([0, 40], [50, 50]), ([], [])]


class Packed(torch.nn.Module):
    """`calls` TND calls one after another, the same lists in each."""

    def __init__(self, query_ends, key_ends, calls=1, **options):
        super().__init__()
        self.lists, self.calls, self.options = (query_ends, key_ends), calls, options

    def forward(self, query, key, value):
        for _ in range(self.calls):
            query, *statistics = ascend_flash_attention.npu_flash_attention(
                query, key, value, input_layout="TND", actual_seq_qlen=self.lists[0], actual_seq_kvlen=self.lists[1],
                **self.options,
            )[:3]  # fmt: skip
        return query, *statistics


def tokens(rng, query, key, heads=2):
    return tuple(torch.randn(t, n, D, generator=rng) for t, n in ((query, HEADS), (key, heads), (key, heads)))


def runs(model, feed):
    """Results of the library, of onnxruntime with the function and of the reference evaluator."""
    text = model.SerializeToString()
    for options in (fa_onnx.session_options(), None):
        yield onnxruntime.InferenceSession(text, options).run(None, feed)
    yield ReferenceEvaluator(model).run(None, feed)


def check(model, feed, expected):
    fast, *portable = runs(model, feed)
    for got, right in zip(fast, expected, strict=True):
        np.testing.assert_array_equal(got, right.detach().numpy())
    for results in portable:
        for got, right in zip(results, expected, strict=True):
            np.testing.assert_allclose(got, right.detach().numpy(), rtol=4e-6, atol=4e-6)


@pytest.mark.parametrize("dynamo", [True, False])
def test_lists_as_inputs(dynamo, rng):
    """Exported with other lists and numbers of tokens than it runs with; two calls share the inputs."""
    dims = [{0: torch.export.Dim(name)} for name in ("T1", "T2", "T2")] if dynamo else {}
    axes = {} if dynamo else {name: {0: "T"} for name in ("query", "key", "value")}
    options = {"dynamic_shapes": dims, "verbose": False} if dynamo else {"dynamic_axes": axes}
    given = tokens(rng, 12, 14)
    model = fa_onnx.export(
        Packed([5, 12], [6, 14], 2, sparse_mode=3).eval(), given, dynamo=dynamo, lists_as_inputs=True,
        input_names=["query", "key", "value"], **options,
    )  # fmt: skip
    onnx.checker.check_model(model, full_check=True)
    names = ["query", "key", "value", "actual_seq_qlen", "actual_seq_kvlen"]
    assert [value.name for value in model.graph.input] == names
    assert not model.graph.initializer and {node.op_type for node in model.graph.node} == {"FlashAttentionScore"}
    given = tokens(rng, 40, 50)
    for lists in LISTS:
        arrays = [x.numpy() for x in given] + [np.array(x, np.int64) for x in lists]
        check(model, dict(zip(names, arrays, strict=True)), Packed(*lists, 2, sparse_mode=3)(*given))


def test_inputs_of_unequal_lists_are_numbered(rng):
    class Two(torch.nn.Module):
        def forward(self, query, key, value):
            first = Packed([2, 9], [2, 9], sparse_mode=6, prefix=[1, 5])(query, key, value)[0]
            return Packed([4, 9], [2, 9])(first, key, value)[0]

    given = tokens(rng, 9, 9)
    model = fa_onnx.export(Two().eval(), given, dynamo=False, lists_as_inputs=True)
    names = [value.name for value in model.graph.input][3:]
    assert sorted(names) == ["actual_seq_kvlen", "actual_seq_qlen", "actual_seq_qlen_1", "prefix"]
    lists = {"actual_seq_kvlen": [2, 9], "actual_seq_qlen": [2, 9], "actual_seq_qlen_1": [4, 9], "prefix": [1, 5]}
    feed = {value.name: x.numpy() for value, x in zip(model.graph.input, given, strict=False)}
    check(model, feed | {name: np.array(x, np.int64) for name, x in lists.items()}, [Two()(*given)])


def test_constant_lists_with_dynamic_tokens(rng):
    dims = tuple({0: torch.export.Dim(name)} for name in ("T1", "T2", "T2"))
    model = fa_onnx.export(Packed([5, 12], [6, 14]).eval(), tokens(rng, 12, 14), dynamic_shapes=dims, verbose=False)
    given = tokens(rng, 20, 17)
    check(model, {v.name: x.numpy() for v, x in zip(model.graph.input, given, strict=True)},
          Packed([5, 12], [6, 14])(*given))  # fmt: skip


@pytest.mark.parametrize("dynamo", [True, False])
def test_lists_that_are_tensors_are_refused_by_name(dynamo, rng):
    """Their values would be those of the example."""

    class Tensors(torch.nn.Module):
        def forward(self, query, key, value, ends):
            return Packed(ends, ends)(query, key, value)

    given = *tokens(rng, 9, 9), torch.tensor([4, 9])
    with pytest.raises(fa_onnx.ExportError, match="actual_seq_qlen must be a list of numbers, got a tensor"):
        fa_onnx.export(Tensors().eval(), given, dynamo=dynamo, verbose=False)


class Beside(torch.nn.Module):
    """Sum of calls on the same tokens, with layouts of their own."""

    def __init__(self, *calls):
        super().__init__()
        self.calls = calls

    def forward(self, x, mask):
        total = 0
        for layout, options in self.calls:
            options = dict(options)
            if options.pop("mask", False):
                options["atten_mask"] = mask
            y = x if layout == "TND" else x[None]
            out = ascend_flash_attention.npu_flash_attention(y, y, y, input_layout=layout, **options)[0]
            total = total + out.reshape(x.shape)
        return total


TWO = {"actual_seq_qlen": [7, 19], "actual_seq_kvlen": [7, 19]}
SLOPES = torch.arange(1.0, HEADS + 1) / 10


@pytest.mark.parametrize(
    "calls",
    [
        (("TND", TWO), ("BSND", {"sparse_mode": 4, "pre_tokens": 5, "next_tokens": 0})),
        (("TND", TWO | {"sparse_mode": 3}), ("BSND", {"mask": True}), ("TND", TWO | {"sparse_mode": 1, "mask": True})),
        (("TND", TWO | {"sparse_mode": 6, "prefix": [3, 9]}),
         ("BSND", {"sparse_mode": 5, "prefix": [8], "mask": True})),
        (("TND", TWO | {"pse": SLOPES, "pse_type": 2, "q_start_idx": [4], "kv_start_idx": [1]}), ("TND", TWO),
         ("BSND", {"pse": SLOPES, "pse_type": 3})),
        (("TND", TWO | {"pse": torch.arange(19.0).repeat(HEADS), "pse_type": 0}), ("TND", TWO), ("BSND", {})),
    ],
)  # fmt: skip
def test_packed_calls_beside_others(calls, rng):
    given = torch.randn(19, HEADS, D, generator=rng), torch.rand(19, 19, generator=rng) < 0.3
    model = fa_onnx.export(Beside(*calls).eval(), given, dynamo=False, input_names=["x", "mask"])
    names = [value.name for value in model.graph.input]
    feed = {name: x.numpy() for name, x in zip(("x", "mask"), given, strict=True) if name in names}
    expected = Beside(*calls)(*given).numpy()
    for [got] in runs(model, feed):
        np.testing.assert_allclose(got, expected, rtol=4e-6, atol=4e-6)


def test_shifts_of_scores_beside_packed_calls_have_no_portable_form(rng):
    calls = ("TND", TWO), ("BSND", {"pse": torch.zeros(19, 19)})
    given = torch.randn(19, HEADS, D, generator=rng), torch.zeros(19, 19, dtype=torch.bool)
    with pytest.raises(ValueError, match="one kind of real_shift .* got shifts of scores beside TND"):
        fa_onnx.export(Beside(*calls).eval(), given, dynamo=False)


def test_a_float_mask_of_the_longest_sequence_has_no_portable_form(rng):
    module = Packed([3, 20], [9, 44], atten_mask=torch.randn(17, 35, generator=rng))
    with pytest.raises(ValueError, match="one kind of real_shift .* got shifts of scores beside TND"):
        fa_onnx.export(module.eval(), tokens(rng, 20, 44), dynamo=False)


def single_node(sizes, **attributes):
    """A hand-written TND call whose lists are inputs, without shapes of its outputs."""
    lists = ["actual_seq_qlen", "actual_seq_kvlen"]
    outputs = ["softmax_max", "softmax_sum", "reserved", "out"]
    node = helper.make_node("FlashAttentionScore", ["q", "k", "v", "", "", "", "", "", *lists], outputs, domain="npu",
                            head_num=HEADS, input_layout="TND", **attributes)  # fmt: skip
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in zip("qkv", sizes, strict=True)
    ]
    inputs += [helper.make_tensor_value_info(name, TensorProto.INT64, ["sequences"]) for name in lists]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    graph = helper.make_graph([node], "one", inputs, results)
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("npu", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=9)


def test_shapes_are_inferred():
    model = single_node([["T1", HEADS, D], ["T2", 2, D], ["T2", 2, 8]])
    statistics = ["T1", HEADS, 8]
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    shapes = [[d.dim_value or d.dim_param or 0 for d in o.type.tensor_type.shape.dim] for o in inferred.graph.output]
    assert shapes == [statistics, statistics, [0], ["T1", HEADS, 8]]
    by_library = onnxruntime.InferenceSession(model.SerializeToString(), fa_onnx.session_options()).get_outputs()
    assert [output.shape for output in by_library] == shapes


def test_no_tokens(rng):
    model = fa_onnx.add_function(single_node([[None, HEADS, D], [None, 2, D], [None, 2, D]]))
    for query, key, lists in ((0, 5, ([], [])), (0, 5, ([0], [5])), (6, 0, ([4], [0])), (0, 0, ([0, 0], [0, 0]))):
        given = tokens(rng, query, key)
        feed = {name: x.numpy() for name, x in zip("qkv", given, strict=True)}
        feed |= {f"actual_seq_{side}len": np.array(x, np.int64) for side, x in zip(("q", "kv"), lists, strict=True)}
        out, *statistics = Packed(*lists, scale=1.0)(*given)
        check(model, feed, [*statistics, torch.empty(0), out])


def test_the_operators_refusal_is_onnxruntimes_error(rng):
    model = single_node([[None, HEADS, D], [None, 2, D], [None, 2, D]])
    session = onnxruntime.InferenceSession(model.SerializeToString(), fa_onnx.session_options())
    feed = {name: x.numpy() for name, x in zip("qkv", tokens(rng, 6, 9), strict=True)}
    lists = {"actual_seq_qlen": np.array([2, 7]), "actual_seq_kvlen": np.array([4, 9])}
    with pytest.raises(
        Exception, match="query must have the tokens of all sequences, got 6 tokens, .* actual_seq_qlen"
    ):
        session.run(None, feed | lists)


@pytest.mark.parametrize("shape", [(1, 3), (3, 0), ()])
def test_lists_of_another_rank_are_refused(shape, rng):
    """Their first dimension says nothing about how many values there are."""
    model = single_node([[None, HEADS, D], [None, 2, D], [None, 2, D]])
    for value in model.graph.input[3:]:
        value.CopyFrom(helper.make_tensor_value_info(value.name, TensorProto.INT64, [None] * len(shape)))
    feed = {name: x.numpy() for name, x in zip("qkv", tokens(rng, 9, 9), strict=True)}
    feed |= dict.fromkeys(("actual_seq_qlen", "actual_seq_kvlen"), np.full(shape, 9))
    session = onnxruntime.InferenceSession(model.SerializeToString(), fa_onnx.session_options())
    with pytest.raises(Exception, match=f"actual_seq_qlen must have 1 dimension, got {len(shape)}"):
        session.run(None, feed)


def test_a_table_of_unknown_shape_is_not_misread(rng):
    """The library takes it as real_shift; the function has to know its shape beforehand."""
    model = single_node([[None, HEADS, D], [None, 2, D], [None, 2, D]], sparse_mode=3, pse_type=0)
    model.graph.node[0].input[3] = "table"
    model.graph.input.append(helper.make_tensor_value_info("table", TensorProto.FLOAT, [None] * 4))
    fa_onnx.add_function(model)
    table = torch.randn(1, HEADS, 1024, 1030, generator=rng)
    given = tokens(rng, 1030, 1030)
    feed = {name: x.numpy() for name, x in zip((*"qkv", "table"), (*given, table), strict=True)}
    feed |= dict.fromkeys(("actual_seq_qlen", "actual_seq_kvlen"), np.array([1030]))
    text = model.SerializeToString()
    fast = onnxruntime.InferenceSession(text, fa_onnx.session_options()).run(["out"], feed)[0]
    expected = Packed([1030], [1030], sparse_mode=3, scale=1.0, pse=table, pse_type=0)(*given)[0]
    np.testing.assert_array_equal(fast, expected.numpy())
    with pytest.raises(Exception, match="(?i)out of (data )?bounds"):
        onnxruntime.InferenceSession(text).run(None, feed)


@pytest.mark.parametrize("lists", [([0, 0], [3, 7]), ([4, 9], [0, 0]), ([0], [0]), ([], [])])
@pytest.mark.parametrize(("one_key", "dtype"), [(False, torch.bool), (True, torch.uint8)])
def test_mask_without_rows_or_keys_beside_tail_tokens(lists, one_key, dtype, rng):
    """No listed sequence has queries, or none has keys; the tokens behind them see nothing."""
    rows, keys = (max(np.diff([0, *ends]), default=0) for ends in lists)
    options = {"atten_mask": torch.zeros(rows, 1 if one_key else keys, dtype=dtype)}
    given = tokens(rng, 11, 9)
    call = Packed(*lists, **options).eval()
    model = fa_onnx.export(call, given, verbose=False)
    check(model, {v.name: x.numpy() for v, x in zip(model.graph.input, given, strict=True)}, call(*given))
