# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Cases through the official aclnn functions, which take everything that the operators take.

Outputs are poisoned. Without attenMaskOptional these functions are dense, so that a mode without a mask tensor gets
the one that stands for it.
"""

import torch

from tests.cases.case import MASK_TENSOR_MODES
from tests.reference.attention import AttentionResult, from_layout, to_layout
from tests.reference.dropout import pack_bits
from tests.reference.gradient import GradientResult
from tests.reference.packed import row_state_from_memory
from tests.system.aclnn_call import call

ENTRIES = {False: ("ScoreV3", "ScoreGradV3"), True: ("VarLenScoreV5", "UnpaddingScoreGradV5")}  # TND or not


def mask_argument(case, inputs):
    """attenMaskOptional: without one the official functions are dense."""
    if case.sparse_mode not in MASK_TENSOR_MODES:
        return torch.zeros(3072 if case.sparse_mode == 6 else 2048, 2048, dtype=torch.uint8)
    needed = case.has_window or case.sparse_mode == 5 or case.rope > 0
    return torch.zeros(1, 1, dtype=torch.bool) if needed and inputs.mask is None else inputs.mask


def _common(case, inputs, names):
    """Arguments of both directions; names: of key, pse, sink and the rotary part of key."""
    key, pse, sink, key_rope = names
    query, key_tensor, value = inputs.in_layout(case.layout)
    arguments = {
        "query": query, key: key_tensor, "value": value, pse: inputs.pse,
        "attenMaskOptional": mask_argument(case, inputs),
        "scaleValue": case.scale, "keepProb": case.keep_prob, "preTokens": case.pre_tokens,
        "nextTokens": case.next_tokens, "headNum": case.n1, "inputLayout": case.layout, "sparseMode": case.sparse_mode,
        sink: inputs.sink,
    }  # fmt: skip
    if case.keep_prob < 1:
        arguments["dropMaskOptional"] = pack_bits(inputs.keep) if inputs.drop_mask is None else inputs.drop_mask
    if inputs.prefix is not None:
        arguments["prefixOptional"] = list(inputs.prefix)
    if case.pse is not None:
        arguments["pseType"] = case.pse.type
        if case.pse.start != (0, 0):
            starts = zip(("qStartIdxOptional", "kvStartIdxOptional"), case.pse.start, strict=True)
            arguments |= {name: [start] for name, start in starts}
    if case.is_packed:
        ends = zip(("actualSeqQLenOptional", "actualSeqKvLenOptional"), case.ends, strict=True)
        arguments |= {name: list(values) for name, values in ends}
    if case.rope:
        arguments |= {"queryRope": to_layout(inputs.query_rope, "TND"), key_rope: to_layout(inputs.key_rope, "TND")}
    return arguments


def _row_state(case):
    _, s1, _ = case.sizes
    return torch.empty(s1, case.n1, 8) if case.is_packed else torch.empty(case.b, case.n1, case.s1, 8)


def forward(case, inputs):
    """(out, max, sum) as the function writes them."""
    b, s1, _ = case.sizes
    out = to_layout(torch.empty(b, case.n1, s1, case.dv, dtype=inputs.query.dtype), case.layout)
    results = {"attentionOutOut": out, "softmaxMaxOut": _row_state(case), "softmaxSumOut": _row_state(case)}
    arguments = _common(case, inputs, ("key", "realShiftOptional", "sinkOptional", "keyRope")) | results
    if case.is_packed:
        arguments["softmaxOutLayout"] = "same_as_input" if case.like_input else ""
    call(ENTRIES[case.is_packed][0], arguments)
    return tuple(results.values())


def as_result(case, raw):
    """AttentionResult of what forward() returned: BNSD, for TND one batch of all tokens."""
    out, *state = raw
    if case.is_packed:
        state = [row_state_from_memory(x, case.ends[0], case.like_input) for x in state]
    return AttentionResult(from_layout(out, case.layout, case.n1), *state, torch.zeros(()))


def gradients(case, inputs, dy, saved=None, wants_pse=True):
    """GradientResult; dq and dk end with the gradients of the rotary parts. saved: what forward() gave, or it runs."""
    out, row_max, row_sum = forward(case, inputs) if saved is None else saved
    arguments = _common(case, inputs, ("keyIn", "pseShiftOptional", "sinkInOptional", "keyInRope"))
    wants_pse = wants_pse and case.pse is not None
    results = {
        name: torch.empty_like(arguments[of])
        for name, of in (("dqOut", "query"), ("dkOut", "keyIn"), ("dvOut", "value"),
                         ("dpseOut", "pseShiftOptional"), ("dsinkOut", "sinkInOptional"),
                         ("dqRopeOut", "queryRope"), ("dkRopeOut", "keyInRope"))
        if arguments.get(of) is not None and (of != "pseShiftOptional" or wants_pse)
    }  # fmt: skip
    arguments |= results | {
        "dy": to_layout(dy, case.layout), "softmaxMaxOptional": row_max, "softmaxSumOptional": row_sum,
        "attentionInOptional": out,
    }  # fmt: skip
    if case.is_packed:
        arguments["softmaxInLayout"] = "same_as_input" if case.like_input else ""
    call(ENTRIES[case.is_packed][1], arguments)

    def bnsd(name, heads):
        parts = [results[part] for part in (name + "Out", name + "RopeOut") if part in results]
        return torch.cat([from_layout(x, case.layout, heads) for x in parts], -1)

    return GradientResult(bnsd("dq", case.n1), bnsd("dk", case.n2), bnsd("dv", case.n2), (),
                          dpse=results.get("dpseOut"), dsink=results.get("dsinkOut"))  # fmt: skip
