# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The imitated programs: op_build, the kernel compiler, the packer.

MOCK_CANN_FAIL names what goes wrong: op_build (exit 1), op_build_silent (exit 0, nothing written), no_inner (prefix
ignored), no_ini (no ini for ascend910_93), compiler (exit 1), compiler_silent (one kernel left out), no_run (no .run),
no_config (kernels without their list), empty_kernel (one of 0 bytes).
"""

import io
import json
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "ascendc_cpu/python")]

from ascendc_cpu.aclnn_generator import aclnn_header, aclnn_source  # noqa: E402

from scripts.build.cpu_package import ops_info  # noqa: E402

SOCS = ("ascend910b", "ascend910_93")
FAILURE = os.environ.get("MOCK_CANN_FAIL", "")
RUN_HEAD = """\
#!/bin/sh
for argument; do case $argument in --extract=*) folder=${argument#*=} ;; esac; done
mkdir -p "$folder" && tail -n +5 "$0" | tar -xz -C "$folder"
exit $?
"""


def definitions() -> list[dict]:
    """The operators as this repository's own op_build reads them from the definitions (CPU build)."""
    paths = sorted((ROOT / "build/cpu").glob("*/autogen/opdefs.json"))
    return [op for path in paths for op in json.loads(path.read_text())["ops"]]


def registered(library: Path) -> list[dict]:
    """Operators whose type stands in the library, private names included."""
    names = set(re.findall(rb"\b(?:Afa)?FlashAttentionScore(?:Grad)?\b", library.read_bytes()))
    found = []
    for op in definitions():
        for prefix, snake in (("", ""), ("Afa", "afa_")):
            if (prefix + op["type"]).encode() in names:
                found.append({**op, "type": prefix + op["type"], "name": snake + op["name"]})
    return found


def op_build(library: str, out: str, *_: str) -> int:
    if FAILURE == "op_build":
        print("mock op_build: told to fail", file=sys.stderr)
        return 1
    if FAILURE == "op_build_silent":
        return 0
    folder, ops = Path(out), registered(Path(library))
    project = os.environ.get("OPS_PROJECT_NAME", "aclnn") if FAILURE != "no_inner" else "aclnn"
    prefix = project.removeprefix("aclnn")
    for op in ops:
        (folder / f"{project}_{op['name']}.h").write_text(aclnn_header(op, prefix))
        (folder / f"{project}_{op['name']}.cpp").write_text(aclnn_source(op, prefix))
    (folder / "op_proto.h").write_text("".join(f"// REG_OP({op['type']})\n" for op in ops))
    (folder / "op_proto.cc").write_text('#include "op_proto.h"\n')
    for soc in SOCS[: 1 if FAILURE == "no_ini" else 2]:
        lines = []
        for op_type, entry in ops_info(ops).items():
            lines.append(f"[{op_type}]")
            lines += [f"{group}.{key}={value}" for group, keys in entry.items() for key, value in keys.items()]
        (folder / f"aic-{soc}-ops-info.ini").write_text("\n".join(lines) + "\n")
        (folder / f"{soc}.json").write_text(json.dumps(ops_info(ops)))
    return 0


def combinations(entry: dict) -> int:
    """As CANN's kernel build, which looks at required tensors only."""
    seen = []
    for column in range(len(entry["input0"]["dtype"].split(","))):
        required = [each for key, each in entry.items() if key[:5] in ("input", "outpu") and key[-1].isdigit()]
        types = [each["dtype"].split(",")[column] for each in required if each["paramType"] == "required"]
        if types not in seen:
            seen.append(types)
    return len(seen)


def kernels(autogen: str, sources: str, out: str, vendor: str, socs: str) -> int:
    """Everything below op_impl/ai_core/tbe that CANN makes of the kernels."""
    if FAILURE == "compiler":
        print("flash_attention_score.cpp:1:1: error: mock compiler told to fail", file=sys.stderr)
        return 1
    tbe = Path(out) / "op_impl/ai_core/tbe"
    dynamic = tbe / f"{vendor}_impl/dynamic"
    shutil.copytree(sources, dynamic, dirs_exist_ok=True)
    for soc in socs.split(";"):
        table = json.loads((Path(autogen) / f"{soc}.json").read_text())
        config = tbe / "kernel/config" / soc
        config.mkdir(parents=True)
        for op_type, entry in table.items():
            name = entry["opFile"]["value"]
            if f"{name}(GM_ADDR query" not in (dynamic / f"{name}.cpp").read_text():
                print(f"error: no entry {name} in {name}.cpp", file=sys.stderr)
                return 1
            (dynamic / f"{name}.py").touch()
            folder = tbe / "kernel" / soc / name
            folder.mkdir(parents=True)
            for column in range(combinations(entry) - (FAILURE == "compiler_silent")):
                stem = f"{op_type}_{column:032x}"
                (folder / f"{stem}.o").write_bytes(b"" if FAILURE == "empty_kernel" and column == 1 else b"mock")
                (folder / f"{stem}.json").write_text("{}")
            if FAILURE != "no_config":
                (config / f"{name}.json").write_text("{}")
                (config / "binary_info_config.json").write_text("{}")
        info = tbe / "config" / soc / f"aic-{soc}-ops-info.json"
        info.parent.mkdir(parents=True)
        info.write_text(json.dumps(table))
    return 0


def pack(tree: str, out: str, vendor: str, cann: str) -> int:
    """A .run file that only knows how to unpack itself."""
    version = re.search(r"^Version=(.*)", (Path(cann) / "compiler/version.info").read_text(), re.MULTILINE).group(1)
    vendor_folder = Path(tree) / "packages/vendors" / vendor
    (vendor_folder / "version.info").write_text(f"custom_opp_compiler_version={version}\n")
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        archive.add(tree, ".")
    if FAILURE != "no_run":
        (Path(out) / "custom_opp_mock_machine.run").write_bytes(RUN_HEAD.encode() + buffer.getvalue())
    return 0


if __name__ == "__main__":
    sys.exit({"op_build": op_build, "kernels": kernels, "pack": pack}[sys.argv[1]](*sys.argv[2:]))
