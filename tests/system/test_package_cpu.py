# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The op package for the CPU, made from the build under test: complete, movable, and it computes."""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from ascend_flash_attention import npu_flash_attention

from scripts.build import cpu_package, environment, package
from tests.system.forward_call import as_bytes

ROOT = Path(__file__).parents[2]
VENDOR = "second_vendor"
SHAPE = (2, 3, 37, 24)


def folder_of(name):
    return Path(importlib.util.find_spec(name).submodule_search_locations[0])


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The vendor's folder of an installed package, moved after it was installed."""
    root = tmp_path_factory.mktemp("package") / "checkout"
    (root / "build").mkdir(parents=True)
    (root / "build/cpu").symlink_to(ROOT / "build/cpu")
    for name in ("scripts", "pyproject.toml"):
        (root / name).symlink_to(ROOT / name)
    tree = cpu_package.stage(root, folder_of("ascend_flash_attention"), folder_of("ascendc_cpu"), VENDOR)
    run_file = package.pack(root, tree, package.describe(root, VENDOR, ["cpu"]))
    shutil.rmtree(root / "build/package")
    subprocess.run([run_file, "--quiet", f"--install-path={root / 'opp'}"], check=True)
    (root / "opp").rename(root / "moved")
    return root / "moved/vendors" / VENDOR


def in_its_shell(installed, code, **variables):
    """Output of Python code in an otherwise empty environment after sourcing set_env.bash."""
    command = ["bash", "-uc", 'source "$1/bin/set_env.bash"; exec "$2" -c "$3"', "-", installed, sys.executable, code]
    done = subprocess.run(command, env={"PATH": os.environ["PATH"], **variables}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_layout(installed):
    machine = f"lib/linux/{os.uname().machine}"
    for path in (
        "op_api/lib/libcust_opapi.so",
        "op_api/include/aclnnop/aclnn_flash_attention_score.h",
        "op_api/include/aclnnop/aclnn_flash_attention_score_grad.h",
        f"op_impl/ai_core/tbe/op_tiling/{machine}/libcust_opmaster_rt2.0.so",
        "op_impl/ai_core/tbe/op_tiling/liboptiling.so",
        "op_impl/ai_core/tbe/kernel/cpu/flash_attention_score/libflash_attention_score_kernels.so",
        "op_impl/ai_core/tbe/kernel/cpu/flash_attention_score_grad/libflash_attention_score_grad_kernels.so",
        f"op_proto/{machine}/libcust_opsproto_rt2.0.so",
        "framework/onnx/libcust_onnx_parsers.so",
        "ascendc_cpu/lib/acl/libascendcl.so",
        "scripts/uninstall.sh",
        "version.info",
    ):
        assert (installed / path).is_file(), path


def test_operator_list(installed):
    table = json.loads((installed / "op_impl/ai_core/tbe/config/cpu/aic-cpu-ops-info.json").read_text())
    assert sorted(table) == ["FlashAttentionScore", "FlashAttentionScoreGrad"]
    score = table["FlashAttentionScore"]
    assert [score[f"input{i}"]["name"] for i in (0, 6, 17)] == ["query", "atten_mask", "sink"]
    assert score["input0"]["dtype"].split(",")[:2] == ["float16", "bfloat16"] and "input18" not in score
    assert score["input6"]["paramType"] == "optional"
    assert len(score["attr"]["list"].split(",")) == 13
    assert score["attr_head_num"] == {"type": "int", "value": "all", "paramType": "required"}


def test_nothing_is_loaded_from_elsewhere(installed):
    """Libraries are found by name, through set_env.bash alone, and bring their runtime from the package."""
    code = "import ctypes; [ctypes.CDLL(name) for name in ('libcust_opapi.so', 'libascendcl.so')]\n"
    code += "print(open('/proc/self/maps').read())"
    loaded = {line.split()[-1] for line in in_its_shell(installed, code).splitlines() if ".so" in line}
    ours = {Path(path).name: path for path in loaded if "ascend" in Path(path).name or "cust" in Path(path).name}
    assert {"libcust_opapi.so", "libascendcl.so", "libascendc_cpu.so"} <= set(ours)
    assert all(path.startswith(f"{installed}/") for path in ours.values()), ours


def test_it_computes(installed):
    """The official aclnn call of the moved package gives the bits of the Python package."""
    query, key, value = (torch.randn(SHAPE, generator=torch.Generator().manual_seed(seed)) for seed in (1, 2, 3))
    out = npu_flash_attention(query, key, value, head_num=SHAPE[1], input_layout="BNSD", scale=0.2)[0]
    code = f"""
import hashlib, pathlib, torch
from tests.system import aclnn_call
from tests.system.forward_call import as_bytes
aclnn_call.library_path = lambda: pathlib.Path("libcust_opapi.so")
query, key, value = (torch.randn({SHAPE}, generator=torch.Generator().manual_seed(seed)) for seed in (1, 2, 3))
out, row_max, row_sum = torch.empty({SHAPE}), torch.empty({SHAPE[:3]} + (8,)), torch.empty({SHAPE[:3]} + (8,))
aclnn_call.call("Score", dict(query=query, key=key, value=value, scaleValue=0.2, headNum={SHAPE[1]}, inputLayout="BNSD",
                softmaxMaxOut=row_max, softmaxSumOut=row_sum, attentionOutOut=out))
kernels = [line.split()[-1] for line in open("/proc/self/maps") if "_kernels.so" in line]
print(hashlib.sha256(as_bytes(out).numpy()).hexdigest(), kernels[0])
"""
    paths = os.pathsep.join([str(ROOT), str(folder_of("ascendc_cpu").parent), *sys.path])
    libraries = str(installed / "ascendc_cpu/lib")
    shown = in_its_shell(installed, code, PYTHONPATH=paths, ASCENDC_CPU_LIB_DIR=libraries)
    digest, kernels = shown.split()[-2:]
    assert kernels.startswith(f"{installed}/")
    assert digest == hashlib.sha256(as_bytes(out).numpy()).hexdigest()


def test_incomplete_build_makes_no_package(tmp_path):
    (tmp_path / "operator/vendors/custom/op_api/lib").mkdir(parents=True)
    (tmp_path / "sdk/lib").mkdir(parents=True)
    with pytest.raises(environment.BuildError, match="incomplete, no op_api/lib/libcust_opapi.so, "):
        cpu_package.stage(tmp_path, tmp_path / "operator", tmp_path / "sdk", VENDOR)
