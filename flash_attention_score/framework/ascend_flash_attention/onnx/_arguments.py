# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Arguments of the torch operator -> attributes of the ONNX node; what cannot be exported is refused by name."""

SPARSE_MODES = range(5)
LAYOUTS = ("BSH", "SBH", "BSND", "BNSD")
# Argument -> why it is refused. None and an empty list count as absent.
_NOT_YET = {
    "drop_mask": "dropout is not supported: export the model in eval mode",
    "padding_mask": "it is reserved; put padding into atten_mask, [B, 1, 1, S2]",
    "prefix": "sparse_mode 5 and 6 are not supported yet",
    "actual_seq_qlen": "input_layout TND is not supported yet",
    "actual_seq_kvlen": "input_layout TND is not supported yet",
    "q_start_idx": "pse_type 2 and 3 are not supported yet",
    "kv_start_idx": "pse_type 2 and 3 are not supported yet",
    "query_rope": "rotary parts are not supported yet",
    "key_rope": "rotary parts are not supported yet",
    "rng_state": "dropout is not supported: export the model in eval mode",
}
DEFAULTS = {
    "scale": 1.0,
    "keep_prob": 1.0,
    "pre_tokens": 2147483647,
    "next_tokens": 2147483647,
    "inner_precise": 0,
    "sparse_mode": 0,
    "pse_type": 1,
    "softmax_layout": "",
}


class ExportError(ValueError):
    """A call of the operator that has no ONNX form; the text names the argument."""


def _require(condition: bool, text: str) -> None:
    if not condition:
        raise ExportError(f"FlashAttentionScore cannot be exported: {text}")


def check_type(name: str, got: str, allowed: tuple[str, ...]) -> None:
    """got: lower-case name of an element type."""
    _require(got in allowed, f"{name} must be {' or '.join(allowed)}, got {got}")


def check_types(query: str, key: str, value: str, atten_mask: str | None, pse: str | None, sink: str | None) -> None:
    """Element types as ONNX names them, in lower case."""
    check_type("query", query, ("float", "float16", "bfloat16"))
    _require(query == key == value, f"query, key and value must have one type, got {query}, {key} and {value}")
    if atten_mask is not None:
        check_type("atten_mask", atten_mask, ("bool", "uint8"))
    if pse is not None:
        check_type("pse", pse, tuple(dict.fromkeys((query, "float"))))
    if sink is not None:
        check_type("sink", sink, ("float",))


def node_attributes(head_num: int, input_layout: str, options: dict) -> dict:
    """Attributes of the node, those that its function reads all present.

    options: the other arguments of the torch operator by name, tensors included; missing ones have DEFAULTS.
    """
    for name, reason in _NOT_YET.items():
        given = options.get(name)
        _require(given is None or (isinstance(given, list | tuple) and not given), f"{name}: {reason}")
    values = {name: options.get(name, default) for name, default in DEFAULTS.items()}
    keep_prob, mode = values["keep_prob"], values["sparse_mode"]
    _require(keep_prob == 1, f"keep_prob must be 1, got {keep_prob}: dropout is not supported, export in eval mode")
    _require(mode in SPARSE_MODES, f"sparse_mode must be 0, 1, 2, 3 or 4, got {mode}")
    pse_type = values["pse_type"]
    if options.get("pse") is None:
        _require(pse_type == 1, f"pse_type must be 1 without pse, got {pse_type}")
    else:
        _require(pse_type in (0, 1), f"pse_type must be 0 or 1, got {pse_type}: slopes are not supported yet")
    _require(values["softmax_layout"] == "", f"softmax_layout must be empty, got {values['softmax_layout']!r}")
    _require(head_num > 0, f"head_num must be > 0, got {head_num}")
    _require(input_layout in LAYOUTS, f"input_layout must be {', '.join(LAYOUTS)}, got {input_layout}")
    return {
        "head_num": head_num,
        "input_layout": input_layout,
        "scale_value": float(values["scale"]),
        "pre_tockens": values["pre_tokens"],
        "next_tockens": values["next_tokens"],
        "inner_precise": values["inner_precise"],
        "sparse_mode": mode,
        "pse_type": pse_type,
    }


def node_inputs(query, key, value, atten_mask, pse, sink) -> list:
    """Inputs by position; None where an optional one is absent."""
    inputs = [query, key, value, pse, None, None, atten_mask, *[None] * 10, sink]
    while inputs[-1] is None:
        inputs.pop()
    return inputs
