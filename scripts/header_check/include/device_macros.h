// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the device compiler knows without an include, said in terms of a stock clang: qualifiers, scalar types and
// scalar builtins. In clang's CUDA mode __aicore__ means host and device, so that clang reports what a kernel reaches
// without it.
#ifndef HEADER_CHECK_DEVICE_MACROS_H
#define HEADER_CHECK_DEVICE_MACROS_H
#include <cstddef>
#include <cstdint>

#define __NPU_ARCH__ 2201
#define __CCE_AICORE__ 220
#define __CCE__ 1
#define __CCE_IS_AICORE__ 1

// Functions and variables.
#if defined(__CUDA__)
#define __aicore__ __attribute__((host)) __attribute__((device))
#define __BLOCK_LOCAL__ __attribute__((device))
#else
#define __aicore__
#define __BLOCK_LOCAL__
#endif
#define __global__ __aicore__
#define __host_aicore__ __aicore__
#define __WORKGROUP_LOCAL__ __BLOCK_LOCAL__
#define __forceinline__ inline
#define __cube__
#define __vector__
#define __mix__(...)
#define __simd_vf__
#define __simt_vf__
#define __simd_callee__
#define __simt_callee__
#define __no_simd_vf_fusion__
#define __kfc_workspace__

// Memories: pointers to different ones do not convert into each other.
#define __gm__ __attribute__((address_space(101)))
#define __ca__ __attribute__((address_space(102)))
#define __cb__ __attribute__((address_space(103)))
#define __cc__ __attribute__((address_space(104)))
#define __ubuf__ __attribute__((address_space(105)))
#define __cbuf__ __attribute__((address_space(106)))
#define __fbuf__ __attribute__((address_space(107)))
#define __biasbuf__ __attribute__((address_space(108)))
#define __ssbuf__ __attribute__((address_space(109)))

// Hints for the compiler's own synchronisation.
#define __sync_alias__
#define __sync_noalias__
#define __check_sync_alias__
#define __sync_in__
#define __sync_out__
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __inout_pipe__(...)

// Keywords there: macros, not typedefs, so that nothing else can take the name.
#define half _Float16
#define bfloat16_t __bf16

#define block_idx get_block_idx()
#define block_num get_block_num()

// Only mentioned by declarations of instructions that dav-c220 does not have.
struct vector_bool {};
struct vector_s8 {};
struct vector_u8 {};
struct vector_s16 {};
struct vector_u16 {};
struct vector_f16 {};
struct vector_bf16 {};
struct vector_s32 {};
struct vector_u32 {};
struct vector_f32 {};
struct vector_s64 {};
struct vector_u64 {};
struct vector_align {};
struct vector_address {};

// Scalar builtins.
#define HEADER_CHECK_MIN_MAX(type)                                                                                     \
    __aicore__ type min(type a, type b);                                                                               \
    __aicore__ type max(type a, type b);
HEADER_CHECK_MIN_MAX(int8_t)
HEADER_CHECK_MIN_MAX(uint8_t)
HEADER_CHECK_MIN_MAX(int16_t)
HEADER_CHECK_MIN_MAX(uint16_t)
HEADER_CHECK_MIN_MAX(int32_t)
HEADER_CHECK_MIN_MAX(uint32_t)
HEADER_CHECK_MIN_MAX(int64_t)
HEADER_CHECK_MIN_MAX(uint64_t)
HEADER_CHECK_MIN_MAX(half)
HEADER_CHECK_MIN_MAX(float)
#undef HEADER_CHECK_MIN_MAX
__aicore__ int32_t abs(int32_t value);
__aicore__ int64_t abs(int64_t value);
__aicore__ float abs(float value);
__aicore__ int64_t sqrt(int64_t value);
__aicore__ float sqrt(float value);

// The headers take their version as a string in global memory, where a stock clang has no literals.
#define ASC_DEVKIT_VERSION_STR static_cast<__gm__ const char *>(nullptr)
#define CANN_VERSION_STR ASC_DEVKIT_VERSION_STR

// Written by the operator compiler for each operator: from bytes in global memory, or a constant when all shapes are
// known. The constant form is the stricter one. HEADER_CHECK_TILING_DATA is the struct that the kernel registers.
template <typename T>
__aicore__ T HeaderCheckTilingData(__gm__ const uint8_t *address);
#define GET_TILING_DATA_WITH_STRUCT(type, name, address) const type name = HeaderCheckTilingData<type>(address)
#define GET_TILING_DATA(name, address) GET_TILING_DATA_WITH_STRUCT(HEADER_CHECK_TILING_DATA, name, address)
#endif
