# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Forks while other threads are inside of a library: the child has none of them, and must not wait for one."""

import os
import signal
import threading
from contextlib import contextmanager

HANG = 60  # seconds


@contextmanager
def busy_threads(count, function):
    """Threads that call the function all the time."""
    stop = threading.Event()

    def work():
        while not stop.is_set():
            function()

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def check_in_child(function):
    """The function in a forked process; one that hangs is ended by its alarm."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(HANG)
        try:
            function()
        except BaseException as error:  # noqa: BLE001 - the child must not return into pytest
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
