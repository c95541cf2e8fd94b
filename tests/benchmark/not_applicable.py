# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""How a contender says that it cannot take a case."""


class NotApplicable(Exception):
    """The text says why."""
