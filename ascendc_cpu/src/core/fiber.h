// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A stack of its own that one thread runs at a time; may be resumed by another thread than before.
#ifndef ASCENDC_CPU_FIBER_H
#define ASCENDC_CPU_FIBER_H
#include <cstddef>
#include <cstdint>
#include <ucontext.h>

namespace ascendc_cpu {

class Fiber {
public:
    // body never returns: it leaves through Suspend.
    void Start(uint8_t *stack, size_t stackBytes, void (*body)(void *), void *argument);
    // Run the fiber until it suspends. Not inlined: the caller must not keep addresses of thread-local data across it.
    __attribute__((noinline)) void Resume();
    // From inside the fiber: back to whoever resumed it.
    __attribute__((noinline)) void Suspend();

private:
    ucontext_t self;
    ucontext_t host;
};

} // namespace ascendc_cpu
#endif
