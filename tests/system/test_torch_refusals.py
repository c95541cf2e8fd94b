# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""What the torch side refuses before, beside and instead of a run: devices, derivatives, types, shapes on Meta, and
calls that have nothing to compute."""

import numpy as np
import pytest
import torch
from ascend_flash_attention import (
    _vendor_rules,
    flash_attn_func,
    npu_flash_attention,
    npu_fusion_attention,
    npu_fusion_attention_grad,
    scaled_dot_product_attention,
)
from ascend_flash_attention.nn import FlashAttentionWrapper

OP = torch.ops.ascend_flash_attention.flash_attention_score
OP_GRAD = torch.ops.ascend_flash_attention.flash_attention_score_grad


@pytest.fixture
def q(rng):
    return torch.randn((1, 2, 5, 8), generator=rng)


@pytest.mark.parametrize("on_meta", [("key", "value"), ("value",), ("atten_mask",), ("query",)])
def test_tensors_of_several_devices(q, on_meta):
    tensors = {"query": q, "key": q, "value": q, "atten_mask": torch.zeros(5, 5, dtype=torch.bool)}
    tensors |= {name: tensors[name].to("meta") for name in on_meta}
    with pytest.raises(ValueError, match="must be on query's (cpu, got meta|meta, got cpu)"):
        npu_flash_attention(**tensors)


def test_gradient_of_several_devices(q):
    out, row_max, row_sum = npu_flash_attention(q, q, q)[:3]
    with pytest.raises(ValueError, match="softmax_sum must be on query's cpu, got meta"):
        OP_GRAD(q, q, q, q, out, row_max, row_sum.to("meta"), 2, "BNSD")


@pytest.mark.parametrize("position", range(3))
def test_forward_mode_derivative_is_refused(q, position):
    inputs = [q, q, q]

    def attention(x):
        return npu_flash_attention(*inputs[:position], x, *inputs[position + 1 :])[0]

    with pytest.raises(NotImplementedError, match="no forward-mode derivative"):
        torch.func.jvp(attention, (q,), (torch.ones_like(q),))
    with torch.autograd.forward_ad.dual_level(), pytest.raises(NotImplementedError, match="no forward-mode derivative"):
        attention(torch.autograd.forward_ad.make_dual(q, torch.ones_like(q)))


def test_forward_mode_derivative_of_the_gradient_is_refused(q):
    out, row_max, row_sum = npu_flash_attention(q, q, q)[:3]

    def gradient(dy):
        return OP_GRAD(q, q, q, dy, out, row_max, row_sum, 2, "BNSD")[0]

    with pytest.raises(NotImplementedError, match="no forward-mode derivative"):
        torch.func.jvp(gradient, (out,), (torch.ones_like(out),))


@pytest.mark.parametrize("transform", [torch.func.grad, torch.func.jacrev])
def test_function_transforms_are_refused(q, transform):
    with pytest.raises(NotImplementedError, match="cannot be differentiated by torch.func"):
        transform(lambda x: npu_flash_attention(x, q, q)[0].sum())(q)
    x = q.clone().requires_grad_()  # and are forgotten afterwards
    npu_flash_attention(x, q, q)[0].sum().backward()
    assert x.grad.isfinite().all()


@pytest.mark.parametrize("wrong", ["query", "key", "value"])
def test_module_checks_widths(rng, wrong):
    x = {name: torch.randn((1, 6, 64), generator=rng) for name in ("query", "key", "value")}
    assert FlashAttentionWrapper(64, 4)(**x).shape == (1, 6, 64)
    for shape in ((1, 6, 128), (1, 6, 32), (6, 64)):
        with pytest.raises(ValueError, match=rf"{wrong} must be \[batch, seq, 64\], got"):
            FlashAttentionWrapper(64, 4)(**x | {wrong: torch.zeros(shape)})


def test_module_checks_types():
    x = np.zeros((1, 6, 64))
    with pytest.raises(TypeError, match=r"query must be a tensor, got numpy.ndarray of shape \[1, 6, 64\]$"):
        FlashAttentionWrapper(64, 4)(x, x, x)


def test_module_checks_the_head_dim():
    assert FlashAttentionWrapper(768, 1).embed_dim == 768
    with pytest.raises(ValueError, match="at most 768, got 769 and 1"):
        FlashAttentionWrapper(769, 1)


@pytest.mark.parametrize(
    ("shape", "expanded"),
    [((1, 10), (2, 10)), ((1, 10), (3, 10)), ((1, 1), (3, 3)), ((1, 1, 1, 1), (7, 9, 13, 10)), ((10, 1), (10, 9))],
)
def test_expanded_masks_of_a_wrong_shape(rng, shape, expanded):
    x = torch.randn((2, 4, 10, 16), generator=rng)
    mask = torch.zeros(shape, dtype=torch.bool).expand(expanded)
    for attention_mask in (mask, mask.contiguous()):
        with pytest.raises(ValueError, match="atten_mask"):
            npu_flash_attention(x, x, x, atten_mask=attention_mask)
    out, row_max, row_sum = npu_flash_attention(x, x, x)[:3]
    options = {"softmax_max": row_max, "softmax_sum": row_sum, "attention_in": out}
    with pytest.raises(ValueError, match="atten_mask"):
        npu_fusion_attention_grad(x, x, x, out, 4, "BNSD", atten_mask=mask, **options)


EMPTY_REFUSED = {
    "sparse_mode": ({"sparse_mode": 99}, "sparse_mode must be"),
    "keep_prob": ({"keep_prob": 1.5}, "keep_prob must be in"),
    "pse": ({"pse": torch.zeros(4)}, "real_shift"),
    "sink": ({"sink": torch.zeros(5)}, "sink must be float32"),
    "prefix": ({"prefix": [3]}, "prefix belongs to sparse_mode 5 and 6"),
    "mask": ({"atten_mask": torch.zeros(3, 3, dtype=torch.bool)}, "a 2-D atten_mask is"),
    "head_num": ({"head_num": 99}, "head_num must equal"),
    "key": ({"key": torch.empty(5, 4, 10, 16)}, "one batch size"),
}


@pytest.mark.parametrize("shape", [(0, 4, 10, 16), (2, 4, 0, 16)])
@pytest.mark.parametrize("name", EMPTY_REFUSED)
def test_empty_calls_are_checked(shape, name):
    options, text = EMPTY_REFUSED[name]
    empty = torch.empty(shape)
    with pytest.raises(ValueError, match=text):
        npu_flash_attention(**{"query": empty, "key": empty, "value": empty, **options})


META_REFUSED = {
    "head_num_100": ((2, 10, 64), {"head_num": 100}, "multiple of head_num 100"),
    "head_num_7": ((2, 10, 64), {"head_num": 7}, "multiple of head_num 7"),
    "head_num_0": ((2, 10, 64), {"head_num": 0}, "head_num must be > 0"),
    "key_width": ((2, 10, 64), {"head_num": 4, "key": (2, 10, 24)}, "key's last dimension"),
    "value_width": ((2, 10, 64), {"head_num": 4, "value": (2, 10, 65)}, "value's last dimension"),
    "heads": ((2, 4, 10, 16), {"head_num": 5}, "head_num must equal"),
    "batch": ((2, 4, 10, 16), {"head_num": 4, "key": (3, 4, 10, 16)}, "one batch size"),
    "length": ((2, 4, 10, 16), {"head_num": 4, "value": (2, 4, 11, 16)}, "one sequence length"),
    "groups": ((2, 4, 10, 16), {"head_num": 4, "key": (2, 3, 10, 16), "value": (2, 3, 10, 16)}, "multiple of key's"),
    "head_dim": ((2, 4, 10, 16), {"head_num": 4, "key": (2, 4, 10, 8)}, "one head dim"),
    "value_dim": ((2, 4, 10, 16), {"head_num": 4, "value": (2, 4, 10, 17)}, "head dim of value"),
    "wide": ((2, 4, 10, 769), {"head_num": 4}, "must be 1..768, got 769"),
    "int32": ((2, 4, 10, 16), {"head_num": 4, "dtype": torch.int32}, "query must be float32"),
}


@pytest.mark.parametrize("device", ["meta", "cpu"])
@pytest.mark.parametrize("name", META_REFUSED)
def test_meta_refuses_what_the_operator_refuses(device, name):
    shape, options, text = META_REFUSED[name]
    dtype = options.get("dtype", torch.float32)
    shapes = (shape, options.get("key", shape), options.get("value", shape))
    tensors = [torch.zeros(each, dtype=dtype, device=device) for each in shapes]
    with pytest.raises(ValueError, match=text):
        OP(*tensors, options["head_num"], "BSH" if len(shape) == 3 else "BNSD")


SPARSE = torch.zeros(1, 2, 5, 8).to_sparse()
NESTED = torch.nested.nested_tensor([torch.zeros(5, 8)], layout=torch.jagged)


@pytest.mark.parametrize("name", ["query", "key", "value", "atten_mask", "pse", "sink"])
@pytest.mark.parametrize(("given", "kind"), [(SPARSE, "torch.sparse_coo"), (NESTED, "nested")])
def test_tensors_that_are_not_dense(q, name, given, kind):
    with pytest.raises(TypeError, match=f"^{name} must be a dense tensor, got a {kind} one$"):
        npu_flash_attention(**{"query": q, "key": q, "value": q, name: given})


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
def test_quantized_tensors(q):
    mask = torch.quantize_per_tensor(torch.zeros(5, 5), 0.1, 0, torch.quint8)
    with pytest.raises(TypeError, match="^atten_mask must be a dense tensor, got a quantized one$"):
        npu_flash_attention(q, q, q, atten_mask=mask)


@pytest.mark.parametrize("value", ["yes", 1, None, torch.tensor(True)])
@pytest.mark.parametrize("name", ["is_causal", "enable_gqa"])
def test_flags_of_torch(q, name, value):
    with pytest.raises(TypeError):
        torch.nn.functional.scaled_dot_product_attention(q, q, q, **{name: value})
    with pytest.raises(TypeError, match=f"^{name} must be True or False, got "):
        scaled_dot_product_attention(q, q, q, **{name: value})
    expected = scaled_dot_product_attention(q, q, q, **{name: True})
    assert torch.equal(scaled_dot_product_attention(q, q, q, **{name: np.bool_(True)}), expected)


@pytest.mark.parametrize("name", ["causal", "deterministic", "return_attn_probs", "sync", "gen_mask_parallel"])
def test_other_flags(q, name):
    def call(value):
        if name in ("sync", "gen_mask_parallel"):
            return npu_fusion_attention(q, q, q, 2, "BNSD", **{name: value})[0]
        return flash_attn_func(q, q, q, **{name: value})

    for value in ("yes", 2, 1.0, None):
        with pytest.raises(TypeError, match=f"^{name} must be True or False, got {value!r}"):
            call(value)
    for got, expected in zip(call(1), call(True), strict=True):
        assert got is expected or torch.equal(got, expected)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"keep_prob": 0.5, "dropout_mask": torch.zeros(99)}, "^dropout_mask must be Byte, got Float"),
        ({"pse": torch.zeros(5, 5).double()}, "^pse must be Float for pse_type 1, got Double"),
        ({"pse": torch.zeros(2).half(), "pse_type": 2}, "^pse must be Float for pse_type 2, got Half"),
        ({"pse": torch.zeros(5, 5, dtype=torch.int32)}, "^pse must be Float for pse_type 1, got Int"),
        ({"atten_mask": torch.zeros(5, 5).half()}, "must be torch.float32, got torch.float16"),
    ],
)
def test_data_types_of_optional_tensors(q, options, text):
    with pytest.raises(ValueError, match=text):
        npu_flash_attention(q, q, q, **options)


def test_a_half_call_may_have_a_float_shift(q):
    with pytest.raises(ValueError, match="^pse must be Half or Float for pse_type 0, got Double"):
        npu_flash_attention(*[q.half()] * 3, pse=torch.zeros(5, 5).double(), pse_type=0)


@pytest.mark.parametrize("layout", ["bnsd", "BNSD\0", "\0", ""])
def test_layout_is_named(q, layout):
    with pytest.raises(ValueError, match="input_layout"):
        OP(q, q, q, 2, layout)


@pytest.mark.parametrize("dtype", [torch.int32, torch.float64, torch.bool, torch.uint8])
def test_dtypes_of_query(dtype):
    x = torch.zeros((1, 1, 4, 8), dtype=dtype)
    with pytest.raises(ValueError) as caught:
        npu_flash_attention(x, x, x)
    text = str(caught.value)
    assert text.startswith("query must be float32, float16 or bfloat16, got ") and "\n" not in text


@pytest.mark.parametrize("name", ["key", "value"])
@pytest.mark.parametrize("dtype", [torch.int32, torch.float64, torch.bool, torch.uint8])
def test_dtypes_of_key_and_value(q, name, dtype):
    with pytest.raises(ValueError, match=f"^{name} must be float32, float16 or bfloat16, got "):
        npu_flash_attention(**{"query": q, "key": q, "value": q} | {name: q.to(dtype)})


@pytest.mark.parametrize("dtype", [torch.bool, torch.float32, torch.int64])
def test_padding_mask_is_refused_whatever_it_is(q, dtype):
    with pytest.raises(ValueError, match="padding_mask must not be given: put padding into atten_mask"):
        npu_flash_attention(q, q, q, padding_mask=torch.zeros((1, 5), dtype=dtype))


def test_large_results_are_not_allocated_for_a_refused_call(rng):
    query, key = torch.randn((1, 1, 2**20, 8), generator=rng), torch.randn((1, 1, 4, 8), generator=rng)
    with pytest.raises(ValueError, match="head dim of value must be 1..8"):
        npu_flash_attention(query, key, torch.zeros(1, 1, 1, 1).expand(1, 1, 4, 2**22))
    with pytest.raises(ValueError, match="head_num must equal"):
        npu_flash_attention(query, key, key, head_num=2**40)


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("name", ["query", "key", "value", "dy", "attention_in", "softmax_max", "softmax_sum"])
def test_registered_operators_need_their_tensors(q, device, name):
    """torch hands None on for a required tensor."""
    statistics = torch.zeros(*q.shape[:-1], 8, device=device)
    tensors = dict.fromkeys(("query", "key", "value", "dy", "attention_in"), q.to(device))
    tensors.update(dict.fromkeys(("softmax_max", "softmax_sum"), statistics))
    tensors[name] = None
    operators = {OP: list(tensors.values())[:3], OP_GRAD: list(tensors.values())}
    for operator, given in operators.items():
        if any(x is None for x in given):
            with pytest.raises(TypeError, match=f"^{name} must be a tensor, got None"):
                operator(*given, 2, "BNSD")


def test_dropout_bits_are_not_made_for_a_refused_call(q):
    with pytest.raises(ValueError, match="head_num must equal query's dimension 1"):
        npu_flash_attention(q, q, q, head_num=2**40, keep_prob=0.5, seed=1)
    state = torch.tensor([1, 0])
    statistics = torch.zeros(*q.shape[:-1], 8)
    with pytest.raises(ValueError, match="head_num must equal query's dimension 1"):
        OP_GRAD(q, q, q, q, q, statistics, statistics, 2**40, "BNSD", keep_prob=0.5, rng_state=state)


@pytest.mark.parametrize("wrong", ["actual_seq_qlen", "actual_seq_kvlen"])
@pytest.mark.parametrize("ends", [[2**40], [3, 2**62], [-(2**40), 5], [-(2**62), 5]])
def test_dropout_bits_are_not_made_for_ends_outside_of_the_tokens(rng, wrong, ends):
    """4 TiB and more of bits, or a number of them that does not fit 64 bits."""
    x = torch.randn((5, 2, 8), generator=rng)
    right = [0, 5][-len(ends) :]
    options = {"actual_seq_qlen": right, "actual_seq_kvlen": right, wrong: ends}
    options |= {"keep_prob": 0.5, "rng_state": torch.tensor([1, 0])}
    statistics = torch.zeros(5, 2, 8)
    for call in (
        lambda: OP(x, x, x, 2, "TND", **options),
        lambda: OP_GRAD(x, x, x, x, x, statistics, statistics, 2, "TND", **options),
    ):
        with pytest.raises(ValueError, match=f"{wrong}.* ({max(ends, key=abs)})"):
            call()


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"query": None}, TypeError, "query must be a tensor, got None"),
        ({"key": 3}, TypeError, "key must be a tensor, got 3"),
        (
            {"key": np.zeros((1, 2, 300, 64))},
            TypeError,
            r"key must be a tensor, got numpy.ndarray of shape \[1, 2, 300, 64\]$",
        ),
        ({"atten_mask": [1] * 99}, TypeError, "atten_mask must be a tensor, got list$"),
        ({"head_num": np.zeros(99)}, TypeError, r"head_num must be an integer, got numpy.ndarray of shape \[99\]$"),
        ({"prefix": "1" * 99}, TypeError, "prefix must be a list, tuple, array or tensor of integers, got str$"),
        ({"head_num": 4.0}, TypeError, "head_num must be an integer, got 4.0"),
        ({"head_num": "4"}, TypeError, "head_num must be an integer, got '4'"),
        ({"head_num": 2**64}, ValueError, "head_num must be an integer of .*, got 18446744073709551616"),
        ({"sparse_mode": 1.5}, TypeError, "sparse_mode must be an integer, got 1.5"),
        ({"pre_tokens": 2**63}, ValueError, "pre_tokens must be an integer of"),
        ({"input_layout": 5}, TypeError, "input_layout must be a string, got 5"),
        ({"scale": "1"}, TypeError, "scale must be a number, got '1'"),
        ({"scale": 10**400}, ValueError, "scale must be in the range of a float, up to"),
        ({"scale": -(10**5000)}, ValueError, "scale must be in the range of a float, up to"),
        ({"scale": 1j}, TypeError, "scale must be a number, got 1j"),
        ({"scale": torch.ones(2)}, TypeError, r"scale must be a number, got torch.Tensor of shape \[2\]$"),
        ({"scale": torch.ones((), requires_grad=True)}, NotImplementedError, "scale has no derivative"),
        ({"keep_prob": None}, TypeError, "keep_prob must be a number, got None"),
        ({"prefix": torch.ones(1, dtype=torch.int64, device="meta")}, ValueError, "prefix must have values"),
    ],
)
def test_types_of_arguments(q, options, error, text):
    with pytest.raises(error, match=text):
        npu_flash_attention(**{"query": q, "key": q, "value": q, **options})
    if len(options) == 1 and "head_num" in options:
        with pytest.raises(error, match=text):
            npu_fusion_attention(q, q, q, options["head_num"], "BNSD")


def test_compile_while_the_warning_is_pending(q, monkeypatch):
    monkeypatch.setattr(_vendor_rules, "_warned_dense", False)

    def attention(x):
        return npu_fusion_attention(x, x, x, 2, "BNSD", sparse_mode=2)[0]

    compiled = torch.compile(attention, fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(q), npu_fusion_attention(q, q, q, 2, "BNSD")[0])
    with pytest.warns(UserWarning, match="ignores sparse_mode 2") as record:
        attention(q)
    assert record[0].filename == __file__


def test_no_scaling_does_not_mean_heads_of_one_channel(rng):
    x = torch.randn((1, 9, 40), generator=rng)
    with pytest.raises(ValueError, match="head_num is needed"):
        npu_flash_attention(x, x, x, scale=1.0)
    assert npu_flash_attention(x, x, x, 40, scale=1.0)[1].shape == (1, 40, 9, 8)
