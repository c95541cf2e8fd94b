# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Seeds of all tests: one base seed a run, printed; each test draws from its own stream of it."""

import os
import random
import zlib

import pytest

BASE_SEED = int(os.environ.get("FA_TEST_SEED") or random.SystemRandom().randrange(2**31))


def pytest_addoption(parser):
    parser.addoption("--case-tags", default="smoke,full", help="tags of the case table to run, comma separated")
    steps = "slice,breadth,contract"
    parser.addoption("--case-steps", default=steps, help=f"steps of the case table to run: {steps}")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes tens of seconds")
    config.addinivalue_line("markers", "breadth: needs what --case-steps breadth covers")


def pytest_collection_modifyitems(config, items):
    if "breadth" in config.getoption("--case-steps"):
        return
    breadth = [item for item in items if item.get_closest_marker("breadth")]
    config.hook.pytest_deselected(items=breadth)
    items[:] = [item for item in items if item not in breadth]


def pytest_report_header():
    return f"FA_TEST_SEED={BASE_SEED}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    if report.failed:
        options = (
            f"--case-tags={item.config.getoption('--case-tags')} --case-steps={item.config.getoption('--case-steps')}"
        )
        command = f"FA_TEST_SEED={BASE_SEED} python -m pytest {options} '{item.nodeid}'"
        report.sections.append(("reproduce with", command))


@pytest.fixture
def seed(request):
    """Seed of this test: a function of the base seed and the test's name, so that it can be run alone."""
    return zlib.crc32(f"{BASE_SEED} {request.node.name}".encode())


@pytest.fixture
def one_torch_thread():
    """For small tensors: more threads only wait for each other."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def rng(seed):
    """Torch generator of this test's random inputs."""
    import torch  # not at the top: SDK tests run without torch

    return torch.Generator().manual_seed(seed)
