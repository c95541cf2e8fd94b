// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Options that programs set and ask for; none changes what a kernel computes here.
#include <cstring>
#include <map>
#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "handle_table.h"

using namespace ascendc_cpu;

namespace {

// Values by option, of which there are `count`.
template <typename Value>
class OptionTable {
public:
    explicit OptionTable(int numberOfOptions) : count(numberOfOptions)
    {
    }

    void Set(const char *function, int option, const Value &value)
    {
        Check(function, option);
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        values[option] = value;
    }

    // A default value for an option that nobody has set.
    Value Get(const char *function, int option)
    {
        Check(function, option);
        const std::lock_guard<std::mutex> lock(RuntimeMutex());
        return values[option];
    }

private:
    void Check(const char *function, int option) const
    {
        if (option < 0 || option >= count) {
            Refuse(ACL_ERROR_INVALID_PARAM, function,
                   "opt: got " + std::to_string(option) + ", allowed: 0 to " + std::to_string(count - 1));
        }
    }

    const int count;
    std::map<int, Value> values;
};

OptionTable<std::string> &CompileOptions()
{
    static auto *options = new OptionTable<std::string>(ACL_OP_DEBUG_OPTION + 1);
    return *options;
}

OptionTable<int64_t> &SystemOptions()
{
    static auto *options = new OptionTable<int64_t>(ACL_OPT_STRONG_CONSISTENCY + 1);
    return *options;
}

aclError SetSystemOption(const char *function, aclSysParamOpt opt, int64_t value)
{
    return Guarded(ACL_ERROR_FAILURE, [&] { SystemOptions().Set(function, opt, value); });
}

aclError GetSystemOption(const char *function, aclSysParamOpt opt, int64_t *value)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require(function, "value", value);
        *value = SystemOptions().Get(function, opt);
    });
}

} // namespace

extern "C" {

aclError aclSetCompileopt(aclCompileOpt opt, const char *value)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclSetCompileopt", "value", value);
        CompileOptions().Set("aclSetCompileopt", opt, value);
    });
}

aclError aclGetCompileopt(aclCompileOpt opt, char *value, size_t length)
{
    return Guarded(ACL_ERROR_FAILURE, [&] {
        Require("aclGetCompileopt", "value", value);
        const std::string stored = CompileOptions().Get("aclGetCompileopt", opt);
        if (length <= stored.size()) {
            Refuse(ACL_ERROR_INVALID_PARAM, "aclGetCompileopt",
                   "length: got " + std::to_string(length) + ", needed: " + std::to_string(stored.size() + 1));
        }
        memcpy(value, stored.c_str(), stored.size() + 1);
    });
}

size_t aclGetCompileoptSize(aclCompileOpt opt)
{
    size_t size = 0;
    (void)Guarded(ACL_ERROR_FAILURE, [&] { size = CompileOptions().Get("aclGetCompileoptSize", opt).size() + 1; });
    return size;
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
    return SetSystemOption("aclrtSetSysParamOpt", opt, value);
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
    return GetSystemOption("aclrtGetSysParamOpt", opt, value);
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
    return SetSystemOption("aclrtCtxSetSysParamOpt", opt, value);
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
    return GetSystemOption("aclrtCtxGetSysParamOpt", opt, value);
}

aclError aclrtSetOpExecuteTimeOut(uint32_t)
{
    return ACL_SUCCESS;
}

aclError aclrtSetOpWaitTimeout(uint32_t)
{
    return ACL_SUCCESS;
}
}
