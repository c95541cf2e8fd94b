# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Arguments of the torch operator -> attributes of the ONNX node; what cannot be exported is refused by name."""

from ascend_flash_attention._arguments import require_exportable, require_no_dropout
from ascend_flash_attention._layouts import MAX_TOKENS, RANKS
from ascend_flash_attention._shift import FIRST_SLOPE_TYPE
from ascend_flash_attention.onnx._schema import INPUTS, LISTS

SPARSE_MODES = range(7)
PACKED_SPARSE_MODES = (0, 1, 2, 3, 4, 6, 7, 8)
PREFIX_MODES = (5, 6)
_ENDS = ("actual_seq_qlen", "actual_seq_kvlen")
_STARTS = ("q_start_idx", "kv_start_idx")
# Arguments of the torch operator that are inputs of the node beside lists, and the names there of those that differ.
_TENSORS = ("atten_mask", "pse", "query_rope", "key_rope", "sink")
_NAMES = {"pse": "real_shift"}
# Argument -> why it is refused. None and an empty list count as absent.
_REFUSED = {
    "drop_mask": "dropout is not supported: export the model in eval mode",
    "padding_mask": "it is reserved; put padding into atten_mask, [B, 1, 1, S2]",
    "rng_state": "dropout is not supported: export the model in eval mode",
}
DEFAULTS = {
    "scale": 1.0,
    "keep_prob": 1.0,
    "pre_tokens": MAX_TOKENS,
    "next_tokens": MAX_TOKENS,
    "inner_precise": 0,
    "sparse_mode": 0,
    "pse_type": 1,
    "softmax_layout": "",
}


def check_type(name: str, got: str, allowed: tuple[str, ...]) -> None:
    """got: lower-case name of an element type."""
    require_exportable(got in allowed, f"{name} must be {' or '.join(allowed)}, got {got}")


def check_types(types: dict[str, str | None], options: dict) -> None:
    """types: of the tensors by argument, as ONNX names them, in lower case; None where there is no tensor."""
    sloped = options.get("pse_type", DEFAULTS["pse_type"]) >= FIRST_SLOPE_TYPE
    query, key, value = (types[name] for name in ("query", "key", "value"))
    check_type("query", query, ("float", "float16", "bfloat16"))
    require_exportable(
        query == key == value, f"query, key and value must have one type, got {query}, {key} and {value}"
    )
    shift = ("float",) if sloped else tuple(dict.fromkeys((query, "float")))
    rope = ("bfloat16",)  # all that the operator takes
    allowed = {
        "atten_mask": ("bool", "uint8"), "pse": shift, "query_rope": rope, "key_rope": rope, "sink": ("float",),
    }  # fmt: skip
    for name, kinds in allowed.items():
        if types[name] is not None:
            check_type(name, types[name], kinds)


def _is_absent(value) -> bool:
    return value is None or (isinstance(value, list | tuple) and not value)


def tensors_of(query, key, value, options: dict) -> dict:
    """The tensors of a call by argument; None where one is absent."""
    return {"query": query, "key": key, "value": value, **{name: options.get(name) for name in _TENSORS}}


def _check_rule(mode: int, layout: str, options: dict) -> None:
    """sparse_mode and the lists that belong to it and to the layout."""
    packed = layout == "TND"
    allowed = PACKED_SPARSE_MODES if packed else SPARSE_MODES
    require_exportable(
        mode in allowed,
        f"sparse_mode must be one of {', '.join(map(str, allowed))} for input_layout {layout}, got {mode}",
    )
    for name in _ENDS:
        fits = options.get(name) is not None if packed else _is_absent(options.get(name))
        require_exportable(fits, f"input_layout TND, and no other, needs {name}, got {options.get(name)}")
    prefix = options.get("prefix")  # empty for no batches
    require_exportable(
        prefix is not None if mode in PREFIX_MODES else _is_absent(prefix),
        f"sparse_mode 5 and 6, and no other, need prefix, got sparse_mode {mode} and prefix {prefix}",
    )


def _check_shift(pse_type: int, options: dict) -> None:
    if options.get("pse") is None:
        require_exportable(pse_type == 1, f"pse_type must be 1 without pse, got {pse_type}")
    else:
        require_exportable(pse_type in range(4), f"pse_type must be 0 to 3, got {pse_type}")
    starts = [options.get(name) or [] for name in _STARTS]
    require_exportable(
        len(starts[0]) == len(starts[1]) and (pse_type >= FIRST_SLOPE_TYPE or not any(sum(starts, []))),
        f"q_start_idx and kv_start_idx belong together, to pse_type 2 and 3, got {starts} and pse_type {pse_type}",
    )


def _check_rope(layout: str, options: dict) -> None:
    given = [options.get(name) is not None for name in ("query_rope", "key_rope")]
    require_exportable(given[0] == given[1], "query_rope and key_rope belong together")
    require_exportable(layout == "TND" or not given[0], f"query_rope and key_rope need input_layout TND, got {layout}")


def node_attributes(head_num: int, input_layout: str, options: dict) -> dict:
    """Attributes of the node, those that its function reads all present.

    options: the other arguments of the torch operator by name, tensors included; missing ones have DEFAULTS.
    """
    for name, reason in _REFUSED.items():
        require_exportable(_is_absent(options.get(name)), f"{name}: {reason}")
    values = {name: options.get(name, default) for name, default in DEFAULTS.items()}
    keep_prob, statistics = values["keep_prob"], values["softmax_layout"]
    require_no_dropout(keep_prob)
    _check_rule(values["sparse_mode"], input_layout, options)
    _check_shift(values["pse_type"], options)
    _check_rope(input_layout, options)
    require_exportable(
        statistics in (("", "same_as_input") if input_layout == "TND" else ("",)),
        f"softmax_layout must be empty or, for input_layout TND, same_as_input, got {statistics!r}",
    )
    require_exportable(head_num > 0, f"head_num must be > 0, got {head_num}")
    require_exportable(input_layout in RANKS, f"input_layout must be {', '.join(RANKS)}, got {input_layout}")
    return {
        "head_num": head_num,
        "input_layout": input_layout,
        "scale_value": float(values["scale"]),
        "pre_tockens": values["pre_tokens"],
        "next_tockens": values["next_tokens"],
        "inner_precise": values["inner_precise"],
        "sparse_mode": values["sparse_mode"],
        "pse_type": values["pse_type"],
        "softmax_out_layout": statistics,
    }


def node_inputs(tensors: dict, options: dict) -> list:
    """Inputs by position: tensors as given, lists of integers as lists, None where an optional one is absent."""
    lists = {name: list(options[name]) for name in LISTS if options.get(name) is not None}
    by_name = {_NAMES.get(name, name): given for name, given in (tensors | lists).items()}
    inputs = [by_name.get(name) for name, *_ in INPUTS]
    while inputs[-1] is None:
        inputs.pop()
    return inputs
