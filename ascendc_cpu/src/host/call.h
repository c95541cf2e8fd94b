// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// One call of an operator: arguments checked against the definition, inference, tiling.
#ifndef ASCENDC_CPU_HOST_CALL_H
#define ASCENDC_CPU_HOST_CALL_H
#include <memory>
#include "../acl/acl_object.h"
#include "op_node.h"
#include "op_registry.h"

namespace ascendc_cpu {

// A tensor argument: a view, owning the values when it came as an array.
struct Binding {
    bool present = false;
    TensorView view;
    std::vector<uint8_t> values;
};

struct CallArguments {
    const void *const *inputs;
    const void *const *attrs;
    const void *const *outputs; // nullptr: not given, they become what inference says
    bool needsData = true;      // false: planning only, tensors may have no data
    std::string soc;            // row of the platform table, empty: ASCENDC_CPU_SOC or "cpu"
};

struct Call {
    std::shared_ptr<const OpSchema> schema;
    OpImpl impl;
    OpNode node;
    std::vector<Binding> inputs; // by IR index
    std::vector<Binding> outputs;
    size_t column = 0; // of the OpDef

    // Any check that fails throws HostError with the OpType, the argument, what it is and what is allowed.
    void Bind(const std::string &opType, const CallArguments &arguments);
    // InferShape and InferDataType; then the outputs given, or those inferred, are in `node`.
    void Infer(bool outputsGiven);
    bool AllOutputsEmpty() const;
    // `fill`: byte value of the tiling buffer before the host function writes it.
    void RunTiling(uint8_t fill);
};

} // namespace ascendc_cpu
#endif
