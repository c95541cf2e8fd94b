// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
// Errors inside the host runtime: thrown, and turned into a status and aclGetRecentErrMsg at the C boundary.
#ifndef ASCENDC_CPU_HOST_STATUS_H
#define ASCENDC_CPU_HOST_STATUS_H
#include <stdexcept>
#include <string>
#include "acl/acl_base.h"
#include "aclnn/opdev/op_errno.h"

namespace ascendc_cpu {

struct HostError : std::runtime_error {
    HostError(int errorStatus, const std::string &text) : std::runtime_error(text), status(errorStatus)
    {
    }
    int status;
};

// Appends to what aclGetRecentErrMsg returns on this thread.
void ReportError(const std::string &text);

// Runs `body`; an exception becomes its status, `otherStatus` when it is not a HostError.
template <typename Body>
int Guarded(int otherStatus, const Body &body)
{
    try {
        body();
        return ACLNN_SUCCESS;
    } catch (const HostError &error) {
        ReportError(error.what());
        return error.status;
    } catch (const std::exception &error) {
        ReportError(error.what());
        return otherStatus;
    }
}

// Collects the error records that this thread makes with DlogRecord while the scope lives. Outside a scope they go to
// ReportError.
class HostLogScope {
public:
    HostLogScope();
    ~HostLogScope();
    HostLogScope(const HostLogScope &) = delete;
    HostLogScope &operator=(const HostLogScope &) = delete;

    std::string text;

private:
    HostLogScope *outer;
};

} // namespace ascendc_cpu
#endif
