// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Any problem: KV stacks stream past a resident Q tile and the softmax is rescaled from stack to stack. If the keys of
// a row are split into chunks, one core takes them one after the other.
#include "tiling_strategy.h"

namespace {
std::string AlwaysAble(const FaProblem &, const FaWork &)
{
    return "";
}

std::string AlwaysFit(const FaWork &, const FaPlatform &)
{
    return "";
}
} // namespace

const TilingStrategy DEFAULT_STRATEGY = {"default", FA_KEY_DEFAULT, AlwaysAble, AlwaysFit};
