# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the kernels, made from their text: each leaves out one flag, wait, barrier, reset or ring slot."""

import re
from dataclasses import dataclass

FORWARD, GRADIENT = "flash_attention_score", "flash_attention_score_grad"
RINGS = "fa_buffers.h"

# A statement of its own: the call is left out.
_STATEMENT = re.compile(
    r"^\s*(?:[\w.>-]+(?:\.|->)(?:BeginWrite|EndWrite|BeginRead|EndRead|Open|Close|Set|Wait)\([^;]*\)"
    r"|FaVectorBarrier\(\)"
    r"|AscendC::(?:SetFlag|WaitFlag|CrossCoreSetFlag|CrossCoreWaitFlag|PipeBarrier|SyncAll|SetAtomicNone)"
    r"(?:<[^;]*>)?\([^;]*\));"
)
# The slot is needed, the wait is left out: methods that _RING_METHODS adds.
_VALUE = re.compile(r"\.(BeginWrite|BeginRead)\(\)")
# A ring that does not move on.
_ADVANCE = re.compile(r"^\s*(?:writeSlot|readSlot|freeSlot) = [^;]*;")

_RING_METHODS = """
    __aicore__ inline int32_t SkipBeginWrite()
    {
        return writeSlot;
    }
    __aicore__ inline int32_t SkipBeginRead()
    {
        const int32_t slot = readSlot;
        readSlot = slot + 1 == slots ? 0 : slot + 1;
        return slot;
    }
"""


@dataclass(frozen=True)
class Mutant:
    """File of an operator's op_kernel with one line changed."""

    operator: str
    file: str
    line: int  # from 1
    before: str
    after: str

    @property
    def name(self):
        return f"{self.file}:{self.line} {self.before.strip()} -> {self.after.strip() or 'nothing'}"

    def apply(self, root):
        """Change the copy of the sources below `root`."""
        path = root / self.operator / "op_kernel" / self.file
        lines = path.read_text().split("\n")
        assert lines[self.line - 1] == self.before
        lines[self.line - 1] = self.after
        path.write_text("\n".join(lines))
        rings = root / FORWARD / "op_kernel" / RINGS
        head, marker, tail = rings.read_text().partition("    __aicore__ inline int32_t BeginWrite()")
        rings.write_text(head + _RING_METHODS.lstrip("\n") + marker + tail)


def _line_mutants(text):
    """Other texts of one line."""
    if _STATEMENT.match(text):
        yield re.sub(r"\S.*", ";", text)
    elif _VALUE.search(text):
        yield _VALUE.sub(r".Skip\1()", text)
    elif _ADVANCE.match(text):
        yield re.sub(r"\S.*", ";", text)
    elif "Take<" in text and "(2 * " in text:
        yield text.replace("(2 * ", "(1 * ", 1)
    elif "Take<" in text and "SLOTS * " in text:
        yield re.sub(r"(\w*SLOTS) \* ", r"(\1 - 1) * ", text, count=1)


def generate(root):
    """All mutants of both operators."""
    for operator in (FORWARD, GRADIENT):
        for path in sorted((root / operator / "op_kernel").glob("*.h")):
            for number, text in enumerate(path.read_text().split("\n"), 1):
                for changed in _line_mutants(text):
                    yield Mutant(operator, path.name, number, text, changed)
