# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The libraries under CANN's names: a program linked to them gets the runtime, or an error by name."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from ascendc_cpu import acl_library

SDK = Path(__file__).resolve().parents[3] / "ascendc_cpu"
HEADERS = SDK / "include" / "host"
UNIMPLEMENTED = yaml.safe_load((SDK / "src" / "acl_library" / "unimplemented.yaml").read_text())
LIBRARIES = ["ascendcl", "acl_rt", "acl_op_compiler", "nnopbase", "hccl", "ge_runner", "graph", "acl_tdt_channel"]
PROGRAM = r"""
#include <cstdio>
#include <cstring>
#include "acl/acl.h"
#include "aclnn/acl_meta.h"
extern "C" int rtKernelLaunch();
int main()
{
    void *memory = nullptr;
    if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS || aclrtFree(memory) != ACL_SUCCESS) {
        return 1;
    }
    const int64_t dims[] = {2, 3};
    aclTensor *tensor = aclCreateTensor(dims, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 2, nullptr);
    if (tensor == nullptr || aclDestroyTensor(tensor) != 0 || aclGetRecentErrMsg() != nullptr) {
        return 2;
    }
    const int status = rtKernelLaunch();
    printf("%d %s\n", status, aclGetRecentErrMsg());
    return 0;
}
"""


@pytest.fixture(scope="module")
def acl_folder(sdk_libraries):
    folder = sdk_libraries / "acl"
    if not folder.is_dir():
        pytest.skip(f"no {folder}: the libraries under CANN's names come from the CMake build")
    return folder


def build(folder, tmp_path, text, libraries):
    (tmp_path / "main.cpp").write_text(text)
    command = ["g++", "-std=c++17", f"-I{HEADERS}", "main.cpp", "-o", "program", f"-L{folder}"]
    command += [f"-l{library}" for library in libraries]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    return tmp_path / "program"


def run(program, folder):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder), "LD_BIND_NOW": "1"}
    return subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    "libraries", [["ascendcl", "nnopbase"], ["acl_rt", "nnopbase"], ["acl_op_compiler", "ascendcl"]]
)
def test_an_ordinary_link_line(acl_folder, tmp_path, libraries):
    result = run(build(acl_folder, tmp_path, PROGRAM, libraries), acl_folder)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "200006 rtKernelLaunch: not implemented in this emulation\n"


def test_every_declared_function_is_implemented(acl_folder, tmp_path):
    """Each name that the headers declare is found, and found in libascendc_cpu.so, not in the failing bodies."""
    names = acl_library.declared(HEADERS)
    assert len(names) > 90
    listed = "".join(f'    {{"{name}", reinterpret_cast<void *>({name})}},\n' for name in names)
    includes = "".join(f'#include "{path.relative_to(HEADERS)}"\n' for path in sorted((HEADERS / "acl").glob("*.h")))
    text = (
        f'{includes}#include "aclnn/acl_meta.h"\n#include <dlfcn.h>\n#include <cstdio>\n'
        f"struct {{ const char *name; void *address; }} all[] = {{\n{listed}}};\n"
        "int main() { for (auto &each : all) { Dl_info info;\n"
        'if (dladdr(each.address, &info) == 0) return 1; printf("%s %s\\n", each.name, info.dli_fname); } }\n'
    )
    result = run(build(acl_folder, tmp_path, text, ["ascendcl"]), acl_folder)
    assert result.returncode == 0, result.stderr
    found = dict(line.split(" ", 1) for line in result.stdout.splitlines())
    assert sorted(found) == names
    assert {Path(path).name for path in found.values()} == {"libascendc_cpu.so"}


@pytest.mark.parametrize("library", LIBRARIES)
def test_each_library_has_all_names(acl_folder, library):
    command = ["nm", "-D", "--defined-only", str(acl_folder / f"lib{library}.so")]
    symbols = {line.split()[-1] for line in subprocess.check_output(command, text=True).splitlines()}
    assert {*acl_library.declared(HEADERS), *UNIMPLEMENTED["status"], *UNIMPLEMENTED["zero"]} <= symbols


def test_a_name_is_either_implemented_or_not(tmp_path):
    with pytest.raises(ValueError, match="aclrtMalloc"):
        acl_library.source(HEADERS, {"status": ["aclrtMalloc"], "zero": []})
    with pytest.raises(ValueError, match="rtFoo"):
        acl_library.source(HEADERS, {"status": ["rtFoo"], "zero": ["rtFoo"]})
