// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// FlashAttentionScore as a node of a GE graph: builds the graph, runs it once, prints a row of the result. Needs CANN
// and an NPU with the op package installed; on any other machine it can only be type-checked against CANN's headers:
//   g++ -std=c++11 -D_GLIBCXX_USE_CXX11_ABI=0 -I $ASCEND_HOME_PATH/include -I
//   $ASCEND_HOME_PATH/opp/built-in/op_proto/inc
//       -I . examples/cpp/flash_attention_geir_example.cpp -lgraph -lge_runner -lgraph_base
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>
#include "array_ops.h"
#include "flash_attention_score/op_graph/flash_attention_score_proto.h"
#include "ge/ge_api.h"
#include "graph/graph.h"
#include "graph/tensor.h"

namespace {
const std::vector<int64_t> SHAPE = {1, 2, 128, 64}; // [B, N, S, D]
constexpr uint32_t GRAPH_ID = 0;
constexpr uint32_t ATTENTION_OUT = 3; // outputs: softmax_max, softmax_sum, softmax_out, attention_out

ge::TensorDesc Describe()
{
    ge::TensorDesc desc(ge::Shape(SHAPE), ge::FORMAT_ND, ge::DT_FLOAT);
    desc.SetRealDimCnt(static_cast<int64_t>(SHAPE.size()));
    return desc;
}

ge::Tensor MakeInput(float phase)
{
    std::vector<float> values(static_cast<size_t>(SHAPE[0] * SHAPE[1] * SHAPE[2] * SHAPE[3]));
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = std::sin(phase + 0.01f * static_cast<float>(i));
    }
    return ge::Tensor(Describe(), reinterpret_cast<const uint8_t *>(values.data()), values.size() * sizeof(float));
}

ge::op::Data MakeData(const char *name, int64_t index)
{
    ge::op::Data data(name);
    data.set_attr_index(index);
    (void)data.update_input_desc_x(Describe());
    (void)data.update_output_desc_y(Describe());
    return data;
}

ge::Graph BuildGraph()
{
    ge::op::Data query = MakeData("query", 0);
    ge::op::Data key = MakeData("key", 1);
    ge::op::Data value = MakeData("value", 2);
    ge::op::FlashAttentionScore attention("attention");
    attention.set_input_query(query)
        .set_input_key(key)
        .set_input_value(value)
        .set_attr_scale_value(1.0f / std::sqrt(static_cast<float>(SHAPE[3])))
        .set_attr_head_num(SHAPE[1])
        .set_attr_input_layout("BNSD")
        .set_attr_sparse_mode(3);
    ge::Graph graph("flash_attention");
    const std::vector<ge::Operator> inputs = {query, key, value};
    const std::vector<std::pair<ge::Operator, std::vector<size_t>>> outputs = {{attention, {ATTENTION_OUT}}};
    (void)graph.SetInputs(inputs).SetOutputs(outputs);
    return graph;
}

int Fail(const char *what, ge::Status status)
{
    (void)fprintf(stderr, "%s failed with %u: %s\n", what, status, ge::GEGetErrorMsg().c_str());
    return 1;
}
} // namespace

int main()
{
    const std::map<ge::AscendString, ge::AscendString> options = {{"ge.exec.deviceId", "0"}, {"ge.graphRunMode", "1"}};
    ge::Status status = ge::GEInitialize(options);
    if (status != ge::SUCCESS) {
        return Fail("GEInitialize", status);
    }
    ge::Session session(options);
    status = session.AddGraph(GRAPH_ID, BuildGraph());
    if (status != ge::SUCCESS) {
        return Fail("AddGraph", status);
    }
    std::vector<ge::Tensor> results;
    status = session.RunGraph(GRAPH_ID, {MakeInput(0.0f), MakeInput(1.0f), MakeInput(2.0f)}, results);
    if (status != ge::SUCCESS || results.size() != 1) {
        return Fail("RunGraph", status);
    }
    const float *out = reinterpret_cast<const float *>(results[0].GetData());
    printf("first row: %.6f %.6f %.6f ...\n", out[0], out[1], out[2]);
    return ge::GEFinalize() == ge::SUCCESS ? 0 : 1;
}
