// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Rows of platform_ascendc::PlatformAscendC.
#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include "platform_info.h"
#include "status.h"
#include "tiling/platform/platform_ascendc.h"

namespace ascendc_cpu {
namespace {

constexpr uint64_t KIB = 1024;
constexpr uint64_t MIB = 1024 * KIB;
constexpr uint64_t GIB = 1024 * MIB;

// AI cores, L2 and HBM: CANN's platform configuration files <SoC>.ini (ai_core_cnt, l2_size, memory_size), as tabulated
// in the public Atlas A2/A3 documents. An Ascend910_93xx row is one die.
constexpr PlatformRow ROWS[] = {
    {"Ascend910B1", 24, 192 * MIB, 64 * GIB},    {"Ascend910B2", 24, 192 * MIB, 64 * GIB},
    {"Ascend910B3", 20, 192 * MIB, 64 * GIB},    {"Ascend910B4", 20, 96 * MIB, 32 * GIB},
    {"Ascend910B4-1", 20, 168 * MIB, 32 * GIB},  {"Ascend910_9362", 20, 168 * MIB, 32 * GIB},
    {"Ascend910_9372", 20, 192 * MIB, 64 * GIB}, {"Ascend910_9381", 24, 192 * MIB, 64 * GIB},
    {"Ascend910_9382", 24, 192 * MIB, 64 * GIB}, {"Ascend910_9391", 24, 192 * MIB, 64 * GIB},
    {"Ascend910_9392", 24, 192 * MIB, 64 * GIB}, {"cpu", 0, 192 * MIB, 64 * GIB},
};

// More groups than host threads, so that the queue has something to balance; the runtime keeps at most 64 resident.
constexpr uint32_t GROUPS_PER_THREAD = 4;
constexpr uint32_t MAX_GROUPS = 64;

// Memories of a dav-c220 core, the same on every row (CANN's "AI Core" hardware chapter).
constexpr uint64_t L0_A_BYTES = 64 * KIB;
constexpr uint64_t L0_B_BYTES = 64 * KIB;
constexpr uint64_t L0_C_BYTES = 128 * KIB;
constexpr uint64_t L1_BYTES = 512 * KIB;
constexpr uint64_t UB_BYTES = 192 * KIB;
constexpr uint32_t AIV_PER_AIC = 2;

constexpr uint32_t LIB_API_WORKSPACE_BYTES = 16 * MIB; // documented for Atlas A2 under GetLibApiWorkSpaceSize

} // namespace

uint32_t UsableThreads()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        return 1;
    }
    return static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
}

} // namespace ascendc_cpu

namespace fe {

PlatFormInfos::PlatFormInfos(const std::string &soc)
{
    const char *environment = std::getenv("ASCENDC_CPU_SOC");
    const bool fromEnvironment = soc.empty() && environment != nullptr && *environment != '\0';
    const std::string name = fromEnvironment ? environment : soc.empty() ? "cpu" : soc;
    std::string known;
    for (const ascendc_cpu::PlatformRow &candidate : ascendc_cpu::ROWS) {
        if (name == candidate.name) {
            row = candidate;
            if (row.aicNum == 0) {
                row.aicNum =
                    std::min(ascendc_cpu::MAX_GROUPS, ascendc_cpu::GROUPS_PER_THREAD * ascendc_cpu::UsableThreads());
            }
            return;
        }
        known += (known.empty() ? "" : ", ") + std::string(candidate.name);
    }
    throw ascendc_cpu::HostError(ACLNN_ERR_PARAM_INVALID, std::string(fromEnvironment ? "ASCENDC_CPU_SOC" : "soc") +
                                                              ": got '" + name + "', allowed: " + known);
}

} // namespace fe

namespace platform_ascendc {

using namespace ascendc_cpu;

uint32_t PlatformAscendC::GetCoreNumAic() const
{
    return platform->row.aicNum;
}

uint32_t PlatformAscendC::GetCoreNumAiv() const
{
    return platform->row.aicNum * AIV_PER_AIC;
}

uint32_t PlatformAscendC::CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const
{
    if (aicCoreNum == 0 || aivCoreNum < aicCoreNum) {
        return sliceNum; // not a mix kernel
    }
    const uint32_t ratio = aivCoreNum / aicCoreNum;
    const uint32_t groups = sliceNum / ratio + (sliceNum % ratio != 0 ? 1 : 0);
    return ratio == AIV_PER_AIC && groups > aicCoreNum ? 0 : groups;
}

uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const
{
    return LIB_API_WORKSPACE_BYTES;
}

void PlatformAscendC::GetCoreMemSize(const CoreMemType &memType, uint64_t &size) const
{
    switch (memType) {
    case CoreMemType::L0_A:
        size = L0_A_BYTES;
        return;
    case CoreMemType::L0_B:
        size = L0_B_BYTES;
        return;
    case CoreMemType::L0_C:
        size = L0_C_BYTES;
        return;
    case CoreMemType::L1:
        size = L1_BYTES;
        return;
    case CoreMemType::L2:
        size = platform->row.l2Bytes;
        return;
    case CoreMemType::UB:
        size = UB_BYTES;
        return;
    case CoreMemType::HBM:
        size = platform->row.hbmBytes;
        return;
    }
}

SocVersion PlatformAscendC::GetSocVersion() const
{
    return SocVersion::ASCEND910B;
}

} // namespace platform_ascendc
