// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The current core, and the errors that kernels raise.
#include "ascendc_cpu/core_state.h"
#include <cstdarg>
#include <cstdio>
#include "../check/checker.h"
#include "group.h"
#include "job.h"
#include "kernel_error.h"

namespace ascendc_cpu {

__attribute__((tls_model("initial-exec"))) __thread CoreState *t_core = nullptr;

static std::string FormatV(const char *format, va_list args)
{
    va_list copy;
    va_copy(copy, args);
    const int length = vsnprintf(nullptr, 0, format, copy);
    va_end(copy);
    std::string text(length > 0 ? length : 0, '\0');
    vsnprintf(&text[0], text.size() + 1, format, args);
    return text;
}

std::string Format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    std::string text = FormatV(format, args);
    va_end(args);
    return text;
}

const char *MemoryName(Memory memory)
{
    static const char *const names[MEMORY_COUNT] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};
    return names[static_cast<int>(memory)];
}

void Fail(const char *api, const char *format, ...)
{
    {
        va_list args;
        va_start(args, format);
        const std::string text = std::string(api) + ": " + FormatV(format, args);
        va_end(args);
        if (t_core == nullptr || t_core->group == nullptr) {
            throw KernelError(text);
        }
        if (Checker *checker = t_core->group->job->checker) {
            checker->OnFail(*t_core, api, text, __builtin_frame_address(0));
        }
        RecordFailure(*t_core, text);
    }
    AbandonFiber();
}

void FailTensor(const char *api, const char *argument, Memory memory, Memory allowed, const void *address,
                uint64_t bytes, uint64_t room)
{
    if (memory != allowed) {
        Fail(api, "%s is in %s, allowed is %s", argument, MemoryName(memory), MemoryName(allowed));
    }
    if (t_core != nullptr && t_core->memory[static_cast<int>(memory)].capacity == 0) {
        Fail(api, "%s is in %s, which an %s does not have", argument, MemoryName(memory),
             t_core->type == CoreType::AIC ? "AIC" : "AIV");
    }
    const uint64_t capacity = MEMORY_CAPACITY[static_cast<int>(memory)];
    if (reinterpret_cast<uintptr_t>(address) <= capacity) {
        Fail(api, "%s is of a TBuf that no InitBuffer has seen", argument);
    }
    Fail(api, "%s takes %llu bytes at offset %llu, %llu are left in %s (%llu)", argument,
         static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(capacity - room),
         static_cast<unsigned long long>(room), MemoryName(memory), static_cast<unsigned long long>(capacity));
}

} // namespace ascendc_cpu
