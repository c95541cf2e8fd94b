# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from scripts.check_layers import check

KERNEL = "flash_attention_score/op_kernel"
GRAD_KERNEL = "flash_attention_score_grad/op_kernel"
HOST = "flash_attention_score/op_host"
FRAMEWORK = "flash_attention_score/framework"


@pytest.fixture
def tree(tmp_path):
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return tmp_path

    write(f"{KERNEL}/fa_mask_param.h", "")
    write(f"{GRAD_KERNEL}/fag_block.h", "")
    write(f"{HOST}/fa_problem_parser.h", "")
    return write


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (f"{KERNEL}/a.h", '#include <cstdint>\n#include "kernel_operator.h"\n#include "fa_mask_param.h"\n'),
        (f"{GRAD_KERNEL}/a.h", '#include "fa_mask_param.h"\n'),
        (f"{HOST}/a.cpp", '#include <vector>\n#include "register/op_def_registry.h"\n#include "fa_problem_parser.h"\n'),
        (f"{HOST}/a.cpp", '#include "../op_kernel/fa_mask_param.h"\n'),
        (f"{HOST}/tiling_strategies/a.cpp", '#include "../fa_problem_parser.h"\n'),
        (f"{FRAMEWORK}/a.cpp", '#include <torch/library.h>\n#include "acl/acl.h"\n'),
        (f"{KERNEL}/a.h", '// #include "anything.h" in a comment\n'),
        ("ascendc_cpu/src/core/a.cpp", "#include <sys/mman.h>\n#include <vector>\n"),
        ("ascendc_cpu/python/ascendc_cpu/a.py", "import ctypes\nimport numpy as np\nfrom ascendc_cpu import b\n"),
        ("tests/reference/a.py", "import numpy\nfrom tests.reference import b\n"),
    ],
)
def test_allowed(tree, name, text):
    assert check(tree(name, text)) == []


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (f"{KERNEL}/a.h", "#include <vector>\n", "may not include <vector>"),
        (f"{KERNEL}/a.h", '#include "fag_block.h"\n', 'may not include "fag_block.h"'),
        (f"{KERNEL}/a.h", "#ifdef __x86_64__\n#endif\n", "names the CPU"),
        (f"{KERNEL}/a.h", "#ifdef CPU\n#endif\n", "names the CPU"),
        (f"{KERNEL}/a.h", "namespace AscendC {\n}\n", "a namespace of others"),
        (f"{KERNEL}/a.h", "#pragma once\n", "use a guard"),
        (f"{KERNEL}/a.h", "int x = ASCENDC_CPU_FAST;\n", "names the SDK"),
        (f"{KERNEL}/sub/a.h", "", "op_kernel is flat"),
        (f"{GRAD_KERNEL}/fa_mask_param.h", "", "header names are unique"),
        (f"{HOST}/a.cpp", '#include "kernel_operator.h"\n', "may not include"),
        (f"{HOST}/a.cpp", '#include "../op_kernel/fa_block_cube.h"\n', "may not include"),
        (f"{FRAMEWORK}/a.cpp", '#include "../op_kernel/fa_mask_param.h"\n', "may not include"),
        (f"{FRAMEWORK}/ascend_flash_attention/a.py", "import ascendc_cpu\n", "may not import ascendc_cpu"),
        ("flash_attention_score/op_api/a.cpp", "#include <torch/library.h>\n", "may not include"),
        ("ascendc_cpu/src/core/a.cpp", "// ok\nint FlashAttentionScore;\n", "names the operator"),
        ("ascendc_cpu/python/ascendc_cpu/a.py", "import torch\n", "may not import torch"),
        ("tests/reference/a.py", "import ascend_flash_attention\n", "may not import ascend_flash_attention"),
        ("examples/python/a.py", "import ascendc_cpu\n", "may not import ascendc_cpu"),
    ],
)
def test_refused(tree, name, text, message):
    problems = check(tree(name, text))
    assert problems and all(name in problem for problem in problems)
    assert message in problems[0]
