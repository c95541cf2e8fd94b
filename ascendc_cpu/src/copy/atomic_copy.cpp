// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Atomic stores. A lock per 4 KiB of addresses (striped) covers a whole run, so the arithmetic stays vectorised: an
// uncontended run costs one lock, not one compare-and-swap per word. Nothing can block while a lock is held.
#include <atomic>
#include <type_traits>
#include "copy_bytes.h"
#include "copy_isa.h"
#include "../cube/convert.h"

namespace ascendc_cpu {
namespace {

constexpr uint64_t STRIPE_BYTES = 4096;
constexpr uint32_t STRIPES = 256;

struct alignas(64) Stripe {
    std::atomic<bool> taken{false};
};
Stripe g_stripes[STRIPES];

class StripeLock {
public:
    explicit StripeLock(const void *address)
        : stripe(g_stripes[reinterpret_cast<uintptr_t>(address) / STRIPE_BYTES % STRIPES])
    {
        while (stripe.taken.exchange(true, std::memory_order_acquire)) {
            while (stripe.taken.load(std::memory_order_relaxed)) {
            }
        }
    }
    ~StripeLock()
    {
        stripe.taken.store(false, std::memory_order_release);
    }
    StripeLock(const StripeLock &) = delete;
    StripeLock &operator=(const StripeLock &) = delete;

private:
    Stripe &stripe;
};

// NaN operands lose against numbers in MAX and MIN.
template <AtomicOp op, typename V>
inline V Combine(V old, V value)
{
    if constexpr (op == AtomicOp::ADD) {
        if constexpr (std::is_integral<V>::value) {
            return static_cast<V>(static_cast<uint32_t>(old) + static_cast<uint32_t>(value));
        } else {
            return old + value;
        }
    } else if constexpr (op == AtomicOp::MAX) {
        return value > old || old != old ? value : old;
    } else {
        return value < old || old != old ? value : old;
    }
}

template <AtomicOp op, typename V>
void CombineRun(uint8_t *__restrict dst, const uint8_t *__restrict src, uint32_t bytes)
{
    const uint32_t count = bytes / static_cast<uint32_t>(sizeof(V));
    for (uint32_t i = 0; i < count; ++i) {
        V old;
        V value;
        memcpy(&old, dst + i * sizeof(V), sizeof(V));
        memcpy(&value, src + i * sizeof(V), sizeof(V));
        const V result = Combine<op>(old, value);
        memcpy(dst + i * sizeof(V), &result, sizeof(V));
    }
}

template <AtomicOp op, AtomicType type>
void CombineRun16(uint8_t *__restrict dst, const uint8_t *__restrict src, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes / 2; ++i) {
        uint16_t old;
        uint16_t value;
        memcpy(&old, dst + i * 2, 2);
        memcpy(&value, src + i * 2, 2);
        const bool isHalf = type == AtomicType::HALF;
        const float sum = isHalf ? Combine<op>(HalfToFloat(old), HalfToFloat(value))
                                 : Combine<op>(Bf16ToFloat(old), Bf16ToFloat(value));
        const uint16_t result = isHalf ? FloatToHalf(sum) : FloatToBf16(sum);
        memcpy(dst + i * 2, &result, 2);
    }
}

using RunFunction = void (*)(uint8_t *dst, const uint8_t *src, uint32_t bytes);

template <AtomicOp op>
RunFunction RunFor(AtomicType type)
{
    switch (type) {
    case AtomicType::FLOAT:
        return CombineRun<op, float>;
    case AtomicType::HALF:
        return CombineRun16<op, AtomicType::HALF>;
    case AtomicType::BF16:
        return CombineRun16<op, AtomicType::BF16>;
    case AtomicType::INT8:
        return CombineRun<op, int8_t>;
    case AtomicType::INT16:
        return CombineRun<op, int16_t>;
    default:
        return CombineRun<op, int32_t>;
    }
}

} // namespace

void FreeAtomicLocks()
{
    for (Stripe &stripe : g_stripes) {
        stripe.taken.store(false, std::memory_order_relaxed);
    }
}

void CopyBlocksAtomic(const BlockCopy &copy, AtomicOp op, AtomicType type)
{
    const RunFunction run = op == AtomicOp::ADD   ? RunFor<AtomicOp::ADD>(type)
                            : op == AtomicOp::MAX ? RunFor<AtomicOp::MAX>(type)
                                                  : RunFor<AtomicOp::MIN>(type);
    for (uint32_t i = 0; i < copy.count; ++i) {
        uint8_t *dst = copy.dst + i * copy.dstPitch;
        const uint8_t *src = copy.src + i * copy.srcPitch;
        uint32_t at = 0;
        while (at < copy.bytes) {
            const uint64_t toBorder = STRIPE_BYTES - reinterpret_cast<uintptr_t>(dst + at) % STRIPE_BYTES;
            const uint32_t bytes = toBorder < copy.bytes - at ? static_cast<uint32_t>(toBorder) : copy.bytes - at;
            const StripeLock lock(dst + at);
            run(dst + at, src + at, bytes);
            at += bytes;
        }
    }
}

} // namespace ascendc_cpu
