#!/bin/sh
# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# Head of a .run file: a gzipped tar follows the last line. scripts/build/package.py fills in the words between @.
set -u
self=$0
digest=@DIGEST@
first_payload_line=@LINES@
info='@INFO@'

usage() {
    cat <<EOF
Op package of ascend-flash-attention. Without an option that says otherwise it installs itself.

    $(basename "$self") [--install-path=DIR] [--quiet]   install
    --install-path=DIR  into DIR/vendors, an absolute path; active only where DIR/vendors/<vendor>/bin/set_env.bash
                        is sourced. Default: \$ASCEND_CUSTOM_OPP_PATH, else \$ASCEND_OPP_PATH, active at once
    --quiet             print errors only
    --info              what the package is
    --list              files of the package
    --check             compare the payload with its sha256 sum
    --extract=DIR       unpack into DIR (new or empty), install nothing
    --noexec            unpack into a temporary folder, print its name, install nothing
    --help              this text
EOF
}

fail() {
    echo "$(basename "$self"): $1" >&2
    exit "${2:-1}"
}

payload() {
    tail -n +"$first_payload_line" "$self"
}

check() {
    got=$(payload | sha256sum) || fail "sha256sum failed"
    got=${got%% *}
    [ "$got" = "$digest" ] || fail "damaged or incomplete file: sha256 is $got, expected $digest"
}

unpack() {
    payload | tar -xzf - -C "$1" || fail "cannot unpack into $1"
}

mode=install
extract=
quiet=
for argument; do
    case $argument in
        --help | -h) usage; exit 0 ;;
        --info) mode=info ;;
        --list) mode=list ;;
        --check) mode=check ;;
        --noexec) mode=unpack ;;
        --extract=*) extract=${argument#--extract=}; [ -n "$extract" ] || fail "--extract: needs a folder" 2 ;;
        --quiet) quiet=--quiet ;;
        --install-path=*) ;;
        *) fail "unknown option $argument; allowed: --install-path=DIR --quiet --info --list --check --extract=DIR --noexec --help" 2 ;;
    esac
done
[ -n "$extract" ] && [ "$mode" = install ] && mode=unpack

case $mode in
    info) echo "$info"; exit 0 ;;
    list) payload | tar -tvzf - || fail "damaged file"; exit 0 ;;
    check) check; echo "$(basename "$self"): sha256 is right"; exit 0 ;;
esac
check
if [ -n "$extract" ]; then
    mkdir -p "$extract" || fail "cannot create $extract"
    [ -z "$(ls -A "$extract")" ] || fail "--extract: $extract is not empty"
    unpack "$extract"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/op_package.XXXXXX") || fail "cannot create a folder in ${TMPDIR:-/tmp}"
if [ "$mode" = unpack ]; then
    unpack "$work"
    echo "$work"
    exit 0
fi
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
unpack "$work"
[ -z "$quiet" ] && echo "$info"
bash "$work/install.sh" "$@"
exit $?
