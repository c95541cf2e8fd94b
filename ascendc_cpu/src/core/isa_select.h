// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Picks one of the libascendc_cpu_isa_*.so beside libascendc_cpu.so.
#ifndef ASCENDC_CPU_ISA_SELECT_H
#define ASCENDC_CPU_ISA_SELECT_H

namespace ascendc_cpu {

// Sets g_isa at the first call: the best library that this CPU supports and that is installed, or the one named by
// ASCENDC_CPU_ISA (generic, avx2, avx512). Returns its name. Throws KernelError.
const char *SelectIsa();

// In a child of a fork, where the threads that held locks of atomic copies do not exist. A library does not register
// this itself: before glibc 2.36 that would wait for a fork, which waits for the library to be loaded.
void FreeAtomicLocks();

} // namespace ascendc_cpu
#endif
