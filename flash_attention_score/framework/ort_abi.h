// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// The part of onnxruntime's C ABI that a custom operator needs, declared here so that no header of it is needed.
// The ABI is a table of function pointers whose order is frozen; entries are only ever appended.
#ifndef ORT_ABI_H
#define ORT_ABI_H
#include <cstddef>
#include <cstdint>

struct OrtStatus;
struct OrtSessionOptions;
struct OrtCustomOpDomain;
struct OrtKernelInfo;
struct OrtKernelContext;
struct OrtShapeInferContext;
struct OrtTensorTypeAndShapeInfo;
struct OrtValue;
struct OrtCustomOp;
struct OrtOpAttr;

struct OrtApiBase {
    const void *const *(*GetApi)(uint32_t version);
    const char *(*GetVersionString)();
};

struct OrtAllocator {
    uint32_t version;
    void *(*Alloc)(OrtAllocator *self, size_t size);
    void (*Free)(OrtAllocator *self, void *memory);
};

constexpr uint32_t ORT_API_VERSION = 18;       // onnxruntime 1.18 and newer
constexpr uint32_t ORT_CUSTOM_OP_VERSION = 17; // fields of OrtCustomOp below
constexpr int ORT_FAIL = 1;
constexpr int ORT_DEFAULT_MEMORY = 0;

enum OrtElementType {
    ORT_ANY = 0,
    ORT_FLOAT = 1,
    ORT_UINT8 = 2,
    ORT_INT64 = 7,
    ORT_BOOL = 9,
    ORT_FLOAT16 = 10,
    ORT_BFLOAT16 = 16
};
enum OrtCharacteristic { ORT_REQUIRED = 0, ORT_OPTIONAL = 1 };
enum OrtAttributeType { ORT_ATTRIBUTE_INT = 1, ORT_ATTRIBUTE_STRING = 5 };

struct OrtCustomOp {
    uint32_t version;
    void *(*CreateKernel)(const OrtCustomOp *, const void *const *api, const OrtKernelInfo *);
    const char *(*GetName)(const OrtCustomOp *);
    const char *(*GetExecutionProviderType)(const OrtCustomOp *);
    int (*GetInputType)(const OrtCustomOp *, size_t index);
    size_t (*GetInputTypeCount)(const OrtCustomOp *);
    int (*GetOutputType)(const OrtCustomOp *, size_t index);
    size_t (*GetOutputTypeCount)(const OrtCustomOp *);
    void (*KernelCompute)(void *kernel, OrtKernelContext *);
    void (*KernelDestroy)(void *kernel);
    int (*GetInputCharacteristic)(const OrtCustomOp *, size_t index);
    int (*GetOutputCharacteristic)(const OrtCustomOp *, size_t index);
    int (*GetInputMemoryType)(const OrtCustomOp *, size_t index);
    int (*GetVariadicInputMinArity)(const OrtCustomOp *);
    int (*GetVariadicInputHomogeneity)(const OrtCustomOp *);
    int (*GetVariadicOutputMinArity)(const OrtCustomOp *);
    int (*GetVariadicOutputHomogeneity)(const OrtCustomOp *);
    OrtStatus *(*CreateKernelV2)(const OrtCustomOp *, const void *const *api, const OrtKernelInfo *, void **kernel);
    OrtStatus *(*KernelComputeV2)(void *kernel, OrtKernelContext *);
    OrtStatus *(*InferOutputShapeFn)(const OrtCustomOp *, OrtShapeInferContext *);
    int (*GetStartVersion)(const OrtCustomOp *);
    int (*GetEndVersion)(const OrtCustomOp *);
    void *reserved[4]; // in-place and alias maps of version 18
};

namespace ort {

// Index of a function in the table, with its parameters.
template <typename... Parameters>
struct Slot {
    size_t index;
};

constexpr Slot<const char *, OrtCustomOpDomain **> CREATE_CUSTOM_OP_DOMAIN{26};
constexpr Slot<OrtCustomOpDomain *, const OrtCustomOp *> CUSTOM_OP_DOMAIN_ADD{27};
constexpr Slot<OrtSessionOptions *, const OrtCustomOpDomain *> ADD_CUSTOM_OP_DOMAIN{28};
constexpr Slot<const OrtValue *, void **> GET_TENSOR_MUTABLE_DATA{51};
constexpr Slot<OrtTensorTypeAndShapeInfo **> CREATE_TENSOR_TYPE_AND_SHAPE_INFO{57};
constexpr Slot<OrtTensorTypeAndShapeInfo *, int> SET_TENSOR_ELEMENT_TYPE{58};
constexpr Slot<OrtTensorTypeAndShapeInfo *, const int64_t *, size_t> SET_DIMENSIONS{59};
constexpr Slot<const OrtTensorTypeAndShapeInfo *, int *> GET_TENSOR_ELEMENT_TYPE{60};
constexpr Slot<const OrtTensorTypeAndShapeInfo *, size_t *> GET_DIMENSIONS_COUNT{61};
constexpr Slot<const OrtTensorTypeAndShapeInfo *, int64_t *, size_t> GET_DIMENSIONS{62};
constexpr Slot<const OrtTensorTypeAndShapeInfo *, const char **, size_t> GET_SYMBOLIC_DIMENSIONS{63};
constexpr Slot<const OrtValue *, OrtTensorTypeAndShapeInfo **> GET_TENSOR_TYPE_AND_SHAPE{65};
constexpr Slot<const OrtKernelInfo *, const char *, float *> KERNEL_INFO_GET_FLOAT{85};
constexpr Slot<const OrtKernelInfo *, const char *, int64_t *> KERNEL_INFO_GET_INT64{86};
constexpr Slot<const OrtKernelInfo *, const char *, char *, size_t *> KERNEL_INFO_GET_STRING{87};
constexpr Slot<const OrtKernelContext *, size_t *> KERNEL_CONTEXT_GET_INPUT_COUNT{88};
constexpr Slot<const OrtKernelContext *, size_t, const OrtValue **> KERNEL_CONTEXT_GET_INPUT{90};
constexpr Slot<OrtKernelContext *, size_t, const int64_t *, size_t, OrtValue **> KERNEL_CONTEXT_GET_OUTPUT{91};
constexpr Slot<OrtStatus *> RELEASE_STATUS{93};
constexpr Slot<OrtTensorTypeAndShapeInfo *> RELEASE_TENSOR_TYPE_AND_SHAPE_INFO{99};
constexpr Slot<OrtAllocator *> RELEASE_ALLOCATOR{132};
constexpr Slot<const OrtShapeInferContext *, size_t, OrtTensorTypeAndShapeInfo **> INFER_GET_INPUT{268};
constexpr Slot<const OrtShapeInferContext *, const char *, const OrtOpAttr **> INFER_GET_ATTRIBUTE{269};
constexpr Slot<const OrtShapeInferContext *, size_t, const OrtTensorTypeAndShapeInfo *> INFER_SET_OUTPUT{270};
constexpr Slot<OrtTensorTypeAndShapeInfo *, const char **, size_t> SET_SYMBOLIC_DIMENSIONS{271};
constexpr Slot<const OrtOpAttr *, int, void *, size_t, size_t *> READ_OP_ATTRIBUTE{272};
constexpr Slot<const OrtKernelContext *, void (*)(void *, size_t), size_t, size_t, void *> KERNEL_CONTEXT_PARALLEL_FOR{
    274};
constexpr Slot<const OrtKernelInfo *, int, OrtAllocator **> KERNEL_INFO_GET_ALLOCATOR{278};

// A status that a function of the table returned; whoever catches it owns it.
struct Failure {
    OrtStatus *status;
};

template <typename Type>
struct Exactly {
    using type = Type;
};

class Api {
public:
    static void Set(const void *const *functions)
    {
        table = functions;
    }
    // nullptr on success.
    template <typename... Parameters>
    static OrtStatus *Try(Slot<Parameters...> slot, typename Exactly<Parameters>::type... arguments)
    {
        return Function<OrtStatus *(Parameters...)>(slot.index)(arguments...);
    }
    template <typename... Parameters>
    static void Call(Slot<Parameters...> slot, typename Exactly<Parameters>::type... arguments)
    {
        if (OrtStatus *status = Try(slot, arguments...)) {
            throw Failure{status};
        }
    }
    template <typename Object>
    static void Release(Slot<Object *> slot, Object *object)
    {
        Function<void(Object *)>(slot.index)(object);
    }
    static OrtStatus *MakeStatus(const char *text)
    {
        return Function<OrtStatus *(int, const char *)>(0)(ORT_FAIL, text);
    }

private:
    template <typename Signature>
    static Signature *Function(size_t index)
    {
        return reinterpret_cast<Signature *>(const_cast<void *>(table[index]));
    }
    static inline const void *const *table = nullptr;
};

} // namespace ort
#endif
