// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fag_not_yet.h"
#include "../../flash_attention_score/op_host/fa_not_yet.h"

namespace {
// Delete a line when the gradient kernel computes the feature.
const FaFeature NOT_YET[] = {
    {"input_layout TND", FaUsesPackedSequences},
    {"prefix (sparse_mode 5 and 6)", FaUsesPrefix},
    {"real_shift (pse)", FaUsesShiftTensor},
    {"packed real_shift (pse)", FaUsesPackedShift},
    {"alibi-compressed real_shift (pse)", FaUsesAlibiShift},
    {"slopes (pse_type 2 and 3)", FaUsesSlopes},
    {"drop_mask: dropout", FaUsesDropout},
    {"query_rope and key_rope", FaUsesRope},
    {"sink", FaUsesSink},
};
} // namespace

std::string FagRefuseNotYet(const FaProblem &problem)
{
    return FaRefuseFeatures(NOT_YET, sizeof(NOT_YET) / sizeof(NOT_YET[0]), problem);
}
