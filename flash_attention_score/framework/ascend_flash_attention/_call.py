# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""One call of the operators from the arguments of torch_npu's functions, the same for forward and gradient."""

from ascend_flash_attention import _dropout, _library
from ascend_flash_attention._lists import integers, sequence_ends
from ascend_flash_attention._shift import BEFORE_SCALE, resolve_shift

_LISTS = ("prefix", "actual_seq_qlen", "actual_seq_kvlen", "q_start_idx", "kv_start_idx")


def _statistics_layout(softmax_layout: str, layout: str) -> str:
    """The operator's name for torch_npu's softmax_layout."""
    if softmax_layout not in ("", "TND"):
        raise ValueError(f"softmax_layout must be empty or TND, got {softmax_layout!r}")
    if softmax_layout and layout != "TND":
        raise ValueError(f"softmax_layout TND belongs to input_layout TND, got {layout}")
    return "same_as_input" if softmax_layout else ""


def operator_options(query, key, layout: str, head_num: int, arguments: dict) -> dict:
    """Keyword arguments of the operators from those of torch_npu's functions that are not None: lists read and checked,
    a float mask turned into pse, the others as given.

    may_be_lengths among them, by default True: the lists come from a caller who may have mistaken lengths for
    cumulative ends.
    """
    options = {name: value for name, value in arguments.items() if value is not None}
    may_be_lengths = options.pop("may_be_lengths", True)
    if layout == "TND":
        options["actual_seq_qlen"], options["actual_seq_kvlen"] = sequence_ends(
            options.get("actual_seq_qlen"), options.get("actual_seq_kvlen"), query.shape[0], key.shape[0],
            may_be_lengths,
        )  # fmt: skip
    if "pse" in options or "atten_mask" in options:
        ends = options.get("actual_seq_qlen"), options.get("actual_seq_kvlen")
        shift = resolve_shift(
            query, key, layout, head_num, ends, options.pop("atten_mask", None), options.pop("pse", None),
            options.get("pse_type", BEFORE_SCALE),
        )  # fmt: skip
        given = zip(("atten_mask", "pse", "pse_type"), shift, strict=True)
        options.update((name, value) for name, value in given if value is not None)
    for name in _LISTS:
        if name in options:
            options[name] = integers(name, options[name])
    if options.get("softmax_layout"):
        options["softmax_layout"] = _statistics_layout(options["softmax_layout"], layout)
    return options


def count_scores(query, key, layout: str, head_num: int, options: dict) -> int:
    return _dropout.score_count(
        query, key, layout, head_num, options.get("actual_seq_qlen"), options.get("actual_seq_kvlen")
    )


def attend(
    query, key, value, head_num: int, layout: str, *, keep_prob=1.0, dropout_mask=None, seed=0, offset=0, **arguments
):
    """torch_npu's results: attention_out, softmax_max, softmax_sum, an empty tensor, seed, offset, numels."""
    options = operator_options(query, key, layout, head_num, arguments)
    state = _dropout.rng_state(query, keep_prob, dropout_mask, seed, offset)
    numels = count_scores(query, key, layout, head_num, options)
    results = _library.flash_attention_score(
        query, key, value, head_num, layout, keep_prob=keep_prob, drop_mask=dropout_mask, rng_state=state, **options
    )
    return (*results, query.new_empty(0), *_dropout.numbers_of(state), numels)


def attend_grad(
    query, key, value, dy, head_num: int, layout: str, *, softmax_max, softmax_sum, softmax_in, attention_in,
    keep_prob=1.0, seed=0, offset=0, numels=None, **arguments,
):  # fmt: skip
    """dq, dk, dv, dpse, dq_rope, dk_rope, dsink; None for what has no gradient. numels None: not known."""
    given = {"softmax_max": softmax_max, "softmax_sum": softmax_sum, "attention_in": attention_in}
    for name, tensor in given.items():
        if tensor is None:
            raise ValueError(f"{name} is required: pass what the forward returned, got None")
    if softmax_in is not None and softmax_in.numel():
        raise ValueError(
            f"softmax_in must be None or the empty tensor that the forward returned, got {list(softmax_in.shape)}"
        )
    options = operator_options(query, key, layout, head_num, arguments)
    state = None
    if keep_prob != 1:
        expected = count_scores(query, key, layout, head_num, options)
        if numels not in (None, expected):
            raise ValueError(f"numels must be what the forward returned, {expected} scores, got {numels}")
        state = _dropout.state_of(seed, offset)
    has_dpse = "pse" in options
    gradients = _library.flash_attention_score_grad(
        query, key, value, dy, attention_in, softmax_max, softmax_sum, head_num, layout,
        keep_prob=keep_prob, rng_state=state, pse_grad=has_dpse, **options,
    )  # fmt: skip
    has = (True, True, True, has_dpse, *(options.get(name) is not None for name in ("query_rope", "key_rope", "sink")))
    return tuple(gradient if there else None for gradient, there in zip(gradients, has, strict=True))
