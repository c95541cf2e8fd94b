// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which tile fits the memories of a core. Sizes in bytes unless a name says otherwise. The tables were made for Atlas
// A2 (L1 512 KiB, UB 192 KiB, L0A and L0B 64 KiB, L0C 128 KiB); the checks below keep table and memories together.
#ifndef FA_UB_L1_BUDGET_H
#define FA_UB_L1_BUDGET_H
#include <cstddef>
#include <cstdint>
#include "../../op_kernel/fa_host_device.h"
#include "../../op_kernel/fa_tile_limits.h"

constexpr int64_t FA_KIB = 1024;
constexpr int64_t FA_L1_BYTES = 512 * FA_KIB;

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
    return FaL1Resident(row) + FA_L1_MAX_BOXES * FA_BOX_BYTES < FA_L1_BYTES
               ? FA_L1_MAX_BOXES
               : (FA_L1_BYTES - 1 - FaL1Resident(row)) / FA_BOX_BYTES;
}

// Beside few rows a box fills L0B instead of half of it: they take less time than their keys take to come from GM, so
// nothing is lost when loads to L0B wait for Mmad, and half as many boxes are half as many instructions. Not of head
// dims up to 64, whose 128 keys are no larger, nor beyond 128, where V's boxes (Dv <= D) would cut the sums along the
// keys elsewhere than beside more rows.
constexpr int64_t FA_FEWEST_ROWS = 16; // of a tile
constexpr int64_t FaBoxBytes(int64_t elementBytes, int64_t qTile, int64_t d)
{
    return elementBytes == 4 && qTile == FA_FEWEST_ROWS && d > 64 && d <= 128 ? 2 * FA_BOX_BYTES : FA_BOX_BYTES;
}
static_assert(FaL1Resident(FaL1Row{4, 768, FA_FEWEST_ROWS, 512}) + FA_L1_MAX_BOXES * 2 * FA_BOX_BYTES < FA_L1_BYTES,
              "L1 must hold four large boxes");

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

// What decides how much of UB a vector core needs, for stacks of 512 keys.
struct FaUbNeeds {
    int64_t elementBytes;
    int64_t dv;      // rounded up to 16
    int64_t rows;    // of the largest tile of Q
    bool shift;      // a tensor of query's type or slopes
    bool floatShift; // a float32 tensor beside 16-bit inputs
    bool maskTensor;
    bool dropout;
};

// How the vector core goes over scores and O.
struct FaUbShape {
    bool accInUb;      // 64 rows of O stay in UB; else they are loaded and stored in slices
    int64_t sliceRows; // of O, of the result x2, of PV x2 and of merged states
    int64_t passRows;  // of scores at once
};

constexpr int64_t FA_UB_ROWS = 8;   // of the usual pass and slice
constexpr int64_t FA_UB_KEYS = 512; // of a stack
constexpr int64_t FA_UB_PASS = FA_UB_ROWS * FA_UB_KEYS;
constexpr int64_t FA_UB_MASK = 4 * FA_KIB;     // staircase of the triangular masks, and what it is made of
constexpr int64_t FA_UB_RESULT = 6 * FA_KIB;   // max and sum as they are stored, divisors, partial states
constexpr int64_t FA_UB_DROPOUT = 16 * FA_KIB; // bits of 64 rows as they are and two bytes on, two buffers

// Scores and probabilities: S x2 and P x2 in 16 bit; float32: S x3, P in place.
constexpr int64_t FaUbScores(int64_t elementBytes, int64_t passRows)
{
    return passRows * FA_UB_KEYS * (elementBytes == 2 ? 2 * 4 + 2 * 2 : 3 * 4);
}

// Max, sum and rescale factor of three states, max and sum of a stack, column fold, and values of rows in 32 B blocks.
constexpr int64_t FaUbState(const FaUbShape &shape)
{
    return (3 * FA_RING_SLOTS + 2) * FA_AIV_ROWS * 4 + shape.passRows * 256 +
           (shape.passRows > shape.sliceRows ? shape.passRows : shape.sliceRows) * 32 + FA_KIB / 2;
}

// Raw elements x2, and widened ones unless they are float32. Slopes need less: distances x1 and a row of columns.
constexpr int64_t FaUbShift(const FaUbNeeds &needs)
{
    return needs.floatShift ? FA_UB_PASS * 2 * 4
           : needs.shift    ? FA_UB_PASS * (2 * needs.elementBytes + (needs.elementBytes == 2 ? 4 : 0))
                            : 0;
}

// Bytes x2 and bits; halves between them stand where the shift has widened elements.
constexpr int64_t FaUbMaskTensor(const FaUbNeeds &needs)
{
    return needs.maskTensor ? FA_UB_PASS * 2 + FA_UB_PASS / 8 +
                                  (needs.shift && !needs.floatShift && needs.elementBytes == 2 ? 0 : FA_UB_PASS * 2)
                            : 0;
}

constexpr int64_t FaUbOutput(const FaUbNeeds &needs, const FaUbShape &shape)
{
    return needs.dv * ((shape.accInUb ? FA_AIV_ROWS : shape.sliceRows) * 4 + shape.sliceRows * 2 * 4 +
                       shape.sliceRows * 2 * needs.elementBytes + shape.sliceRows * 4);
}

constexpr int64_t FaUbUsed(const FaUbNeeds &needs, const FaUbShape &shape)
{
    return FaUbScores(needs.elementBytes, shape.passRows) + FaUbState(shape) + FA_UB_MASK + FA_UB_RESULT +
           FaUbShift(needs) + FaUbMaskTensor(needs) + (needs.dropout ? FA_UB_DROPOUT : 0) + FaUbOutput(needs, shape);
}

constexpr bool FaUbFits(const FaUbNeeds &needs, const FaUbShape &shape)
{
    return FaUbUsed(needs, shape) <= FA_UB_BYTES;
}

// O stays in UB up to this head dim of V, if there is room.
constexpr int64_t FaMaxDvInUb(int64_t elementBytes)
{
    return elementBytes == 2 ? 192 : 128;
}

constexpr int64_t FA_LEAST_SLICE_ROWS = 2;
constexpr int64_t FA_SLICE_BYTES = 8 * FA_KIB; // of float32, so that a copy is worth its start

// O in GM: slices as large as fit.
constexpr FaUbShape FaChooseSlices(const FaUbNeeds &needs, int64_t rows = FA_UB_ROWS)
{
    return rows == FA_LEAST_SLICE_ROWS || FaUbFits(needs, FaUbShape{false, rows, FA_UB_ROWS})
               ? FaUbShape{false, rows, FA_UB_ROWS}
               : FaChooseSlices(needs, rows / 2);
}

// O in UB: the same, of 8 rows at least.
constexpr FaUbShape FaChooseSlicesInUb(const FaUbNeeds &needs, int64_t passRows, int64_t rows = FA_AIV_ROWS)
{
    return rows == FA_UB_ROWS ||
                   (rows * needs.dv * 4 <= FA_SLICE_BYTES && FaUbFits(needs, FaUbShape{true, rows, passRows}))
               ? FaUbShape{true, rows, passRows}
               : FaChooseSlicesInUb(needs, passRows, rows / 2);
}

// Passes of 16 rows, half as many instructions, where nothing but scores comes with them and a core has so many rows.
constexpr bool FaHasWidePasses(const FaUbNeeds &needs)
{
    return !needs.shift && !needs.maskTensor && !needs.dropout && needs.rows >= 4 * FA_UB_ROWS &&
           FaUbFits(needs, FaUbShape{true, FA_UB_ROWS, 2 * FA_UB_ROWS});
}

constexpr FaUbShape FaChooseUbShape(const FaUbNeeds &needs)
{
    return needs.dv <= FaMaxDvInUb(needs.elementBytes) && FaUbFits(needs, FaUbShape{true, FA_UB_ROWS, FA_UB_ROWS})
               ? FaChooseSlicesInUb(needs, FaHasWidePasses(needs) ? 2 * FA_UB_ROWS : FA_UB_ROWS)
               : FaChooseSlices(needs);
}

constexpr FaUbNeeds FaEveryNeed(int64_t elementBytes, int64_t dv)
{
    return FaUbNeeds{elementBytes, dv, 128, true, elementBytes == 2, true, true};
}
static_assert(FaUbFits(FaEveryNeed(2, 768), FaChooseUbShape(FaEveryNeed(2, 768))) &&
                  FaUbFits(FaEveryNeed(4, 768), FaChooseUbShape(FaEveryNeed(4, 768))),
              "UB must hold every head dim of V with every feature");
static_assert(FaChooseUbShape(FaUbNeeds{2, 192, 128, false, false, true, false}).accInUb &&
                  FaChooseUbShape(FaUbNeeds{4, 128, 128, false, false, true, false}).accInUb &&
                  FaChooseUbShape(FaEveryNeed(2, 128)).accInUb && FaChooseUbShape(FaEveryNeed(4, 128)).accInUb,
              "common head dims keep O in UB");
#endif
