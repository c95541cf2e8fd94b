# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Names, signatures and checks of op_build."""

import copy
import json
import re
import subprocess

import pytest
from ascendc_cpu.aclnn_generator import aclnn_header, aclnn_source, camel_case
from host_package import COMPILER, HOST_INCLUDE, WARNINGS

from ascendc_cpu import op_build

SIGNATURE = """
    const aclTensor *x1,
    const aclTensor *x2,
    const aclTensor *biasOptional,
    const aclIntArray *shiftsOptional,
    int64_t blocks,
    double scaleValue,
    char *caseNameOptional,
    const aclIntArray *weightsOptional,
    const aclTensor *outOut,
    const aclTensor *blockTotalOutOptional,
    uint64_t *workspaceSize,
    aclOpExecutor **executor)"""


@pytest.fixture(scope="module")
def definition(add_scaled_library):
    folder = add_scaled_library.parents[4]
    return json.loads((folder / "autogen" / op_build.OPDEFS_FILE).read_text())["ops"][0]


@pytest.fixture
def changed(definition):
    return copy.deepcopy(definition)


def declaration(header, function):
    return re.search(rf"aclnnStatus {function}\((.*?)\);", header, re.DOTALL)


def test_opdefs(definition):
    assert (definition["type"], definition["name"], definition["socs"]) == ("AddScaled", "add_scaled", ["ascend910b"])
    assert [each["name"] for each in definition["inputs"]] == ["x1", "x2", "bias", "shifts"]
    assert definition["inputs"][0]["dtypes"] == ["DT_FLOAT", "DT_FLOAT16"]
    assert [each["auto_contiguous"] for each in definition["inputs"]] == [True, False, True, False]
    assert [each["value_depend"] for each in definition["inputs"]] == [False, False, False, True]
    assert [each["default"] for each in definition["attrs"]] == [None, 0.5, "plain", [1, 2, 3]]
    assert [each["type"] for each in definition["attrs"]] == ["int", "float", "str", "list_int"]


def test_signature(definition):
    header = aclnn_header(definition, "Inner")
    plan = declaration(header, "aclnnInnerAddScaledGetWorkspaceSize").group(0)
    assert plan == f"aclnnStatus aclnnInnerAddScaledGetWorkspaceSize({SIGNATURE};"
    tensors = declaration(header, "aclnnInnerAddScaledTensorGetWorkspaceSize").group(1)
    assert "const aclTensor *shiftsOptional" in tensors
    assert "aclOpExecutor *executor,\n    aclrtStream stream" in declaration(header, "aclnnInnerAddScaled").group(1)


def test_single_output_is_called_out_and_no_tensor_variant_without_value_depend(changed):
    del changed["outputs"][1], changed["inputs"][3]
    header = aclnn_header(changed, "")
    assert "const aclTensor *out,\n    uint64_t" in header
    assert "aclnnAddScaledGetWorkspaceSize" in header and "TensorGetWorkspaceSize" not in header


def test_header_is_valid_c_and_source_compiles_without_attributes_or_inputs(changed, tmp_path):
    (tmp_path / "aclnn_add_scaled.h").write_text(aclnn_header(changed, ""))
    (tmp_path / "use.c").write_text('#include <stdbool.h>\n#include "aclnn_add_scaled.h"\n')
    command = ["-fsyntax-only", *WARNINGS, f"-I{HOST_INCLUDE}", f"-I{tmp_path}"]
    subprocess.run([COMPILER, "-x", "c", "-std=c11", *command, str(tmp_path / "use.c")], check=True)
    changed["inputs"], changed["attrs"] = [], []
    (tmp_path / "aclnn_add_scaled.h").write_text(aclnn_header(changed, ""))
    (tmp_path / "use.cpp").write_text(aclnn_source(changed, ""))
    subprocess.run([COMPILER, "-std=c++11", *command, str(tmp_path / "use.cpp")], check=True)


@pytest.mark.parametrize(
    ("name", "camel"), [("scale_value", "scaleValue"), ("x", "x"), ("q_start_idx", "qStartIdx"), ("keyRope", "keyRope")]
)
def test_camel_case(name, camel):
    assert camel_case(name) == camel


def _set(path, value):
    def change(op):
        target = op
        for each in path[:-1]:
            target = target[each]
        target[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_set(("inputs", 0, "dtypes"), ["DT_FLOAT"]), "input x1: DataType: got 1 columns, expected 2"),
        (_set(("outputs", 0, "dtypes"), []), "output out: DataType: got 0 columns"),
        (_set(("inputs", 1, "formats"), [2]), "input x2: Format: got 1 columns, expected 2"),
        (_set(("inputs", 2, "option"), 3), "input bias: ParamType: got 3"),
        (_set(("inputs", 2, "option"), 0), "input bias: ParamType: got nothing"),
        (_set(("inputs", 3, "dtypes"), ["DT_INT64", "DT_FLOAT"]), "input shifts: ValueDepend: got"),
        (_set(("inputs", 3, "dtypes"), ["DT_INT32"] * 2), "input shifts: ValueDepend: got"),
        (_set(("outputs", 0, "value_depend"), True), "output out: ValueDepend is for inputs"),
        (_set(("outputs", 0, "name"), "x1"), "x1 is input and output"),
        (_set(("attrs", 0, "type"), None), "attribute blocks: it has no type"),
        (_set(("attrs", 1, "default"), None), "attribute scale_value: an optional attribute needs a default"),
        (_set(("outputs",), []), "no Output"),
        (_set(("inputs", 0, "dtypes"), ["DT_FLOAT", "dtype 99"]), "got dtype 99, allowed: DT_FLOAT"),
    ],
)
def test_definitions_that_are_refused(changed, change, words):
    op_build.check_definition(changed)
    change(changed)
    with pytest.raises(ValueError, match=re.escape(words)):
        op_build.check_definition(changed)


@pytest.mark.parametrize("header", sorted(str(each.relative_to(HOST_INCLUDE)) for each in HOST_INCLUDE.rglob("*.h")))
def test_public_header_compiles_alone_as_cpp11(header, tmp_path):
    source = tmp_path / "alone.cpp"
    source.write_text(f'#include "{header}"\n#include "{header}"\n')
    command = [COMPILER, "-std=c++11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{HOST_INCLUDE}", str(source)]
    subprocess.run(command, check=True)


def test_names_that_are_not_implemented_do_not_compile(tmp_path):
    template = '#include "register/op_def_registry.h"\n#include "tiling/platform/platform_ascendc.h"\n{}\n'
    uses = [
        "void f(ops::OpDef &op) { op.MC2(); }",
        'void f(ops::OpAICoreConfig &config) { config.Input("x"); }',
        "void f(gert::TilingContext *context) { context->GetDynamicInputShape(0, 0); }",
        "void f(const gert::RuntimeAttrs &attrs) { attrs.GetAttrPointer<uint32_t>(0); }",
        "int f() { return ge::DT_COMPLEX64; }",
        "void f(platform_ascendc::PlatformAscendC &platform) { platform.GetCoreNumVector(); }",
    ]
    for use in ["", *uses]:
        source = tmp_path / "use.cpp"
        source.write_text(template.format(use))
        command = [COMPILER, "-std=c++11", "-fsyntax-only", f"-I{HOST_INCLUDE}", str(source)]
        accepted = subprocess.run(command, capture_output=True).returncode == 0
        assert accepted == (use == ""), use
