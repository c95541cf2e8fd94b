// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Checks and argument building behind Fixpipe.
#ifndef ASCENDC_CPU_FIXPIPE_TILE_H
#define ASCENDC_CPU_FIXPIPE_TILE_H
#include "../kernel_struct_fixpipe.h"
#include "../kernel_tensor.h"
#include "access.h"
#include "isa_table.h"

ASCENDC_CPU_BEGIN

template <typename T, typename U>
constexpr ascendc_cpu::FixpipeOut FixpipeOutOf()
{
    static_assert((std::is_same<U, float>::value && (std::is_same<T, float>::value || std::is_same<T, half>::value ||
                                                     std::is_same<T, bfloat16_t>::value)) ||
                      (std::is_same<U, int32_t>::value && std::is_same<T, int32_t>::value),
                  "Fixpipe: float -> float, half, bfloat16_t; int32_t -> int32_t");
    return std::is_same<T, float>::value        ? ascendc_cpu::FixpipeOut::FLOAT
           : std::is_same<T, half>::value       ? ascendc_cpu::FixpipeOut::HALF
           : std::is_same<T, bfloat16_t>::value ? ascendc_cpu::FixpipeOut::BF16
                                                : ascendc_cpu::FixpipeOut::INT32;
}

// Bytes of L0C that are read: whole columns of 16, then a half one.
inline ascendc_cpu::Region FixpipeSource(const ascendc_cpu::FixpipeTile &tile)
{
    return {tile.m * 64ULL, {tile.n / 16, tile.srcBlock * 4}, {tile.matrices, tile.srcMatrix * 4}, {}};
}
inline ascendc_cpu::Region FixpipeSourceTail(const ascendc_cpu::FixpipeTile &tile)
{
    return {tile.n % 16 * 4ULL, {tile.m, 64}, {tile.matrices, tile.srcMatrix * 4}, {}};
}

template <typename T>
inline void CheckFixpipe(const FixpipeParamsV220 &params, CO2Layout format)
{
    const QuantMode_t needed = std::is_same<T, half>::value         ? QuantMode_t::F322F16
                               : std::is_same<T, bfloat16_t>::value ? QuantMode_t::F322BF16
                                                                    : QuantMode_t::NoQuant;
    if (ASCENDC_CPU_UNLIKELY(params.quantPre != needed)) {
        ascendc_cpu::Fail("Fixpipe", "quantPre %d does not match the output type, needed %d",
                          static_cast<int>(params.quantPre), static_cast<int>(needed));
    }
    const bool split = params.isChannelSplit;
    const bool canSplit = format == CO2Layout::NZ && std::is_same<T, float>::value;
    if (ASCENDC_CPU_UNLIKELY(split && !canSplit)) {
        ascendc_cpu::Fail("Fixpipe", "isChannelSplit is for float output in NZ");
    }
    const uint32_t columnUnit = split ? 8 : 16;
    if (ASCENDC_CPU_UNLIKELY(params.nSize > 4095 || params.nSize % columnUnit != 0 || params.dstStride == 0)) {
        ascendc_cpu::Fail("Fixpipe", "nSize %u (a multiple of %u, at most 4095), dstStride %u (not 0)", +params.nSize,
                          columnUnit, +params.dstStride);
    }
    const bool rows = format == CO2Layout::ROW_MAJOR;
    const uint64_t step = rows ? params.dstStride : params.dstStride * 32ULL / sizeof(T); // elements
    const uint64_t least = rows ? params.nSize : columnUnit * static_cast<uint64_t>(params.mSize);
    if (ASCENDC_CPU_UNLIKELY(step < least && (rows ? +params.mSize > 1 : +params.nSize > columnUnit))) {
        ascendc_cpu::Fail("Fixpipe", "dstStride %u: %s of mSize %u, nSize %u are written over each other",
                          +params.dstStride, rows ? "rows" : "columns", +params.mSize, +params.nSize);
    }
    if (rows) {
        if (ASCENDC_CPU_UNLIKELY(params.mSize > 8192 || (params.ndNum > 1 && params.srcNdStride > 512))) {
            ascendc_cpu::Fail("Fixpipe", "mSize %u (at most 8192), srcNdStride %u (at most 512)", +params.mSize,
                              +params.srcNdStride);
        }
    } else if (ASCENDC_CPU_UNLIKELY(params.ndNum > 1)) {
        ascendc_cpu::Fail("Fixpipe", "ndNum is %u, allowed 1 in NZ", +params.ndNum);
    }
}

// Everything but dst and the atomic mode.
template <typename T, typename U, CO2Layout format>
inline ascendc_cpu::FixpipeTile FixpipeTileOf(const LocalTensor<U> &src, const FixpipeParamsV220 &params)
{
    static_assert(format == CO2Layout::NZ || format == CO2Layout::ROW_MAJOR, "Fixpipe: CFG_NZ or CFG_ROW_MAJOR");
    CheckFixpipe<T>(params, format);
    constexpr bool rows = format == CO2Layout::ROW_MAJOR;
    const uint32_t columns = params.isChannelSplit ? 8 : 16;
    ascendc_cpu::FixpipeTile tile = {};
    tile.src = reinterpret_cast<const float *>(src.Address());
    tile.matrices = params.ndNum;
    tile.m = params.mSize;
    tile.n = params.nSize;
    tile.srcMatrix = params.ndNum > 1 ? params.srcNdStride * 256ULL : 0;
    tile.srcBlock = params.srcStride * 16ULL;
    tile.dstMatrix = params.ndNum > 1 ? params.dstNdStride : 0;
    tile.dstRow = rows ? params.dstStride : columns;
    tile.dstColumns = columns;
    tile.dstBlock = rows ? columns : static_cast<uint64_t>(params.dstStride) * ONE_BLK_SIZE / sizeof(T);
    tile.relu = params.reluEn;
    return tile;
}

template <typename U>
inline void CheckFixpipeSource(const LocalTensor<U> &src, const ascendc_cpu::FixpipeTile &tile)
{
    const uint64_t blocks = (tile.n + 15) / 16;
    CheckTensor("Fixpipe", "src", src, ascendc_cpu::Memory::L0C,
                ((tile.matrices - 1) * tile.srcMatrix + (blocks - 1) * tile.srcBlock + tile.m * 16ULL) * sizeof(U));
}

// From the first element of the destination to its last.
inline uint64_t FixpipeElements(const ascendc_cpu::FixpipeTile &tile)
{
    return (tile.matrices - 1) * tile.dstMatrix + (tile.n / tile.dstColumns - 1) * tile.dstBlock +
           (tile.m - 1) * tile.dstRow + tile.dstColumns;
}

// Its rows in GM, or all that lies between the first element and the last.
template <typename T>
inline ascendc_cpu::RowsInGm FixpipeRows(const ascendc_cpu::FixpipeTile &tile)
{
    if (tile.matrices == 1 && tile.dstBlock == tile.dstColumns) {
        return {tile.dst, tile.m, tile.n * sizeof(T), tile.dstRow * sizeof(T)};
    }
    const uint64_t bytes = FixpipeElements(tile) * sizeof(T);
    return {tile.dst, 1, bytes, bytes};
}

// Stores the product that waits for this Fixpipe; false: there is none.
template <typename T>
inline bool StoreProduct(const ascendc_cpu::FixpipeTile &tile)
{
    ascendc_cpu::WaitingProduct &product = ascendc_cpu::Core().deferred.product;
    if (!product.waits) {
        return false;
    }
    ascendc_cpu::MmadTile &mmad = product.tile;
    const bool plain = std::is_same<T, float>::value && tile.matrices == 1 && tile.dstBlock == 16 &&
                       tile.dstColumns == 16 && !tile.relu && tile.atomicOp == ascendc_cpu::AtomicOp::NONE;
    if (!plain || mmad.c != tile.src || mmad.m != tile.m || mmad.n != tile.n ||
        tile.srcBlock != (mmad.m + 15) / 16 * 256) {
        return false;
    }
    const ascendc_cpu::RowsInGm rows = FixpipeRows<float>(tile);
    mmad.rows = tile.dst;
    mmad.rowPitch = rows.pitch;
    const ascendc_cpu::DeferredCopies &deferred = ascendc_cpu::Core().deferred;
    mmad.rowsOnly = !deferred.changing->forbidden && deferred.inGm->count < ascendc_cpu::ProductsInGm::CAPACITY;
    ascendc_cpu::SettleProduct();
    if (mmad.rowsOnly) {
        deferred.inGm->products[deferred.inGm->count++] = {static_cast<uint8_t *>(mmad.c), rows};
    }
    return true;
}

ASCENDC_CPU_END
#endif
