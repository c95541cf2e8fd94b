// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Fixpipe: L0C -> GM (rows or NZ) and L0C -> L1 (NZ), with the cast to 16 bit and ReLU on the way.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_FIXPIPE_INTF_H
#define ASCENDC_CPU_KERNEL_OPERATOR_FIXPIPE_INTF_H
#include "kernel_operator_set_atomic_intf.h"
#include "kernel_struct_fixpipe.h"
#include "kernel_tensor.h"
#include "ascendc_cpu/fixpipe_tile.h"
#include "ascendc_cpu/trace.h"

ASCENDC_CPU_BEGIN

// L0C -> GM. Nothing beyond mSize rows and nSize columns is written. Casts round to nearest even; the atomic register
// applies. unitFlag and deqScalar have no effect on the supported conversions.
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR>
__aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &params)
{
    if (params.mSize == 0 || params.nSize == 0 || params.ndNum == 0) {
        return;
    }
    ascendc_cpu::FixpipeTile tile = FixpipeTileOf<T, U, config.format>(src, params);
    tile.dst = reinterpret_cast<uint8_t *>(dst.GetPhyAddr());
    if (AtomicStore<T>("Fixpipe")) {
        tile.atomicOp = ascendc_cpu::Core().sticky.atomicOp;
        tile.atomicType = ascendc_cpu::Core().sticky.atomicType;
    }
    ascendc_cpu::SettleForStore(FixpipeRows<T>(tile));
    if (StoreProduct<T>(tile)) {
        return;
    }
    CheckFixpipeSource(src, tile);
    ASCENDC_CPU_TRACE_FLAGS(ascendc_cpu::UnitFlagOf(params.unitFlag));
    ASCENDC_CPU_TRACE(
        PIPE_FIX, "Fixpipe",
        ascendc_cpu::Write(dst, ascendc_cpu::Region{tile.dstColumns * sizeof(T),
                                                    {tile.m, tile.dstRow * sizeof(T)},
                                                    {tile.n / tile.dstColumns, tile.dstBlock * sizeof(T)},
                                                    {tile.matrices, tile.dstMatrix * sizeof(T)}}),
        ascendc_cpu::Read(src, FixpipeSource(tile)),
        ascendc_cpu::At(ascendc_cpu::Read(src, FixpipeSourceTail(tile)), tile.n / 16 * tile.srcBlock * 4));
    ascendc_cpu::g_isa->cube.fixpipe[static_cast<int>(FixpipeOutOf<T, U>())](tile);
}

// L0C -> L1, NZ only, half or bfloat16_t only.
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR>
__aicore__ inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &params)
{
    static_assert(config.format == CO2Layout::NZ, "Fixpipe to L1 writes NZ only (CFG_NZ)");
    static_assert(sizeof(T) == 2, "Fixpipe to L1 writes half or bfloat16_t");
    if (params.mSize == 0 || params.nSize == 0 || params.ndNum == 0) {
        return;
    }
    ascendc_cpu::FixpipeTile tile = FixpipeTileOf<T, U, config.format>(src, params);
    CheckFixpipeSource(src, tile);
    CheckTensor("Fixpipe", "dst", dst, ascendc_cpu::Memory::L1, FixpipeElements(tile) * sizeof(T));
    tile.dst = reinterpret_cast<uint8_t *>(dst.Address());
    ASCENDC_CPU_TRACE_FLAGS(ascendc_cpu::UnitFlagOf(params.unitFlag));
    ASCENDC_CPU_TRACE(
        PIPE_FIX, "Fixpipe",
        ascendc_cpu::Write(dst, ascendc_cpu::Region{tile.dstColumns * sizeof(T),
                                                    {tile.m, tile.dstRow * sizeof(T)},
                                                    {tile.n / tile.dstColumns, tile.dstBlock * sizeof(T)},
                                                    {tile.matrices, tile.dstMatrix * sizeof(T)}}),
        ascendc_cpu::Read(src, FixpipeSource(tile)),
        ascendc_cpu::At(ascendc_cpu::Read(src, FixpipeSourceTail(tile)), tile.n / 16 * tile.srcBlock * 4));
    ascendc_cpu::g_isa->cube.fixpipe[static_cast<int>(FixpipeOutOf<T, U>())](tile);
}

// Of this API's tasks the one without a table: a tensor in L0C and isUnitFlag, which empties all of L0C's unit flags.
template <typename T, bool setRelu = false>
__aicore__ inline void SetFixPipeConfig(const LocalTensor<T> &preData, bool isUnitFlag = false)
{
    if (ASCENDC_CPU_UNLIKELY(preData.GetMemory() != ascendc_cpu::Memory::L0C || !isUnitFlag)) {
        ascendc_cpu::Fail("SetFixPipeConfig", "quantisation tables are not supported, only isUnitFlag = true with a "
                                              "tensor in L0C");
    }
    ASCENDC_CPU_SYNC(ClearUnitFlags, PIPE_FIX, PIPE_FIX, 0);
}

ASCENDC_CPU_END
#endif
