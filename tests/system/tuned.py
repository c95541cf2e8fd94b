# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Calls with tuning parameters out of the environment."""

import os
from contextlib import contextmanager

TUNING = "FLASH_ATTENTION_SCORE_TUNING"


@contextmanager
def tuning(text):
    """Every call inside takes these tuning parameters, e.g. strategy=default; "" for none."""
    before = os.environ.pop(TUNING, None)
    if text:
        os.environ[TUNING] = text
    try:
        yield
    finally:
        os.environ.pop(TUNING, None)
        if before is not None:
            os.environ[TUNING] = before
