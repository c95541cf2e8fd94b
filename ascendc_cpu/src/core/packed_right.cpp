// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Right operands of Mmad as they stand in L0B, kept by the thread for the rest of a launch: a matrix in an argument
// that stays as it is may be loaded again, for other rows of A. The second load of a matrix fills the copy that the
// third and later ones read; those that are loaded once leave nothing but a number here.
#include <cstdlib>
#include <memory>
#include <sys/mman.h>
#include "ascendc_cpu/isa_table.h"
#include "job.h"

namespace ascendc_cpu {

namespace {

constexpr size_t HUGE_PAGE = 2 * 1024 * 1024;
constexpr uint64_t MOST_BYTES = 4 * HUGE_PAGE; // of copies
constexpr uint32_t PLACES = 1024;              // a power of two
constexpr uint32_t MOST_MATRICES = PLACES / 2;

struct PackedMatrix {
    uint64_t epoch = 0; // another one than the thread's: there is nothing
    WordMatrix matrix;
    bool transposed;
    const uint8_t *copy; // null: seen once

    bool Holds(const DeferredCopy &right) const
    {
        return matrix.src == right.matrix.src && matrix.pitch == right.matrix.pitch &&
               matrix.rows == right.matrix.rows && matrix.words == right.matrix.words && transposed == right.transposed;
    }
};

class PackedMatrices {
public:
    const uint8_t *Find(const DeferredCopy &right, uint64_t ofLaunch)
    {
        if (launch != ofLaunch) {
            launch = ofLaunch;
            ++epoch;
            count = 0;
            usedBytes = 0;
        }
        if (places == nullptr) {
            places = std::make_unique<PackedMatrix[]>(PLACES);
        }
        PackedMatrix &place = PlaceOf(right);
        if (place.epoch == epoch) {
            if (place.copy == nullptr) {
                place.copy = Pack(right);
            }
            return place.copy;
        }
        if (count < MOST_MATRICES) {
            place = {epoch, right.matrix, right.transposed, nullptr};
            ++count;
        }
        return nullptr;
    }

private:
    struct Free {
        void operator()(uint8_t *bytes) const
        {
            std::free(bytes);
        }
    };

    // Where it stands, or the empty place that is its own.
    PackedMatrix &PlaceOf(const DeferredCopy &right) const
    {
        const uint64_t key = reinterpret_cast<uintptr_t>(right.matrix.src) / 64 * 0x9e3779b97f4a7c15ULL;
        uint32_t i = static_cast<uint32_t>(key >> 32) % PLACES;
        while (places[i].epoch == epoch && !places[i].Holds(right)) {
            i = (i + 1) % PLACES;
        }
        return places[i];
    }

    // Null if there is no room.
    const uint8_t *Pack(const DeferredCopy &right)
    {
        const uint64_t bytes = right.matrix.Bytes();
        if (copies == nullptr) {
            copies.reset(static_cast<uint8_t *>(aligned_alloc(HUGE_PAGE, MOST_BYTES)));
            if (copies == nullptr) {
                return nullptr;
            }
            madvise(copies.get(), MOST_BYTES, MADV_HUGEPAGE);
        }
        if (usedBytes + bytes > MOST_BYTES) {
            return nullptr;
        }
        uint8_t *copy = copies.get() + usedBytes;
        usedBytes += bytes;
        g_isa->cube.packRight({copy, right.matrix, right.transposed});
        return copy;
    }

    uint64_t launch = 0;
    uint64_t epoch = 0; // changes with every change of the launch
    uint32_t count = 0;
    uint64_t usedBytes = 0;
    std::unique_ptr<PackedMatrix[]> places;
    std::unique_ptr<uint8_t[], Free> copies;
};

thread_local PackedMatrices t_packed;

// What follows the matrix needs no prefetching: it is packed as well.
void ForgetNextRows(PrefetchQueue &queue, const WordMatrix &matrix)
{
    for (PrefetchRows &slot : queue.slots) {
        if (slot.next == matrix.src + matrix.rows * matrix.pitch) {
            slot.rows = 0;
        }
    }
}

} // namespace

const uint8_t *PackedRight(const DeferredCopy &right)
{
    const uint8_t *copy = t_packed.Find(right, Core().group->job->serial);
    if (copy != nullptr) {
        ForgetNextRows(Core().prefetch, right.matrix);
    }
    return copy;
}

} // namespace ascendc_cpu
