# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Types of arguments, checked by name: TypeError for a wrong one, ValueError for an integer that does not fit."""

import functools
import inspect
import numbers
import sys

import numpy as np
import torch

INT64 = range(-(1 << 63), 1 << 63)
_TENSORS = {"query", "key", "value", "dy", "q", "k", "v"}
_OPTIONAL_TENSORS = {
    "pse", "padding_mask", "atten_mask", "sink", "dropout_mask", "softmax_max", "softmax_sum", "softmax_in",
    "attention_in", "query_rope", "key_rope", "attn_mask", "alibi_slopes",
}  # fmt: skip
_OPTIONAL_INTEGERS = {"head_num"}
_INTEGERS = {
    "pre_tokens", "next_tokens", "pre_tockens", "next_tockens", "sparse_mode", "inner_precise", "pse_type", "seed",
    "offset", "numels", "max_seqlen_q", "max_seqlen_k",
}  # fmt: skip
_NUMBERS = {"scale", "scale_value", "softmax_scale", "keep_prob", "dropout_p", "softcap"}
_FLAGS = {"is_causal", "enable_gqa"}
_LOOSE_FLAGS = {"causal", "deterministic", "return_attn_probs", "gen_mask_parallel", "sync"}  # 0 and 1 pass as well
_OPTIONAL_TEXTS = {"input_layout", "soc"}
_TEXTS = {"softmax_layout"}


class ExportError(ValueError):
    """A call of the operator that has no ONNX form; the text names the argument."""


def require_exportable(condition: bool, text: str) -> None:
    if not condition:
        raise ExportError(f"FlashAttentionScore cannot be exported: {text}")


def require_no_dropout(keep_prob) -> None:
    require_exportable(
        keep_prob == 1, f"keep_prob must be 1, got {keep_prob}: dropout is not supported, export in eval mode"
    )


def described(value) -> str:
    """A value of a wrong type in the text of an error: short ones as they are, of others the type and the shape."""
    if value is None or isinstance(value, bool | numbers.Number) or (isinstance(value, str) and len(value) <= 40):
        return repr(value)
    name = type(value).__qualname__
    if type(value).__module__ != "builtins":
        name = f"{type(value).__module__}.{name}"
    shape = getattr(value, "shape", None)
    return name if shape is None else f"{name} of shape {list(shape)}"


def check_integer(name: str, value, allowed: range = INT64) -> int:
    """The value; torch's symbolic integers, and the tensors that sizes are while torch.jit traces, as they are."""
    if type(value) is int and allowed.start <= value < allowed.stop:  # nearly always, and cheap
        return value
    if isinstance(value, torch.SymInt) or (isinstance(value, torch.Tensor) and torch.jit.is_tracing()):
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {described(value)}")
    if not allowed.start <= value < allowed.stop:
        raise ValueError(f"{name} must be an integer of {allowed.start}..{allowed.stop - 1}, got {value}")
    return value


def _check_tensor(name: str, value) -> None:
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{name} must be a tensor, got {described(value)}")
    if value.layout is not torch.strided or value.is_nested or value.is_quantized:
        kind = "nested" if value.is_nested else "quantized" if value.is_quantized else value.layout
        raise TypeError(f"{name} must be a dense tensor, got a {kind} one")


def _check_flag(name: str, value) -> None:
    if not isinstance(value, bool | np.bool_ | torch.SymBool):
        raise TypeError(f"{name} must be True or False, got {described(value)}")


def _check_loose_flag(name: str, value) -> None:
    if type(value) is not int or value not in (0, 1):
        _check_flag(name, value)


def check_text(name: str, value) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {described(value)}")


def _check_number(name: str, value) -> None:
    """A real number, torch's symbolic ones and tensors of one element included, which have no derivative here."""
    if isinstance(value, torch.Tensor) and value.numel() == 1 and not value.is_complex():
        if value.requires_grad:
            raise NotImplementedError(f"{name} has no derivative: pass a number or a detached tensor")
    elif isinstance(value, bool) or not isinstance(value, numbers.Real | torch.SymInt | torch.SymFloat):
        raise TypeError(f"{name} must be a number, got {described(value)}")
    elif isinstance(value, numbers.Rational) and abs(value) > sys.float_info.max:
        raise ValueError(f"{name} must be in the range of a float, up to {sys.float_info.max:.3g}, got a larger number")


_CHECKS = {
    **dict.fromkeys(_TENSORS | _OPTIONAL_TENSORS, _check_tensor),
    **dict.fromkeys(_INTEGERS | _OPTIONAL_INTEGERS, check_integer),
    **dict.fromkeys(_FLAGS, _check_flag),
    **dict.fromkeys(_LOOSE_FLAGS, _check_loose_flag),
    **dict.fromkeys(_TEXTS | _OPTIONAL_TEXTS, check_text),
    **dict.fromkeys(_NUMBERS, _check_number),
}
_OPTIONAL = _OPTIONAL_TENSORS | _OPTIONAL_INTEGERS | _OPTIONAL_TEXTS
# Checks that a value of this very type passes.
_PASSING = {_check_flag: bool, _check_loose_flag: bool, check_text: str, _check_number: float}


def checked(function):
    """The function, with the types of its annotated arguments checked first."""
    parameters = inspect.signature(function).parameters
    names = tuple(parameters)
    optional_numbers = {name for name in _NUMBERS & parameters.keys() if parameters[name].default is None}
    checks = {
        name: (_CHECKS[name], _PASSING.get(_CHECKS[name]), type(None) if name in _OPTIONAL | optional_numbers else None)
        for name in names
        if name in _CHECKS and parameters[name].annotation is not inspect.Parameter.empty
    }

    @functools.wraps(function)
    def call(*arguments, **options):
        for given in (zip(names, arguments, strict=False), options.items()):
            for name, value in given:
                if name in checks:
                    check, passing, optional = checks[name]
                    if type(value) is not passing and type(value) is not optional:
                        check(name, value)
        return function(*arguments, **options)

    return call
