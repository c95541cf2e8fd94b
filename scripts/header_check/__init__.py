# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Parts of check_headers.py: the copy of the headers, the kernel side, the host side, the report."""
