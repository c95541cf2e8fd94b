// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Takes the place of the host's header of this name: the tiling structs of the high-level API as plain structs.
#ifndef HEADER_CHECK_TILINGDATA_BASE_H
#define HEADER_CHECK_TILINGDATA_BASE_H
#define BEGIN_TILING_DATA_DEF(name) struct name {
#define TILING_DATA_FIELD_DEF(type, name) type name = {};
#define TILING_DATA_FIELD_DEF_ARR(type, count, name) type name[count] = {};
#define TILING_DATA_FIELD_DEF_STRUCT(type, name) type name = {};
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(...)
#endif
