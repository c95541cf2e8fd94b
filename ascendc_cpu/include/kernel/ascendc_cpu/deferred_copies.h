// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Copies that fast mode has not carried out yet. GM -> L1 as NZ, and from there to L0B: their source lies in an
// argument that stays as it is during the launch, so they give the same bits at any later time. L1 -> L0A as it stands:
// carried out before L1 is overwritten. Each is carried out as soon as an instruction names its destination, and
// forgotten when it is overwritten as a whole: Mmad may read GM or L1 itself, and L1 is not written when nobody reads
// it.
#ifndef ASCENDC_CPU_DEFERRED_COPIES_H
#define ASCENDC_CPU_DEFERRED_COPIES_H
#include <cstdint>
#include "mmad_operands.h"

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
    static constexpr uint32_t CAPACITY = 8;
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
    bool ComesFrom(const uint8_t *begin, uint64_t bytes) const
    {
        const uint8_t *end = src + (blocks - 1) * srcBlock + (fractals - 1) * srcFractal + FRACTAL_BYTES;
        return begin < end && src < begin + bytes;
    }
    // Takes in a copy of one block that lands behind this one's, if its source is where the next block would be.
    bool Append(const DeferredLeft &next)
    {
        const uint8_t *last = src + (blocks - 1) * srcBlock;
        const bool follows = next.dst == dst + Bytes() && next.fractals == fractals && next.srcFractal == srcFractal &&
                             next.src > last && (blocks == 1 || last + srcBlock == next.src);
        if (follows) {
            srcBlock = static_cast<uint64_t>(next.src - last);
            ++blocks;
        }
        return follows;
    }
    // Without the first block, which has been overwritten.
    void DropFirst()
    {
        dst += BlockBytes();
        src += srcBlock;
        --blocks;
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
    void Remove(uint32_t index)
    {
        copies[index] = copies[--count];
    }
    // Overwritten from begin on: forgets the first block of a copy that starts there, if `bytes` are just that much.
    void ForgetBlock(const uint8_t *begin, uint64_t bytes)
    {
        for (uint32_t i = 0; i < count; ++i) {
            if (copies[i].dst == begin && copies[i].BlockBytes() == bytes) {
                copies[i].DropFirst();
                if (copies[i].blocks == 0) {
                    Remove(i);
                }
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

struct DeferredCopies {
    bool allowed = false;
    ConstantRanges constants; // none unless allowed
    DeferredLeftList l0a;
    DeferredList l1;
    DeferredList l0b;
    WaitingProduct product;
};

} // namespace ascendc_cpu
#endif
