// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which tile fits the memories of a core. Sizes in bytes unless a name says otherwise. The tables were made for Atlas
// A2 (L1 512 KiB, UB 192 KiB, L0A and L0B 64 KiB, L0C 128 KiB); the checks below keep table and memories together.
#ifndef FA_UB_L1_BUDGET_H
#define FA_UB_L1_BUDGET_H
#include <cstddef>
#include <cstdint>

constexpr int64_t FA_KIB = 1024;
constexpr int64_t FA_L1_BYTES = 512 * FA_KIB;
constexpr int64_t FA_UB_BYTES = 184 * FA_KIB;    // of 192: Select modes 1 and 2 keep scratch at the end
constexpr int64_t FA_L1_BOX_BYTES = 32 * FA_KIB; // K or V box: half of L0A or L0B
constexpr int64_t FA_VECTOR_ROWS = 64;           // rows of a tile on one of the two vector cores

constexpr int64_t FaRoundUp(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

// L1 holds Q and P of a tile and, in the rest, a ring of boxes for K and V.
// Alternatives that lost: whole K and V stacks in L1 fit only 16-bit D <= 80 and float32 D <= 16.
struct FaL1Row {
    int64_t elementBytes;
    int64_t maxD;
    int64_t qTile;
    int64_t kvStack;
};

constexpr FaL1Row FA_L1_TABLE[] = {
    {2, 768, 128, 512}, // 64 B .. 192 KiB of Q, 128 KiB of P, four boxes
    {4, 192, 128, 512}, // 256 KiB of P, four boxes
    {4, 256, 128, 512}, // three boxes: a fourth would fill L1 to the last byte
    {4, 384, 128, 256}, // four boxes; P of 512 keys would leave less than two
    {4, 512, 128, 256}, // three boxes
    {4, 768, 64, 512},  // four boxes
};
constexpr size_t FA_L1_ROWS = sizeof(FA_L1_TABLE) / sizeof(FA_L1_TABLE[0]);

constexpr int64_t FA_L1_MAX_BOXES = 4;
constexpr int64_t FA_L1_MIN_BOXES = 2; // one is loaded while the other is multiplied

// Q and P.
constexpr int64_t FaL1Resident(const FaL1Row &row)
{
    return row.qTile * (row.maxD + row.kvStack) * row.elementBytes;
}

// Boxes that fit beside Q and P without filling L1 to the last byte.
constexpr int64_t FaL1Boxes(const FaL1Row &row)
{
    return FaL1Resident(row) + FA_L1_MAX_BOXES * FA_L1_BOX_BYTES < FA_L1_BYTES
               ? FA_L1_MAX_BOXES
               : (FA_L1_BYTES - 1 - FaL1Resident(row)) / FA_L1_BOX_BYTES;
}

constexpr bool FaL1TableFits(size_t row)
{
    return row == FA_L1_ROWS || (FaL1Boxes(FA_L1_TABLE[row]) > FA_L1_MIN_BOXES && FaL1TableFits(row + 1));
}
static_assert(FaL1TableFits(0), "a row of the L1 table leaves no room for three boxes");

// First row that holds the head dim; the table covers 1..768.
constexpr const FaL1Row &FaL1RowOf(int64_t elementBytes, int64_t d, size_t row = 0)
{
    return FA_L1_TABLE[row].elementBytes == elementBytes && d <= FA_L1_TABLE[row].maxD
               ? FA_L1_TABLE[row]
               : FaL1RowOf(elementBytes, d, row + 1);
}
static_assert(FaL1RowOf(2, 768).kvStack == 512 && FaL1RowOf(4, 768).qTile == 64, "the L1 table must cover D = 768");

// UB with every feature on, for sub-tiles of 8 rows x 512 keys. Items that both data types share:
constexpr int64_t FA_UB_SHARED = 8 * FA_KIB       // mask bytes, two buffers
                                 + FA_KIB / 2     // mask bits
                                 + 16 * FA_KIB    // dropout words, two loads x two buffers
                                 + 5 * FA_KIB / 2 // staircase of the triangular masks
                                 + FA_KIB / 2     // constants
                                 + 2 * FA_KIB     // column fold
                                 + FA_KIB / 2     // Brcb
                                 + 5 * FA_KIB / 4 // row state
                                 + 4 * FA_KIB;    // max and sum out
// 16-bit: S x2, P x2, pse raw x2, pse widened (reused as mask half).
constexpr int64_t FA_UB_16_BIT = FA_UB_SHARED + (32 + 16 + 16 + 16) * FA_KIB;
// float32: S x3 (P in place), pse raw x2, mask half.
constexpr int64_t FA_UB_32_BIT = FA_UB_SHARED + (48 + 32 + 8) * FA_KIB;
static_assert(FA_UB_16_BIT == 461 * FA_KIB / 4 && FA_UB_32_BIT == 493 * FA_KIB / 4, "115.25 and 123.25 KiB");

// The O accumulator stays in UB up to this head dim of V.
constexpr int64_t FaMaxDvInUb(int64_t elementBytes)
{
    return elementBytes == 2 ? 192 : 128;
}

// Rows of a slice of O and PV.
constexpr int64_t FaSliceRows(int64_t paddedDv)
{
    return paddedDv > 480 ? 4 : 8;
}

// dv: a multiple of 16.
constexpr int64_t FaUbUsed(int64_t elementBytes, int64_t dv)
{
    return (elementBytes == 2 ? FA_UB_16_BIT : FA_UB_32_BIT) +
           (dv <= FaMaxDvInUb(elementBytes) ? FA_VECTOR_ROWS : 2 * FaSliceRows(dv)) * dv * 4 // O, or two slices of it
           + 2 * FaSliceRows(dv) * dv * 4                                                    // two slices of PV
           + (elementBytes == 2 ? FaSliceRows(dv) * dv * 2 : 0);                             // cast slice
}

constexpr bool FaUbFits(int64_t elementBytes, int64_t dv)
{
    return dv == 0 || (FaUbUsed(elementBytes, dv) <= FA_UB_BYTES && FaUbFits(elementBytes, dv - 16));
}
static_assert(FaUbFits(2, 768) && FaUbFits(4, 768), "UB must hold every head dim of V");
#endif
