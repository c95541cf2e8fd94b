// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Matmul of the AIC in boxes: a ring of boxes in L1, halves of L0A, L0B and L0C, and the flags between them. A box
// fills half of L0B, or all of it, and then L0A and L0B are one buffer each.
#ifndef FA_BOX_MATMUL_H
#define FA_BOX_MATMUL_H
#include "fa_buffers.h"
#include "fa_cube_copy.h"

// How an operand stands in L1. ROWS: A is m x k, B is k x n. TRANSPOSED: A is k x m, B is n x k.
enum class FaOperand : int32_t { ROWS, TRANSPOSED };

// n padded to 16, m and k as they are.
struct FaMatmulShape {
    int64_t m;
    int64_t n;
    int64_t k;
};

constexpr int64_t FA_MIN_MATMUL_ROWS = 2; // Mmad takes a single row of A for a vector

template <typename Traits>
class FaBoxMatmul {
    using T = typename Traits::Elem;
    using Tensor = AscendC::LocalTensor<T>;
    using Floats = AscendC::LocalTensor<float>;

public:
    // residentElems: room in L1 in front of the boxes, handed out by TakeL1. boxBytes: FA_BOX_BYTES or twice as many.
    __aicore__ inline void Init(AscendC::TPipe &pipe, int64_t residentElems, int64_t boxCount, int64_t boxBytes)
    {
        l1.Init(pipe, static_cast<uint32_t>(residentElems * Traits::elemBytes + boxCount * boxBytes));
        l0a.Init(pipe, 2 * FA_BOX_BYTES);
        l0b.Init(pipe, 2 * FA_BOX_BYTES);
        l0c.Init(pipe, 4 * FA_BOX_BYTES);
        left = l0a.template Take<T>(L0_ELEMS);
        right = l0b.template Take<T>(L0_ELEMS);
        acc = l0c.template Take<float>(FA_BOX_BYTES);
        boxes = static_cast<int32_t>(boxCount);
        boxElems = boxBytes / Traits::elemBytes;
    }

    __aicore__ inline Tensor TakeL1(int64_t elements)
    {
        return l1.template Take<T>(elements);
    }

    // After every TakeL1.
    __aicore__ inline void Open()
    {
        boxTensor = l1.template Take<T>(boxes * boxElems);
        rings.Open(boxes, static_cast<int32_t>(L0_ELEMS / boxElems));
    }

    __aicore__ inline void Close()
    {
        rings.Close();
    }

    __aicore__ inline int64_t BoxElems() const
    {
        return boxElems;
    }

    // GM -> the next box of the ring. Every box loaded is consumed by one Multiply, in order.
    __aicore__ inline Tensor LoadBox(const AscendC::GlobalTensor<T> &src, const FaNzTile &tile)
    {
        const Tensor box = boxTensor[static_cast<uint32_t>(rings.box.BeginWrite() * boxElems)];
        FaClearNzPadding<Traits>(box, tile);
        FaCopyNd2Nz<Traits>(box, src, tile);
        rings.box.EndWrite();
        rings.box.BeginRead();
        return box;
    }

    // A tile of C, at most 128 x 128 elements in L0C; after the products of all slices of k comes StoreTile.
    __aicore__ inline Floats BeginTile()
    {
        return acc[static_cast<uint32_t>(rings.l0c.BeginWrite() * (FA_BOX_BYTES / 2))];
    }

    // tile (+)= A B for one slice of k; consumedBoxes of the ring are free afterwards.
    template <FaOperand A, FaOperand B>
    __aicore__ inline void Multiply(const Floats &tile, const Tensor &a, const Tensor &b, const FaMatmulShape &shape,
                                    bool init, int32_t consumedBoxes)
    {
        // b32 transposing loads pad k to 16, all others to c0
        constexpr bool alignK = A == FaOperand::TRANSPOSED && Traits::elemBytes == 4;
        const int64_t paddedK = FaAlign(shape.k, alignK ? 16 : Traits::c0);
        const int64_t paddedM = FaAlign(shape.m, 16);
        const uint32_t offset = static_cast<uint32_t>(rings.l0.BeginWrite() * boxElems);
        if constexpr (A == FaOperand::ROWS) {
            FaLoadLeft<Traits>(left[offset], a, paddedM, paddedK);
        } else {
            FaLoadLeftTransposed<Traits>(left[offset], a, FaAlign(shape.k, 16), paddedM);
        }
        if constexpr (B == FaOperand::TRANSPOSED) {
            FaLoadRightTransposed<Traits>(right[offset], b, shape.n, paddedK);
        } else {
            FaLoadRight<Traits>(right[offset], b, FaAlign(shape.k, 16), shape.n);
        }
        for (int32_t i = 0; i < consumedBoxes; ++i) {
            rings.box.EndRead();
        }
        rings.l0.EndWrite();
        rings.l0.BeginRead();
        AscendC::MmadParams params;
        params.m = static_cast<uint16_t>(FaMax(shape.m, FA_MIN_MATMUL_ROWS));
        params.n = static_cast<uint16_t>(shape.n);
        params.k = static_cast<uint16_t>(shape.k);
        params.cmatrixInitVal = init;
        params.kDirectionAlign = alignK;
        AscendC::Mmad(tile, left[offset], right[offset], params);
        if (params.m / 16 * (params.n / 16) < 10) { // small products may overtake each other on the same C
            AscendC::PipeBarrier<PIPE_M>();
        }
        rings.l0.EndRead();
    }

    // L0C -> GM: `rows` x `cols` (a multiple of 16) of a tile with paddedRows rows.
    __aicore__ inline void StoreTile(const AscendC::GlobalTensor<float> &dst, const Floats &tile, int64_t rows,
                                     int64_t cols, int64_t paddedRows, int64_t pitch)
    {
        rings.l0c.EndWrite();
        rings.l0c.BeginRead();
        AscendC::FixpipeParamsV220 params;
        params.nSize = static_cast<uint16_t>(cols);
        params.mSize = static_cast<uint16_t>(rows);
        params.srcStride = static_cast<uint16_t>(paddedRows);
        params.dstStride = static_cast<uint32_t>(pitch);
        AscendC::Fixpipe<float, float, AscendC::CFG_ROW_MAJOR>(dst, tile, params);
        rings.l0c.EndRead();
    }

private:
    static constexpr int64_t L0_ELEMS = 2 * FA_BOX_BYTES / Traits::elemBytes; // of L0A or L0B

    FaArena<AscendC::TPosition::A1> l1;
    FaArena<AscendC::TPosition::A2> l0a;
    FaArena<AscendC::TPosition::B2> l0b;
    FaArena<AscendC::TPosition::CO1> l0c;
    Tensor boxTensor; // the ring
    Tensor left;      // L0A
    Tensor right;     // L0B
    Floats acc;       // two halves of L0C
    int32_t boxes = 0;
    int64_t boxElems = 0;
    FaMatmulRings rings;
};
#endif
