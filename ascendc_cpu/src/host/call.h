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
    std::shared_ptr<const TensorView> view; // null: absent
    std::vector<uint8_t> values;

    bool Present() const
    {
        return view != nullptr;
    }
};

// Shape and type of the view of a tensor that is there, without data.
NodeTensor ToNodeTensor(const Binding &binding);

struct CallArguments {
    const void *const *inputs;
    const void *const *attrs;
    const void *const *outputs; // nullptr: not given, they become what inference says
    bool needsData = true;      // false: planning only, tensors may have no data
    std::string soc;            // row of the platform table, empty: ASCENDC_CPU_SOC or "cpu"
    bool unknownDims = false;   // dimensions may be -1 (unknown), a single -2 is an unknown rank; for inference only
};

struct Call {
    std::shared_ptr<const OpSchema> schema;
    OpImpl impl;
    OpNode node;
    std::vector<Binding> inputs; // by IR index
    std::vector<Binding> outputs;
    std::vector<NodeTensor> inferred; // outputs by inference
    size_t column = 0;                // of the OpDef

    // Any check that fails throws HostError with the OpType, the argument, what it is and what is allowed.
    void Bind(const std::string &opType, const CallArguments &arguments);
    // InferShape and InferDataType. Then `node` has the outputs given, and what was inferred for the others.
    void Infer();
    bool AllOutputsEmpty() const;
    // Outputs given against those inferred. After the tiling, whose own text about them is the better one.
    void CheckOutputs() const;
    // `fill`: byte value of the tiling buffer before the host function writes it.
    void RunTiling(uint8_t fill);
};

} // namespace ascendc_cpu
#endif
