# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""An attention call on npu tensors must have the bits of the same call on CPU tensors."""

from tests.system.forward_call import same_bits


def to_npu(value):
    return value.npu() if hasattr(value, "npu") else value


def check_same_bits(npu_function, cpu_function, tensors, /, *arguments, **options):
    """Calls both with (*tensors, *arguments, **options), compares out, max and sum, and returns the npu's results.

    npu_function gets the tensors, and those among the options, on the NPU.
    """
    expected = cpu_function(*tensors, *arguments, **options)
    options = {name: to_npu(value) for name, value in options.items()}
    results = npu_function(*[to_npu(tensor) for tensor in tensors], *arguments, **options)
    for name, result, reference in zip(("out", "max", "sum"), results, expected, strict=False):
        assert result.device.type == "npu", name
        assert result.stride() == reference.stride(), name
        assert same_bits(result.cpu(), reference), name
    return results
