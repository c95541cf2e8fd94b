# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""An imitation of CANN's build tools, written for these tests. What it builds was not built with CANN."""
