// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Arguments of a call against the operator's definition: presence, kind, dtype column, layout.
#include <algorithm>
#include <set>
#include "call.h"
#include "package_loader.h"
#include "status.h"

namespace ascendc_cpu {
namespace {

[[noreturn]] void Invalid(const OpSchema &schema, const std::string &text)
{
    throw HostError(ACLNN_ERR_PARAM_INVALID, schema.type + ": " + text);
}

// A tensor parameter in the texts of errors: "input query".
struct ParamName {
    const OpSchema &schema;
    const char *direction;
    const ParamSchema &param;
    const char *role = ""; // follows the name

    [[noreturn]] void Refuse(int status, const std::string &text) const
    {
        throw HostError(status, schema.type + ": " + direction + " " + param.name + role + text);
    }
};

template <typename Array>
void BindArray(Binding &binding, const AclObject *object, aclDataType dataType)
{
    const auto &values = static_cast<const Array *>(object)->values;
    const auto *bytes = reinterpret_cast<const uint8_t *>(values.data());
    binding.values.assign(bytes, bytes + values.size() * sizeof(values[0]));
    const auto view = std::make_shared<TensorView>();
    view->dims.assign(1, static_cast<int64_t>(values.size()));
    view->strides.assign(1, 1);
    view->storageDims = view->dims;
    view->dataType = dataType;
    view->data = binding.values.data();
    binding.view = view;
}

bool IsPlainFormat(aclFormat format)
{
    static constexpr aclFormat PLAIN[] = {ACL_FORMAT_ND,  ACL_FORMAT_NCHW,  ACL_FORMAT_NHWC,  ACL_FORMAT_HWCN,
                                          ACL_FORMAT_NCL, ACL_FORMAT_NCDHW, ACL_FORMAT_NDHWC, ACL_FORMAT_NC};
    return std::find(std::begin(PLAIN), std::end(PLAIN), format) != std::end(PLAIN);
}

void CheckView(const ParamName &name, const TensorView &view, bool mayBeStrided, bool needsData, bool mayBeUnknown)
{
    if (!IsPlainFormat(view.format)) {
        name.Refuse(ACLNN_ERR_PARAM_INVALID, ": got format " + std::to_string(static_cast<int>(view.format)) +
                                                 ", allowed: ND and the plain formats");
    }
    const bool unknown = std::any_of(view.dims.begin(), view.dims.end(), [](int64_t dim) { return dim < 0; });
    if (unknown && !mayBeUnknown) {
        name.Refuse(ACLNN_ERR_PARAM_INVALID, ": got an unknown dimension, allowed: known shapes");
    }
    if (!unknown && !mayBeStrided && !view.IsContiguous()) {
        name.Refuse(ACLNN_ERR_PARAM_INVALID, ": got a strided view, allowed: a contiguous tensor");
    }
    if (needsData && view.data == nullptr && view.Elements() > 0) {
        name.Refuse(ACLNN_ERR_PARAM_NULLPTR, ": its data is nullptr");
    }
}

void BindTensor(Binding &binding, const void *argument, const ParamName &name)
{
    const auto *object = static_cast<const AclObject *>(argument);
    const bool isArray = object->kind != AclKind::TENSOR;
    if (isArray && !name.param.valueDepend) {
        name.Refuse(ACLNN_ERR_PARAM_INVALID, ": got an array, allowed: a tensor");
    }
    switch (object->kind) {
    case AclKind::TENSOR:
        binding.view = static_cast<const aclTensor *>(object)->view;
        return;
    case AclKind::INT_ARRAY:
        BindArray<aclIntArray>(binding, object, ACL_INT64);
        return;
    case AclKind::FLOAT_ARRAY:
        BindArray<aclFloatArray>(binding, object, ACL_FLOAT);
        return;
    case AclKind::BOOL_ARRAY:
        BindArray<aclBoolArray>(binding, object, ACL_BOOL);
        return;
    case AclKind::SCALAR:
        break;
    }
    name.Refuse(ACLNN_ERR_PARAM_INVALID, ": got a scalar, allowed: a tensor");
}

std::vector<Binding> BindParams(const OpSchema &schema, const std::vector<ParamSchema> &params, const char *direction,
                                const void *const *list, const CallArguments &arguments)
{
    std::vector<Binding> bindings(params.size());
    for (size_t i = 0; list != nullptr && i < params.size(); i++) {
        const ParamSchema &param = params[i];
        const ParamName name = {schema, direction, param};
        if (list[i] == nullptr) {
            if (param.IsRequired()) {
                name.Refuse(ACLNN_ERR_PARAM_NULLPTR, " is required and got nullptr");
            }
            continue;
        }
        BindTensor(bindings[i], list[i], name);
        CheckView(name, *bindings[i].view, param.autoContiguous, arguments.needsData || param.valueDepend,
                  arguments.unknownDims);
    }
    return bindings;
}

// The tensors present, each with its definition.
using PresentList = std::vector<std::pair<const ParamSchema *, ge::DataType>>;

void AddPresent(PresentList &present, const std::vector<ParamSchema> &params, const std::vector<Binding> &bindings)
{
    for (size_t i = 0; i < params.size(); i++) {
        if (bindings[i].Present()) {
            present.emplace_back(&params[i], static_cast<ge::DataType>(bindings[i].view->dataType));
        }
    }
}

[[noreturn]] void RefuseDataTypes(const OpSchema &schema, const PresentList &present)
{
    std::set<std::string> supported;
    for (size_t column = 0; column < schema.Columns(); column++) {
        std::string description;
        for (const auto &[param, dataType] : present) {
            description += " " + param->name + "=" + DataTypeName(param->dataTypes[column]);
        }
        supported.insert(description);
    }
    std::string text = "no such combination of dtypes: got";
    for (const auto &[param, dataType] : present) {
        text += " " + param->name + "=" + DataTypeName(dataType);
    }
    text += "; supported:";
    for (const std::string &description : supported) {
        text += "\n " + description;
    }
    Invalid(schema, text);
}

size_t MatchColumn(const OpSchema &schema, const PresentList &present)
{
    for (size_t column = 0; column < schema.Columns(); column++) {
        const auto fits = [column](const auto &each) { return each.first->dataTypes[column] == each.second; };
        if (std::all_of(present.begin(), present.end(), fits)) {
            return column;
        }
    }
    RefuseDataTypes(schema, present);
}

AttrValue ReadAttr(const OpSchema &schema, const AttrSchema &attr, const void *argument)
{
    if (argument == nullptr) {
        if (attr.required || !attr.hasDefault) {
            throw HostError(ACLNN_ERR_PARAM_NULLPTR,
                            schema.type + ": attribute " + attr.name + " is required and got nullptr");
        }
        return attr.value;
    }
    switch (KindOf(attr.value)) {
    case AttrKind::BOOL:
        return *static_cast<const bool *>(argument);
    case AttrKind::FLOAT: // aclnn passes double
        return static_cast<float>(*static_cast<const double *>(argument));
    case AttrKind::INT:
        return *static_cast<const int64_t *>(argument);
    case AttrKind::STRING:
        return std::string(static_cast<const char *>(argument));
    case AttrKind::LIST_BOOL:
        return static_cast<const aclBoolArray *>(argument)->values;
    case AttrKind::LIST_FLOAT:
        return static_cast<const aclFloatArray *>(argument)->values;
    case AttrKind::LIST_INT:
        return static_cast<const aclIntArray *>(argument)->values;
    }
    Invalid(schema, "attribute " + attr.name + " has no type");
}

bool HostReads(const OpSchema &schema, const OpImpl &impl, size_t irIndex)
{
    const auto &list = impl.dataDependencies;
    return schema.inputs[irIndex].valueDepend ||
           std::find(list.begin(), list.end(), static_cast<int32_t>(irIndex)) != list.end();
}

} // namespace

NodeTensor ToNodeTensor(const Binding &binding)
{
    NodeTensor tensor;
    for (const int64_t dim : binding.view->dims) {
        tensor.tensor.MutableOriginShape().AppendDim(dim);
        tensor.tensor.MutableStorageShape().AppendDim(dim);
    }
    tensor.SetDataType(static_cast<ge::DataType>(binding.view->dataType));
    return tensor;
}

void Call::Bind(const std::string &opType, const CallArguments &arguments)
{
    schema = FindSchema(opType);
    if (schema == nullptr) {
        throw HostError(ACLNN_ERR_INNER, opType + ": no definition of this operator is loaded");
    }
    inputs = BindParams(*schema, schema->inputs, "input", arguments.inputs, arguments);
    outputs = BindParams(*schema, schema->outputs, "output", arguments.outputs, arguments);
    PresentList present;
    present.reserve(inputs.size() + outputs.size());
    AddPresent(present, schema->inputs, inputs);
    AddPresent(present, schema->outputs, outputs);
    column = MatchColumn(*schema, present);

    LoadHostFunctions(opType);
    impl = FindImpl(opType);
    node.type = opType;
    node.platform = fe::PlatFormInfos(arguments.soc);
    node.instanceOf.reserve(inputs.size());
    node.inputs.reserve(present.size());
    for (size_t i = 0; i < inputs.size(); i++) {
        node.instanceOf.push_back(inputs[i].Present() ? static_cast<int>(node.inputs.size()) : -1);
        if (!inputs[i].Present()) {
            continue;
        }
        node.inputs.push_back(ToNodeTensor(inputs[i]));
        if (HostReads(*schema, impl, i)) {
            const ParamName name = {*schema, "input", schema->inputs[i], ", read by the host"};
            CheckView(name, *inputs[i].view, false, true, arguments.unknownDims);
            node.inputs.back().tensor.SetHostData(inputs[i].view->Begin());
        }
    }
    node.outputs.resize(outputs.size());
    node.attrs.Reserve(schema->attrs.size());
    for (size_t i = 0; i < schema->attrs.size(); i++) {
        node.attrs.Add(ReadAttr(*schema, schema->attrs[i], arguments.attrs[i]));
    }
}

} // namespace ascendc_cpu
