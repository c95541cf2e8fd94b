// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A stack of its own that one thread runs at a time; may be resumed by another thread than before.
#ifndef ASCENDC_CPU_FIBER_H
#define ASCENDC_CPU_FIBER_H
#include <csetjmp>
#include <cstddef>
#include <cstdint>

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
    static void Enter(unsigned high, unsigned low);

    jmp_buf self;
    jmp_buf host;
    uint8_t *stack = nullptr;
    size_t stackBytes = 0;
    void (*body)(void *) = nullptr; // null once entered
    void *argument = nullptr;
};

} // namespace ascendc_cpu
#endif
