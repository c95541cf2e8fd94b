# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# source <site-packages>/ascend_flash_attention/set_env.bash: in this shell, torch_npu and programs linked to CANN's
# libraries run on the CPU, with the operators of this package. Not for a shell that uses an NPU.
_fa_package=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export ASCEND_CUSTOM_OPP_PATH="$_fa_package/vendors/custom${ASCEND_CUSTOM_OPP_PATH:+:$ASCEND_CUSTOM_OPP_PATH}"
export LD_LIBRARY_PATH="$_fa_package/../ascendc_cpu/lib/acl${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset _fa_package
