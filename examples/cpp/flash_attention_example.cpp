// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Causal attention through aclnnFlashAttentionScore, from device memory to a checked result.
//
//   flash_attention_example [B N1 N2 S D]     batch, query heads, key heads (N1 a multiple), length, head dim
//
// The same source runs on an NPU and on a CPU; only the libraries differ. Exit code: 0 when the result is right.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>
#include "acl/acl.h"
#include "aclnnop/aclnn_flash_attention_score.h"

namespace {
constexpr int64_t COMPRESSED_MASK = 2048; // side of the mask that the causal modes take, whatever the lengths
constexpr int64_t LEFT_UP_CAUSAL = 2;     // sparse mode: query i sees keys 0..i
constexpr int64_t STATISTICS = 8;         // equal copies of a row's maximum and sum
constexpr int64_t UNLIMITED = 2147483647;
constexpr double TOLERANCE = 1e-5; // of float32 results of size 1; rounding is a few 1e-6
constexpr int RUNS = 5;

// Every ACL and aclnn function returns 0 or an error code; the text of the last error is kept for the thread.
void Check(int status, const char *call)
{
    if (status != 0) {
        const char *text = aclGetRecentErrMsg();
        throw std::runtime_error(std::string(call) + " returned " + std::to_string(status) +
                                 (text != nullptr ? std::string(": ") + text : ""));
    }
}

struct Sizes {
    int64_t b = 2, n1 = 4, n2 = 2, s = 300, d = 64;
};

// Runtime, device and stream, for as long as the program works.
class Session {
public:
    Session()
    {
        Check(aclInit(nullptr), "aclInit");
        Check(aclrtSetDevice(0), "aclrtSetDevice");
        Check(aclrtCreateStream(&stream), "aclrtCreateStream");
    }
    ~Session()
    {
        (void)aclrtDestroyStream(stream);
        (void)aclrtResetDevice(0);
        (void)aclFinalize();
    }
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    aclrtStream stream = nullptr;
};

using DeviceMemory = std::unique_ptr<void, aclError (*)(void *)>;

DeviceMemory Allocate(size_t bytes)
{
    void *address = nullptr;
    if (bytes > 0) {
        Check(aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    }
    return DeviceMemory(address, aclrtFree);
}

// A dense tensor on the device, with the description that aclnn functions take.
template <typename T>
class Tensor {
public:
    Tensor(const std::vector<int64_t> &shape, aclDataType type)
        : elements(std::accumulate(shape.begin(), shape.end(), size_t(1), std::multiplies<size_t>())),
          memory(Allocate(elements * sizeof(T))),
          description(aclCreateTensor(shape.data(), shape.size(), type, nullptr, 0, ACL_FORMAT_ND, shape.data(),
                                      shape.size(), memory.get()),
                      aclDestroyTensor)
    {
        Check(description == nullptr, "aclCreateTensor");
    }
    void Upload(const std::vector<T> &values)
    {
        const size_t bytes = elements * sizeof(T);
        Check(aclrtMemcpy(memory.get(), bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    }
    std::vector<T> Download() const
    {
        std::vector<T> values(elements);
        const size_t bytes = elements * sizeof(T);
        Check(aclrtMemcpy(values.data(), bytes, memory.get(), bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
        return values;
    }
    const aclTensor *Get() const
    {
        return description.get();
    }

private:
    size_t elements;
    DeviceMemory memory;
    std::unique_ptr<aclTensor, aclnnStatus (*)(const aclTensor *)> description;
};

std::vector<float> Random(int64_t count, uint32_t seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(count));
    std::generate(values.begin(), values.end(), [&] { return normal(generator); });
    return values;
}

std::vector<uint8_t> CausalMask()
{
    std::vector<uint8_t> mask(COMPRESSED_MASK * COMPRESSED_MASK);
    for (int64_t i = 0; i < COMPRESSED_MASK; i++) {
        for (int64_t j = i + 1; j < COMPRESSED_MASK; j++) {
            mask[i * COMPRESSED_MASK + j] = 1; // 1: hidden
        }
    }
    return mask;
}

// The first phase plans the call and says how much workspace it needs, the second one runs it. Returns the seconds of a
// run. An executor serves one run unless it is made repeatable; then whoever made it so destroys it.
double Attend(const Sizes &size, Session &session, const aclTensor *query, const aclTensor *key, const aclTensor *value,
              const aclTensor *mask, const aclTensor *rowMax, const aclTensor *rowSum, const aclTensor *out)
{
    char layout[] = "BNSD";
    uint64_t workspaceSize = 0;
    aclOpExecutor *executor = nullptr;
    Check(aclnnFlashAttentionScoreGetWorkspaceSize(query, key, value, nullptr, nullptr, nullptr, mask, nullptr,
                                                   1.0 / std::sqrt(static_cast<double>(size.d)), 1.0, UNLIMITED,
                                                   UNLIMITED, size.n1, layout, 0, LEFT_UP_CAUSAL, rowMax, rowSum,
                                                   nullptr, out, &workspaceSize, &executor),
          "aclnnFlashAttentionScoreGetWorkspaceSize");
    Check(aclSetAclOpExecutorRepeatable(executor), "aclSetAclOpExecutorRepeatable");
    const DeviceMemory workspace = Allocate(workspaceSize);
    std::chrono::steady_clock::time_point begin;
    for (int i = -1; i < RUNS; i++) { // run -1 warms up
        if (i == 0) {
            Check(aclrtSynchronizeStream(session.stream), "aclrtSynchronizeStream");
            begin = std::chrono::steady_clock::now();
        }
        Check(aclnnFlashAttentionScore(workspace.get(), workspaceSize, executor, session.stream),
              "aclnnFlashAttentionScore");
    }
    Check(aclrtSynchronizeStream(session.stream), "aclrtSynchronizeStream");
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    Check(aclDestroyAclOpExecutor(executor), "aclDestroyAclOpExecutor");
    return elapsed.count() / RUNS;
}

// A NaN is larger than anything.
double Larger(double a, double b)
{
    return std::isnan(a) || b <= a ? a : b;
}

// Causal attention of one head by plain loops; returns the largest difference from `out`. All [S, D].
double LargestError(const Sizes &size, const float *query, const float *key, const float *value, const float *out)
{
    double worst = 0;
    std::vector<double> weights(static_cast<size_t>(size.s));
    for (int64_t i = 0; i < size.s; i++) {
        double sum = 0;
        for (int64_t j = 0; j <= i; j++) { // scores of this example are small: no maximum has to be subtracted
            double score = 0;
            for (int64_t c = 0; c < size.d; c++) {
                score += static_cast<double>(query[i * size.d + c]) * key[j * size.d + c];
            }
            weights[j] = std::exp(score / std::sqrt(static_cast<double>(size.d)));
            sum += weights[j];
        }
        for (int64_t c = 0; c < size.d; c++) {
            double expected = 0;
            for (int64_t j = 0; j <= i; j++) {
                expected += weights[j] / sum * value[j * size.d + c];
            }
            worst = Larger(worst, std::fabs(expected - out[i * size.d + c]));
        }
    }
    return worst;
}

int Run(const Sizes &size)
{
    Session session;
    const int64_t headElements = size.s * size.d;
    const std::vector<float> q = Random(size.b * size.n1 * headElements, 1);
    const std::vector<float> k = Random(size.b * size.n2 * headElements, 2);
    const std::vector<float> v = Random(size.b * size.n2 * headElements, 3);

    Tensor<float> query({size.b, size.n1, size.s, size.d}, ACL_FLOAT);
    Tensor<float> key({size.b, size.n2, size.s, size.d}, ACL_FLOAT);
    Tensor<float> value({size.b, size.n2, size.s, size.d}, ACL_FLOAT);
    Tensor<uint8_t> mask({COMPRESSED_MASK, COMPRESSED_MASK}, ACL_BOOL);
    Tensor<float> rowMax({size.b, size.n1, size.s, STATISTICS}, ACL_FLOAT);
    Tensor<float> rowSum({size.b, size.n1, size.s, STATISTICS}, ACL_FLOAT);
    Tensor<float> out({size.b, size.n1, size.s, size.d}, ACL_FLOAT);
    query.Upload(q);
    key.Upload(k);
    value.Upload(v);
    mask.Upload(CausalMask());
    const double seconds =
        Attend(size, session, query.Get(), key.Get(), value.Get(), mask.Get(), rowMax.Get(), rowSum.Get(), out.Get());

    const std::vector<float> result = out.Download();
    double worst = 0;
    for (int64_t head = 0; head < size.b * size.n1; head++) {
        const int64_t keyHead = head / size.n1 * size.n2 + head % size.n1 / (size.n1 / size.n2);
        const int64_t keyAt = keyHead * headElements;
        const int64_t at = head * headElements;
        worst = Larger(worst, LargestError(size, &q[at], &k[keyAt], &v[keyAt], &result[at]));
    }
    const bool right = worst <= TOLERANCE;
    printf("causal attention: %.3f ms, largest error %.2e: %s\n", seconds * 1e3, worst, right ? "ok" : "WRONG");
    return right ? 0 : 1;
}
} // namespace

int main(int argc, char **argv)
{
    Sizes size;
    int64_t *const fields[] = {&size.b, &size.n1, &size.n2, &size.s, &size.d};
    bool usable = argc == 1 || argc == 6;
    for (int i = 1; usable && i < argc; i++) {
        usable = (*fields[i - 1] = std::atoll(argv[i])) > 0;
    }
    if (!usable) {
        fprintf(stderr, "usage: %s [B N1 N2 S D], each at least 1\n", argv[0]);
        return 2;
    }
    try {
        return Run(size);
    } catch (const std::exception &error) {
        fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
