# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Command line: python -m ascend_flash_attention COMMAND."""

import argparse
import importlib
import sys

# Command -> module with add_arguments(parser) and run(options) -> exit code.
COMMANDS = {
    "bench": "ascend_flash_attention._bench_command",
    "doctor": "ascend_flash_attention._doctor_command",
    "explain": "ascend_flash_attention._explain_command",
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m ascend_flash_attention", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="{" + ",".join(COMMANDS) + "}")
    for name, module_name in COMMANDS.items():
        module = importlib.import_module(module_name)
        command = commands.add_parser(name, help=module.__doc__, description=module.__doc__, allow_abbrev=False)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    options = parser.parse_args(arguments)
    try:
        return options.run(options)
    except ValueError as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
