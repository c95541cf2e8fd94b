# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Libraries for the SDK's own tests: those of ASCENDC_CPU_LIB_DIR, or built here from the checkout."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "ascendc_cpu" / "python"), str(Path(__file__).parent)]


@pytest.fixture(scope="session", autouse=True)
def sdk_libraries(tmp_path_factory):
    """Folder of libascendc_cpu.so and its instruction set libraries."""
    if not os.environ.get("ASCENDC_CPU_LIB_DIR"):
        from sdk_build import build_libraries

        os.environ["ASCENDC_CPU_LIB_DIR"] = str(build_libraries(ROOT))
    return Path(os.environ["ASCENDC_CPU_LIB_DIR"])


@pytest.fixture(scope="session")
def kernel_cache(tmp_path_factory):
    """build_dir of compile(): kept between runs, since libraries are named by their content."""
    folder = ROOT / "build" / "test_kernels"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def kernel_file(kernel_cache):
    """compile() for kernels/<entry>.cpp."""
    import ascendc_cpu

    def compile_file(entry, **options):
        return ascendc_cpu.compile(
            Path(__file__).parent / "kernels" / f"{entry}.cpp", entry, build_dir=kernel_cache, **options
        )

    return compile_file


@pytest.fixture
def compile_kernel(kernel_cache, tmp_path):
    """compile(text, entry, **options) for a kernel written in the test."""
    import ascendc_cpu

    def compile_text(text, entry, **options):
        source = tmp_path / f"{entry}.cpp"
        source.write_text(text)
        return ascendc_cpu.compile(source, entry, build_dir=kernel_cache, **options)

    return compile_text


@pytest.fixture(scope="session")
def add_scaled_library(sdk_libraries, tmp_path_factory):
    """libcust_opapi.so of a package with the operator of host_op/."""
    from host_package import build_package

    return build_package(tmp_path_factory.mktemp("package"))
