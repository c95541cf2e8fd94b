// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Which copies can wait (deferred_copies.h): float, dense in L1 and L0B, whole fractals.
#ifndef ASCENDC_CPU_DEFER_COPY_H
#define ASCENDC_CPU_DEFER_COPY_H
#include "../kernel_tensor.h"
#include "isa_table.h"

ASCENDC_CPU_BEGIN

// Every byte of the destination will be written.
inline void ForgetDeferred(ascendc_cpu::DeferredList &list, const void *dst, uint64_t bytes)
{
    if (list.count != 0) {
        list.ForgetFront(static_cast<const uint8_t *>(dst), bytes);
    }
}

// The places it takes are free of other deferred copies: CheckTensor has seen to that.
inline void Defer(ascendc_cpu::Memory memory, ascendc_cpu::DeferredList &list, const ascendc_cpu::DeferredCopy &copy)
{
    if (list.count == ascendc_cpu::DeferredList::CAPACITY) {
        ascendc_cpu::SettleDeferred(memory, list.copies[0].dst, 1);
    }
    list.Add(copy);
}

inline bool IsDense(const ascendc_cpu::Nd2NzCopy &copy)
{
    return copy.matrices == 1 && copy.dstRow == ONE_BLK_SIZE && copy.dstColumn == copy.rows * ONE_BLK_SIZE;
}

template <typename T>
inline bool CanWait(const ascendc_cpu::Nd2NzCopy &copy)
{
    const ascendc_cpu::ConstantRanges &constants = ascendc_cpu::Core().deferred.constants;
    return std::is_same<T, float>::value && constants.count != 0 && IsDense(copy) && copy.rows % 16 == 0 &&
           copy.rowBytes % 64 == 0 && constants.Contain(copy.src, (copy.rows - 1) * copy.srcRow + copy.rowBytes);
}

// Every byte of a box in L1 will be written.
inline void ForgetBox(const uint8_t *dst, uint64_t bytes)
{
    ascendc_cpu::DeferredCopies &deferred = ascendc_cpu::Core().deferred;
    if (deferred.l1.MayTouch(dst, bytes)) {
        deferred.l1.ForgetColumns(dst, bytes);
    }
    const ascendc_cpu::DeferredCopy &copy = deferred.changing->copy;
    if (deferred.changing->waits && copy.dst >= dst && copy.dst + copy.matrix.Bytes() <= dst + bytes) {
        if (deferred.l0a.ComeFrom(dst, bytes)) {
            ascendc_cpu::SettleDeferredFrom(dst, bytes);
        }
        deferred.changing->waits = false;
    }
}

// Whether a copy can wait although its source may change.
template <typename T>
inline bool CanWaitForChange(const ascendc_cpu::Nd2NzCopy &copy)
{
    const ascendc_cpu::DeferredCopies &deferred = ascendc_cpu::Core().deferred;
    return (std::is_same<T, float>::value || std::is_same<T, bfloat16_t>::value) && deferred.allowed &&
           !deferred.changing->forbidden && IsDense(copy) && copy.rows % 16 == 0 && copy.rowBytes % 64 == 0;
}

inline void DeferChanging(const ascendc_cpu::DeferredCopy &copy)
{
    ascendc_cpu::SettleChanging();
    ascendc_cpu::ChangingCopy &changing = *ascendc_cpu::Core().deferred.changing;
    changing.waits = true;
    changing.copy = copy;
}

// The deferred box at `src` when a load takes it to L0B, else nullptr.
template <typename T>
inline const ascendc_cpu::DeferredCopy *DeferredBox(const LocalTensor<T> &dst, const LocalTensor<T> &src)
{
    const ascendc_cpu::DeferredList &boxes = ascendc_cpu::Core().deferred.l1;
    if (!std::is_same<T, float>::value || boxes.count == 0 || dst.GetMemory() != ascendc_cpu::Memory::L0B ||
        src.GetMemory() != ascendc_cpu::Memory::L1) {
        return nullptr;
    }
    return boxes.At(reinterpret_cast<const uint8_t *>(src.Address()));
}

template <typename T>
inline void DeferRight(const char *api, const LocalTensor<T> &dst, const ascendc_cpu::DeferredCopy &box,
                       bool transposed)
{
    ascendc_cpu::DeferredList &list = ascendc_cpu::Core().deferred.l0b;
    const ascendc_cpu::DeferredCopy copy = {dst.ScaledAddress(), box.matrix, transposed};
    if (list.Replace(copy)) {
        return;
    }
    ForgetDeferred(list, copy.dst, box.matrix.Bytes());
    CheckTensor(api, "dst", dst, ascendc_cpu::Memory::L0B, box.matrix.Bytes());
    Defer(ascendc_cpu::Memory::L0B, list, copy);
}

// A load of `fractals` consecutive fractals to L0B, as they stand: X n x k becomes k x n.
template <typename T>
inline bool DeferRightTransposed(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t fractals)
{
    const ascendc_cpu::DeferredCopy *box = DeferredBox(dst, src);
    if (box == nullptr || box->matrix.rows / 16 * (box->matrix.words / 8) != fractals) {
        return false;
    }
    DeferRight("LoadData 2D", dst, *box, true);
    return true;
}

// A load to L0B of a matrix of rows x columns, all of it.
template <typename T>
inline bool DeferRightRows(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t rows, uint32_t columns)
{
    const ascendc_cpu::DeferredCopy *box = DeferredBox(dst, src);
    if (box == nullptr || box->matrix.rows != rows || box->matrix.words != columns) {
        return false;
    }
    DeferRight("LoadData 3D", dst, *box, false);
    return true;
}

// The source of a load to L0A; a copy that waits to fill all of it goes on waiting.
template <typename T>
inline void CheckLeftSource(const char *api, const LocalTensor<T> &src, uint64_t bytes)
{
    if (ascendc_cpu::Core().deferred.changing->Holds(reinterpret_cast<const uint8_t *>(src.Address()), bytes)) {
        CheckRoom(api, "src", src, ascendc_cpu::Memory::L1, bytes);
    } else {
        CheckTensor(api, "src", src, ascendc_cpu::Memory::L1, bytes);
    }
}

// A dense load of fractals to L0A, as they stand. Half would be widened and cannot wait.
template <typename T>
inline bool DeferLeft(const char *api, const LocalTensor<T> &dst, const ascendc_cpu::DeferredLeft &copy)
{
    ascendc_cpu::DeferredLeftList &list = ascendc_cpu::Core().deferred.l0a;
    if (std::is_same<T, half>::value || !ascendc_cpu::Core().deferred.allowed) {
        return false;
    }
    if (list.Replace(copy)) {
        return true;
    }
    list.ForgetFront(copy.dst, copy.Bytes());
    CheckTensor(api, "dst", dst, ascendc_cpu::Memory::L0A, copy.Bytes());
    if (list.Append(copy)) {
        return true;
    }
    if (list.count == ascendc_cpu::DeferredLeftList::CAPACITY) {
        ascendc_cpu::SettleDeferred(ascendc_cpu::Memory::L0A, list.copies[0].dst, 1);
    }
    list.copies[list.count++] = copy;
    return true;
}

// A in the rows of GM that `left` would be loaded from by way of L1; false: the fractals there are not a part of A.
inline bool ReadRows(ascendc_cpu::MmadTile &tile, const ascendc_cpu::DeferredLeft &left)
{
    const ascendc_cpu::ChangingCopy &changing = *ascendc_cpu::Core().deferred.changing;
    const ascendc_cpu::WordMatrix &matrix = changing.copy.matrix;
    const uint64_t column = matrix.rows * static_cast<uint64_t>(ONE_BLK_SIZE);
    if (!changing.Holds(left.src, left.SourceBytes()) || (left.fractals > 1 && left.srcFractal != column) ||
        (left.blocks > 1 && left.srcBlock != left.FRACTAL_BYTES)) {
        return false;
    }
    const uint64_t offset = static_cast<uint64_t>(left.src - changing.copy.dst);
    const uint64_t row = offset % column / ONE_BLK_SIZE;
    if (row + left.blocks * 16 > matrix.rows) {
        return false;
    }
    tile.a = matrix.src + row * matrix.pitch + offset / column * ONE_BLK_SIZE;
    tile.aFractal = ONE_BLK_SIZE;
    tile.aRow = static_cast<int64_t>(matrix.pitch);
    tile.aBlock = 16 * tile.aRow;
    return true;
}

// Where A stands: in L1 or GM if its load is deferred, else false and nothing is changed.
inline bool FindLeft(ascendc_cpu::MmadTile &tile)
{
    const ascendc_cpu::DeferredLeft *left = ascendc_cpu::Core().deferred.l0a.At(tile.a);
    if (left == nullptr || tile.m == 1 || left->fractals != tile.kFractals || left->blocks < (tile.m + 15) / 16) {
        return false;
    }
    if (ascendc_cpu::Core().deferred.changing->Touches(left->src, left->SourceBytes())) {
        if (ReadRows(tile, *left)) {
            return true;
        }
        ascendc_cpu::SettleChanging();
    }
    tile.a = left->src;
    tile.aFractal = static_cast<int64_t>(left->srcFractal);
    tile.aBlock = static_cast<int64_t>(left->srcBlock);
    return true;
}

// The right operand of `tile` if it is deferred, and all of it is used; else nullptr.
inline const ascendc_cpu::DeferredCopy *FindRight(const ascendc_cpu::MmadTile &tile)
{
    const ascendc_cpu::DeferredList &list = ascendc_cpu::Core().deferred.l0b;
    const ascendc_cpu::DeferredCopy *right = list.count == 0 ? nullptr : list.At(tile.b);
    if (right == nullptr || tile.kFractals * 8 != tile.k) {
        return nullptr;
    }
    const ascendc_cpu::WordMatrix &matrix = right->matrix;
    const bool fits = right->transposed ? matrix.rows == tile.n && matrix.words == tile.k
                                        : matrix.rows == tile.k && matrix.words == tile.n;
    return fits ? right : nullptr;
}

// Mmad of few rows whose right operand is deferred; false: nothing is done.
inline bool MultiplyFromGm(const ascendc_cpu::MmadTile &tile, const ascendc_cpu::DeferredCopy &right)
{
    const auto multiply = ascendc_cpu::g_isa->cube.mmadFloatFromGm;
    return multiply != nullptr && tile.aRow == ONE_BLK_SIZE && multiply(tile, right);
}

// Rows of GM that take the place of B in L0B; false: they are transposed, or so far apart that they would fall on each
// other in a cache.
inline bool ReadRight(ascendc_cpu::MmadTile &tile, const ascendc_cpu::DeferredCopy &right)
{
    constexpr uint64_t farthest = 512;
    if (right.transposed || right.matrix.pitch > farthest || tile.m < 16) {
        return false;
    }
    tile.b = right.matrix.src;
    tile.bRow = right.matrix.pitch;
    return true;
}

// A copy that was packed before; false: there is none.
inline bool ReadPacked(ascendc_cpu::MmadTile &tile, const ascendc_cpu::DeferredCopy &right)
{
    const uint8_t *copy = ascendc_cpu::PackedRight(right);
    tile.b = copy == nullptr ? tile.b : copy;
    return copy != nullptr;
}

ASCENDC_CPU_END
#endif
