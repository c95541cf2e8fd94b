// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Instructions that the headers call and that the list of CANN 8.1 lacks, or declares for another memory.
#ifndef HEADER_CHECK_MISSING_INTRINSICS_H
#define HEADER_CHECK_MISSING_INTRINSICS_H
void dcci(__ubuf__ void *address, uint64_t entire, uint64_t type);
void create_cbuf_matrix(__cbuf__ uint32_t *dst, int64_t repeat, int value);
uint64_t ld_dev(__gm__ uint8_t *src, int16_t offset);
uint64_t ld_dev(__gm__ uint16_t *src, int16_t offset);
uint64_t ld_dev(__gm__ uint32_t *src, int16_t offset);
uint64_t ld_dev(__gm__ uint64_t *src, int16_t offset);
void asc_prof_start();
void asc_prof_stop();
namespace bisheng {
namespace cce {
void metrics_prof_start();
void metrics_prof_stop();
} // namespace cce
} // namespace bisheng
#endif
