# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Hugging Face's attention paths on a small Llama of random weights: npu tensors of the emulation against the CPU."""

import copy

import pytest
import torch
import torch_npu  # noqa: F401  transformers looks for it

transformers = pytest.importorskip("transformers", reason="transformers is not installed here (nightly)")

CONFIG = dict(
    vocab_size=97, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=256,
)  # fmt: skip
BATCH, LENGTH = 2, 133


def make_model(attention, dtype, state=None):
    torch.manual_seed(0)
    config = transformers.LlamaConfig(**CONFIG)
    model = transformers.LlamaForCausalLM._from_config(
        copy.deepcopy(config), attn_implementation=attention, dtype=dtype
    )
    if state is not None:
        model.load_state_dict(state)
    return model.eval()


@pytest.mark.parametrize("attention", ["flash_attention_2", "sdpa"])
@pytest.mark.parametrize("dtype, limit", [(torch.float32, 2e-6), (torch.float16, 4e-3), (torch.bfloat16, 3e-2)])
@torch.no_grad()
def test_logits(rng, attention, dtype, limit):
    tokens = torch.randint(1, 97, (BATCH, LENGTH), generator=rng)
    reference = make_model("eager", dtype)
    expected = reference(tokens).logits
    logits = make_model(attention, dtype, reference.state_dict()).npu()(tokens.npu()).logits
    assert logits.device.type == "npu"
    error = (logits.cpu().double() - expected.double()).abs().max() / expected.double().abs().max()
    assert error < limit


@torch.no_grad()
def test_generated_tokens(rng):
    tokens = torch.randint(1, 97, (BATCH, 9), generator=rng)
    reference = make_model("eager", torch.float32)
    model = make_model("flash_attention_2", torch.float32, reference.state_dict()).npu()
    options = dict(max_new_tokens=12, do_sample=False, pad_token_id=0)
    assert model.generate(tokens.npu(), **options).cpu().equal(reference.generate(tokens, **options))


def test_training(rng):
    model = make_model("flash_attention_2", torch.float32).npu().train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    tokens = torch.randint(1, 97, (BATCH, LENGTH), generator=rng).npu()
    losses = []
    for _ in range(6):
        optimizer.zero_grad()
        loss = model(tokens, labels=tokens).loss
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.95 * losses[0], losses
