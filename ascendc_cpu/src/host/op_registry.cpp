// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "op_registry.h"
#include <map>
#include "../core/runtime_mutex.h"

namespace ascendc_cpu {
namespace {

// Guarded by RuntimeMutex.
struct Registry {
    std::map<std::string, std::shared_ptr<const OpSchema>> schemas;
    std::map<std::string, OpImpl> impls;
};

// Never destroyed: static constructors and destructors of other libraries use it.
Registry &TheRegistry()
{
    static Registry *registry = new Registry;
    return *registry;
}

} // namespace

void RegisterSchema(std::shared_ptr<const OpSchema> schema)
{
    Registry &registry = TheRegistry();
    const std::lock_guard<std::mutex> lock(RuntimeMutex());
    registry.schemas[schema->type] = std::move(schema);
}

std::shared_ptr<const OpSchema> FindSchema(const std::string &opType)
{
    Registry &registry = TheRegistry();
    const std::lock_guard<std::mutex> lock(RuntimeMutex());
    const auto found = registry.schemas.find(opType);
    return found == registry.schemas.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const OpSchema>> AllSchemas()
{
    Registry &registry = TheRegistry();
    const std::lock_guard<std::mutex> lock(RuntimeMutex());
    std::vector<std::shared_ptr<const OpSchema>> schemas;
    for (const auto &entry : registry.schemas) {
        schemas.push_back(entry.second);
    }
    return schemas;
}

void UpdateImpl(const std::string &opType, const std::function<void(OpImpl &)> &update)
{
    Registry &registry = TheRegistry();
    const std::lock_guard<std::mutex> lock(RuntimeMutex());
    update(registry.impls[opType]);
}

OpImpl FindImpl(const std::string &opType)
{
    Registry &registry = TheRegistry();
    const std::lock_guard<std::mutex> lock(RuntimeMutex());
    const auto found = registry.impls.find(opType);
    return found == registry.impls.end() ? OpImpl() : found->second;
}

} // namespace ascendc_cpu

namespace gert {

using ascendc_cpu::OpImpl;
using ascendc_cpu::UpdateImpl;

OpImplRegisterV2::OpImplRegisterV2(const char *type) : opType(type)
{
}

OpImplRegisterV2 &OpImplRegisterV2::InferShape(OpImplKernelRegistry::InferShapeKernelFunc function)
{
    UpdateImpl(opType, [=](OpImpl &impl) { impl.inferShape = function; });
    return *this;
}

OpImplRegisterV2 &OpImplRegisterV2::InferDataType(OpImplKernelRegistry::InferDataTypeKernelFunc function)
{
    UpdateImpl(opType, [=](OpImpl &impl) { impl.inferDataType = function; });
    return *this;
}

OpImplRegisterV2 &OpImplRegisterV2::Tiling(OpImplKernelRegistry::TilingKernelFunc function, size_t maxTilingDataSize)
{
    UpdateImpl(opType, [=](OpImpl &impl) {
        impl.tiling = function;
        impl.maxTilingDataSize = maxTilingDataSize;
    });
    return *this;
}

OpImplRegisterV2 &OpImplRegisterV2::TilingParse(OpImplKernelRegistry::TilingParseFunc function,
                                                OpImplKernelRegistry::CompileInfoCreatorFunc create,
                                                OpImplKernelRegistry::CompileInfoDeleterFunc destroy)
{
    UpdateImpl(opType, [=](OpImpl &impl) {
        impl.tilingParse = function;
        impl.createCompileInfo = create;
        impl.deleteCompileInfo = destroy;
    });
    return *this;
}

OpImplRegisterV2 &OpImplRegisterV2::InputsDataDependency(std::initializer_list<int32_t> inputs)
{
    UpdateImpl(opType, [=](OpImpl &impl) {
        impl.dataDependencies.insert(impl.dataDependencies.end(), inputs.begin(), inputs.end());
    });
    return *this;
}

OpImplRegisterV2 &OpImplRegisterV2::TilingInputsDataDependency(std::initializer_list<int32_t> inputs)
{
    return InputsDataDependency(inputs);
}

} // namespace gert
