# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the kernels, made from their text.

sync: one flag, wait, barrier, register reset or ring slot is left out.
size: one size, alignment, field of a parameter struct or depth is shifted.
arithmetic: one instruction is left out, or one comparison, minimum, row, head or constant is another.
"""

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

# Pairs (pattern, replacement), each a mutant of the lines that it matches.
_SIZES = (
    (r"FaAlign\(([^()]*), [^()]*\)", r"(\1)"),
    (r"(^\s*params?\.(?:blockCount|blockLen|srcStride|dstStride|nValue|dValue|srcDValue|dstNzC0Stride|repeatTimes|"
     r"startIndex|[mnk]|nSize|mSize|l1W|channelSize|[mk]Extension) = .*);", r"\1; --@"),
    (r"(Take<[^>]*>\()(.*)\);", r"\1(\2) / 2);"),
    (r"^(constexpr \w+ FAG?_(?:RING_SLOTS|AIV_ROWS|PASS_ROWS|BOX_ROWS|LANES) = )(\d+)", r"\1\2 / 2"),
    (r"(const uint8_t stride = .*)\);", r"\1 + 1);"),
)  # fmt: skip
_ARITHMETIC = (
    (r"^\s*AscendC::(?:Muls|Exp|Sub|Add|Mul|Div|Max|Maxs|Brcb|Cast|Select|Duplicate|WholeReduceMax|WholeReduceSum)\(.*;$",
     ";"),
    (r"FaMin\(", "FaMax("),
    (r"(?<= )<(?= )", "<="),
    (r"(?<= )>(?= )", ">="),
    (r"\+ 1\b", "+ 0"),
    (r"- 1\b", "- 0"),
    (r"tiling->problem\.scale\b", "1.0f"),
    (r"\btask\.first\b", "task.last"),
    (r"\bpiece\.n1\b", "block.n1"),
    (r"\bpiece\.q0\b", "block.q0"),
    (r"\bFA_HALF_NEG\b(?!.*=)", "0.0f"),
    (r"\bFA_NEG\b(?!.*=)", "0.0f"),
    (r"block\.n2\b", "0"),
    (r"CMPMODE::LT", "CMPMODE::LE"),
    (r"CMPMODE::EQ", "CMPMODE::NE"),
    (r"param\.hi\b", "(param.hi + 1)"),
    (r"param\.lo\b", "(param.lo + 1)"),
)  # fmt: skip
# Not code that runs: declarations, templates, loops that would not end.
_NOT_MUTATED = re.compile(r"^\s*(?://|#|template|using|friend|struct|class|static_assert|private|public|for )")

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
    previous: str = ""  # the line before it
    following: str = ""
    category: str = "sync"

    @property
    def name(self):
        return f"{self.file}:{self.line} {self.before.strip()} -> {self.after.strip() or 'nothing'}"

    @property
    def needs_results(self):
        """Whether wrong results count, too: where the order of accesses stays as it should be."""
        return self.category != "sync" or "Take<" in self.before

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
    elif "Init(pipe, " in text and " * FA_BOX_BYTES" in text:
        yield re.sub(r"(\d) \* FA_BOX_BYTES", r"\1 * FA_BOX_BYTES / 2", text, count=1)
    elif "Take<" in text and "SLOTS * " in text:
        yield re.sub(r"(\w*SLOTS) \* ", r"(\1 - 1) * ", text, count=1)


def _pattern_mutants(text, patterns):
    """Other texts of one line, one for each pattern that it matches."""
    if _NOT_MUTATED.match(text) or "<" in text and "template" in text:
        return
    for pattern, replacement in patterns:
        changed = re.sub(pattern, replacement, text.split(" // ")[0], count=1)
        if changed.endswith("--@"):  # a field: one more
            name = text.split("=")[0].strip()
            changed = f"{changed.removesuffix(' --@')} {name} = static_cast<decltype({name})>({name} + 1);"
        if changed != text.split(" // ")[0]:
            yield changed


CATEGORIES = {
    "sync": _line_mutants,
    "size": lambda text: _pattern_mutants(text, _SIZES),
    "arithmetic": lambda text: _pattern_mutants(text, _ARITHMETIC),
}


def generate(root, category="sync"):
    """All mutants of both operators in a category."""
    for operator in (FORWARD, GRADIENT):
        for path in sorted((root / operator / "op_kernel").glob("*.h")):
            lines = path.read_text().split("\n")
            for number, (previous, text, following) in enumerate(
                zip(["", *lines], lines, [*lines[1:], ""], strict=False), 1
            ):
                for changed in CATEGORIES[category](text):
                    yield Mutant(
                        operator, path.name, number, text, changed, previous.strip(), following.strip(), category
                    )
