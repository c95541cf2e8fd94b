# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The source tree that CANN builds: both operators side by side, their kernels once more in one flat folder.

<stage>/flash_attention_score{,_grad}/{op_host,op_kernel,op_api,framework}  as here, so that relative includes hold
<stage>/op_kernel   entries and headers of both; CANN copies this folder, and only this one, to the package
<stage>/op_host     (8.1) the CMakeLists.txt that takes the place of the template's
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from .cann_probe import Cann
from .environment import BuildError

OPERATORS = {"flash_attention_score": "FlashAttentionScore", "flash_attention_score_grad": "FlashAttentionScoreGrad"}
_PARTS = ("op_host", "op_kernel", "op_api")
_CODE = {".h", ".cpp"}
_ONNX_PLUGIN = "framework/onnx_*"  # of framework/ the rest is for torch and onnxruntime


@dataclass(frozen=True)
class Names:
    """What the operators are called in the package."""

    private: bool = False

    def op_type(self, op: str) -> str:
        return ("Afa" if self.private else "") + OPERATORS[op]

    def snake(self, op: str) -> str:
        return ("afa_" if self.private else "") + op


def _rename(text: str) -> str:
    """Private names for type, inner aclnn and kernel entry; official aclnn names and ONNX nodes (npu::1::) stay."""
    text = re.sub(
        r"(?<!::)\b(aclnnInner)?FlashAttentionScore(?=(Grad)?(GetWorkspaceSize)?\b)", r"\1AfaFlashAttentionScore", text
    )
    text = re.sub(r"\baclnnInner_flash_attention_score(?=(_grad)?\b)", "aclnnInner_afa_flash_attention_score", text)
    return re.sub(r"\bflash_attention_score(?=(_grad)?\()", "afa_flash_attention_score", text)


def _copy(source: Path, target: Path, private: bool) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if private:
        target.write_text(_rename(source.read_text()))
    else:
        shutil.copy2(source, target)


def _flatten_kernels(root: Path, stage: Path, names: Names) -> None:
    taken: dict[str, Path] = {}
    for op in OPERATORS:
        for source in sorted((root / op / "op_kernel").iterdir()):
            if source.suffix not in _CODE:
                raise BuildError(f"{source.relative_to(root)}: op_kernel holds .h and .cpp files only, and no folders")
            name = f"{names.snake(op)}.cpp" if source.name == f"{op}.cpp" else source.name
            if name in taken:
                raise BuildError(f"{source.relative_to(root)}: {taken[name].relative_to(root)} has the same name")
            taken[name] = source
            _copy(source, stage / "op_kernel" / name, names.private)
        entry = stage / "op_kernel" / f"{names.snake(op)}.cpp"
        if not entry.is_file() or f"{names.snake(op)}(" not in entry.read_text():
            raise BuildError(f"{op}/op_kernel: no {entry.name} with an entry of that name")


def prepare(root: Path, stage: Path, cann: Cann, names: Names) -> None:
    """Make `stage` anew."""
    shutil.rmtree(stage, ignore_errors=True)
    if cann.route == "template":
        shutil.copytree(cann.cmake_folders[0], stage, symlinks=True)
    for op in OPERATORS:
        files = [path for part in _PARTS for path in (root / op / part).rglob("*")]
        for source in sorted([*files, *(root / op).glob(_ONNX_PLUGIN)]):
            if source.suffix in _CODE:
                _copy(source, stage / source.relative_to(root), names.private)
    _flatten_kernels(root, stage, names)
    ours = root / "cmake/cann"
    shutil.copy2(ours / "sources.cmake", stage / "fa_sources.cmake")
    if cann.route == "template":
        shutil.copy2(ours / "template_op_host.cmake", stage / "op_host/CMakeLists.txt")
        (stage / "framework/onnx_plugin").mkdir(parents=True)
        shutil.copy2(ours / "template_onnx_plugin.cmake", stage / "framework/onnx_plugin/CMakeLists.txt")
    else:
        shutil.copy2(ours / "asc.cmake", stage / "CMakeLists.txt")
