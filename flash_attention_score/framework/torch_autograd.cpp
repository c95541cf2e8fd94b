// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// flash_attention_score_grad as the derivative of flash_attention_score, for any device. Saved are the tensors of the
// call and the forward's three results: nothing of size S1 x S2 that the caller has not made.
#include <optional>
#include <vector>
#include <ATen/FuncTorchTLS.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

namespace {
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using torch::jit::Stack;

constexpr size_t INPUTS = 3;                            // query, key, value
constexpr size_t SAVED = INPUTS + 3;                    // and attention_out, softmax_max, softmax_sum
constexpr size_t GRADIENTS = 7;                         // dq, dk, dv, dpse, dq_rope, dk_rope, dsink
constexpr size_t PSE_EDGE = INPUTS;                     // of the graph; tensors that are not given have none
constexpr uint64_t FORWARD_LEVEL = 0;                   // the only one that torch has
constexpr const char *OPTIONS = "options";              // the arguments after the tensors
constexpr const char *GIVEN = "given";                  // whether an input is there, in the order of gradients
constexpr const char *TENSOR_OPTIONS = "tensorOptions"; // positions of tensors among them

// Whether a transform of torch.func is active, under which autograd::Function does not work.
bool IsInsideTransform()
{
    const auto &transforms = at::functorch::functorchTLSAccessor(); // null before the first one
    try {
        if (transforms != nullptr) {
            transforms->checkSupportsCppAutogradFunction();
        }
    } catch (const c10::Error &) {
        return true;
    }
    return false;
}

// One call on its way through the dispatcher.
struct BoxedCall {
    const c10::OperatorHandle &op;
    c10::DispatchKeySet keys;
    Stack *stack;

    at::ArrayRef<c10::IValue> Arguments() const
    {
        return torch::jit::last(*stack, op.schema().arguments().size());
    }
    at::Tensor Tensor(size_t index) const
    {
        return Arguments()[index].toTensor();
    }
    const c10::IValue &Named(const char *name) const
    {
        return Arguments()[static_cast<size_t>(op.schema().argumentIndexWithName(name).value())];
    }
    std::optional<at::Tensor> OptionalTensor(const char *name) const
    {
        return Named(name).toOptional<at::Tensor>();
    }
    variable_list Tensors() const
    {
        variable_list tensors;
        for (const c10::IValue &argument : Arguments()) {
            if (argument.isTensor()) {
                tensors.push_back(argument.toTensor());
            }
        }
        return tensors;
    }
    bool NeedsGradient() const
    {
        bool needed = false;
        for (const c10::IValue &argument : Arguments()) {
            if (argument.isTensor()) {
                const at::Tensor &tensor = argument.toTensor();
                TORCH_CHECK_NOT_IMPLEMENTED(!tensor._fw_grad(FORWARD_LEVEL).defined(), op.schema().name(),
                                            " has no forward-mode derivative (jvp); use backward()");
                needed |= tensor.requires_grad();
            }
        }
        needed = needed && at::GradMode::is_enabled();
        TORCH_CHECK_NOT_IMPLEMENTED(!needed || !IsInsideTransform(), op.schema().name(),
                                    " cannot be differentiated by torch.func (grad, vjp, jacrev); use "
                                    "torch.autograd.grad or backward()");
        return needed;
    }
    // Replaces the arguments by the results, which are tensors.
    variable_list Run() const
    {
        at::AutoDispatchBelowADInplaceOrView guard;
        op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
        variable_list results;
        for (const c10::IValue &result : torch::jit::last(*stack, op.schema().returns().size())) {
            results.push_back(result.toTensor());
        }
        torch::jit::drop(*stack, results.size());
        return results;
    }
};

class FlashAttention : public torch::autograd::Function<FlashAttention> {
public:
    // Tensors before the call are there for their edges of the graph.
    static variable_list forward(AutogradContext *context, const at::Tensor &query, const at::Tensor &key,
                                 const at::Tensor &value, const std::optional<at::Tensor> &pse,
                                 const std::optional<at::Tensor> &queryRope, const std::optional<at::Tensor> &keyRope,
                                 const std::optional<at::Tensor> &sink, const BoxedCall &call)
    {
        variable_list saved = {query, key, value};
        c10::impl::GenericList options(c10::AnyType::get());
        std::vector<int64_t> tensorOptions;
        variable_list tensors;
        for (const c10::IValue &option : call.Arguments().slice(INPUTS)) {
            if (option.isTensor()) {
                tensorOptions.push_back(static_cast<int64_t>(options.size()));
                tensors.push_back(option.toTensor());
            }
            options.push_back(option.isTensor() ? c10::IValue() : option);
        }
        variable_list results = call.Run();
        saved.insert(saved.end(), results.begin(), results.end());
        saved.insert(saved.end(), tensors.begin(), tensors.end());
        context->save_for_backward(std::move(saved));
        context->saved_data[OPTIONS] = std::move(options);
        context->saved_data[TENSOR_OPTIONS] = std::move(tensorOptions);
        context->saved_data[GIVEN] = std::vector<int64_t>{
            1, 1, 1, pse.has_value(), queryRope.has_value(), keyRope.has_value(), sink.has_value()};
        context->mark_non_differentiable({results[1], results[2]});
        context->set_materialize_grads(false);
        return results;
    }

    static variable_list backward(AutogradContext *context, variable_list gradients)
    {
        const at::Tensor &dy = gradients[0];
        if (!dy.defined()) {
            return variable_list(GRADIENTS + 1);
        }
        const variable_list saved = context->get_saved_variables();
        c10::impl::GenericList options = context->saved_data[OPTIONS].toList().copy();
        const std::vector<int64_t> tensorOptions = context->saved_data[TENSOR_OPTIONS].toIntVector();
        for (size_t i = 0; i < tensorOptions.size(); i++) {
            options[static_cast<size_t>(tensorOptions[i])] = saved[SAVED + i];
        }
        Stack stack = {saved[0], saved[1], saved[2], dy, saved[3], saved[4], saved[5]};
        stack.insert(stack.end(), options.begin(), options.end());
        std::vector<int64_t> wanted = context->saved_data[GIVEN].toIntVector();
        wanted[PSE_EDGE] = wanted[PSE_EDGE] != 0 && context->needs_input_grad(PSE_EDGE);
        stack.emplace_back(wanted[PSE_EDGE] != 0);
        static const c10::OperatorHandle gradient =
            c10::Dispatcher::singleton().findSchemaOrThrow("ascend_flash_attention::flash_attention_score_grad", "");
        gradient.callBoxed(&stack);
        variable_list results(GRADIENTS + 1); // and none of the call
        for (size_t i = 0; i < GRADIENTS; i++) {
            results[i] = wanted[i] != 0 ? stack[i].toTensor() : at::Tensor();
        }
        return results;
    }
};

// The gradient's results keep that they depend on its inputs, so that a second derivative fails instead of being 0.
class FlashAttentionGradient : public torch::autograd::Function<FlashAttentionGradient> {
public:
    static variable_list forward(AutogradContext *, at::TensorList, const BoxedCall &call)
    {
        return call.Run();
    }

    static variable_list backward(AutogradContext *, const variable_list &)
    {
        TORCH_CHECK_NOT_IMPLEMENTED(false, "flash_attention_score_grad has no derivative: differentiating twice "
                                           "through flash attention is not supported");
    }
};

void Push(Stack *stack, const variable_list &results)
{
    stack->insert(stack->end(), results.begin(), results.end());
}

void DifferentiateForward(const c10::OperatorHandle &op, c10::DispatchKeySet keys, Stack *stack)
{
    const BoxedCall call = {op, keys, stack};
    if (call.NeedsGradient()) {
        Push(stack, FlashAttention::apply(call.Tensor(0), call.Tensor(1), call.Tensor(2), call.OptionalTensor("pse"),
                                          call.OptionalTensor("query_rope"), call.OptionalTensor("key_rope"),
                                          call.OptionalTensor("sink"), call));
    } else {
        op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
    }
}

void DifferentiateGradient(const c10::OperatorHandle &op, c10::DispatchKeySet keys, Stack *stack)
{
    const BoxedCall call = {op, keys, stack};
    if (call.NeedsGradient()) {
        const variable_list tensors = call.Tensors();
        Push(stack, FlashAttentionGradient::apply(at::TensorList(tensors), call));
    } else {
        op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
    }
}
} // namespace

TORCH_LIBRARY_IMPL(ascend_flash_attention, Autograd, library)
{
    library.impl("flash_attention_score", torch::CppFunction::makeFromBoxedFunction<&DifferentiateForward>());
    library.impl("flash_attention_score_grad", torch::CppFunction::makeFromBoxedFunction<&DifferentiateGradient>());
}
