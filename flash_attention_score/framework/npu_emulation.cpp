// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Torch's own operators on tensors of torch_npu when the NPU is an emulation, whose memory is the host's. Loaded only
// then: each kernel that torch_npu has registered for aten would look for an operator of CANN, of which there is none.
// Each is replaced by the CPU's kernel, on CPU tensors that share the memory of the arguments.
#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

namespace {
using c10::IValue;
using torch::jit::Stack;

constexpr c10::DeviceType NPU = c10::DeviceType::PrivateUse1;

// torch_npu's own: memory, views, and the attention that this package serves.
const std::set<std::string> KEPT = {"empty",       "empty_strided", "set_",          "resize_",
                                    "resize_as_",  "as_strided_",   "record_stream", "is_pinned",
                                    "_pin_memory", "pin_memory",    "_lazy_clone",   "scaled_dot_product_attention"};
// Not what torch has for every device, which asks the device.
const std::set<std::string> ON_HOST = {"aten::copy_", "aten::convolution", "aten::convolution_backward"};

// Calls of torch_npu may still be in its queue.
void WaitForNpu()
{
    const c10::impl::VirtualGuardImpl guard(NPU);
    guard.synchronizeDevice(guard.getDevice().index());
}

bool IsNpu(const at::Tensor &tensor)
{
    return tensor.defined() && tensor.device().type() == NPU;
}

// A CPU tensor in the same memory.
at::Tensor OnHost(const at::Tensor &tensor)
{
    if (!IsNpu(tensor)) {
        return tensor;
    }
    at::Tensor host = at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(),
                                    tensor.options().device(at::kCPU).requires_grad(false));
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
        host.unsafeGetTensorImpl()->set_wrapped_number(true);
    }
    return host;
}

at::Tensor OnNpu(const at::Tensor &host)
{
    if (!host.defined() || IsNpu(host)) {
        return host;
    }
    TORCH_CHECK_NOT_IMPLEMENTED(host.layout() == at::kStrided, "the emulated NPU has no tensors of layout ",
                                host.layout());
    at::Tensor tensor = at::empty_strided(host.sizes(), host.strides(), host.options().device(c10::Device(NPU, 0)));
    OnHost(tensor).copy_(host);
    return tensor;
}

// `value` with each tensor in it converted.
template <typename Convert>
IValue ConvertTensors(const IValue &value, const Convert &convert)
{
    if (value.isTensor()) {
        return convert(value.toTensor());
    }
    if (value.isTensorList()) {
        c10::List<at::Tensor> list;
        for (const at::Tensor &each : value.toTensorVector()) {
            list.push_back(convert(each));
        }
        return list;
    }
    if (value.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> list;
        for (const std::optional<at::Tensor> &each : value.toOptionalTensorVector()) {
            list.push_back(each.has_value() ? std::optional<at::Tensor>(convert(*each)) : std::nullopt);
        }
        return list;
    }
    return value;
}

bool IsOutput(const c10::Argument &argument)
{
    return argument.kwarg_only() && argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

IValue ArgumentOnHost(const c10::Argument &argument, const IValue &value)
{
    if (value.isDevice()) {
        return c10::Device(at::kCPU);
    }
    TORCH_CHECK_NOT_IMPLEMENTED(!value.isGenerator() || value.toGenerator().device().is_cpu(),
                                "the emulated NPU draws its random numbers from the CPU's generator: pass none");
    // The operator may give an output another size, which memory of others cannot take.
    const bool output = IsOutput(argument) && value.isTensor();
    return ConvertTensors(value, [output](const at::Tensor &tensor) {
        return output && IsNpu(tensor) ? OnHost(tensor).clone() : OnHost(tensor);
    });
}

// What an output argument has become.
void StoreOutput(const at::Tensor &target, const at::Tensor &host)
{
    if (!IsNpu(target)) {
        return;
    }
    if (target.sizes() != host.sizes()) {
        target.resize_(host.sizes());
    }
    OnHost(target).copy_(host);
}

// Position of the argument that a result is, -1 for a new tensor.
int64_t ArgumentOfResult(const c10::FunctionSchema &schema, const c10::Argument &result)
{
    const auto *alias = result.alias_info();
    for (size_t i = 0; alias != nullptr && i < schema.arguments().size(); i++) {
        const auto *other = schema.arguments()[i].alias_info();
        if (other != nullptr && other->beforeSets() == alias->beforeSets()) {
            return static_cast<int64_t>(i);
        }
    }
    return -1;
}

void RunOnHost(const c10::OperatorHandle &op, Stack *stack)
{
    WaitForNpu();
    const c10::FunctionSchema &schema = op.schema();
    const size_t count = schema.arguments().size();
    const std::vector<IValue> given(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end());
    torch::jit::drop(*stack, count);
    Stack host;
    for (size_t i = 0; i < count; i++) {
        host.push_back(ArgumentOnHost(schema.arguments()[i], given[i]));
    }
    const Stack arguments = host;
    {
        const at::AutoDispatchBelowAutograd guard;
        op.callBoxed(&host);
    }
    for (size_t i = 0; i < count; i++) {
        if (IsOutput(schema.arguments()[i]) && given[i].isTensor()) {
            StoreOutput(given[i].toTensor(), arguments[i].toTensor());
        }
    }
    for (size_t i = 0; i < host.size(); i++) {
        const int64_t argument = ArgumentOfResult(schema, schema.returns()[i]);
        stack->push_back(argument >= 0 ? given[static_cast<size_t>(argument)] : ConvertTensors(host[i], OnNpu));
    }
}

// Kernels for every device, in the order of preference.
constexpr c10::DispatchKey GENERIC[] = {c10::DispatchKey::CompositeExplicitAutograd,
                                        c10::DispatchKey::CompositeExplicitAutogradNonFunctional,
                                        c10::DispatchKey::CompositeImplicitAutograd};
constexpr c10::DispatchKey GENERIC_AUTOGRAD[] = {c10::DispatchKey::CompositeImplicitAutograd,
                                                 c10::DispatchKey::Autograd};

template <size_t COUNT>
bool HasOneOf(const c10::OperatorHandle &op, const c10::DispatchKey (&keys)[COUNT])
{
    return std::any_of(keys, keys + COUNT, [&](c10::DispatchKey key) { return op.hasKernelForDispatchKey(key); });
}

// Torch's own kernel for every device, on the arguments as they are.
template <const auto &KEYS>
void RunGenericKernel(const c10::OperatorHandle &op, Stack *stack)
{
    for (const c10::DispatchKey key : KEYS) {
        if (op.hasKernelForDispatchKey(key)) {
            op.callBoxedForDispatchKey(key, *stack);
            return;
        }
    }
}

bool IsView(const c10::FunctionSchema &schema)
{
    return std::any_of(schema.returns().begin(), schema.returns().end(), [](const c10::Argument &result) {
        return result.alias_info() != nullptr && !result.alias_info()->isWrite();
    });
}

// Operators of aten that have a kernel of their own under `key`.
std::vector<c10::OperatorHandle> OperatorsWith(c10::DispatchKey key)
{
    std::vector<c10::OperatorHandle> operators;
    for (const c10::OperatorName &name : c10::Dispatcher::singleton().getAllOpNames()) {
        const auto op = c10::Dispatcher::singleton().findOp(name);
        if (name.getNamespace() == "aten" && KEPT.count(name.name.substr(strlen("aten::"))) == 0 && op.has_value() &&
            op->hasSchema() && op->hasKernelForDispatchKey(key)) {
            operators.push_back(*op);
        }
    }
    return operators;
}

std::string FullName(const c10::OperatorHandle &op)
{
    const c10::OperatorName &name = op.operator_name();
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

// For the results of a fallback to the CPU.
at::Tensor CopyFromAndResize(const at::Tensor &self, const at::Tensor &destination)
{
    destination.resize_(self.sizes());
    return destination.copy_(self);
}

// That kernels are replaced is the purpose here.
class NoWarnings : public c10::WarningHandler {
    void process(const c10::Warning &) override
    {
    }
};

template <c10::DispatchKey KEY, typename Choose>
void ReplaceKernels(torch::Library &library, const Choose &choose)
{
    NoWarnings handler;
    const c10::WarningUtils::WarningHandlerGuard guard(&handler);
    for (const c10::OperatorHandle &op : OperatorsWith(KEY)) {
        std::optional<torch::CppFunction> kernel = choose(op);
        if (kernel.has_value()) {
            library.impl(FullName(op).c_str(), std::move(*kernel));
        }
    }
}

} // namespace

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library)
{
    ReplaceKernels<c10::DispatchKey::PrivateUse1>(
        library, [](const c10::OperatorHandle &op) -> std::optional<torch::CppFunction> {
            const std::string name = FullName(op);
            if (name == "aten::_copy_from_and_resize") {
                return torch::CppFunction(CopyFromAndResize);
            }
            const bool onHost = ON_HOST.count(name) > 0 || op.hasKernelForDispatchKey(c10::DispatchKey::CPU);
            if (!onHost && HasOneOf(op, GENERIC)) {
                return torch::CppFunction::makeFromBoxedFunction<&RunGenericKernel<GENERIC>>();
            }
            if (!onHost || IsView(op.schema())) {
                return std::nullopt;
            }
            return torch::CppFunction::makeFromBoxedFunction<&RunOnHost>();
        });
}

TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, library)
{
    ReplaceKernels<c10::DispatchKey::AutogradPrivateUse1>(
        library, [](const c10::OperatorHandle &op) -> std::optional<torch::CppFunction> {
            if (!HasOneOf(op, GENERIC_AUTOGRAD)) {
                return std::nullopt;
            }
            return torch::CppFunction::makeFromBoxedFunction<&RunGenericKernel<GENERIC_AUTOGRAD>>();
        });
}
