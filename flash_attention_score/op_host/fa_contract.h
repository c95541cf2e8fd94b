// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// A call is accepted, or refused for a reason that is a row of fa_contract_rows.h: there is no other way to refuse.
#ifndef FA_CONTRACT_H
#define FA_CONTRACT_H
#include <string>
#include "fa_reject.h"

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

// return FA_REFUSE(HEAD_NUM, headNum): values for the holes of the row, from left to right.
#define FA_REFUSE(id, ...) FaRefusal(#id, FaFormat(FA_TEXT_##id, __VA_ARGS__))
#endif
