// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Results of Mmad that fast mode has stored to GM and not to L0C.
#ifndef ASCENDC_CPU_PRODUCTS_IN_GM_H
#define ASCENDC_CPU_PRODUCTS_IN_GM_H
#include <cstdint>

namespace ascendc_cpu {

struct RowsInGm {
    const uint8_t *begin;
    uint64_t count;
    uint64_t bytes; // of a row
    uint64_t pitch; // bytes

    uint64_t Span() const
    {
        return (count - 1) * pitch + bytes;
    }
    // Rows of one pitch may lie side by side.
    bool Overlap(const RowsInGm &other) const
    {
        if (other.begin < begin) {
            return other.Overlap(*this);
        }
        const uint64_t offset = static_cast<uint64_t>(other.begin - begin);
        if (offset >= Span()) {
            return false;
        }
        return pitch != other.pitch || offset % pitch < bytes || offset % pitch + other.bytes > pitch;
    }
};

// C of a product, float, that stands in GM, where a Fixpipe has put its rows, and not in L0C.
struct ProductInGm {
    static constexpr uint64_t C_ROW = 64; // bytes of a row of a fractal of C

    uint8_t *c;
    RowsInGm rows;

    uint64_t ColumnBytes() const // of 16 columns of C
    {
        return (rows.count + 15) / 16 * 16 * C_ROW;
    }
    uint64_t Bytes() const
    {
        return rows.bytes / C_ROW * ColumnBytes();
    }
};

// Those of a group: most kernels never read C again. They are copied to L0C before an instruction names one of them
// there, or the group overwrites its rows, or others may; one is forgotten when C is overwritten as a whole.
struct ProductsInGm {
    static constexpr uint32_t CAPACITY = 4;
    ProductInGm products[CAPACITY];
    uint32_t count = 0;

    bool Touch(const void *begin, uint64_t bytes) const
    {
        const uint8_t *first = static_cast<const uint8_t *>(begin);
        for (uint32_t i = 0; i < count; ++i) {
            if (first < products[i].c + products[i].Bytes() && products[i].c < first + bytes) {
                return true;
            }
        }
        return false;
    }
    bool Overlap(const RowsInGm &rows) const
    {
        for (uint32_t i = 0; i < count; ++i) {
            if (products[i].rows.Overlap(rows)) {
                return true;
            }
        }
        return false;
    }
    // Overwritten from begin to begin + bytes, every byte of it: the columns behind it are still in GM.
    void Forget(const void *begin, uint64_t bytes)
    {
        const uint8_t *first = static_cast<const uint8_t *>(begin);
        for (uint32_t i = count; i-- > 0;) {
            ProductInGm &product = products[i];
            if (product.c >= first && product.c + product.Bytes() <= first + bytes) {
                product = products[--count];
            } else if (product.c == first && bytes % product.ColumnBytes() == 0) {
                const uint64_t columns = bytes / product.ColumnBytes();
                product.c += bytes;
                product.rows.begin += columns * ProductInGm::C_ROW;
                product.rows.bytes -= columns * ProductInGm::C_ROW;
            }
        }
    }
};

} // namespace ascendc_cpu
#endif
