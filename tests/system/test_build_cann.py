# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""build.sh --pkg for NPUs against imitated CANN trees (tests/mock_cann): calls, staging, checks, failures.

Nothing here was built with CANN. The template's imitation compiles op_host and op_api for real, as C++11.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mock_cann import tree

ROOT = Path(__file__).parents[2]
SOCS = ["ascend910b", "ascend910_93"]
OPERATORS = ("flash_attention_score", "flash_attention_score_grad")
# float16, bfloat16, float32.
KERNELS = {"flash_attention_score": 3, "flash_attention_score_grad": 3}
SOURCES = (*OPERATORS, "cmake", "scripts", "pyproject.toml")
TBE = "op_impl/ai_core/tbe"
ROUTES = ["asc", "template"]


@pytest.fixture(scope="module")
def cann(tmp_path_factory):
    homes = tmp_path_factory.mktemp("cann")
    return {"asc": tree.asc(homes / "asc/cann"), "template": tree.template(homes / "template/8.1")}


def checkout(folder):
    """A checkout whose build and build_out are the test's own."""
    folder.mkdir()
    for name in SOURCES:
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture
def root(tmp_path):
    return checkout(tmp_path / "checkout")


@pytest.fixture(scope="module", params=ROUTES)
def built(request, tmp_path_factory, cann):
    """(route, checkout, unpacked vendor folder, what was printed) of a build for both NPUs."""
    root = checkout(tmp_path_factory.mktemp("built") / "checkout")
    done = build(root, cann[request.param], f"--soc={','.join(SOCS)}", "--vendor_name=mine")
    assert done.returncode == 0, done.stderr
    return request.param, root, unpacked(root), done.stdout


def run_build(root, *arguments, **variables):
    # Not the checkout's build.sh, whose folder would be the real one.
    code = "import sys; from pathlib import Path; from scripts.build import __main__ as m; m.ROOT = Path(sys.argv[1])\n"
    code += "try: sys.exit(m.execute(m.parse(sys.argv[2:])))\n"
    code += "except m.environment.BuildError as error: sys.exit(f'build.sh: {error}')"
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {"PATH": tools, "HOME": str(root), "PYTHONDONTWRITEBYTECODE": "1"} | variables
    command = [sys.executable, "-c", code, str(root), "--pkg", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def build(root, home, *arguments, **variables):
    return run_build(root, "-j2", "-p", str(home), *arguments, **variables)


def fail(root, home, failure, *arguments):
    done = build(root, home, *arguments, MOCK_CANN_FAIL=failure)
    assert done.returncode == 1, done.stdout
    assert done.stderr.startswith("build.sh: ") and "Traceback" not in done.stderr
    assert not list(root.glob("build_out/*.run")), "a failed build left a package"
    return done.stderr


def unpacked(root):
    (run_file,) = (root / "build_out").glob("custom_opp_*.run")
    target = root / "unpacked"
    subprocess.run([run_file, f"--extract={target}"], check=True)
    (vendor,) = (target / "packages/vendors").iterdir()
    return vendor


def exported(library):
    shown = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in shown.splitlines()}


def test_package(built):
    _, _, vendor, _ = built
    assert vendor.name == "mine"
    for soc in SOCS:
        for op, kernels in KERNELS.items():
            assert len(list((vendor / TBE / "kernel" / soc / op).glob("*.o"))) == kernels
            assert (vendor / TBE / f"kernel/config/{soc}/{op}.json").is_file()
    for op in OPERATORS:
        assert (vendor / f"op_api/include/aclnnop/aclnn_{op}.h").is_file()
        assert (vendor / TBE / f"mine_impl/dynamic/{op}.cpp").is_file()
    headers = {path.name for op in OPERATORS for path in (ROOT / op / "op_kernel").glob("*.h")}
    assert headers <= {path.name for path in (vendor / TBE / "mine_impl/dynamic").iterdir()}
    assert "aclnnFlashAttentionScoreV3GetWorkspaceSize" in exported(vendor / "op_api/lib/libcust_opapi.so")
    first, *others = (vendor / "version.info").read_text().splitlines()
    assert re.fullmatch(r"custom_opp_compiler_version=\d.*mock", first)
    assert "targets=ascend910b,ascend910_93" in others and "vendor=mine" in others
    assert (vendor / "scripts/uninstall.sh").is_file()


def test_comparison_with_the_built_in_operator(built):
    route, _, _, shown = built
    if route == "asc":
        assert "    inputs: the same 18\n    outputs: the same 4\n    attributes: the same 13" in shown
    else:
        assert "operator and this package\n    inputs: the same 12, here also d_scale_q, d_scale_k, " in shown
        assert "    attributes: the same 9, here also seed, offset, out_dtype, softmax_out_layout" in shown


@pytest.mark.parametrize("built", ["template"], indirect=True)  # whose imitation compiles them
def test_host_libraries(built):
    vendor = built[2]
    tiling = next((vendor / TBE).glob("op_tiling/lib/linux/*/libcust_opmaster_rt2.0.so"))
    for library in (tiling, vendor / "op_api/lib/libcust_opapi.so"):
        assert b"%s: %s\n\0" in library.read_bytes()  # the line for stderr: FA_REJECT_STDERR was set
    assert (vendor / TBE / "op_tiling/liboptiling.so").resolve() == tiling
    assert b"npu::1::FlashAttentionScore" in (vendor / "framework/onnx/libcust_onnx_parsers.so").read_bytes()
    # op_build alone sees the definitions: in these libraries OP_ADD would register empty functions
    assert b"FaOpDef" not in tiling.read_bytes()


@pytest.mark.parametrize("built", ["asc"], indirect=True)
def test_calls_of_the_asc_functions(built):
    root = built[1]
    calls = [line.split(";") for line in (root / "build/cann/asc/build_out/calls.txt").read_text().splitlines()]
    assert [call[0] for call in calls] == [
        "npu_op_package", "npu_op_code_gen", *["npu_op_library"] * 4,
        "npu_op_kernel_library", "npu_op_package_add", "npu_op_package_add",
    ]  # fmt: skip
    package, code_gen, api, tiling, proto, onnx, kernels, add, _ = calls
    assert package[1:4] == ["mine", "TYPE", "RUN"]
    sources = code_gen[code_gen.index("SRC") + 1 : code_gen.index("OUT_DIR")]
    assert [Path(source).name for source in sources] == [f"{op}_def.cpp" for op in OPERATORS]
    assert code_gen[-3:] == ["OPTIONS", "OPS_PROJECT_NAME", "aclnnInner"]
    assert [call[2] for call in (api, tiling, proto, onnx)] == ["ACLNN", "TILING", "GRAPH", "ONNX_PLUGIN"]
    assert [Path(source).stem for source in onnx[3:]] == ["onnx_attributes", "onnx_json", "onnx_plugin"]
    assert any(source.endswith("tiling_strategies/long_seq.cpp") for source in tiling)
    assert not any("_def.cpp" in source or "_infershape.cpp" in source for source in tiling)
    assert proto[-1].endswith("autogen/op_proto.cc") and not any("_tiling" in source for source in proto)
    assert kernels[-2:] == ["TILING_LIBRARY", tiling[1]]
    assert set(add[3:]) == {api[1], tiling[1], proto[1], onnx[1], kernels[1]}


@pytest.mark.parametrize("route", ROUTES)
def test_private_types(root, cann, route):
    done = build(root, cann[route], "--private-optype")
    assert done.returncode == 0, done.stderr
    assert "types are private" in done.stdout
    vendor = unpacked(root)
    for op, kernels in KERNELS.items():
        assert len(list((vendor / TBE / "kernel/ascend910b" / f"afa_{op}").glob("AfaFlashAttention*.o"))) == kernels
        kernel = (vendor / TBE / f"custom_impl/dynamic/afa_{op}.cpp").read_text()
        assert f"afa_{op}(GM_ADDR query" in kernel
    assert not list((vendor / TBE).rglob("flash_attention_score.cpp"))
    plugin = (root / f"build/cann/{route}/flash_attention_score/framework/onnx_plugin.cpp").read_text()
    assert 'REGISTER_CUSTOM_OP("AfaFlashAttentionScore")' in plugin and '"npu::1::FlashAttentionScore"' in plugin
    assert "aclnnFlashAttentionScoreV3GetWorkspaceSize" in exported(vendor / "op_api/lib/libcust_opapi.so")


def test_no_built_in_operator(root, cann):
    (cann["asc"] / "opp").rename(cann["asc"] / "away")
    try:
        shown = build(root, cann["asc"], MOCK_CANN_FAIL="compiler").stdout
    finally:
        (cann["asc"] / "away").rename(cann["asc"] / "opp")
    assert "FlashAttentionScoreGrad: no such built-in operator" in shown


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("failure", "message"),
    [
        ("op_build", ""),
        ("op_build_silent", "op_build did not write op_proto.h"),
        ("no_inner", "op_build did not write aclnnInner_flash_attention_score.cpp"),
        ("no_ini", "op_build did not write aic-ascend910_93-ops-info.ini"),
    ],
)
def test_op_build_fails(root, cann, route, failure, message):
    text = fail(root, cann[route], failure, f"--soc={','.join(SOCS)}")
    assert "step 'configure (runs op_build)' failed" in text and message in text
    assert "all output is in build/cann/configure.log" in text


def test_op_build_tells_why(root, cann):
    assert "mock op_build: told to fail" in fail(root, cann["asc"], "op_build")
    fail(root, cann["template"], "op_build")
    assert "mock op_build: told to fail" in (root / "build/cann/configure.log").read_text()


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        ("compiler", "step 'kernels' failed:"),
        ("compiler_silent", f"{TBE}/kernel/ascend910b/flash_attention_score: 2 kernels, 3 combinations"),
        ("empty_kernel", f"{TBE}/kernel/ascend910b/flash_attention_score_grad: 2 kernels, 3 combinations"),
        ("no_config", f"{TBE}/kernel/config/ascend910b/binary_info_config.json is missing"),
        ("no_run", "left 0 custom_opp_*.run files"),
    ],
)
def test_later_steps_fail(root, cann, failure, message):
    assert message in fail(root, cann["asc"], failure)


def test_compiler_error_is_shown(root, cann):
    assert "error: mock compiler told to fail" in fail(root, cann["asc"], "compiler")


def test_missing_official_name(root, cann):
    """A wrapper that is declared and not exported is found, whatever the reason."""
    (root / OPERATORS[0]).unlink()
    shutil.copytree(ROOT / OPERATORS[0], root / OPERATORS[0], ignore=shutil.ignore_patterns("__pycache__"))
    header = root / OPERATORS[0] / f"op_api/aclnn_{OPERATORS[0]}.h"
    header.write_text(header.read_text() + "\n// int aclnnFlashAttentionScoreV99(void);\n")
    assert "libcust_opapi.so does not export aclnnFlashAttentionScoreV99" in fail(root, cann["asc"], "")


def test_same_header_name_in_both_operators(root, cann):
    (root / OPERATORS[1]).unlink()
    shutil.copytree(ROOT / OPERATORS[1], root / OPERATORS[1])
    (root / OPERATORS[1] / "op_kernel/fa_mask.h").touch()
    assert "flash_attention_score/op_kernel/fa_mask.h has the same name" in fail(root, cann["asc"], "")


@pytest.mark.parametrize(
    "variables", [{}, {"ASCEND_HOME_PATH": "/no/cann"}, {"ASCEND_OPP_PATH": "/no/cann/opp"}], ids=str
)
def test_no_cann_is_one_message(root, variables):
    if Path("/usr/local/Ascend").exists():
        pytest.skip("CANN is installed here")
    done = run_build(root, "--soc=ascend910b", **variables)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in ("ASCEND_HOME_PATH", "-p CANN", "--soc=cpu"))


def test_wrong_folder(root, tmp_path, cann):
    assert f"-p: {tmp_path}/x is no folder" in build(root, tmp_path / "x").stderr
    assert "has neither asc-config.cmake" in build(root, tmp_path).stderr
    home = tmp_path / "home"
    shutil.copytree(cann["template"], home, symlinks=True)
    (home / "toolkit/tools/opbuild/op_build").unlink()
    assert "toolkit package is incomplete" in build(root, home).stderr
    (home / "compiler/ccec_compiler/bin/bisheng").unlink()
    shutil.copytree(cann["template"] / "toolkit", home / "toolkit", dirs_exist_ok=True)
    assert "bisheng or ccec is not on PATH" in build(root, home).stderr


def test_where_cann_is_found(root, cann):
    for variables in (
        {"ASCEND_HOME_PATH": str(cann["asc"])},
        {"ASCEND_OPP_PATH": str(cann["asc"] / "opp")},
    ):
        shown = run_build(root, **variables, MOCK_CANN_FAIL="op_build")
        assert f"CANN 9.9.0-mock in {cann['asc']}, built with its ASC package" in shown.stdout, shown.stderr
    other = run_build(root, "-p", str(cann["template"]), ASCEND_HOME_PATH=str(cann["asc"]), MOCK_CANN_FAIL="op_build")
    assert f"CANN 7.7.0-mock in {cann['template']}, built with its 8.1 project template" in other.stdout
