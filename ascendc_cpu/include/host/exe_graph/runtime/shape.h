// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// gert::Shape: at most 25 dimensions, kept inline.
#ifndef ASCENDC_CPU_EXE_GRAPH_SHAPE_H
#define ASCENDC_CPU_EXE_GRAPH_SHAPE_H
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace gert {

class Shape {
public:
    enum : size_t { kMaxDimNum = 25 };
    static int64_t InvalidDimValue()
    {
        return std::numeric_limits<int64_t>::min();
    }

    Shape() : dimNum(0), dims()
    {
    }
    // More than kMaxDimNum values leave the shape empty.
    Shape(std::initializer_list<int64_t> values) : dimNum(0), dims()
    {
        if (values.size() <= kMaxDimNum) {
            for (int64_t value : values) {
                dims[dimNum++] = value;
            }
        }
    }

    bool operator==(const Shape &other) const
    {
        if (dimNum != other.dimNum) {
            return false;
        }
        for (size_t i = 0; i < dimNum; i++) {
            if (dims[i] != other.dims[i]) {
                return false;
            }
        }
        return true;
    }
    bool operator!=(const Shape &other) const
    {
        return !(*this == other);
    }

    // Product of the dimensions, 1 for a scalar, -1 when it does not fit 64 bits.
    int64_t GetShapeSize() const
    {
        int64_t size = 1;
        for (size_t i = 0; i < dimNum; i++) {
            if (__builtin_mul_overflow(size, dims[i], &size)) {
                return -1;
            }
        }
        return size;
    }
    bool IsScalar() const
    {
        return dimNum == 0;
    }
    void SetScalar()
    {
        dimNum = 0;
    }
    size_t GetDimNum() const
    {
        return dimNum;
    }
    // Ignored above kMaxDimNum. Does not change values: set the number first, then the dimensions.
    void SetDimNum(size_t number)
    {
        if (number <= kMaxDimNum) {
            dimNum = number;
        }
    }
    // Dimension by position, InvalidDimValue() past kMaxDimNum.
    int64_t GetDim(size_t index) const
    {
        return index < kMaxDimNum ? dims[index] : InvalidDimValue();
    }
    int64_t operator[](size_t index) const
    {
        return GetDim(index);
    }
    int64_t &operator[](size_t index)
    {
        static int64_t ignored;
        ignored = InvalidDimValue();
        return index < kMaxDimNum ? dims[index] : ignored;
    }
    // Does not change the number of dimensions.
    void SetDim(size_t index, int64_t value)
    {
        if (index < kMaxDimNum) {
            dims[index] = value;
        }
    }
    Shape &AppendDim(int64_t value)
    {
        if (dimNum < kMaxDimNum) {
            dims[dimNum++] = value;
        }
        return *this;
    }

private:
    size_t dimNum;
    int64_t dims[kMaxDimNum];
};

} // namespace gert
#endif
