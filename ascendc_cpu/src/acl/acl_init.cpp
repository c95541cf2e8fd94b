// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// aclInit, aclFinalize, logs, and the answer for what does not exist here.
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include "acl/acl.h"
#include "handle_table.h"

using namespace ascendc_cpu;

namespace {

std::atomic<bool> g_initialized{false};

} // namespace

extern "C" {

aclError aclInit(const char *configPath)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        if (configPath != nullptr && *configPath != '\0' && access(configPath, R_OK) != 0) {
            Refuse(ACL_ERROR_INVALID_FILE, "aclInit", std::string("configPath: cannot read '") + configPath + "'");
        }
        if (g_initialized.exchange(true)) {
            Refuse(ACL_ERROR_REPEAT_INITIALIZE, "aclInit", "already initialized");
        }
        static std::atomic<bool> announced{false};
        if (!announced.exchange(true)) {
            fprintf(stderr, "ascendc_cpu emulation\n");
        }
    });
}

aclError aclFinalize()
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        if (!g_initialized.exchange(false)) {
            Refuse(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize", "not initialized");
        }
    });
}

void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...)
{
    const char *print = std::getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
    const char *level = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
    if (print == nullptr || strcmp(print, "1") != 0 || logLevel < (level != nullptr ? atoi(level) : ACL_ERROR)) {
        return;
    }
    char text[1024];
    va_list list;
    va_start(list, fmt);
    vsnprintf(text, sizeof(text), fmt, list);
    va_end(list);
    printf("[acl] %s:%u %s: %s\n", file, line, func, text);
}

// Called by the libraries under CANN's names for what this one does not implement.
int AscendcCpuUnimplemented(const char *name)
{
    ReportError(std::string(name) + ": not implemented in this emulation");
    return ACL_ERROR_FEATURE_UNSUPPORTED;
}
}
