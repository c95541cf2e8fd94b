// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Dropout bits of a call, made anew in each pass from a seed and an offset, so that nothing of size S1 x S2 is kept.
// A `Backend` has DropoutBits(out, bits, keepProb, seed, offset, dtype), which fills `out`, and DrawSeed(query).
#ifndef TORCH_DROPOUT_H
#define TORCH_DROPOUT_H
#include <algorithm>
#include <utility>
#include <ATen/ops/empty.h>
#include "output_shapes.h"
#include "torch_checks.h"

constexpr int64_t RNG_STATE_LENGTH = 2; // seed and offset

// Number of scores of a call whose `shapes` are known, one bit each. Of packed sequences (TND) the cumulative lengths
// count; a negative difference is an empty sequence. 0 for lengths that are negative or beyond the tokens, which the
// operator refuses: their bits may be more than any memory holds.
inline int64_t ScoreCount(const OutputShapes &shapes, const at::Tensor &query, const at::Tensor &key,
                          at::OptionalIntArrayRef queryEnds, at::OptionalIntArrayRef keyEnds)
{
    int64_t count = 1;
    if (!shapes.scores.empty() || !queryEnds.has_value() || !keyEnds.has_value()) {
        for (int64_t size : shapes.scores) {
            count *= size;
        }
        return shapes.scores.empty() ? 0 : count;
    }
    count = 0;
    const int64_t headNum = query.size(1);
    const auto isInside = [](int64_t end, const at::Tensor &tokens) { return end >= 0 && end <= tokens.size(0); };
    for (size_t i = 0; i < std::min(queryEnds->size(), keyEnds->size()); i++) {
        if (!isInside((*queryEnds)[i], query) || !isInside((*keyEnds)[i], key)) {
            return 0;
        }
        const int64_t rows = (*queryEnds)[i] - (i == 0 ? 0 : (*queryEnds)[i - 1]);
        const int64_t keys = (*keyEnds)[i] - (i == 0 ? 0 : (*keyEnds)[i - 1]);
        count += headNum * std::max<int64_t>(rows, 0) * std::max<int64_t>(keys, 0);
    }
    return count;
}

// The caller's bits, or those of `rngState` (int64 [seed, offset] on the CPU); none if both are absent.
template <typename Backend>
OptionalTensor DropoutMask(const OptionalTensor &dropMask, const OptionalTensor &rngState, double keepProb,
                           int64_t scores, const at::Tensor &query)
{
    if (!rngState.has_value() || !rngState->defined()) {
        return dropMask;
    }
    constexpr int64_t GRAIN_BITS = 128;
    constexpr int64_t GRAIN_BYTES = 16;
    TORCH_CHECK_VALUE(!dropMask.has_value() || !dropMask->defined(),
                      "drop_mask and rng_state must not be given together");
    TORCH_CHECK_VALUE(rngState->device().is_cpu() && rngState->scalar_type() == at::kLong && rngState->dim() == 1 &&
                          rngState->numel() == RNG_STATE_LENGTH,
                      "rng_state must be int64 [2] on the cpu, got ", rngState->scalar_type(), " ", rngState->sizes(),
                      " on the ", rngState->device());
    TORCH_CHECK_VALUE(keepProb > 0.0 && keepProb <= 1.0, "keep_prob must be in (0, 1], got ", keepProb);
    const at::Tensor state = rngState->contiguous();
    const int64_t *values = state.const_data_ptr<int64_t>();
    const at::Tensor bits =
        at::empty({(scores + GRAIN_BITS - 1) / GRAIN_BITS * GRAIN_BYTES}, query.options().dtype(at::kByte));
    if (scores > 0) {
        Backend::DropoutBits(bits, scores, keepProb, values[0], values[1], query.scalar_type());
    }
    return bits;
}

// A state that no call has used, from the default generator of query's device.
template <typename Backend>
at::Tensor DrawRngState(const at::Tensor &query)
{
    const std::pair<int64_t, int64_t> drawn = Backend::DrawSeed(query);
    const at::Tensor state = at::empty({RNG_STATE_LENGTH}, at::TensorOptions().dtype(at::kLong));
    state.mutable_data_ptr<int64_t>()[0] = drawn.first;
    state.mutable_data_ptr<int64_t>()[1] = drawn.second;
    return state;
}
#endif
