# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""How the input, output and attribute lists of CANN's built-in operators compare with ours.

An installed package with the same OpType takes the built-in's place for every caller, so whoever builds should see what
the callers of that CANN pass.
"""

import configparser
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

BUILT_IN = "opp/built-in/op_impl/ai_core"


@dataclass
class Interface:
    """Names in order."""

    inputs: list[str]
    outputs: list[str]
    attributes: list[str]

    def parts(self) -> dict[str, list[str]]:
        return {"inputs": self.inputs, "outputs": self.outputs, "attributes": self.attributes}


def _numbered(entry: Mapping[str, dict], kind: str) -> list[str]:
    numbers = sorted(int(key.removeprefix(kind)) for key in entry if key.removeprefix(kind).isdigit())
    return [entry[f"{kind}{number}"]["name"] for number in numbers]


def _interface(entry: Mapping[str, dict]) -> Interface:
    attributes = entry.get("attr", {}).get("list", "")
    names = [name for name in attributes.split(",") if name]
    return Interface(_numbered(entry, "input"), _numbered(entry, "output"), names)


def from_json(path: Path, op_type: str) -> Interface | None:
    """An operator in a file like aic-ascend910b-ops-info.json."""
    entry = json.loads(path.read_text(encoding="utf-8")).get(op_type)
    return None if entry is None else _interface(entry)


def from_ini(path: Path, op_type: str) -> Interface | None:
    """An operator in op_build's aic-<soc>-ops-info.ini: keys such as input0.name."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(path, encoding="utf-8")
    if op_type not in parser:
        return None
    entry: dict[str, dict] = {}
    for key, value in parser[op_type].items():
        group, _, name = key.partition(".")
        entry.setdefault(group, {})[name] = value
    return _interface(entry)


def built_in(home: Path, soc: str, op_type: str) -> Interface | None:
    """CANN's own operator; None when it has none or keeps its list elsewhere."""
    for path in sorted((home / BUILT_IN).rglob(f"aic-{soc}-ops-info*.json")):
        found = from_json(path, op_type)
        if found is not None:
            return found
    return None


def _compare(theirs: list[str], ours: list[str]) -> str:
    common = min(len(theirs), len(ours))
    different = next((i for i in range(common) if theirs[i] != ours[i]), None)
    if different is not None:
        return f"differ from number {different} on: {theirs[different]} there, {ours[different]} here"
    if len(theirs) > len(ours):
        return f"this package lacks {', '.join(theirs[common:])}"
    added = f", here also {', '.join(ours[common:])}" if len(ours) > common else ""
    return f"the same {common}{added}"


def report(op_type: str, theirs: Interface | None, ours: Interface) -> list[str]:
    """Lines for the user."""
    if theirs is None:
        return [f"{op_type}: no such built-in operator found in this CANN"]
    lines = [f"{op_type}: CANN's built-in operator and this package"]
    pairs = zip(theirs.parts().items(), ours.parts().values(), strict=True)
    return lines + [f"    {kind}: {_compare(there, here)}" for (kind, there), here in pairs]
