#!/usr/bin/env bash
# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# Checks what the machine itself must bring and hands over to scripts/build, which knows the options: bash build.sh -h
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# Another accelerator's plug-in must not load when torch is imported; packages of the user's home must not leak in.
export TORCH_DEVICE_BACKEND_AUTOLOAD=0 PYTHONNOUSERSITE=1

missing() {
    echo "build.sh: $1" >&2
    exit 1
}

command -v python3 >/dev/null || missing "python3 not found: install Python 3.10 or newer (apt-get install python3 python3-venv)"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    missing "python3 is $(python3 -V 2>&1), needed is 3.10 or newer"

exec python3 -m scripts.build "$@"
