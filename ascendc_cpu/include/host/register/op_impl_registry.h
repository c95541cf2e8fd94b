// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// IMPL_OP_INFERSHAPE(Op).InferShape(f).InferDataType(f); and IMPL_OP_OPTILING(Op).Tiling(f, size).TilingParse<T>(f);
// They may stand in different libraries: the registrations of one op type are merged, a later one of the same function
// replaces the earlier.
#ifndef ASCENDC_CPU_REGISTER_OP_IMPL_REGISTRY_H
#define ASCENDC_CPU_REGISTER_OP_IMPL_REGISTRY_H
#include <cstddef>
#include <initializer_list>
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"

namespace gert {

class OpImplKernelRegistry {
public:
    using InferShapeKernelFunc = ge::graphStatus (*)(InferShapeContext *);
    using InferDataTypeKernelFunc = ge::graphStatus (*)(InferDataTypeContext *);
    using TilingKernelFunc = ge::graphStatus (*)(TilingContext *);
    using TilingParseFunc = ge::graphStatus (*)(TilingParseContext *);
    using CompileInfoCreatorFunc = void *(*)();
    using CompileInfoDeleterFunc = void (*)(void *);
};

class OpImplRegisterV2 {
public:
    explicit OpImplRegisterV2(const char *opType);

    OpImplRegisterV2 &InferShape(OpImplKernelRegistry::InferShapeKernelFunc function);
    OpImplRegisterV2 &InferDataType(OpImplKernelRegistry::InferDataTypeKernelFunc function);
    OpImplRegisterV2 &Tiling(OpImplKernelRegistry::TilingKernelFunc function, size_t maxTilingDataSize = 2048);
    template <typename T>
    OpImplRegisterV2 &TilingParse(OpImplKernelRegistry::TilingParseFunc function)
    {
        return TilingParse(function, Create<T>, Delete<T>);
    }
    // IR indices of inputs whose values the inference / the tiling reads on the host.
    OpImplRegisterV2 &InputsDataDependency(std::initializer_list<int32_t> inputs);
    OpImplRegisterV2 &TilingInputsDataDependency(std::initializer_list<int32_t> inputs);

private:
    OpImplRegisterV2 &TilingParse(OpImplKernelRegistry::TilingParseFunc function,
                                  OpImplKernelRegistry::CompileInfoCreatorFunc create,
                                  OpImplKernelRegistry::CompileInfoDeleterFunc destroy);
    template <typename T>
    static void *Create()
    {
        return new T();
    }
    template <typename T>
    static void Delete(void *object)
    {
        delete static_cast<T *>(object);
    }

    const char *opType;
};

} // namespace gert

#define IMPL_OP_INFERSHAPE(opType)                                                                                     \
    __attribute__((unused)) gert::OpImplRegisterV2 op_impl_register_infershape_##opType =                              \
        gert::OpImplRegisterV2(#opType)
#define IMPL_OP_OPTILING(opType)                                                                                       \
    __attribute__((unused)) gert::OpImplRegisterV2 op_impl_register_optiling_##opType = gert::OpImplRegisterV2(#opType)
#endif
