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
    // A stack whose last body has returned is entered anew without a system call. A fiber that runs may be dropped.
    void Start(uint8_t *stack, size_t stackBytes, void (*body)(void *), void *argument);
    // Run the fiber until it suspends or its body returns. Not inlined: the caller must not keep addresses of
    // thread-local data across it.
    __attribute__((noinline)) void Resume();
    // From inside the fiber: back to whoever resumed it.
    __attribute__((noinline)) void Suspend();

private:
    static void Enter(unsigned high, unsigned low);

    jmp_buf self;
    jmp_buf host;
    uint8_t *stack = nullptr;
    size_t stackBytes = 0;
    void (*body)(void *) = nullptr;
    void *argument = nullptr;
    bool isEntered = false; // `self` says where to go on
    bool isIdle = false;    // body has returned, the stack waits in Enter
};

} // namespace ascendc_cpu
#endif
