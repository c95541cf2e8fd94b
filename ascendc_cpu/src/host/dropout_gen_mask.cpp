// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include <algorithm>
#include <atomic>
#include <memory>
#include "../acl/acl_object.h"
#include "../core/isa_select.h"
#include "../core/launch.h"
#include "../core/thread_pool.h"
#include "ascendc_cpu/aclnn_runtime.h"
#include "ascendc_cpu/isa_table.h"
#include "executor.h"
#include "status.h"

using namespace ascendc_cpu;

namespace {
constexpr int64_t BLOCK_BYTES = KEEP_BITS_BLOCK / 8;
constexpr int64_t BLOCKS_AT_ONCE = 4096; // 64 KiB, that a thread takes
const char *const NAME = "aclnnDropoutGenMaskV2";

struct DropoutMaskExecutor : aclOpExecutor {
    KeepBits bits;
    std::shared_ptr<const TensorView> out;

    void Run(void *workspace, uint64_t workspaceSize) override;
};

void DropoutMaskExecutor::Run(void *, uint64_t)
{
    const int64_t blocks = out->Elements() / BLOCK_BYTES;
    const int64_t parts = (blocks + BLOCKS_AT_ONCE - 1) / BLOCKS_AT_ONCE;
    const int threads = ThreadsOfCall() > 0 ? ThreadsOfCall() : DefaultThreads();
    (void)SelectIsa();
    std::atomic<int64_t> next(0);
    RunOnThreads(static_cast<int>(std::min<int64_t>(threads, parts)), [&] {
        for (int64_t part = next++; part < parts; part = next++) {
            g_isa->fillKeepBits(bits, part * BLOCKS_AT_ONCE, std::min((part + 1) * BLOCKS_AT_ONCE, blocks),
                                out->Begin());
        }
    });
}

[[noreturn]] void Refuse(int status, const std::string &text)
{
    throw HostError(status, std::string(NAME) + ": " + text);
}

void Require(const void *pointer, const char *name)
{
    if (pointer == nullptr) {
        Refuse(ACLNN_ERR_PARAM_NULLPTR, std::string(name) + " is required, got nullptr");
    }
}

// Bytes of `out`. A count that no memory holds is refused before it overflows.
int64_t BytesOf(const std::vector<int64_t> &shape)
{
    int64_t elements = 1;
    for (const int64_t dim : shape) {
        if (dim < 0 || (dim > 0 && elements > (INT64_MAX - KEEP_BITS_BLOCK) / dim)) {
            Refuse(ACLNN_ERR_PARAM_INVALID, "shape: got " + std::to_string(dim) +
                                                ", allowed: sizes that are not negative and fewer than 2^63 elements");
        }
        elements *= dim;
    }
    return (elements + KEEP_BITS_BLOCK - 1) / KEEP_BITS_BLOCK * BLOCK_BYTES;
}

void CheckOut(const TensorView &out, int64_t bytes)
{
    if (out.dataType != ACL_UINT8 || out.Elements() != bytes || !out.IsContiguous()) {
        Refuse(ACLNN_ERR_PARAM_INVALID,
               "out must be contiguous ACL_UINT8 with a bit for each element, rounded up to 128: " +
                   std::to_string(bytes) + " bytes, got data type " + std::to_string(static_cast<int>(out.dataType)) +
                   " and " + std::to_string(out.Elements()) + " elements");
    }
    if (bytes > 0 && out.data == nullptr) {
        Refuse(ACLNN_ERR_PARAM_NULLPTR, "the data of out is nullptr");
    }
}

} // namespace

extern "C" {

aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(const aclIntArray *shape, double prob, int64_t seed, int64_t offset,
                                                  aclDataType probDataType, aclTensor *out, uint64_t *workspaceSize,
                                                  aclOpExecutor **executor)
{
    return Guarded(ACLNN_ERR_INNER, [&] {
        Require(shape, "shape");
        Require(out, "out");
        Require(workspaceSize, "workspaceSize");
        Require(executor, "executor");
        if (!(prob >= 0.0 && prob <= 1.0)) {
            Refuse(ACLNN_ERR_PARAM_INVALID, "prob: got " + std::to_string(prob) + ", allowed: 0 to 1");
        }
        if (probDataType != ACL_FLOAT && probDataType != ACL_FLOAT16 && probDataType != ACL_BF16) {
            Refuse(ACLNN_ERR_PARAM_INVALID, "probDataType: got " + std::to_string(static_cast<int>(probDataType)) +
                                                ", allowed: ACL_FLOAT, ACL_FLOAT16, ACL_BF16");
        }
        CheckOut(*out->view, BytesOf(shape->values));
        auto planned = std::make_unique<DropoutMaskExecutor>();
        planned->bits = {prob, static_cast<uint64_t>(seed), static_cast<uint64_t>(offset)};
        planned->out = out->view;
        *workspaceSize = 0;
        *executor = planned.release();
    });
}

aclnnStatus aclnnDropoutGenMaskV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return AscendcCpuRun(workspace, workspaceSize, executor, stream);
}
}
