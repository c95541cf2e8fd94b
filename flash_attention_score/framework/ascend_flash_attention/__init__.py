# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""FlashAttentionScore and its gradient, the Ascend operators, for PyTorch.

`import ascend_flash_attention as torch_npu` and call `npu_flash_attention` as on an NPU. Beside the real torch_npu its
functions work on npu tensors, and `torch_npu.npu_flash_attention` is this one.
"""

import sys

# `python -m ascend_flash_attention doctor` says why these cannot be imported, so it must not need them.
if sys.argv[:2] != ["-m", "doctor"]:
    from ascend_flash_attention import _torch_npu, nn
    from ascend_flash_attention.autotuner import autotune
    from ascend_flash_attention.explain import explain_tiling
    from ascend_flash_attention.flash_attn import flash_attn_func, flash_attn_varlen_func
    from ascend_flash_attention.fusion_attention import (
        npu_fusion_attention,
        npu_fusion_attention_v2,
        npu_fusion_attention_v3,
    )
    from ascend_flash_attention.gradient import (
        npu_fusion_attention_grad,
        npu_fusion_attention_grad_v2,
        npu_fusion_attention_grad_v3,
    )
    from ascend_flash_attention.kernel_choice import which_kernel
    from ascend_flash_attention.ops import npu_flash_attention
    from ascend_flash_attention.sdpa import scaled_dot_product_attention
    from ascend_flash_attention.tuning import (
        flash_attention_tuning,
        npu_get_flash_attention_tuning_params,
        npu_reset_flash_attention_tuning_params,
        npu_set_flash_attention_tuning_params,
    )

    _torch_npu.attach(
        npu_flash_attention,
        npu_get_flash_attention_tuning_params,
        npu_reset_flash_attention_tuning_params,
        npu_set_flash_attention_tuning_params,
    )

__all__ = [
    "autotune",
    "explain_tiling",
    "flash_attn_func",
    "flash_attn_varlen_func",
    "flash_attention_tuning",
    "nn",
    "npu_flash_attention",
    "npu_fusion_attention",
    "npu_fusion_attention_grad",
    "npu_fusion_attention_grad_v2",
    "npu_fusion_attention_grad_v3",
    "npu_fusion_attention_v2",
    "npu_fusion_attention_v3",
    "npu_get_flash_attention_tuning_params",
    "npu_reset_flash_attention_tuning_params",
    "npu_set_flash_attention_tuning_params",
    "scaled_dot_product_attention",
    "which_kernel",
]
