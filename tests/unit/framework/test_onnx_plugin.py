# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The plugin of CANN's ONNX parser, through the SDK's stand-in for that parser."""

import importlib.util
import itertools
import json
from pathlib import Path

import ascend_flash_attention.onnx as fa_onnx
import numpy as np
import pytest
import torch
from ascend_flash_attention import npu_flash_attention
from onnx import helper

from ascendc_cpu import host, onnx_parser

OWN, VENDOR = "npu::1::FlashAttentionScore", "npu::1::NPUFlashAttention"
OUTPUTS = ["max", "sum", "reserved", "out"]
DEFAULTS = {
    "scale_value": 1.0, "keep_prob": 1.0, "pre_tockens": 2147483647, "next_tockens": 2147483647, "inner_precise": 0,
    "sparse_mode": 0, "pse_type": 1, "seed": 0, "offset": 0, "out_dtype": 0, "softmax_out_layout": "",
}  # fmt: skip
REQUIRED = {"head_num": 8, "input_layout": "BSH"}


@pytest.fixture(scope="module", autouse=True)
def plugin():
    package = importlib.util.find_spec("ascend_flash_attention").submodule_search_locations[0]
    host.load(Path(package) / "vendors/custom/framework/onnx/libcust_onnx_parsers.so")


def text_of(**attributes):
    """Attributes as CANN's parser passes those of an ONNX node."""
    return onnx_parser.attributes_json(helper.make_node("x", [], [], **attributes))


def entry(name, kind, **value):
    return json.dumps({"attribute": [{"name": name, "type": kind, **value}, {"name": "head_num", "type": 2, "i": 8},
                                     {"name": "input_layout", "s": "BSH", "type": 3}]})  # fmt: skip


def parse(text, origin=OWN, inputs=("q", "k", "v"), outputs=OUTPUTS):
    return onnx_parser.parse_node(origin, text, inputs, outputs)


def attrs(text):
    return parse(text)["node"]["attrs"]


def test_origin_types():
    versions = [f"ai.onnx::{version}::NPUFlashAttention" for version in range(11, 21)]
    assert set(onnx_parser.origins()) >= {OWN, VENDOR, *versions}
    with pytest.raises(host.HostFunctionError, match="no parser is registered for ai.onnx::23::Attention"):
        parse(text_of(**REQUIRED), origin="ai.onnx::23::Attention")


def test_absent_attributes_have_the_operators_defaults():
    result = parse(text_of(**REQUIRED))
    assert result["node"]["type"] == "FlashAttentionScore"
    assert result["node"]["attrs"] == {**DEFAULTS, **REQUIRED}
    assert result["graph"] is None


def test_every_attribute_arrives():
    given = {
        "scale_value": 0.375, "keep_prob": 0.5, "pre_tockens": -3, "next_tockens": 1 << 40, "head_num": 5,
        "input_layout": "SBH", "inner_precise": 2, "sparse_mode": 4, "pse_type": 3, "seed": 11, "offset": 12,
        "out_dtype": 1, "softmax_out_layout": "same_as_input",
    }  # fmt: skip
    assert attrs(text_of(**given)) == given


CALLS = [
    ({"input_layout": "TND", "actual_seq_qlen": [3, 5], "actual_seq_kvlen": [3, 6], "sparse_mode": 7, "next_tokens": -1,
      "softmax_layout": "TND"}, {8, 9}),
    ({"input_layout": "TND", "actual_seq_qlen": [2, 6], "actual_seq_kvlen": [2, 6], "sparse_mode": 6, "prefix": [1, 3]},
     {7, 8, 9}),
    ({"input_layout": "BSH", "head_num": 2, "sparse_mode": 5, "prefix": [3, 4, 0, 1, 2, 4]}, {7}),
    ({"input_layout": "SBH", "head_num": 4, "pse": torch.ones(4), "pse_type": 3, "q_start_idx": [2],
      "kv_start_idx": [5]}, {3, 10, 11}),
    ({"input_layout": "TND", "actual_seq_qlen": [6], "actual_seq_kvlen": [6], "sink": torch.ones(4)}, {8, 9, 17}),
]  # fmt: skip


class Call(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options

    def forward(self, x):
        return npu_flash_attention(x, x, x, **self.options)[0]


@pytest.mark.filterwarnings("ignore")  # the exporter's own
@pytest.mark.parametrize("options, positions", CALLS)
def test_exported_nodes_arrive(options, positions):
    """CANN takes the inputs by position, which the definition names."""
    model = fa_onnx.export(Call(options).eval(), (torch.randn(6, 4, 8),), dynamo=False, portable=False)
    [node] = [node for node in model.graph.node if node.op_type == "FlashAttentionScore"]
    result = parse(onnx_parser.attributes_json(node), inputs=list(node.input), outputs=list(node.output))["node"]
    given = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    given = {name: value.decode() if isinstance(value, bytes) else value for name, value in given.items()}
    scale = given.pop("scale_value")
    assert np.float32(result["attrs"].pop("scale_value")) == np.float32(scale)
    assert result["attrs"] == {name: value for name, value in DEFAULTS.items() if name != "scale_value"} | given
    assert {i for i, name in enumerate(node.input) if name} == {0, 1, 2} | positions
    names = [each["name"] for each in host.definition("FlashAttentionScore")["inputs"]]
    lists = {"prefix", "actual_seq_qlen", "actual_seq_kvlen", "q_start_idx", "kv_start_idx", "sink"} & options.keys()
    assert {names[i] for i in positions} == lists | ({"real_shift"} if "pse" in options else set())


def test_zeros_are_left_out_by_the_parser_and_still_arrive():
    text = text_of(**REQUIRED, next_tockens=0, pre_tockens=0, scale_value=0.0, sparse_mode=0)
    assert '"i": 0' not in text and '"f"' not in text
    result = attrs(text)
    assert (result["next_tockens"], result["pre_tockens"], result["scale_value"]) == (0, 0, 0.0)


@pytest.mark.parametrize("value", ['"0.25"', "0.25", '"2.5e-1"', "2.5E-1", '"0.250"'])
def test_spellings_of_a_float(value):
    assert attrs(entry("scale_value", 1, f=0).replace('"f": 0', f'"f": {value}'))["scale_value"] == 0.25


@pytest.mark.parametrize("value", ["-7", '"-7"'])
def test_spellings_of_an_integer(value):
    assert attrs(entry("pre_tockens", 2, i=0).replace('"i": 0', f'"i": {value}'))["pre_tockens"] == -7


@pytest.mark.parametrize("name", ["scale_value", "scale"])
@pytest.mark.parametrize("d", [1, 2, 3, 7, 32, 48, 80, 96, 128, 192, 255, 511, 767, 768])
def test_scale_of_a_head_dim_survives_six_digits(name, d):
    scale = np.float32(1 / np.sqrt(d))
    got = attrs(text_of(**REQUIRED, **{name: float(scale)}))["scale_value"]
    assert np.float32(got) == scale


def test_other_scales_keep_six_digits():
    assert attrs(text_of(**REQUIRED, scale_value=0.123456))["scale_value"] == pytest.approx(0.123456, rel=1e-6)
    assert attrs(text_of(**REQUIRED, scale_value=1.2345e-20))["scale_value"] == pytest.approx(1.2345e-20, rel=1e-6)


def test_json_with_everything_that_may_stand_around():
    text = (
        '{ "doc": {"a": [1, {"b": null}], "c": true},\n "attribute" : [\t{"doc_string": "q\\"\\\\\\u0041",'
        ' "ints": [1, 2], "t": {"dims": [1]}, "s": "BS\\u0048", "type": 3, "name": "input_layout"},'
        ' {"type":2,"i":3,"name":"head_num"} ] }'
    )
    assert attrs(text) == {**DEFAULTS, "input_layout": "BSH", "head_num": 3}


@pytest.mark.parametrize(
    "text, reason",
    [
        (None, "head_num must be given and > 0, got 0"),
        (text_of(head_num=0, input_layout="BSH"), "head_num must be given and > 0, got 0"),
        (text_of(head_num=-1, input_layout="BSH"), "head_num must be given and > 0, got -1"),
        (text_of(head_num=8), "input_layout must be given: BSH, SBH, BSND, BNSD or TND"),
        (text_of(head_num=8, input_layout=""), "input_layout must be given"),
        (text_of(head_num=8.0, input_layout="BSH"), "head_num must be an attribute of type INT (2), got type 1"),
        (text_of(**REQUIRED, scale=1), "scale must be an attribute of type FLOAT (1), got type 2"),
        (text_of(**REQUIRED, dropout=1), "attribute dropout is not known"),
        (text_of(**REQUIRED, scale=0.5, scale_value=0.5), "scale_value is given twice"),
        (entry("scale_value", 1, f="wide"), "scale_value must be a number, got wide"),
        (entry("scale_value", 1, f="nan"), "scale_value must be a number, got nan"),
        (entry("seed", 2, i="99999999999999999999"), "seed must be a number, got 99999999999999999999"),
        (entry("seed", 2, i="3x"), "seed must be a number, got 3x"),
        ("[]", "not the expected JSON"),
        ('{"attribute": [{"name": "head_num", "type": 2, "i": 8}', "not the expected JSON"),
        ('{"attribute": [{"name": "head_num" "type": 2}]}', "expected , at character"),
        ("{} x", "text after the end"),
        ('{"a": ' + "[" * 100 + "]" * 100 + "}", "nested too deeply"),
    ],
    ids=itertools.count(),
)
def test_refusals_name_the_attribute(text, reason, capfd):
    with pytest.raises(host.HostFunctionError, match="refused the node"):
        parse(text)
    assert reason in capfd.readouterr().err


def test_vendor_node_becomes_a_graph():
    inputs = ["q", "k", "v", "", "", "mask"]
    text = text_of(**REQUIRED, scale=0.125, sparse_mode=3)
    result = parse(text, VENDOR, inputs, ["out"])
    node = result["node"]
    assert (node["type"], node["dynamic_inputs"], node["dynamic_outputs"]) == ("PartitionedCall", {"x": 6}, {"y": 1})
    assert node["attrs"]["original_type"] == VENDOR
    [(attention, indices)] = result["graph"]["outputs"]
    assert indices == [3] and attention["type"] == "FlashAttentionScore"
    assert attention["attrs"] == {**DEFAULTS, **REQUIRED, "scale_value": 0.125, "sparse_mode": 3}
    data = {each["name"]: (each["type"], each["attrs"]["index"]) for each in result["graph"]["inputs"]}
    wired = {name: data[source] for name, source in attention["inputs"].items()}
    assert wired == {name: ("Data", i) for i, name in ((0, "query"), (1, "key"), (2, "value"), (5, "atten_mask"))}


def test_vendor_node_with_all_inputs():
    graph = parse(text_of(**REQUIRED), "ai.onnx::18::NPUFlashAttention", list("abcdefghi"), ["out"])["graph"]
    assert list(graph["outputs"][0][0]["inputs"]) == [
        "query", "key", "value", "real_shift", "padding_mask", "atten_mask", "prefix", "actual_seq_qlen",
        "actual_seq_kvlen",
    ]  # fmt: skip


@pytest.mark.parametrize("inputs, outputs", [(list("ab"), ["o"]), (list("abcdefghij"), ["o"]), (list("abc"), OUTPUTS)])
def test_vendor_node_of_another_shape_is_refused(inputs, outputs, capfd):
    with pytest.raises(host.HostFunctionError):
        parse(text_of(**REQUIRED), VENDOR, inputs, outputs)
    expected = f"3 to 9 inputs and 1 output, got {len(inputs)} and {len(outputs)}"
    assert expected in capfd.readouterr().err
