#!/usr/bin/env bash
# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# Installs the package beside it: install.sh [--install-path=DIR] [--quiet]. Started by the .run file.
set -euo pipefail
shopt -s inherit_errexit 2>/dev/null || true
source_dir=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
install_path= quiet=
for argument; do
    case $argument in
        --install-path=*) install_path=${argument#*=} ;;
        --quiet) quiet=1 ;;
    esac
done

fail() {
    echo "install: $1" >&2
    exit 1
}

say() {
    [[ -n $quiet ]] || echo "install: $1"
}

info() { # value of a key in version.info
    sed -n "s/^$1=//p" "$2/version.info" 2>/dev/null | head -n 1
}

vendor=$(cd "$source_dir/packages/vendors" && ls)
package=$source_dir/packages/vendors/$vendor

# Sets `target` and `shell_only`: --install-path is used by shells that source set_env.bash, the rest by every program.
choose_target() {
    shell_only=
    if [[ $# -gt 0 && -n $1 ]]; then
        [[ $1 == /* ]] || fail "--install-path: needs an absolute path, got $1"
        target=${1%/} shell_only=1
    elif [[ -n ${ASCEND_CUSTOM_OPP_PATH:-} ]]; then
        target=$ASCEND_CUSTOM_OPP_PATH
        [[ $target != *:* ]] ||
            fail "ASCEND_CUSTOM_OPP_PATH names several folders ($target): choose one with --install-path"
        [[ $target == /* ]] || fail "ASCEND_CUSTOM_OPP_PATH: needs an absolute path, got $target"
        [[ $(basename "$(dirname "$target")") != vendors ]] ||
            fail "ASCEND_CUSTOM_OPP_PATH is the folder of an installed package ($target), as its set_env.bash sets it:
    to install there again use --install-path=$(dirname "$(dirname "$target")"), else unset ASCEND_CUSTOM_OPP_PATH"
    elif [[ -n ${ASCEND_OPP_PATH:-} ]]; then
        target=$ASCEND_OPP_PATH
        [[ -d $target ]] || fail "ASCEND_OPP_PATH is no folder: $target"
    else
        fail "where to? Give --install-path=DIR, or source CANN's set_env.sh, which sets ASCEND_OPP_PATH"
    fi
}

check_machine() {
    local built
    built=$(info arch "$package")
    [[ $built == "$(uname -m)" ]] || fail "the package is for $built, this machine is $(uname -m)"
}

prepare_target() {
    mkdir -p "$target/vendors" 2>/dev/null || fail "cannot create $target/vendors: no permission, or not a folder"
    [[ -w $target/vendors && -x $target/vendors ]] ||
        fail "cannot write to $target/vendors: change its permissions, or choose another place with --install-path"
    local there=$target/vendors/$vendor
    [[ ! -e $there || $(info package "$there") == "$(info package "$package")" ]] ||
        fail "$there holds another package: remove it, or build this one with build.sh --vendor_name=NAME"
}

# The old package stays in place until the new one is complete.
replace_package() {
    local there=$target/vendors/$vendor fresh old
    fresh=$(mktemp -d "$target/vendors/.$vendor.new.XXXXXX") || fail "cannot write to $target/vendors"
    old=$fresh.old
    trap 'rm -rf "$fresh" "$old"' EXIT
    cp -a "$package/." "$fresh/" || fail "cannot copy to $target/vendors (is the disk full?)"
    chmod -R u+w,go+rX,go-w "$fresh"
    if [[ -n $shell_only ]]; then
        mkdir -p "$fresh/bin"
        cp "$source_dir/set_env.bash" "$fresh/bin/"
    fi
    if [[ -e $there ]]; then
        mv "$there" "$old"
    fi
    mv "$fresh" "$there" || { [[ ! -e $old ]] || mv "$old" "$there"; fail "cannot rename to $there"; }
    rm -rf "$old"
    trap - EXIT
}

# This vendor first in load_priority; the others keep their order.
prefer() {
    local config=$target/vendors/config.ini others
    others=$(sed -n 's/^[[:space:]]*load_priority[[:space:]]*=//p' "$config" 2>/dev/null | tr -d '[:space:]' |
        tr ',' '\n' | grep -vxF -e "$vendor" -e '' | paste -sd, -) || true
    { grep -v '^[[:space:]]*load_priority[[:space:]]*=' "$config" 2>/dev/null || true
      echo "load_priority=$vendor${others:+,$others}"; } >"$config.new"
    mv "$config.new" "$config" || fail "cannot write $config"
    say "$config: $(grep '^load_priority=' "$config")"
}

choose_target "$install_path"
check_machine
prepare_target
replace_package
installed=$target/vendors/$vendor
say "installed in $installed"
if [[ -n $shell_only ]]; then
    say "to use it in a shell: source $installed/bin/set_env.bash"
else
    prefer
    say "programs linked with libcust_opapi.so also need: export LD_LIBRARY_PATH=$installed/op_api/lib:\$LD_LIBRARY_PATH"
fi
say "to remove it: bash $installed/scripts/uninstall.sh"
