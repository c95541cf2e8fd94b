# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Compiles mutants and runs them in the checked mode, each in a process of its own, until one of them is found out."""

import multiprocessing
import shutil
import tempfile
from pathlib import Path

from ascendc_cpu.compiler import CompileError

from tests.cases.inputs import make_inputs
from tests.check import operators
from tests.check.operators import FORWARD, GRADIENT, ROOT
from tests.system.forward_call import call_inputs
from tests.system.forward_check import check_case as check_forward_case
from tests.system.gradient_check import case_gradients, draw_dy
from tests.system.gradient_check import check_case as check_gradient_case
from tests.system.tuned import tuning

from .killers import PROBLEMS

TIMEOUT = 600  # seconds of one run, on a machine with other work
NOT_COMPILED = "the compiler: "


def run_problem(problem, functional):
    """Findings of one problem, with the kernels that are loaded. functional: AssertionError for wrong results."""
    inputs = make_inputs(problem.case, 1)
    is_forward = problem.operator == FORWARD
    with tuning(problem.tuning), operators.check_session() as reports:
        if functional:
            (check_forward_case if is_forward else check_gradient_case)(problem.case, 1)
        elif is_forward:
            call_inputs(problem.case, inputs)
        else:
            case_gradients(problem.case, inputs, draw_dy(problem.case, 1))
    return reports[0].findings


def _child(connection, root, build_dir, problems, functional):
    """Send the first finding of the problems, all of one kernel, as text; "" for none."""
    operator, dtype, key = problems[0].kernel
    try:
        alive = [operators.load_kernels(operator, root, (dtype,), (key,), build_dir)]
        if operator == GRADIENT:
            alive.append(operators.load_kernels(FORWARD, ROOT, (dtype,)))
        for problem in problems:
            findings = run_problem(problem, functional)
            if findings:
                connection.send(str(findings[0]))
                return
        connection.send("")
    except AssertionError as error:
        connection.send("wrong results: " + str(error)[:300])
    except CompileError as error:
        connection.send(NOT_COMPILED + str(error)[-300:])
    except Exception as error:
        connection.send("an error of the call: " + str(error)[:300])


def run_kernel(root, build_dir, problems, functional=False):
    """What was found, "" for nothing."""
    context = multiprocessing.get_context("forkserver")  # a fork of a process with torch's threads may hang
    context.set_forkserver_preload([__name__])  # torch is imported once
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(there, root, build_dir, problems, functional))
    process.start()
    there.close()
    try:
        return here.recv() if here.poll(TIMEOUT) else f"no end within {TIMEOUT} s"
    except EOFError:
        process.join()
        return f"the process died with {process.exitcode}"
    finally:
        process.kill()
        process.join()


def by_kernel(operator):
    """Problems of an operator, grouped by the kernel that they run."""
    groups = {}
    for problem in PROBLEMS:
        if problem.operator == operator:
            groups.setdefault(problem.kernel, []).append(problem)
    return list(groups.values())


def kill(mutant):
    """What gives the mutant away, "" when nothing does."""
    folder = Path(tempfile.mkdtemp(prefix="mutant_"))
    try:
        for operator in (FORWARD, GRADIENT):
            shutil.copytree(ROOT / operator / "op_kernel", folder / operator / "op_kernel")
        mutant.apply(folder)
        for operator in (FORWARD, GRADIENT) if mutant.operator == FORWARD else (GRADIENT,):
            for problems in by_kernel(operator):
                found = run_kernel(folder, folder / "build", problems, mutant.needs_results)
                if found:
                    return found
        return ""
    finally:
        shutil.rmtree(folder)
