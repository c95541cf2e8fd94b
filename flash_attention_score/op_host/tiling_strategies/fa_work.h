// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What a problem consists of, whoever computes it: tiles, row blocks and partial states, added up over its segments.
#ifndef FA_WORK_H
#define FA_WORK_H
#include <cstdint>
#include "../../op_kernel/fa_row_tiles.h"
#include "../../op_kernel/fa_segment_walk.h"
#include "../fa_problem_parser.h"

// The lists of a problem as FaSegmentWalk reads them. The problem must outlive it.
struct FaProblemLists {
    const FaProblem *problem;

    int64_t QueryEnd(int64_t index) const
    {
        return problem->queryEnds[static_cast<size_t>(index)];
    }
    int64_t KeyEnd(int64_t index) const
    {
        return problem->keyEnds[static_cast<size_t>(index)];
    }
    int64_t Prefix(int64_t index) const
    {
        return problem->prefixes[static_cast<size_t>(index)];
    }
};

using FaProblemWalk = FaSegmentWalk<FaProblemLists>;

FaProblemWalk FaWalkProblem(const FaProblem &problem);

struct FaWork {
    FaTileShape tile;
    FaRowTiles most;     // each field: the largest of any segment
    int64_t rowBlocks;   // of one pack of heads, in all sequences of TND or in one batch
    int64_t units;       // row blocks of all segments and heads
    int64_t pieces;      // the same, each KV chunk counted
    int64_t partialRows; // rows of the partial states of all KV chunks
    int64_t mostKeys;    // S2 of the longest segment
    int64_t mostSplit;   // S2 of the longest segment whose keys are split, 0: none
    double keysOfUnits;  // S2 of each unit, added up
};

FaWork FaAddUpWork(const FaProblem &problem);
#endif
