// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What a process may fix of the forward's tiling; the rest comes from the tables of tiling_strategies/. Tile sizes can
// change the last bits of a result, preload and strategy cannot; threads and cores never do.
#ifndef FA_TUNING_H
#define FA_TUNING_H
#include <cstdint>
#include <string>

// Environment variable, read at every call: block_size_q=128,block_size_kv=256,preload=2,strategy=default in any order.
const char *const FA_TUNING_VARIABLE = "FLASH_ATTENTION_SCORE_TUNING";

struct FaTuning {
    int64_t blockSizeQ;   // query rows of a tile, 0: from the table
    int64_t blockSizeKv;  // keys of a stack, 0: from the table
    int64_t preload;      // stacks that QK^T runs ahead of PV, 0: from the table
    std::string strategy; // empty: the first one that applies
};

// Empty text: tuning is what `text` says, null and "" say nothing. Else what is wrong, with the allowed values.
std::string ParseFaTuning(const char *text, FaTuning &tuning);
#endif
