// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The cumulative lists of input_layout TND, and lists of integers in general.
#ifndef FA_PACKED_LISTS_H
#define FA_PACKED_LISTS_H
#include <cstdint>
#include <string>
#include "fa_problem_parser.h"

// Lengths of one batch or sequence.
struct FaLengths {
    int64_t s1;
    int64_t s2;
};

inline bool FaIsPacked(const FaCall &call)
{
    return call.layout == "TND";
}

// What a list says. Absent or without elements: empty. Refused: given, but unknown to the host.
FaRefusal FaReadList(const FaTensor &list, const char *name, std::vector<int64_t> &values);

// Fills b, s1, s2, sequences, queryEnds and keyEnds; query, key and value are known to have rank 3. In the lists a
// negative difference counts as length 0, so that zeros at the end skip sequences.
FaRefusal ParseFaPackedLists(const FaCall &call, FaProblem &problem);

// index: of a batch, or of a listed sequence of TND; below problem.b.
FaLengths FaLengthsOf(const FaProblem &problem, int64_t index);
#endif
