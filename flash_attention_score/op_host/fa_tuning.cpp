// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "fa_tuning.h"
#include <cinttypes>
#include <cstdlib>
#include "fa_reject.h"

namespace {
struct TuningNumber {
    const char *name;
    int64_t FaTuning::*value;
    int64_t least; // and the step
    int64_t most;
};

const TuningNumber NUMBERS[] = {
    {"block_size_q", &FaTuning::blockSizeQ, 16, 128},
    {"block_size_kv", &FaTuning::blockSizeKv, 128, 512},
    {"preload", &FaTuning::preload, 1, 2},
};

std::string ParseNumber(const TuningNumber &number, const std::string &text, FaTuning &tuning)
{
    char *end = nullptr;
    const int64_t value = strtoll(text.c_str(), &end, 10);
    const bool isNumber = !text.empty() && *end == '\0';
    if (!isNumber || value < number.least || value > number.most || value % number.least != 0) {
        const std::string step = number.least > 1 ? FaFormat("a multiple of %" PRId64 " ", number.least) : "";
        const char *quote = isNumber ? "" : "'";
        return FaFormat("%s must be %sfrom %" PRId64 " to %" PRId64 ", got %s%s%s", number.name, step.c_str(),
                        number.least, number.most, quote, text.c_str(), quote);
    }
    if (tuning.*number.value != 0) {
        return FaFormat("%s is given twice", number.name);
    }
    tuning.*number.value = value;
    return "";
}

std::string ParsePair(const std::string &pair, FaTuning &tuning)
{
    const size_t equals = pair.find('=');
    const std::string name = pair.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : pair.substr(equals + 1);
    for (const TuningNumber &number : NUMBERS) {
        if (name == number.name) {
            return ParseNumber(number, value, tuning);
        }
    }
    if (name != "strategy" || value.empty()) {
        return FaFormat(
            "allowed are block_size_q=, block_size_kv=, preload= and strategy= with commas between, got '%s'",
            pair.c_str());
    }
    if (!tuning.strategy.empty()) {
        return "strategy is given twice";
    }
    tuning.strategy = value;
    return "";
}
} // namespace

std::string ParseFaTuning(const char *text, FaTuning &tuning)
{
    tuning = FaTuning();
    const std::string all = text == nullptr ? "" : text;
    std::string refusal;
    for (size_t begin = 0; refusal.empty() && begin < all.size();) {
        const size_t comma = all.find(',', begin);
        const size_t end = comma == std::string::npos ? all.size() : comma;
        refusal = ParsePair(all.substr(begin, end - begin), tuning);
        begin = end + 1;
    }
    return refusal;
}
