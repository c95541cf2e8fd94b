// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Conversions of kernel sources: an integer that does not fit is a finding. The fields of AscendC's parameter structs
// are 8 and 16 bits wide, and kernels convert into them.
#ifndef ASCENDC_CPU_CHECKED_CAST_H
#define ASCENDC_CPU_CHECKED_CAST_H
#include <type_traits>
#include <utility>
#include "../../../kernel/ascendc_cpu/access.h"

namespace ascendc_cpu {

template <typename T>
constexpr const char *IntegerName()
{
    constexpr const char *names[2][4] = {{"uint8_t", "uint16_t", "uint32_t", "uint64_t"},
                                         {"int8_t", "int16_t", "int32_t", "int64_t"}};
    return names[std::is_signed<T>::value][sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3];
}

// how: the conversion, for the finding.
template <typename To, typename Source>
constexpr To Narrow(const char *how, Source value)
{
    const To narrow = static_cast<To>(value);
    if (static_cast<Source>(narrow) != value || (narrow < To(0)) != (value < Source(0))) {
        RecordTruncation(how, IntegerName<To>(), static_cast<long long>(value));
    }
    return narrow;
}

template <typename To, typename From>
constexpr To Convert(const char *how, From value)
{
    if constexpr (std::is_integral<From>::value && !std::is_same<From, bool>::value) {
        return Narrow<To, From>(how, value);
    } else {
        return static_cast<To>(value);
    }
}

// What stands for static_cast in kernel sources.
template <typename To, typename From>
constexpr To CheckedCast(From &&value)
{
    using Source = std::remove_cv_t<std::remove_reference_t<From>>;
    if constexpr (std::is_integral<To>::value && std::is_integral<Source>::value && !std::is_same<To, bool>::value) {
        return Narrow<To, Source>("static_cast", value);
    } else {
        return static_cast<To>(std::forward<From>(value));
    }
}

// OldStyle<To>()->*x: what stands for (To)x in kernel sources.
template <typename To>
struct OldStyle {};
template <typename To, typename From>
constexpr To operator->*(OldStyle<To>, From value)
{
    return Convert<To>("cast", value);
}

} // namespace ascendc_cpu
#endif
