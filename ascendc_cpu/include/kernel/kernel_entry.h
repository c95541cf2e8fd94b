// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Kernel type, tiling data and tiling key macros, and the registrar of generated kernel objects.
#ifndef ASCENDC_CPU_KERNEL_ENTRY_H
#define ASCENDC_CPU_KERNEL_ENTRY_H
#include <cstddef>
#include <utility>
#include "ascendc_cpu/kernel_registry.h"
#include "kernel_type.h"

// Values that ORIG_DTYPE_<NAME> is compared with, as in the host's ge::DataType.
#define DT_FLOAT 0
#define DT_FLOAT16 1
#define DT_INT8 2
#define DT_INT32 3
#define DT_UINT8 4
#define DT_INT16 6
#define DT_UINT16 7
#define DT_UINT32 8
#define DT_INT64 9
#define DT_UINT64 10
#define DT_DOUBLE 11
#define DT_BOOL 12
#define DT_BF16 27

ASCENDC_CPU_BEGIN

enum KernelMetaType : uint8_t {
    KERNEL_TYPE_AIV_ONLY,
    KERNEL_TYPE_AIC_ONLY,
    KERNEL_TYPE_MIX_AIV_1_0,
    KERNEL_TYPE_MIX_AIC_1_0,
    KERNEL_TYPE_MIX_AIC_1_1,
    KERNEL_TYPE_MIX_AIC_1_2
};

template <typename T>
__aicore__ inline void CopyTilingData(T &data, const uint8_t *tiling, uint64_t offset)
{
    static_assert(std::is_trivially_copyable<T>::value, "tiling data is a plain struct");
    if (ASCENDC_CPU_UNLIKELY(tiling == nullptr)) {
        ascendc_cpu::Fail("GET_TILING_DATA", "the tiling argument is nullptr");
    }
    memcpy(&data, tiling + offset, sizeof(T));
}

ASCENDC_CPU_END

// The kernel type is read from the text when kernel objects are generated; here it must only be a real one.
#define KERNEL_TASK_TYPE_DEFAULT(value) static_assert(AscendC::value >= 0, "kernel type")
#define KERNEL_TASK_TYPE(key, value) static_assert(AscendC::value >= 0 && (key) >= 0, "kernel type")

#define REGISTER_TILING_DEFAULT(Struct) using AscendcCpuTilingData = Struct
#define GET_TILING_DATA(data, tiling) GET_TILING_DATA_WITH_STRUCT(AscendcCpuTilingData, data, tiling)
#define GET_TILING_DATA_WITH_STRUCT(Struct, data, tiling)                                                              \
    Struct data;                                                                                                       \
    AscendC::CopyTilingData(data, tiling, 0)
#define GET_TILING_DATA_MEMBER(Struct, member, data, tiling)                                                           \
    decltype(Struct::member) data;                                                                                     \
    AscendC::CopyTilingData(data, tiling, offsetof(Struct, member))

// Kernel objects are compiled once a tiling key, TILING_KEY_VAR being a literal.
#define TILING_KEY_IS(key) (TILING_KEY_VAR == (key))

namespace ascendc_cpu {

// One argument out of the launch's array: an address as it is, a scalar from the slot's low bytes, a struct by copy.
template <typename T>
inline T KernelArgument(uint8_t *slot)
{
    static_assert(std::is_trivially_copyable<T>::value, "kernel arguments are plain values");
    T value;
    if constexpr (std::is_pointer<T>::value || std::is_arithmetic<T>::value || std::is_enum<T>::value) {
        static_assert(sizeof(T) <= sizeof(slot), "a scalar argument has at most 8 bytes");
        memcpy(&value, &slot, sizeof(T)); // little endian
    } else {
        memcpy(&value, slot, sizeof(T));
    }
    return value;
}

// Registers one kernel object for as long as its library is loaded. `entry` is unique to the object, so is this class.
template <auto entry>
class KernelRegistrar;

template <typename... Args, void (*entry)(Args...)>
class KernelRegistrar<entry> {
public:
    KernelRegistrar(const char *op, const char *column, const char *dtypeNames, uint64_t key, KernelType type)
        : record{op, column, dtypeNames, key, static_cast<CoreType>(AscendC::g_coreType), type, sizeof...(Args), Invoke}
    {
        RegisterKernel(&record);
    }
    ~KernelRegistrar()
    {
        UnregisterKernel(&record);
    }
    KernelRegistrar(const KernelRegistrar &) = delete;
    KernelRegistrar &operator=(const KernelRegistrar &) = delete;

private:
    static void Invoke(uint8_t *const *args)
    {
        InvokeIndexed(args, std::make_index_sequence<sizeof...(Args)>());
    }
    template <size_t... index>
    static void InvokeIndexed([[maybe_unused]] uint8_t *const *args, std::index_sequence<index...>)
    {
        entry(KernelArgument<Args>(args[index])...);
    }

    const KernelRecord record;
};

} // namespace ascendc_cpu
#endif
