// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// makecontext enters a stack once; _setjmp and _longjmp change between stacks afterwards. swapcontext would do it all,
// at the price of a system call for the signal mask each time, about 0.4 us a change.
#undef _FORTIFY_SOURCE // its _longjmp refuses to change stacks
#include "fiber.h"
#include <ucontext.h>

namespace ascendc_cpu {

void Fiber::Start(uint8_t *newStack, size_t newStackBytes, void (*newBody)(void *), void *newArgument)
{
    isEntered = isIdle && stack == newStack;
    isIdle = false;
    stack = newStack;
    stackBytes = newStackBytes;
    body = newBody;
    argument = newArgument;
}

// makecontext passes ints only.
void Fiber::Enter(unsigned high, unsigned low)
{
    Fiber &fiber = *reinterpret_cast<Fiber *>((static_cast<uint64_t>(high) << 32) | low);
    for (;;) {
        fiber.body(fiber.argument);
        fiber.isIdle = true;
        fiber.Suspend();
    }
}

void Fiber::Resume()
{
    if (_setjmp(host) != 0) {
        return;
    }
    if (isEntered) {
        _longjmp(self, 1);
    }
    isEntered = true;
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = stackBytes;
    context.uc_link = nullptr;
    const uint64_t address = reinterpret_cast<uint64_t>(this);
    makecontext(&context, reinterpret_cast<void (*)()>(Enter), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address));
    setcontext(&context);
}

void Fiber::Suspend()
{
    if (_setjmp(self) == 0) {
        _longjmp(host, 1);
    }
}

} // namespace ascendc_cpu
