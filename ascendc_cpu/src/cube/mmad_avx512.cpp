// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Mmad with AVX-512: 8 rows x 3 registers of 16 columns, or 6 x 4, A broadcast word by word. vdpbf16ps takes denormal
// bf16 operands as zero and flushes denormal results.
#include "mmad_driver.h"
#if ASCENDC_CPU_AVX512_KERNELS
#include <immintrin.h>

namespace ascendc_cpu {
namespace {

struct FloatFma {
    static __m512 MulAdd(__m512 c, __m512i a, __m512i b)
    {
        return _mm512_fmadd_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), c);
    }
};

struct Bf16Dot {
    static __m512 MulAdd(__m512 c, __m512i a, __m512i b)
    {
        return _mm512_dpbf16_ps(c, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
    }
};

inline __m512i BroadcastWord(const uint8_t *word)
{
    int32_t value;
    __builtin_memcpy(&value, word, sizeof(value));
    return _mm512_set1_epi32(value);
}

template <class Op, int Words, int Rows, int Panel>
struct Accumulators {
    __m512 sum[Rows][Panel];

    void Clear()
    {
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
            for (int j = 0; j < Panel; ++j) {
                sum[r][j] = _mm512_setzero_ps();
            }
        }
    }

    // a: the word of row 0, b: the word's 16 lanes in the panel's first fractal
    __attribute__((always_inline)) void AddWord(const uint8_t *a, const uint8_t *b, int64_t row, int64_t bLanes)
    {
        __m512i lanes[Panel];
#pragma GCC unroll 4
        for (int j = 0; j < Panel; ++j) {
            lanes[j] = _mm512_loadu_si512(b + j * bLanes);
        }
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            __m512i word = BroadcastWord(a + r * row);
            if constexpr (Panel > 1) {
                asm("" : "+v"(word)); // one broadcast load, not one embedded in each FMA
            }
#pragma GCC unroll 4
            for (int j = 0; j < Panel; ++j) {
                sum[r][j] = Op::MulAdd(sum[r][j], word, lanes[j]);
            }
        }
    }

    void AddMaskedWord(const uint8_t *a, const uint8_t *b, int64_t row, int64_t bLanes, uint32_t mask)
    {
        const __m512i keep = _mm512_set1_epi32(static_cast<int32_t>(mask));
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            const __m512i word = _mm512_and_si512(BroadcastWord(a + r * row), keep);
#pragma GCC unroll 4
            for (int j = 0; j < Panel; ++j) {
                const __m512i lanes = _mm512_and_si512(_mm512_loadu_si512(b + j * bLanes), keep);
                sum[r][j] = Op::MulAdd(sum[r][j], word, lanes);
            }
        }
    }

    // Place: (row, column block) to an address. The addresses of a block are no part of it: stores do not change them.
    template <typename Place>
    __attribute__((always_inline)) void AddFrom(const Place &place)
    {
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
            for (int j = 0; j < Panel; ++j) {
                sum[r][j] = _mm512_add_ps(sum[r][j], _mm512_loadu_ps(place(r, j)));
            }
        }
    }

    template <typename Place>
    __attribute__((always_inline)) void StoreTo(const Place &place, uint32_t rows) const
    {
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            if (r >= static_cast<int>(rows)) {
                return;
            }
#pragma GCC unroll 4
            for (int j = 0; j < Panel; ++j) {
                _mm512_storeu_ps(place(r, j), sum[r][j]);
            }
        }
    }

    void Store(const MmadBlock &block)
    {
        const auto inC = [c = block.c, column = block.cColumn](int r, int j) {
            return c + j * column + r * LANES_BYTES;
        };
        if (block.accumulate) {
            AddFrom(inC);
        } else if (block.bias != nullptr) {
            AddFrom([bias = block.bias](int, int j) { return bias + j * LANES_BYTES; });
        }
        if (block.rows == nullptr || !block.rowsOnly) {
            StoreTo(inC, Rows);
        }
        if (block.rows == nullptr) {
            return;
        }
        const auto inRows = [rows = block.rows, pitch = block.rowPitch](int r, int j) {
            return rows + r * pitch + j * LANES_BYTES;
        };
        if (block.rowCount >= Rows) {
            StoreTo(inRows, Rows);
        } else {
            StoreTo(inRows, block.rowCount);
        }
    }
};

// Where the operands stand. LEFT_ROWS: A in rows of GM, else in fractals, whose rows are 32 bytes apart (64 if
// widened). BOTH_ROWS: B as well, else in L0B. Distances of fractals are built into the addresses.
enum class Places { L0, LEFT_ROWS, BOTH_ROWS };

template <class Op, int Words, Places PLACES, int Rows, int Panel>
__attribute__((noinline)) void RunBlock(const MmadBlock &block)
{
    constexpr bool rightInRows = PLACES == Places::BOTH_ROWS;
    const int64_t aRow = PLACES == Places::L0 ? Words * 4 : block.aRow;
    const int64_t bWord = rightInRows ? block.bWord : LANES_BYTES;
    constexpr int64_t bLanes = rightInRows ? LANES_BYTES : Words * LANES_BYTES;
    Accumulators<Op, Words, Rows, Panel> sums;
    sums.Clear();
    const uint8_t *a = block.a;
    const uint8_t *b = block.b;
    for (uint32_t k = 0; k < block.fractals; ++k) {
        const uint8_t *lanes = b;
#pragma GCC unroll 16
        for (int w = 0; w < Words; ++w, lanes += bWord) {
            sums.AddWord(a + w * 4, lanes, aRow, bLanes);
        }
        a += block.aFractal;
        b += block.bFractal;
    }
    for (uint32_t w = 0; w < block.tailWords; ++w, a += 4, b += bWord) {
        sums.AddWord(a, b, aRow, bLanes);
    }
    if (block.tailMask != 0) {
        sums.AddMaskedWord(a, b, aRow, bLanes, block.tailMask);
    }
    sums.Store(block);
}

template <class Op, uint32_t Words, uint32_t Elements>
struct Kernel {
    static constexpr uint32_t WORDS = Words;
    static constexpr uint32_t ELEMENTS = Elements;

    // Four at a time where 6 rows may lie in two fractals of A, as far apart there as in one. Else, of four left, two
    // and two instead of three and one.
    static uint32_t PanelOf(const MmadTile &tile, uint32_t left)
    {
        if (left % 4 == 0 && tile.m >= 16 && tile.aBlock == 16 * tile.aRow) {
            return 4;
        }
        return left >= 3 && left != 4 ? 3 : (left >= 2 ? 2 : 1);
    }
    static uint32_t RowsOf(uint32_t panel, uint32_t, uint32_t left)
    {
        if (panel == 4) {
            return left >= 6 ? 6 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
        }
        return left <= 4 ? 4 : 8;
    }
    static void Run(const MmadBlock &block, uint32_t panel, uint32_t rows)
    {
        if (block.bWord != LANES_BYTES) {
            RunSized<Places::BOTH_ROWS>(block, panel, rows);
        } else if (rows == 1 || block.aRow == Words * 4) {
            RunSized<Places::L0>(block, panel, rows);
        } else {
            RunSized<Places::LEFT_ROWS>(block, panel, rows);
        }
    }
    template <Places PLACES>
    static void RunSized(const MmadBlock &block, uint32_t panel, uint32_t rows)
    {
        static constexpr void (*RUN[3][3])(const MmadBlock &) = {
            {RunBlock<Op, Words, PLACES, 1, 1>, RunBlock<Op, Words, PLACES, 1, 2>, RunBlock<Op, Words, PLACES, 1, 3>},
            {RunBlock<Op, Words, PLACES, 4, 1>, RunBlock<Op, Words, PLACES, 4, 2>, RunBlock<Op, Words, PLACES, 4, 3>},
            {RunBlock<Op, Words, PLACES, 8, 1>, RunBlock<Op, Words, PLACES, 8, 2>, RunBlock<Op, Words, PLACES, 8, 3>}};
        static constexpr void (*RUN_WIDE[4])(const MmadBlock &) = {
            RunBlock<Op, Words, PLACES, 1, 4>, RunBlock<Op, Words, PLACES, 2, 4>, RunBlock<Op, Words, PLACES, 4, 4>,
            RunBlock<Op, Words, PLACES, 6, 4>};
        (panel == 4 ? RUN_WIDE[rows / 2] : RUN[rows / 4][panel - 1])(block);
    }
};

} // namespace

void MmadFloat(const MmadTile &tile)
{
    RunMmadTile<Kernel<FloatFma, 8, 1>>(tile);
}

void MmadBf16(const MmadTile &tile)
{
    RunMmadTile<Kernel<Bf16Dot, 8, 2>>(tile);
}

void MmadHalf(const MmadTile &tile)
{
    RunMmadTile<Kernel<FloatFma, 16, 1>>(tile);
}

} // namespace ascendc_cpu
#endif
