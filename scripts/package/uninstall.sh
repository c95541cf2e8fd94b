#!/usr/bin/env bash
# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# Removes the package that this script is part of, and its name from vendors/config.ini.
set -euo pipefail

fail() {
    echo "uninstall: $1" >&2
    exit 1
}

forget() { # take vendor $2 out of load_priority in $1; a file without any vendor goes
    local others
    others=$(sed -n 's/^[[:space:]]*load_priority[[:space:]]*=//p' "$1" | tr -d '[:space:]' | tr ',' '\n' |
        grep -vxF -e "$2" -e '' | paste -sd, -) || true
    { grep -v '^[[:space:]]*load_priority[[:space:]]*=' "$1" || true
      [[ -z $others ]] || echo "load_priority=$others"; } >"$1.new"
    mv "$1.new" "$1"
    [[ -s $1 ]] || rm -f "$1"
}

main() {
    local installed vendors
    installed=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    vendors=$(dirname "$installed")
    [[ $(basename "$vendors") == vendors && -f $installed/version.info ]] ||
        fail "$installed is not an installed package"
    [[ -w $vendors ]] || fail "cannot write to $vendors: no permission"
    [[ ! -f $vendors/config.ini ]] || forget "$vendors/config.ini" "$(basename "$installed")"
    rm -rf "$installed"
    rmdir "$vendors" 2>/dev/null || true # only when nothing else is in it
    echo "uninstall: removed $installed"
    exit 0 # the file that bash reads is gone
}

main "$@"
