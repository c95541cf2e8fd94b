// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// What the tiling may ask about the chip. The values are rows of src/host/platform_rows.cpp; ASCENDC_CPU_SOC selects
// one.
#ifndef ASCENDC_CPU_TILING_PLATFORM_ASCENDC_H
#define ASCENDC_CPU_TILING_PLATFORM_ASCENDC_H
#include <cstdint>

namespace fe {
class PlatFormInfos;
}

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6 };
// Every row is of this family, `cpu` and Ascend910_93xx included.
enum class SocVersion { ASCEND910B = 1 };

class PlatformAscendC {
public:
    PlatformAscendC() = delete;
    explicit PlatformAscendC(fe::PlatFormInfos *platformInfo) : platform(platformInfo)
    {
    }

    uint32_t GetCoreNumAic() const;
    uint32_t GetCoreNumAiv() const;
    // Groups that hold `sliceNum` slices, one slice an AIV; 0 when there are more slices than AIVs.
    uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const;
    // Bytes at the start of the workspace that belong to the library, 16 MiB.
    uint32_t GetLibApiWorkSpaceSize() const;
    // Bytes.
    void GetCoreMemSize(const CoreMemType &memType, uint64_t &size) const;
    SocVersion GetSocVersion() const;

private:
    fe::PlatFormInfos *platform;
};

} // namespace platform_ascendc
#endif
