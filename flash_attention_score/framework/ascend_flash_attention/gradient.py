# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The gradient of attention as a function of its own, with the arguments of torch_npu."""

import torch

from ascend_flash_attention._arguments import checked
from ascend_flash_attention._layouts import MAX_TOKENS, resolve_layout
from ascend_flash_attention._library import flash_attention_score_grad
from ascend_flash_attention._vendor_rules import vendor_sparse_mode


def _check_forward_results(softmax_max, softmax_sum, softmax_in, attention_in) -> None:
    given = {"softmax_max": softmax_max, "softmax_sum": softmax_sum, "attention_in": attention_in}
    for name, tensor in given.items():
        if tensor is None:
            raise ValueError(f"{name} is required: pass what the forward returned, got None")
    if softmax_in is not None and softmax_in.numel():
        raise ValueError(
            f"softmax_in must be None or the empty tensor that the forward returned, got {list(softmax_in.shape)}"
        )


@checked
def npu_fusion_attention_grad(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    dy: torch.Tensor,
    head_num: int,
    input_layout: str,
    *,
    pse: torch.Tensor | None = None,
    padding_mask: torch.Tensor | None = None,
    atten_mask: torch.Tensor | None = None,
    softmax_max: torch.Tensor | None = None,
    softmax_sum: torch.Tensor | None = None,
    softmax_in: torch.Tensor | None = None,
    attention_in: torch.Tensor | None = None,
    scale_value: float = 1.0,
    keep_prob: float = 1.0,
    pre_tockens: int = MAX_TOKENS,
    next_tockens: int = MAX_TOKENS,
    inner_precise: int = 0,
    seed: int = 0,
    offset: int = 0,
    numels: int = 0,
    prefix: list[int] | None = None,
    actual_seq_qlen: list[int] | None = None,
    actual_seq_kvlen: list[int] | None = None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    softmax_layout: str = "",
    sink: torch.Tensor | None = None,
):
    """torch_npu.npu_fusion_attention_grad, argument for argument (its version 1): the gradients of one attention call.

    Args:
        query, key, value, head_num, input_layout, atten_mask, pre_tockens, next_tockens, sparse_mode: as in the call of
            npu_fusion_attention that is differentiated; without atten_mask it is dense here too.
        dy: gradient of attention_out; its shape and data type.
        softmax_max, softmax_sum, attention_in: results 1, 2 and 0 of that call; required.
        softmax_in: result 3 of that call, which is empty, or None.
        scale_value: its `scale`.
        seed, offset, numels, gen_mask_parallel, sync: belong to dropout, without effect.
        pse, padding_mask, prefix, actual_seq_qlen, actual_seq_kvlen, softmax_layout, sink, keep_prob below 1: not
            supported yet; refused when given.

    Returns:
        Tuple of 5: dq, dk, dv (shapes and data type of query, key and value; dk and dv are summed over the query heads
        of a key head; 0 where nothing is visible), dpse and dsink, which are None as there is neither pse nor sink.

    Raises:
        ValueError: a wrong argument; the text names it, what was given and what is allowed.
        TypeError: an argument of a wrong type.

    Source: torch_npu.npu_fusion_attention_grad and the FlashAttentionScoreGrad operator of CANN.
    """
    layout = resolve_layout(query.shape, input_layout)
    _check_forward_results(softmax_max, softmax_sum, softmax_in, attention_in)
    dq, dk, dv = flash_attention_score_grad(
        query,
        key,
        value,
        dy,
        attention_in,
        softmax_max,
        softmax_sum,
        head_num,
        layout,
        pse=pse,
        padding_mask=padding_mask,
        atten_mask=atten_mask,
        prefix=prefix,
        actual_seq_qlen=actual_seq_qlen,
        actual_seq_kvlen=actual_seq_kvlen,
        sink=sink,
        scale=scale_value,
        keep_prob=keep_prob,
        pre_tokens=pre_tockens,
        next_tokens=next_tockens,
        inner_precise=inner_precise,
        sparse_mode=vendor_sparse_mode("npu_fusion_attention_grad", atten_mask, sparse_mode, pre_tockens, next_tockens),
        softmax_layout=softmax_layout,
    )
    return dq, dk, dv, None, None
