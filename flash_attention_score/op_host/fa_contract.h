// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A call is accepted, or refused for a reason that is a row of fa_contract_rows.h: there is no other way to refuse.
#ifndef FA_CONTRACT_H
#define FA_CONTRACT_H
#include <string>
#include "fa_reject.h"
#include "graph/types.h"

// Arrays, so that the compiler checks what fills the holes.
#define ROW(id, argument, allowed, instead, cann) constexpr char FA_TEXT_##id[] = argument " " allowed ", got " instead;
#include "fa_contract_rows.h"
#undef ROW

struct FaRefusal {
    const char *row; // id of the row, null: accepted
    std::string text;

    FaRefusal() : row(nullptr)
    {
    }
    FaRefusal(const char *id, const std::string &message) : row(id), text(message)
    {
    }
    explicit operator bool() const
    {
        return row != nullptr;
    }
};

// A data type as texts name it.
inline std::string FaTypeName(ge::DataType type)
{
    switch (type) {
    case ge::DT_FLOAT:
        return "float32";
    case ge::DT_FLOAT16:
        return "float16";
    case ge::DT_BF16:
        return "bfloat16";
    case ge::DT_DOUBLE:
        return "float64";
    case ge::DT_BOOL:
        return "bool";
    case ge::DT_UINT8:
        return "uint8";
    case ge::DT_INT8:
        return "int8";
    case ge::DT_INT32:
        return "int32";
    case ge::DT_INT64:
        return "int64";
    default:
        return FaFormat("data type %d", static_cast<int>(type));
    }
}

// return FA_REFUSE(HEAD_NUM, headNum): values for the holes of the row, from left to right.
#define FA_REFUSE(id, ...) FaRefusal(#id, FaFormat(FA_TEXT_##id, __VA_ARGS__))
#endif
