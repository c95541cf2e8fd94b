// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Copies that fast mode has not carried out yet. GM -> L1 as NZ, and from there to L0B: their source lies in an
// argument that stays as it is during the launch, so they give the same bits at any later time. L1 -> L0A as it stands:
// carried out before L1 is overwritten. Each is carried out as soon as an instruction names its destination, and
// forgotten when it is overwritten as a whole: Mmad may read GM or L1 itself, and L1 is not written when nobody reads
// it. One copy GM -> L1 of a group may have a source that changes.
#ifndef ASCENDC_CPU_DEFERRED_COPIES_H
#define ASCENDC_CPU_DEFERRED_COPIES_H
#include <cstdint>
#include "mmad_operands.h"
#include "products_in_gm.h"
#include "vector_chain.h"

namespace ascendc_cpu {

struct ConstantRange {
    const uint8_t *begin;
    const uint8_t *end;
};

// Arguments of the launch that nobody writes while it runs.
struct ConstantRanges {
    const ConstantRange *ranges = nullptr;
    uint32_t count = 0;

    bool Contain(const uint8_t *begin, uint64_t bytes) const
    {
        for (uint32_t i = 0; i < count; ++i) {
            if (begin >= ranges[i].begin && begin < ranges[i].end &&
                bytes <= static_cast<uint64_t>(ranges[i].end - begin)) {
                return true;
            }
        }
        return false;
    }
};

// A row-major matrix of 4-byte words in GM, in units that suit every layout: 16 rows, 16 words.
struct WordMatrix {
    const uint8_t *src;
    uint64_t pitch;
    uint32_t rows;  // a multiple of 16
    uint32_t words; // of a row, a multiple of 16

    uint64_t Bytes() const
    {
        return static_cast<uint64_t>(rows) * words * 4;
    }
    bool Touches(const uint8_t *begin, uint64_t bytes) const
    {
        return begin < src + (rows - 1) * pitch + words * 4 && src < begin + bytes;
    }
};

struct DeferredCopy {
    uint8_t *dst; // dense: matrix.Bytes() from here on
    WordMatrix matrix;
    bool transposed; // L0B: rows of the matrix are n

    bool Touches(const uint8_t *begin, uint64_t bytes) const
    {
        return begin < dst + matrix.Bytes() && dst < begin + bytes;
    }
};

// Those of one memory.
struct DeferredList {
    static constexpr uint32_t CAPACITY = 16;
    DeferredCopy copies[CAPACITY];
    uint32_t count = 0;
    const uint8_t *low = nullptr; // all of them lie in [low, high), for a quick look
    const uint8_t *high = nullptr;

    bool MayTouch(const void *begin, uint64_t bytes) const
    {
        return count != 0 && begin < high && low < static_cast<const uint8_t *>(begin) + bytes;
    }
    void Add(const DeferredCopy &copy)
    {
        const uint8_t *end = copy.dst + copy.matrix.Bytes();
        low = count == 0 || copy.dst < low ? copy.dst : low;
        high = count == 0 || end > high ? end : high;
        copies[count++] = copy;
    }
    const DeferredCopy *At(const uint8_t *dst) const
    {
        for (uint32_t i = 0; i < count; ++i) {
            if (copies[i].dst == dst) {
                return &copies[i];
            }
        }
        return nullptr;
    }
    // Puts a copy in the place of one that has the same destination; false: there is none. Nothing else that waits has
    // to do with those bytes, it would have been carried out when the first one came, or that one when it came.
    bool Replace(const DeferredCopy &copy)
    {
        for (uint32_t i = 0; i < count; ++i) {
            if (copies[i].dst == copy.dst && copies[i].matrix.Bytes() == copy.matrix.Bytes()) {
                copies[i].matrix.src = copy.matrix.src; // word by word: what was just written so is not read as vectors
                copies[i].matrix.pitch = copy.matrix.pitch;
                copies[i].matrix.rows = copy.matrix.rows;
                copies[i].matrix.words = copy.matrix.words;
                copies[i].transposed = copy.transposed;
                return true;
            }
        }
        return false;
    }
    void Remove(uint32_t index)
    {
        copies[index] = copies[--count];
    }
    // Overwritten from begin to begin + bytes, every byte of it.
    void ForgetInside(const uint8_t *begin, uint64_t bytes)
    {
        for (uint32_t i = count; i-- > 0;) {
            if (copies[i].dst >= begin && copies[i].dst + copies[i].matrix.Bytes() <= begin + bytes) {
                Remove(i);
            }
        }
    }
    // L0B, the same: of a matrix that begins there the rest goes on waiting, if it is whole fractals along k, in pairs.
    void ForgetFront(const uint8_t *begin, uint64_t bytes)
    {
        ForgetInside(begin, bytes);
        for (uint32_t i = 0; i < count; ++i) {
            DeferredCopy &copy = copies[i];
            WordMatrix &matrix = copy.matrix;
            const uint64_t pair = (copy.transposed ? matrix.rows : matrix.words) * 64ULL; // 16 of k
            if (copy.dst != begin || bytes % pair != 0 || bytes >= matrix.Bytes()) {
                continue;
            }
            const uint32_t overwritten = static_cast<uint32_t>(bytes / pair * 16);
            if (copy.transposed) {
                matrix.src += overwritten * 4ULL;
                matrix.words -= overwritten;
            } else {
                matrix.src += overwritten * matrix.pitch;
                matrix.rows -= overwritten;
            }
            copy.dst += bytes;
        }
    }
    // L1, the same: of a matrix whose first columns are overwritten the others go on waiting.
    void ForgetColumns(const uint8_t *begin, uint64_t bytes)
    {
        ForgetInside(begin, bytes);
        for (uint32_t i = 0; i < count; ++i) {
            DeferredCopy &copy = copies[i];
            const uint64_t pair = copy.matrix.rows * 64ULL; // columns of 32 B, two of them are 16 words
            if (begin <= copy.dst && copy.Touches(begin, bytes) && (begin + bytes - copy.dst) % pair == 0) {
                const uint64_t pairs = (begin + bytes - copy.dst) / pair;
                copy.dst += pairs * pair;
                copy.matrix.src += pairs * 64;
                copy.matrix.words -= static_cast<uint32_t>(pairs * 16);
            }
        }
    }
};

// Fractals of L1 that stand for `blocks` times `fractals` fractals in L0A, one behind the other.
struct DeferredLeft {
    static constexpr uint64_t FRACTAL_BYTES = 512;

    uint8_t *dst;
    const uint8_t *src;
    uint32_t blocks;     // of 16 rows
    uint32_t fractals;   // along k
    uint64_t srcBlock;   // bytes from one to the next
    uint64_t srcFractal; // the same

    uint64_t BlockBytes() const
    {
        return fractals * FRACTAL_BYTES;
    }
    uint64_t Bytes() const
    {
        return blocks * BlockBytes();
    }
    bool Touches(const uint8_t *begin, uint64_t bytes) const
    {
        return begin < dst + Bytes() && dst < begin + bytes;
    }
    uint64_t SourceBytes() const
    {
        return (blocks - 1) * srcBlock + (fractals - 1) * srcFractal + FRACTAL_BYTES;
    }
    bool ComesFrom(const uint8_t *begin, uint64_t bytes) const
    {
        return begin < src + SourceBytes() && src < begin + bytes;
    }
    // Takes in a copy of one block that lands behind this one's, if its source is where the next block would be.
    bool Append(const DeferredLeft &next)
    {
        const uint8_t *last = src + (blocks - 1) * srcBlock;
        const bool follows = next.blocks == 1 && next.dst == dst + Bytes() && next.fractals == fractals &&
                             next.srcFractal == srcFractal && next.src > last &&
                             (blocks == 1 || last + srcBlock == next.src);
        if (follows) {
            srcBlock = static_cast<uint64_t>(next.src - last);
            ++blocks;
        }
        return follows;
    }
    // Without its first block, or the first fractals of its only one.
    void DropFront(uint64_t bytes)
    {
        if (bytes == BlockBytes()) {
            src += srcBlock;
            --blocks;
        } else if (blocks == 1) { // more would be all of it
            src += bytes / FRACTAL_BYTES * srcFractal;
            fractals -= static_cast<uint32_t>(bytes / FRACTAL_BYTES);
        } else {
            return;
        }
        dst += bytes;
    }
};

struct DeferredLeftList {
    static constexpr uint32_t CAPACITY = 4;
    DeferredLeft copies[CAPACITY];
    uint32_t count = 0;

    const DeferredLeft *At(const uint8_t *dst) const
    {
        for (uint32_t i = 0; i < count; ++i) {
            if (copies[i].dst == dst) {
                return &copies[i];
            }
        }
        return nullptr;
    }
    bool Touch(const uint8_t *begin, uint64_t bytes) const
    {
        for (uint32_t i = 0; i < count; ++i) {
            if (copies[i].Touches(begin, bytes)) {
                return true;
            }
        }
        return false;
    }
    bool ComeFrom(const void *begin, uint64_t bytes) const
    {
        for (uint32_t i = 0; i < count; ++i) {
            if (copies[i].ComesFrom(static_cast<const uint8_t *>(begin), bytes)) {
                return true;
            }
        }
        return false;
    }
    // Puts a copy in the place of another one as large, as in DeferredList; false: there is none, or it is a block that
    // would be the next one of a copy before it.
    bool Replace(const DeferredLeft &copy)
    {
        DeferredLeft *same = nullptr;
        for (uint32_t i = 0; i < count; ++i) {
            const bool equal =
                copies[i].dst == copy.dst && copies[i].blocks == copy.blocks && copies[i].fractals == copy.fractals;
            same = equal ? &copies[i] : same;
            if (copy.blocks == 1 && copies[i].dst + copies[i].Bytes() == copy.dst) {
                return false;
            }
        }
        if (same != nullptr) {
            same->src = copy.src;
            same->srcBlock = copy.srcBlock;
            same->srcFractal = copy.srcFractal;
        }
        return same != nullptr;
    }
    void Remove(uint32_t index)
    {
        copies[index] = copies[--count];
    }
    // Overwritten from begin to begin + bytes, whole fractals: of a copy that starts there the rest goes on waiting.
    void ForgetFront(const uint8_t *begin, uint64_t bytes)
    {
        ForgetInside(begin, bytes);
        for (uint32_t i = 0; i < count; ++i) {
            if (copies[i].dst == begin) {
                copies[i].DropFront(bytes);
                return;
            }
        }
    }
    // Overwritten from begin to begin + bytes, every byte of it.
    void ForgetInside(const uint8_t *begin, uint64_t bytes)
    {
        for (uint32_t i = count; i-- > 0;) {
            if (copies[i].dst >= begin && copies[i].dst + copies[i].Bytes() <= begin + bytes) {
                Remove(i);
            }
        }
    }
    bool Append(const DeferredLeft &next)
    {
        for (uint32_t i = 0; i < count; ++i) {
            if (copies[i].Append(next)) {
                return true;
            }
        }
        return false;
    }
};

// A copy GM -> L1 whose source may change during the launch, at most one of a group; only A is read from there. It is
// carried out before an instruction of the group writes to its source, and before the group tells another one that it
// has come this far. Stores through references are not seen: once there has been one, no such copy waits. Those through
// pointers of the kernel's own are not seen at all.
struct ChangingCopy {
    bool waits = false;
    bool forbidden = false;
    DeferredCopy copy;

    bool Touches(const void *begin, uint64_t bytes) const
    {
        return waits && copy.Touches(static_cast<const uint8_t *>(begin), bytes);
    }
    bool ComesFrom(const void *begin, uint64_t bytes) const
    {
        return waits && copy.matrix.Touches(static_cast<const uint8_t *>(begin), bytes);
    }
    bool Holds(const uint8_t *begin, uint64_t bytes) const
    {
        return waits && begin >= copy.dst && begin + bytes <= copy.dst + copy.matrix.Bytes();
    }
};

struct DeferredCopies {
    bool allowed = false;
    ConstantRanges constants;         // none unless allowed
    ChangingCopy *changing = nullptr; // of the group
    ProductsInGm *inGm = nullptr;     // of the group
    DeferredLeftList l0a;
    DeferredList l1;
    DeferredList l0b;
    WaitingProduct product;
    VectorChain chain;
    bool vectorForbidden = false; // a reference into UB has been handed out
};

} // namespace ascendc_cpu
#endif
