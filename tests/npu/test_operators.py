# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Torch's own operators on npu tensors of the emulation: the bits of the CPU, or a refusal that names the operator."""

import pytest
import torch
import torch.nn.functional as F
import torch_npu

from tests.system.forward_call import same_bits

FUNCTIONS = {
    "mul": lambda x: x * 2,
    "half": lambda x: x.half(),
    "equal": lambda x: x == x.flip(0),
    "strided copy": lambda x: x.t().contiguous(),
    "transposed sum": lambda x: x.t() + 1,
    "slice": lambda x: x[1:, ::2] + 1,
    "softmax": lambda x: x.softmax(-1),
    "matmul": lambda x: x @ x.t(),
    "einsum": lambda x: torch.einsum("ij,kj->ik", x, x),
    "boolean index": lambda x: x[x > 0],
    "integer index": lambda x: x[torch.tensor([2, 0], device=x.device)],
    "cat": lambda x: torch.cat([x, x], 1),
    "stack": lambda x: torch.stack([x, x]),
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(0, keepdim=True),
    "std": lambda x: x.std(),
    "where": lambda x: torch.where(x > 0, x, 0),
    "masked_fill": lambda x: x.masked_fill(x > 0, float("-inf")),
    "gelu": F.gelu,
    "layer_norm": lambda x: F.layer_norm(x, x.shape[-1:]),
    "topk": lambda x: x.topk(2).indices,
    "sort": lambda x: x.sort(0).values,
    "argmax": lambda x: x.argmax(-1),
    "cumsum": lambda x: x.cumsum(0),
    "triu": lambda x: x.triu(),
    "repeat": lambda x: x.repeat(2, 1),
    "expand": lambda x: x.expand(2, *x.shape).reshape(-1),
    "embedding": lambda x: F.embedding(torch.tensor([2, 0, 2], device=x.device), x),
    "cross_entropy": lambda x: F.cross_entropy(x, torch.arange(x.shape[0], device=x.device)),
    "conv1d": lambda x: F.conv1d(x[None], x[None, :, :3]),
    "full": lambda x: x + torch.full((x.shape[-1],), 3.0, device=x.device),
    "arange": lambda x: torch.arange(7, device=x.device),
    "like": lambda x: torch.ones_like(x) - torch.zeros_like(x),
    "foreach": lambda x: torch._foreach_add([x, x], 1)[1],
    "to dtype and back": lambda x: x.to(torch.bfloat16).to(x.dtype),
}


@pytest.fixture
def pair(rng):
    x = torch.randn(5, 7, generator=rng)
    return x, x.npu()


def check(result, expected):
    assert result.device.type == "npu"
    assert same_bits(result.cpu(), expected)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(pair, name):
    check(FUNCTIONS[name](pair[1]), FUNCTIONS[name](pair[0]))


def change_in_place(x):
    x.mul_(3)
    x[0] = 7
    x[:, 1:3].zero_()
    x[x < 0] = -1
    x.t()[2].copy_(torch.arange(5.0))
    return x


def test_in_place(pair):
    check(change_in_place(pair[1].clone()), change_in_place(pair[0].clone()))


def test_output_arguments(pair):
    for size in (0, 35):
        out = torch.empty(size, device="npu").view(-1) if size == 0 else torch.empty(5, 7, device="npu")
        address = out.data_ptr()
        assert torch.add(pair[1], pair[1], out=out) is out
        check(out, pair[0] + pair[0])
        assert size == 0 or out.data_ptr() == address


def test_copies_between_devices(pair):
    x, y = pair
    target = torch.zeros(7, 5)
    target.copy_(y.t())
    assert target.equal(x.t())
    y.copy_(torch.arange(7.0))
    check(y, torch.arange(7.0).expand(5, 7).contiguous())
    assert y[0, 3].item() == 3.0 and y.tolist()[1][6] == 6.0


def test_printing(pair):
    on_npu, on_cpu = (" ".join(repr(x).split()) for x in reversed(pair))
    assert on_npu == on_cpu[:-1] + ", device='npu:0')"


def test_random_numbers_follow_the_seed():
    torch.manual_seed(7)
    on_npu = torch.randn(100, device="npu"), F.dropout(torch.ones(100, device="npu"))
    torch.manual_seed(7)
    on_cpu = torch.randn(100), F.dropout(torch.ones(100))
    for result, expected in zip(on_npu, on_cpu, strict=True):
        check(result, expected)
    with pytest.raises(NotImplementedError, match="CPU's generator"):
        torch.randn(3, device="npu", generator=torch.Generator("npu"))


def test_training_step(rng):
    states = []
    for device in ("cpu", "npu"):
        torch.manual_seed(3)
        model = torch.nn.Sequential(
            torch.nn.Linear(6, 8), torch.nn.LayerNorm(8), torch.nn.GELU(), torch.nn.Linear(8, 2)
        )
        model.to(device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        x = torch.linspace(-1, 1, 4 * 5 * 6).view(4, 5, 6).to(device)
        for _ in range(2):
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
        states.append({name: value.cpu() for name, value in model.state_dict().items()})
    for name, value in states[0].items():
        assert same_bits(states[1][name], value), name


def test_an_operator_of_cann_is_refused_by_name(pair):
    with pytest.raises(RuntimeError, match=r"RmsNorm: CANN's built-in operators do not exist in this emulation"):
        torch_npu.npu_rms_norm(pair[1], torch.ones(7).npu())
        torch.npu.synchronize()
    check(pair[1] + 1, pair[0] + 1)


def test_memory_is_counted():
    before = torch.npu.memory_allocated()
    x = torch.empty(1 << 20, device="npu")
    assert torch.npu.memory_allocated() - before >= 4 << 20
    del x
    assert torch.npu.memory_allocated() == before
