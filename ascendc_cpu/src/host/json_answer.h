// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// C functions that answer with JSON.
#ifndef ASCENDC_CPU_HOST_JSON_ANSWER_H
#define ASCENDC_CPU_HOST_JSON_ANSWER_H
#include <string>
#include "status.h"

namespace ascendc_cpu {

// The JSON stays valid until the thread's next call of the same function.
template <typename Body>
int Answer(const char **json, const Body &body)
{
    thread_local std::string text;
    return Guarded(ACLNN_ERR_INNER, [&] {
        text = body();
        *json = text.c_str();
    });
}

} // namespace ascendc_cpu
#endif
