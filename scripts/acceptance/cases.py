# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Prints names of cases, in the Python that has what the case table needs.

    python -m scripts.acceptance.cases TAGS TEXT

TAGS with commas, or none; TEXT is part of the names. The output is a JSON list.
"""

import json
import sys

from tests.cases import loader


def names(tags: str, text: str) -> list[str]:
    """Dense cases that have one of the tags and `text` in their names."""
    if tags == "none":
        return []
    cases = loader.select(loader.load(), tags.split(","), loader.STEPS)
    return [case.name for case in cases if text in case.name and not case.features]


if __name__ == "__main__":
    print(json.dumps(names(*sys.argv[1:])))
