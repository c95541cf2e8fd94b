// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fiber.h"

namespace ascendc_cpu {

namespace {

struct Boot {
    void (*body)(void *);
    void *argument;
};

// makecontext passes ints only.
void Enter(unsigned high, unsigned low)
{
    const Boot boot = *reinterpret_cast<Boot *>((static_cast<uint64_t>(high) << 32) | low);
    boot.body(boot.argument);
}

} // namespace

void Fiber::Start(uint8_t *stack, size_t stackBytes, void (*body)(void *), void *argument)
{
    Boot *boot = reinterpret_cast<Boot *>(stack); // far end of the stack, read before the stack can grow there
    *boot = {body, argument};
    getcontext(&self);
    self.uc_stack.ss_sp = stack;
    self.uc_stack.ss_size = stackBytes;
    self.uc_link = nullptr;
    const uint64_t address = reinterpret_cast<uint64_t>(boot);
    makecontext(&self, reinterpret_cast<void (*)()>(Enter), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address));
}

void Fiber::Resume()
{
    swapcontext(&host, &self);
}

void Fiber::Suspend()
{
    swapcontext(&self, &host);
}

} // namespace ascendc_cpu
