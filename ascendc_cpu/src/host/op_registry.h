// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Definitions and host functions by OpType. Filled while libraries are loaded.
#ifndef ASCENDC_CPU_HOST_OP_REGISTRY_H
#define ASCENDC_CPU_HOST_OP_REGISTRY_H
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "op_schema.h"
#include "register/op_impl_registry.h"

namespace ascendc_cpu {

// Functions of one OpType; null when not registered.
struct OpImpl {
    gert::OpImplKernelRegistry::InferShapeKernelFunc inferShape = nullptr;
    gert::OpImplKernelRegistry::InferDataTypeKernelFunc inferDataType = nullptr;
    gert::OpImplKernelRegistry::TilingKernelFunc tiling = nullptr;
    size_t maxTilingDataSize = 2048;
    gert::OpImplKernelRegistry::TilingParseFunc tilingParse = nullptr;
    gert::OpImplKernelRegistry::CompileInfoCreatorFunc createCompileInfo = nullptr;
    gert::OpImplKernelRegistry::CompileInfoDeleterFunc deleteCompileInfo = nullptr;
    std::vector<int32_t> dataDependencies; // IR indices of inputs whose values the host functions read
};

void RegisterSchema(std::shared_ptr<const OpSchema> schema);
// nullptr when there is none.
std::shared_ptr<const OpSchema> FindSchema(const std::string &opType);
std::vector<std::shared_ptr<const OpSchema>> AllSchemas();

void UpdateImpl(const std::string &opType, const std::function<void(OpImpl &)> &update);
OpImpl FindImpl(const std::string &opType);

} // namespace ascendc_cpu
#endif
