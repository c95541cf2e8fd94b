// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Checked mode: fields of parameter structs, and parameters of their types, notice a number that does not fit.
#ifndef ASCENDC_CPU_FIELD_H
#define ASCENDC_CPU_FIELD_H
#include "checked_cast.h"

namespace ascendc_cpu {

template <typename T>
class FieldValue;

// Behaves as a T, except that `...` takes it as +field only. Not implicitly made of one: the two branches of a
// conditional would have no common type.
template <typename T>
class Field {
public:
    Field() = default;
    constexpr explicit Field(FieldValue<T> value) : value(value)
    {
    }
    template <typename From>
    Field &operator=(From from)
    {
        value = FieldValue<T>(from);
        return *this;
    }
    operator T &()
    {
        return value;
    }
    constexpr operator T() const
    {
        return value;
    }

private:
    T value;
};

template <typename T>
class FieldValue {
public:
    template <typename From, std::enable_if_t<std::is_arithmetic<From>::value || std::is_enum<From>::value, int> = 0>
    constexpr FieldValue(From from) : value(Convert<T>("conversion", from))
    {
    }
    template <typename U>
    constexpr FieldValue(const Field<U> &from) : FieldValue(static_cast<U>(from))
    {
    }
    template <typename U, std::enable_if_t<!std::is_same<T, U>::value, int> = 0>
    constexpr FieldValue(FieldValue<U> from) : FieldValue(static_cast<U>(from))
    {
    }
    constexpr operator T() const
    {
        return value;
    }

private:
    T value;
};

} // namespace ascendc_cpu
#endif
