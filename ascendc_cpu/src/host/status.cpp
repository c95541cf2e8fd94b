// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "status.h"
#include <cstdarg>
#include <cstdio>
#include "acl/acl.h"
#include "toolchain/slog.h"

namespace {

thread_local std::string t_recentError;
thread_local std::string t_returnedError; // what the last aclGetRecentErrMsg handed out
thread_local ascendc_cpu::HostLogScope *t_hostLog = nullptr;

constexpr size_t RECENT_ERROR_LIMIT = 16 * 1024; // of errors that nobody reads, the oldest are dropped

void AppendLine(std::string &text, const std::string &line)
{
    if (!text.empty()) {
        text += '\n';
    }
    text += line;
}

} // namespace

namespace ascendc_cpu {

void ReportError(const std::string &text)
{
    AppendLine(t_recentError, text);
    if (t_recentError.size() > RECENT_ERROR_LIMIT) {
        t_recentError.erase(0, t_recentError.size() - RECENT_ERROR_LIMIT);
    }
}

HostLogScope::HostLogScope() : outer(t_hostLog)
{
    t_hostLog = this;
}

HostLogScope::~HostLogScope()
{
    t_hostLog = outer;
}

} // namespace ascendc_cpu

extern "C" const char *aclGetRecentErrMsg()
{
    t_returnedError.swap(t_recentError);
    t_recentError.clear();
    return t_returnedError.empty() ? nullptr : t_returnedError.c_str();
}

extern "C" void DlogRecord(int32_t, int32_t level, const char *format, ...)
{
    if (level != DLOG_ERROR) {
        return;
    }
    char text[MSG_LENGTH];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    if (t_hostLog != nullptr) {
        AppendLine(t_hostLog->text, text);
    } else {
        ascendc_cpu::ReportError(text);
    }
}
