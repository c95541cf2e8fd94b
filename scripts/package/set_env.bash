# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# source <vendor>/bin/set_env.bash: this package comes first in this shell. It may be moved together with its folder.
_fa_vendor=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export ASCEND_CUSTOM_OPP_PATH="$_fa_vendor${ASCEND_CUSTOM_OPP_PATH:+:$ASCEND_CUSTOM_OPP_PATH}"
# A package for the CPU brings its runtime, under CANN's library names in lib/acl.
for _fa_folder in "$_fa_vendor/ascendc_cpu/lib" "$_fa_vendor/ascendc_cpu/lib/acl" "$_fa_vendor/op_api/lib"; do
    if [ -d "$_fa_folder" ]; then
        export LD_LIBRARY_PATH="$_fa_folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    fi
done
unset _fa_vendor _fa_folder
