# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Models with pse, a float mask or sinks: the library's bits are PyTorch's, the attached function's values right."""

import ascend_flash_attention
import ascend_flash_attention.onnx as fa_onnx
import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from onnx.reference import ReferenceEvaluator

B, N, S1, S2, D = 2, 4, 9, 37, 16


class Shifted(torch.nn.Module):
    """Two calls, the second without a shift; `name`: argument that takes it."""

    def __init__(self, name, options):
        super().__init__()
        self.name, self.options = name, options

    def forward(self, query, key, value, shift, mask=None):
        masks = {} if mask is None else {"atten_mask": mask}
        out = ascend_flash_attention.npu_flash_attention(
            query, key, value, **masks, **{self.name: shift}, **self.options
        )[0]
        return out + ascend_flash_attention.npu_flash_attention(query, key, value)[0]


def expected(query, key, value, shift, mask, scale, pse_type):
    query, key, value, shift = (x.double() for x in (query, key, value, shift))
    products = query @ key.mT
    scores = scale * (products + shift) if pse_type == 1 else scale * products + shift
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    plain = (D**-0.5 * query @ key.mT).softmax(-1)
    return (scores.softmax(-1).nan_to_num(0) + plain) @ value


SHAPES = [(B, N, S1, S2), (1, N, 1, S2), (B, 1, S1, 1), (1, 1, S1, S2)]


@pytest.mark.filterwarnings("ignore")  # the exporters' own
@pytest.mark.parametrize("dynamo", [True, False])
@pytest.mark.parametrize("name, pse_type, shape, dtype, masked", [
    ("pse", 1, SHAPES[0], torch.float32, False),
    ("pse", 0, SHAPES[1], torch.float16, False),
    ("pse", 1, SHAPES[2], torch.float32, True),
    ("atten_mask", 0, SHAPES[3], torch.float32, False),
    ("atten_mask", 0, (S1, S2), torch.float16, False),
])  # fmt: skip
def test_exported_shift(dynamo, name, pse_type, shape, dtype, masked, seed, tmp_path):
    torch.manual_seed(seed)
    given = [torch.randn(B, N, s, D, dtype=dtype) for s in (S1, S2, S2)] + [torch.randn(shape, dtype=dtype)]
    given += [torch.rand(B, 1, S1, S2) < 0.4] if masked else []
    options = {"scale": 0.3} | ({"pse_type": pse_type} if name == "pse" else {})
    model, path = Shifted(name, options).eval(), tmp_path / "model.onnx"
    names = ["query", "key", "value", "shift", "mask"][: len(given)]
    exported = fa_onnx.export(model, tuple(given), path, dynamo=dynamo, input_names=names, verbose=False)
    onnx.checker.check_model(str(path), full_check=True)
    feed = {key: x.numpy() for key, x in zip(names, given, strict=True)}

    fast = onnxruntime.InferenceSession(path, fa_onnx.session_options()).run(None, feed)[0]
    np.testing.assert_array_equal(fast, model(*given).numpy())
    right = expected(*given[:4], given[4] if masked else None, 0.3, pse_type).numpy()
    tolerance = 2e-6 if dtype == torch.float32 else 4e-3
    for portable in (
        onnxruntime.InferenceSession(path).run(None, feed)[0],
        ReferenceEvaluator(exported).run(None, feed)[0],
    ):
        np.testing.assert_allclose(portable, right, rtol=tolerance, atol=4 * tolerance)


class Sinking(torch.nn.Module):
    def forward(self, query, key, value, sink, mask):
        return ascend_flash_attention.npu_flash_attention(query, key, value, atten_mask=mask, sink=sink)[:3]


@pytest.mark.filterwarnings("ignore")  # the exporters' own
@pytest.mark.parametrize("dynamo", [True, False])
def test_exported_sink(dynamo, seed, tmp_path):
    """One row sees no key."""
    torch.manual_seed(seed)
    query, key, value = (torch.randn(B, N, s, D) for s in (S1, S2, S2))
    sink, mask = 2 * torch.randn(N), torch.rand(B, 1, S1, S2) < 0.4
    mask[0, 0, 3] = True
    given, names, path = (
        (query, key, value, sink, mask),
        ["query", "key", "value", "sink", "mask"],
        tmp_path / "model.onnx",
    )
    model = Sinking().eval()
    exported = fa_onnx.export(model, given, path, dynamo=dynamo, input_names=names, verbose=False)
    onnx.checker.check_model(str(path), full_check=True)
    feed = {name: x.numpy() for name, x in zip(names, given, strict=True)}
    eager = [x.numpy() for x in model(*given)]
    for fast, own in zip(
        onnxruntime.InferenceSession(path, fa_onnx.session_options()).run(None, feed), eager, strict=True
    ):
        np.testing.assert_array_equal(fast, own)
    scores = (D**-0.5 * query.double() @ key.double().mT).masked_fill(mask, -torch.inf)
    logits = torch.cat([scores, sink.double().reshape(1, N, 1, 1).expand(B, N, S1, 1)], -1)
    right = (logits.softmax(-1)[..., :-1] @ value.double()).numpy()
    for portable in (onnxruntime.InferenceSession(path).run(None, feed), ReferenceEvaluator(exported).run(None, feed)):
        np.testing.assert_allclose(portable[0], right, rtol=2e-6, atol=8e-6)
        for result, own in zip(portable[1:], eager[1:], strict=True):
            np.testing.assert_allclose(result, own, rtol=2e-6)


def test_sinks_in_some_calls_only_have_no_portable_form():
    inputs = ["q", "q", "q"]
    nodes = [
        onnx.helper.make_node(
            "FlashAttentionScore", given, ["", "", "", name], domain="npu", head_num=1, input_layout="BSH"
        )
        for name, given in (("a", inputs), ("b", inputs + [""] * 14 + ["sink"]))
    ]
    types = {"q": [1, 2, 4], "sink": [1], "a": [1, 2, 4], "b": [1, 2, 4]}
    values = {name: onnx.helper.make_tensor_value_info(name, 1, dims) for name, dims in types.items()}
    graph = onnx.helper.make_graph(nodes, "g", [values["q"], values["sink"]], [values["a"], values["b"]])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)])
    with pytest.raises(ValueError, match="needs sink in every attention call of the model or in none"):
        fa_onnx.add_function(model)
