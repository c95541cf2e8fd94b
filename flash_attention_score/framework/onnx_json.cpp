// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "onnx_json.h"
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {
constexpr int MAX_DEPTH = 64;

class Reader {
public:
    explicit Reader(const std::string &json) : text(json)
    {
    }

    void ReadTop(std::vector<OnnxJsonObject> &attributes)
    {
        Expect('{');
        for (bool more = !Skip('}'); more; more = MoreOf('}')) {
            const std::string key = ReadString();
            Expect(':');
            if (key == "attribute") {
                ReadList(attributes);
            } else {
                SkipValue(1);
            }
        }
        SkipSpace();
        if (at != text.size()) {
            Fail("text after the end");
        }
    }

private:
    [[noreturn]] void Fail(const std::string &what) const
    {
        throw std::runtime_error(what + " at character " + std::to_string(at));
    }

    void SkipSpace()
    {
        while (at < text.size() && std::strchr(" \t\r\n", text[at]) != nullptr) {
            at++;
        }
    }

    bool Skip(char wanted)
    {
        SkipSpace();
        if (at < text.size() && text[at] == wanted) {
            at++;
            return true;
        }
        return false;
    }

    void Expect(char wanted)
    {
        if (!Skip(wanted)) {
            Fail(std::string("expected ") + wanted);
        }
    }

    // True after a comma, false after the closing bracket.
    bool MoreOf(char close)
    {
        if (Skip(close)) {
            return false;
        }
        Expect(',');
        return true;
    }

    void ReadList(std::vector<OnnxJsonObject> &attributes)
    {
        Expect('[');
        for (bool more = !Skip(']'); more; more = MoreOf(']')) {
            attributes.push_back(ReadObject());
        }
    }

    OnnxJsonObject ReadObject()
    {
        OnnxJsonObject object;
        Expect('{');
        for (bool more = !Skip('}'); more; more = MoreOf('}')) {
            const std::string key = ReadString();
            Expect(':');
            SkipSpace();
            const char first = at < text.size() ? text[at] : '\0';
            if (first == '{' || first == '[') {
                SkipValue(1);
            } else {
                object[key] = ReadScalar();
            }
        }
        return object;
    }

    std::string ReadScalar()
    {
        SkipSpace();
        if (at < text.size() && text[at] == '"') {
            return ReadString();
        }
        const size_t begin = at;
        while (at < text.size() && std::strchr(",]} \t\r\n", text[at]) == nullptr) {
            at++;
        }
        if (at == begin) {
            Fail("expected a value");
        }
        return text.substr(begin, at - begin);
    }

    void SkipValue(int depth)
    {
        if (depth > MAX_DEPTH) {
            Fail("nested too deeply");
        }
        if (Skip('[')) {
            for (bool more = !Skip(']'); more; more = MoreOf(']')) {
                SkipValue(depth + 1);
            }
        } else if (Skip('{')) {
            for (bool more = !Skip('}'); more; more = MoreOf('}')) {
                (void)ReadString();
                Expect(':');
                SkipValue(depth + 1);
            }
        } else {
            (void)ReadScalar();
        }
    }

    std::string ReadString()
    {
        std::string result;
        Expect('"');
        while (at < text.size() && text[at] != '"') {
            const char letter = text[at++];
            result += letter == '\\' ? ReadEscape() : letter;
        }
        Expect('"');
        return result;
    }

    // Names and layouts are ASCII; anything else stays recognisably wrong.
    char ReadEscape()
    {
        static const char FROM[] = "\"\\/bfnrt";
        static const char TO[] = "\"\\/\b\f\n\r\t";
        if (at >= text.size()) {
            Fail("text ends in an escape");
        }
        const char letter = text[at++];
        if (letter == 'u') {
            const std::string digits = text.substr(at, 4);
            char *end = nullptr;
            const unsigned long code = std::strtoul(digits.c_str(), &end, 16);
            if (digits.size() != 4 || *end != '\0') {
                Fail("bad \\u escape");
            }
            at += 4;
            return code < 128 ? static_cast<char>(code) : '?';
        }
        const char *found = std::strchr(FROM, letter);
        if (letter == '\0' || found == nullptr) {
            Fail("bad escape");
        }
        return TO[found - FROM];
    }

    const std::string &text;
    size_t at = 0;
};
} // namespace

std::string ReadOnnxAttributeList(const std::string &json, std::vector<OnnxJsonObject> &attributes)
{
    attributes.clear();
    if (json.empty()) {
        return "";
    }
    try {
        Reader(json).ReadTop(attributes);
    } catch (const std::runtime_error &error) {
        return std::string("the attribute list is not the expected JSON: ") + error.what();
    }
    return "";
}
