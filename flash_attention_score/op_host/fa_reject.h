// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// How op_host refuses a call: one text (argument, got, allowed), one way out.
#ifndef FA_REJECT_H
#define FA_REJECT_H
#include <cstdarg>
#include <cstdio>
#include <string>
#include "graph/ge_error_codes.h"
#include "toolchain/slog.h"

__attribute__((format(printf, 1, 2))) inline std::string FaFormat(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list measured;
    va_copy(measured, args);
    const int length = vsnprintf(nullptr, 0, format, measured);
    va_end(measured);
    std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
    if (length > 0) {
        (void)vsnprintf(&text[0], text.size() + 1, format, args);
    }
    va_end(args);
    return text;
}

inline ge::graphStatus FaReport(const char *node, const std::string &text)
{
#ifdef FA_REJECT_STDERR // set by the CANN build: plog alone is easy to miss there
    (void)fprintf(stderr, "%s: %s\n", node, text.c_str());
#else
    (void)node;
#endif
    if (DlogRecord != nullptr) {
        DlogRecord(OP, DLOG_ERROR, "%s", text.c_str());
    }
    return ge::GRAPH_FAILED;
}

// Value of a failed tiling or inference function: return FA_REJECT(context, "head_num must be > 0, got %ld", headNum);
#define FA_REJECT(context, ...) FaReport((context)->GetNodeName(), FaFormat(__VA_ARGS__))
#endif
