# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Numbers that do not fit: fields of parameter structs and casts notice them in the checked mode."""

import re
from pathlib import Path

import numpy as np
import pytest

import ascendc_cpu

KERNEL = Path(__file__).parent / "kernels" / "check_fields.cpp"
WAYS = re.findall(r"[A-Z_]+", KERNEL.read_text().partition("enum Way : uint32_t {")[2].partition("}")[0])
# way: a number that fits, one that does not, the finding's text
NUMBERS = {
    "ASSIGNED": (65535, 65536, "65536 does not fit into uint16_t"),
    "CONSTRUCTED": (65535, 70000, "70000 does not fit into uint16_t"),
    "BRACES": (255, 256, "256 does not fit into uint8_t"),
    "REPEAT": (1, 257, "257 does not fit into uint8_t"),
    "STRIDE": (8, 264, "264 does not fit into uint8_t"),
    "MMAD": (4096, 65552, "65552 does not fit into uint16_t"),
    "NEGATIVE": (2, 3, "-1 does not fit into uint16_t"),
    "WIDE": (0, 1, f"{1 << 32} does not fit into uint32_t"),
    "FROM_FIELD": (255, 256, "300 does not fit into uint8_t"),
    "OLD_STYLE": (65535, 65537, "65537 does not fit into uint16_t"),
    "FUNCTION_STYLE": (65535, 65537, "65537 does not fit into uint16_t"),
    "IN_MACRO": (254, 255, "256 does not fit into uint8_t"),
}


@pytest.fixture(scope="module")
def launch(kernel_cache):
    module = ascendc_cpu.compile(KERNEL, "check_fields", build_dir=kernel_cache)

    def run(way, number, check=True):
        y = np.full(16, -1, np.float32)
        report = module.launch(
            1, np.zeros(16, np.float32), y, np.uint32(WAYS.index(way)), np.uint32(number), check=check
        )
        return report, int(y[0])

    return run


def line_of(way):
    lines = KERNEL.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"// line: {way}"))


def test_fields_are_integers(launch):
    report, value = launch("USES", 1)
    assert value == launch("USES", 1, check=False)[1] == 100
    assert not report.findings, str(report)


@pytest.mark.parametrize("number", [0, 1, 5, 127])
def test_casts_bind_as_casts(launch, number):
    report, value = launch("CASTS", number)
    assert value == launch("CASTS", number, check=False)[1]
    assert not report.findings, str(report)


@pytest.mark.parametrize("way", NUMBERS)
def test_numbers_that_fit(launch, way):
    report, value = launch(way, NUMBERS[way][0])
    assert not report.findings, str(report)
    assert value == launch(way, NUMBERS[way][0], check=False)[1]


@pytest.mark.parametrize("way", NUMBERS)
def test_numbers_that_do_not(launch, way):
    _, number, text = NUMBERS[way]
    report, value = launch(way, number)
    (finding,) = report.findings
    api = {"OLD_STYLE": "cast", "IN_MACRO": "cast", "FUNCTION_STYLE": "static_cast"}.get(way, "conversion")
    assert (finding.kind, finding.here.api, finding.message) == ("Truncation", api, text), str(report)
    assert (Path(finding.here.line.file).name, finding.here.line.line) == (KERNEL.name, line_of(way)), str(report)
    assert value == launch(way, number, check=False)[1]  # and goes on with what is left of it
