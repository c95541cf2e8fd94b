// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the tiling decides for a problem and why, for people and tools.
#ifndef FA_TILING_REPORT_H
#define FA_TILING_REPORT_H
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "fa_problem_parser.h"
#include "tiling_strategies/tiling_strategy.h"

struct FaTilingReport {
    int64_t blockSizeQ;   // query rows of a tile
    int64_t blockSizeKv;  // keys of a stack
    int64_t numBlocksQ;   // row blocks of one head, in TND those of all sequences
    int64_t numBlocksKv;  // stacks that a full row visits
    bool useDoubleBuffer; // K and V boxes are loaded while others are multiplied
    std::string strategy;
    std::vector<FaStrategyRefusal> refusals;
    int64_t l1Used;
    int64_t l1Bytes;
    int64_t ubUsed; // with every feature on
    int64_t ubBytes;
    int64_t kvChunk;      // keys of a KV chunk, in TND of the largest one, 0: not split
    int64_t kvChunks;     // of a row block, in TND of the one with most
    int64_t headsPerTile; // query heads that share a tile, in TND of the sequence with most
    int64_t accInUb;
    int64_t blockDim;
    uint64_t tilingKey;
    uint64_t workspaceBytes;
    std::vector<int64_t> coreWeights; // visible granules of 128 keys, summed over the row blocks of a core
    double imbalance;                 // max / mean of coreWeights
};

// Empty text: report is filled; else why problem.tuning cannot be followed.
std::string ExplainFaTiling(const FaProblem &problem, const FaPlatform &platform, FaTilingReport &report);

std::string FaReportJson(const FaTilingReport &report);

extern "C" {
struct FaExplainRequest {
    const char *dtype; // float32, float16, bfloat16
    const char *layout;
    const int64_t *query;
    const int64_t *key;
    const int64_t *value;
    int64_t rank; // of query, key and value
    const int64_t *attenMask;
    int64_t attenMaskRank;    // 0: no mask
    const int64_t *queryEnds; // actual_seq_qlen, null: not given
    int64_t queryEndCount;
    const int64_t *keyEnds; // actual_seq_kvlen
    int64_t keyEndCount;
    const int64_t *prefix;
    int64_t prefixCount;
    int64_t headNum;
    int64_t sparseMode;
    int64_t preTokens;
    int64_t nextTokens;
    const char *tuning; // text of ParseFaTuning, null for the tables; the environment is not looked at
    FaPlatform platform;
};

// Writes zero-terminated JSON: the report, or {"error": reason}. Returns the length of the whole text; when that is not
// smaller than capacity, nothing is written and the call must be repeated with more room.
__attribute__((visibility("default"))) size_t FlashAttentionScoreExplainTiling(const FaExplainRequest *request,
                                                                               char *json, size_t capacity);

// Writes why a text is no tuning of any problem; an empty text if it is one. Returns and repeats as above.
__attribute__((visibility("default"))) size_t FlashAttentionScoreCheckTuning(const char *tuning, char *refusal,
                                                                             size_t capacity);
}
#endif
