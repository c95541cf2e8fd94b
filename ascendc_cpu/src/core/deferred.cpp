// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "ascendc_cpu/isa_table.h"

namespace ascendc_cpu {

namespace {

constexpr uint64_t C0_BYTES = 32;

void CarryOut(Memory memory, const DeferredCopy &copy)
{
    const WordMatrix &matrix = copy.matrix;
    if (memory == Memory::L0B) {
        g_isa->cube.packRight(copy);
    } else {
        g_isa->copy.nd2nz({copy.dst, matrix.src, 1, matrix.rows, matrix.words * 4, 0, matrix.pitch, 0, C0_BYTES,
                           matrix.rows * C0_BYTES});
    }
}

void CarryOut(const DeferredLeft &left)
{
    if (Core().deferred.changing->Touches(left.src, left.SourceBytes())) {
        SettleChanging();
    }
    const auto load = g_isa->cube.load[static_cast<int>(OperandType::B32)][static_cast<int>(FractalMove::TO_A)];
    load({left.dst, left.src, left.blocks, left.fractals, static_cast<int64_t>(left.BlockBytes()),
          DeferredLeft::FRACTAL_BYTES, static_cast<int64_t>(left.srcBlock), static_cast<int64_t>(left.srcFractal), 0, 0,
          false});
}

// Those of L0A that `chosen` says.
template <typename Chosen>
void SettleLeft(const Chosen &chosen)
{
    DeferredLeftList &list = Core().deferred.l0a;
    for (uint32_t i = list.count; i-- > 0;) {
        if (chosen(list.copies[i])) {
            const DeferredLeft left = list.copies[i];
            list.Remove(i);
            CarryOut(left);
        }
    }
}

// Of whole rows of what a fold has left.
void SumUp(VectorChain &chain)
{
    if (chain.sums == nullptr) {
        return;
    }
    VectorShape shape = {};
    shape.mask[0] = ~0ULL;
    shape.repeats = chain.rows;
    shape.src0 = {1, 8};
    g_isa->vector.wholeReduce[static_cast<int>(ReduceOp::SUM)][1](chain.sums, chain.dst, 0, sizeof(float), shape);
    chain.sums = nullptr;
}

} // namespace

void SettleDeferred(Memory memory, const void *begin, uint64_t bytes)
{
    if (memory == Memory::L0A) {
        SettleLeft([=](const DeferredLeft &left) { return left.Touches(static_cast<const uint8_t *>(begin), bytes); });
        return;
    }
    DeferredList &list = memory == Memory::L0B ? Core().deferred.l0b : Core().deferred.l1;
    for (uint32_t i = list.count; i-- > 0;) {
        if (list.copies[i].Touches(static_cast<const uint8_t *>(begin), bytes)) {
            const DeferredCopy copy = list.copies[i];
            list.Remove(i);
            CarryOut(memory, copy);
        }
    }
}

void SettleProduct()
{
    WaitingProduct &product = Core().deferred.product;
    product.waits = false;
    g_isa->cube.mmad[static_cast<int>(product.type)](product.tile);
}

void SettleProductsInGm()
{
    ProductsInGm &inGm = *Core().deferred.inGm;
    for (; inGm.count > 0; --inGm.count) {
        const ProductInGm &product = inGm.products[inGm.count - 1];
        const uint64_t rowBytes = ProductInGm::C_ROW;
        for (uint64_t column = 0; column < product.rows.bytes / rowBytes; ++column) {
            g_isa->copy.blocks({product.c + column * product.ColumnBytes(), product.rows.begin + column * rowBytes,
                                static_cast<uint32_t>(product.rows.count), static_cast<uint32_t>(rowBytes), rowBytes,
                                product.rows.pitch});
        }
    }
}

void CarryOutChain()
{
    VectorChain &chain = Core().deferred.chain;
    const VectorChain::Kind kind = chain.kind;
    const VectorChain::Before before = chain.before;
    chain.kind = VectorChain::Kind::NONE;
    chain.before = VectorChain::Before::NOTHING;
    chain.ahead = Core().nextLoad;
    if (kind == VectorChain::Kind::ROWS) {
        chain.entry->rows(chain);
    } else if (kind == VectorChain::Kind::TILE) {
        g_isa->vector.tile[static_cast<int>(before)](chain);
    } else if (before == VectorChain::Before::NOTHING || chain.chunks == chain.most) {
        chain.entry->fold[static_cast<int>(before)](chain);
        SumUp(chain);
    } else { // a part of the tile's columns
        g_isa->vector.tile[static_cast<int>(before)](chain);
        chain.entry->fold[0](chain);
    }
}

void SettleChanging()
{
    DeferredCopies &deferred = Core().deferred;
    ChangingCopy &changing = *deferred.changing;
    if (changing.waits) {
        if (deferred.product.waits) {
            SettleProduct(); // it may read A there
        }
        changing.waits = false;
        CarryOut(Memory::L1, changing.copy);
    }
}

void SettleDeferredFrom(const void *begin, uint64_t bytes)
{
    SettleLeft([=](const DeferredLeft &left) { return left.ComesFrom(static_cast<const uint8_t *>(begin), bytes); });
}

} // namespace ascendc_cpu
