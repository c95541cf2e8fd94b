# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Copies of kernel sources for the checked mode: casts to 8 and 16 bits, which no macro can catch, are checked.

(uint16_t)x becomes ascendc_cpu::OldStyle<uint16_t>()->*x, an operator that binds as tightly as a cast where no other
unary operator stands in front, and uint16_t(x) becomes ascendc_cpu::CheckedCast<uint16_t>(x). Everything else, lines
included, stays.
"""

import re
from collections.abc import Sequence
from pathlib import Path

NARROW = {"uint8_t", "int8_t", "uint16_t", "int16_t"}
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\s+|\\\n                             # not looked at
    |R"(?P<fence>[^()\\\s]*)\(.*?\)(?P=fence)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'
    |[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|'?[\w.])*                  # names, numbers
    |->\*|->|::|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.""",
    re.DOTALL | re.VERBOSE,
)
_BEFORE = {"return", "case", "else", "do", "and", "or", "not_eq"}  # names after which an expression starts
_BINARY = set("= ( , ? : { } ; [ < / % | ^ << >> <= >= == != && || += -= *= /= %= &= |= ^=".split())
_EITHER = set("+-*&")  # unary or binary
_OPERAND = re.compile(r"[\w('~!*+-]")


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def _starts_expression(before: Sequence[str]) -> bool:
    """Whether an operand may follow these tokens, and no unary operator or cast is the last of them."""
    last = before[-1] if before else ";"
    if before[-2:-1] == ["operator"]:  # operator==(uint8_t) is a declaration
        return False
    if last in _EITHER:
        left = before[-2] if len(before) > 1 else ";"
        return left[0] in ")]'" or left[0].isdigit() or (_is_name(left) and left not in _BEFORE)
    return last in _BINARY or last in _BEFORE


def _is_literal(after: Sequence[str]) -> bool:
    """Whether the operand is a number as it stands, the author's own choice of bits."""
    opened = 0
    for place, token in enumerate(after):
        if token == "(":
            opened += 1
        elif token not in {"-", "+", "~"}:
            return token[0].isdigit() and all(each == ")" for each in after[place + 1 : place + 1 + opened])
    return False


def with_checked_casts(text: str) -> str:
    """The text with its casts to narrow integers replaced."""
    pieces = [match[0] for match in _TOKEN.finditer(text)]
    places = [i for i, piece in enumerate(pieces) if not (piece.isspace() or piece[:2] in {"//", "/*", "\\\n"})]
    tokens = [pieces[i] for i in places]
    for at, token in enumerate(tokens):
        before, after = tokens[max(0, at - 3) : at], tokens[at + 1 : at + 40]
        if token not in NARROW or not before or not after:
            continue
        if before[-1] == "(" and after[0] == ")":
            operand = after[1:]
            if _starts_expression(before[:-1]) and operand and _OPERAND.match(operand[0]) and not _is_literal(operand):
                pieces[places[at - 1]] = pieces[places[at + 1]] = ""
                pieces[places[at]] = f"ascendc_cpu::OldStyle<{token}>()->*"
        elif after[0] == "(" and before[-1] != "<" and _starts_expression(before):
            if _OPERAND.match(after[1]) and after[1] != "*" and not _is_literal(after):
                pieces[places[at]] = f"ascendc_cpu::CheckedCast<{token}>"
    return "".join(pieces)


def copy_checked(files: Sequence[Path], folder: Path) -> None:
    """Copy the files below `folder`, each under its whole path, so that they find each other as they do now."""
    for path in files:
        copy = mirrored(path, folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(f'#line 1 "{path}"\n{with_checked_casts(path.read_text())}')


def mirrored(path: Path, folder: Path) -> Path:
    return folder / path.relative_to(path.anchor)
