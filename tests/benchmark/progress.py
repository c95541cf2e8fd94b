# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""A line of progress on a terminal; nothing where standard error is a file."""

import sys

WIDTH = 30


def bar(share):
    """WIDTH characters for 0..1."""
    full = round(WIDTH * min(1.0, max(0.0, share)))
    return "#" * full + "." * (WIDTH - full)


class Progress:
    """Of `total` steps, each of parts: show(text, part of the current step), step() when it is done, clear()."""

    def __init__(self, total, stream=None):
        self.total, self.done = total, 0
        self.stream = stream if stream is not None else sys.stderr
        self.visible = self.stream.isatty()

    def show(self, text, part):
        if self.visible:
            line = f"[{bar((self.done + part) / self.total)}] {self.done}/{self.total} {text}"
            print(f"\r\033[K{line}", end="", file=self.stream, flush=True)

    def step(self):
        self.done += 1

    def clear(self):
        if self.visible:
            print("\r\033[K", end="", file=self.stream, flush=True)
