# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A short tour of npu_flash_attention; every result is compared with torch's scaled_dot_product_attention.

    python examples/python/test_flash_attention.py

On an NPU the same calls run after `import torch_npu, ascend_flash_attention`. Exits with 1 if a result differs.
"""

import sys

import ascend_flash_attention as torch_npu
import torch
from torch.nn.functional import scaled_dot_product_attention

BATCH, HEADS, QUERIES, KEYS, HEAD_DIM = 2, 4, 100, 130, 64
ALLOWED = {torch.float32: 1e-5, torch.bfloat16: 3e-2, torch.float16: 4e-3}

results = []


def compare(what, out, expected):
    difference = (out.float() - expected.float()).abs().max().item()
    passed = out.shape == expected.shape and out.dtype == expected.dtype and difference <= ALLOWED[out.dtype]
    results.append(passed)
    print(f"{'ok' if passed else 'WRONG':<6} {difference:8.1e}  {what}")


def heads_first(x):
    """[B,S,N*D] -> [B,N,S,D]"""
    return x.unflatten(2, (HEADS, HEAD_DIM)).transpose(1, 2)


def heads_inside(x):
    """[B,N,S,D] -> [B,S,N*D]"""
    return x.transpose(1, 2).flatten(2)


def main():
    torch.manual_seed(0)
    q = torch.randn(BATCH, HEADS, QUERIES, HEAD_DIM)
    k, v = torch.randn(2, BATCH, HEADS, KEYS, HEAD_DIM).unbind()

    # 4-D tensors are [batch, heads, sequence, head dim]; scale=None is 1/sqrt(head dim).
    out, softmax_max, softmax_sum = torch_npu.npu_flash_attention(q, k, v)[:3]
    compare("4-D inputs (BNSD)", out, scaled_dot_product_attention(q, k, v))

    # Besides the output there are maximum and sum of the softmax, 8 equal copies each.
    log_sum_exp = softmax_max[..., 0] + softmax_sum[..., 0].log()
    compare("softmax max and sum", log_sum_exp, (q @ k.transpose(2, 3) * HEAD_DIM**-0.5).logsumexp(-1))

    for dtype in (torch.bfloat16, torch.float16):
        inputs = [x.to(dtype) for x in (q, k, v)]
        out = torch_npu.npu_flash_attention(*inputs)[0]
        compare(f"{dtype}", out, scaled_dot_product_attention(*inputs))

    # 3-D tensors are [batch, sequence, embed_dim]; the number of heads follows from scale = 1/sqrt(head dim).
    q3, k3, v3 = (heads_inside(x) for x in (q, k, v))
    embed_dim, num_heads = HEADS * HEAD_DIM, HEADS
    out = torch_npu.npu_flash_attention(q3, k3, v3, scale=(embed_dim // num_heads) ** -0.5, keep_prob=1.0)[0]
    compare("3-D inputs (BSH)", heads_first(out), scaled_dot_product_attention(q, k, v))

    # A mask hides keys where it is True (torch's bool masks are the other way round); each dimension may be 1.
    lengths = torch.tensor([70, KEYS])
    padding = torch.arange(KEYS) >= lengths[:, None, None, None]  # [B,1,1,S2]
    out = torch_npu.npu_flash_attention(q, k, v, atten_mask=padding)[0]
    compare("padding mask [B,1,1,S2]", out, scaled_dot_product_attention(q, k, v, attn_mask=~padding))

    # A row that sees no key is 0, not NaN.
    everything = torch.ones(QUERIES, KEYS, dtype=torch.bool)
    out = torch_npu.npu_flash_attention(q, k, v, atten_mask=everything)[0]
    compare("everything masked", out, torch.zeros_like(q))

    # Causal without a mask tensor: sparse_mode 2 counts from the first key, 3 from the last.
    out = torch_npu.npu_flash_attention(q, k, v, sparse_mode=2)[0]
    compare("causal from the top left", out, scaled_dot_product_attention(q, k, v, is_causal=True))
    visible = torch.ones(QUERIES, KEYS).tril(KEYS - QUERIES).bool()
    out = torch_npu.npu_flash_attention(q, k, v, sparse_mode=3)[0]
    compare("causal to the bottom right", out, scaled_dot_product_attention(q, k, v, attn_mask=visible))

    # The same as a module, for models.
    attention = torch_npu.nn.FlashAttentionWrapper(embed_dim, num_heads)
    compare("nn.FlashAttentionWrapper", heads_first(attention(q3, k3, v3)), scaled_dot_product_attention(q, k, v))

    # What cannot be done is refused with a text that names the argument.
    try:
        torch_npu.npu_flash_attention(q3, k3, v3)
    except ValueError as error:
        results.append("head_num" in str(error))
        print(f"{'ok' if results[-1] else 'WRONG'}     refused: {error}")
    else:
        results.append(False)
        print("WRONG  3-D inputs without head_num and scale were accepted")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
