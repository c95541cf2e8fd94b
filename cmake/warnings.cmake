# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
# Flags of everything written here. Headers of others (torch) are SYSTEM and exempt.
set(FA_WARNINGS -Wall -Wextra -Werror)
add_library(fa_warnings INTERFACE)
target_compile_options(fa_warnings INTERFACE ${FA_WARNINGS})
