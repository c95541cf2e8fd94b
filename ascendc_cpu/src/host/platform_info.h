// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The chip that the tiling plans for.
#ifndef ASCENDC_CPU_HOST_PLATFORM_INFO_H
#define ASCENDC_CPU_HOST_PLATFORM_INFO_H
#include <cstdint>
#include <string>

namespace ascendc_cpu {

struct PlatformRow {
    const char *name;
    uint32_t aicNum; // 0 in the `cpu` row of the table: counted on this host
    uint64_t l2Bytes;
    uint64_t hbmBytes;
};

} // namespace ascendc_cpu

namespace fe {

class PlatFormInfos {
public:
    PlatFormInfos() = default;
    // The named row, of ASCENDC_CPU_SOC when the name is empty, else "cpu". Throws HostError listing the names.
    explicit PlatFormInfos(const std::string &soc);

    ascendc_cpu::PlatformRow row = {"", 0, 0, 0};
};

} // namespace fe

namespace ascendc_cpu {

// Host threads that the process may use.
uint32_t UsableThreads();

} // namespace ascendc_cpu
#endif
