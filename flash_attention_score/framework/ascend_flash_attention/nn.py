# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Modules around npu_flash_attention."""

import torch

from ascend_flash_attention._arguments import checked
from ascend_flash_attention._layouts import MAX_HEAD_DIM
from ascend_flash_attention.ops import npu_flash_attention


class FlashAttentionWrapper(torch.nn.Module):
    """Multi-head attention without projections, for tensors [batch, seq, embed_dim].

    Args:
        embed_dim: width of query, key and value.
        num_heads: heads; embed_dim must be a multiple of it.

    Raises:
        ValueError: embed_dim is not a positive multiple of num_heads, or embed_dim / num_heads exceeds 768.
    """

    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        if num_heads <= 0 or embed_dim <= 0 or embed_dim % num_heads:
            raise ValueError(f"embed_dim must be a positive multiple of num_heads, got {embed_dim} and {num_heads}")
        if embed_dim // num_heads > MAX_HEAD_DIM:
            raise ValueError(f"embed_dim / num_heads must be at most {MAX_HEAD_DIM}, got {embed_dim} and {num_heads}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.scale = (embed_dim // num_heads) ** -0.5

    @checked
    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        atten_mask: torch.Tensor | None = None,
        sparse_mode: int = 0,
    ) -> torch.Tensor:
        """Attention [batch, S1, embed_dim] of query [batch, S1, embed_dim] over key and value [batch, S2, embed_dim].

        atten_mask and sparse_mode: see npu_flash_attention. ValueError for other widths than embed_dim, TypeError for
        an argument of a wrong type.
        """
        for name, tensor in (("query", query), ("key", key), ("value", value)):
            if tensor.dim() != 3 or tensor.shape[-1] != self.embed_dim:
                raise ValueError(f"{name} must be [batch, seq, {self.embed_dim}], got {list(tensor.shape)}")
        return npu_flash_attention(
            query, key, value, self.num_heads, "BSH", atten_mask=atten_mask, scale=self.scale, sparse_mode=sparse_mode
        )[0]

    def extra_repr(self) -> str:
        return f"embed_dim={self.embed_dim}, num_heads={self.num_heads}"
