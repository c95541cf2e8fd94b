// Copyright (c) 2026 the ascend-flash-attention developers.
// SPDX-License-Identifier: Apache-2.0
#include "finding.h"
#include <dlfcn.h>
#include "../core/kernel_error.h"

namespace ascendc_cpu {

namespace {

struct KindInfo {
    const char *name;
    const char *readClass;
    const char *writeClass;
    const char *advice;
};

constexpr KindInfo KINDS[static_cast<int>(FindingKind::COUNT)] = {
    {"UnorderedRead", "ErrorSync2", "ErrorSync1",
     "order the two: PipeBarrier inside a pipe, SetFlag/WaitFlag between pipes, a cross-core flag between cores"},
    {"UnorderedWrite", "ErrorSync1", "ErrorSync1",
     "order the two: PipeBarrier inside a pipe, SetFlag/WaitFlag between pipes, a cross-core flag between cores"},
    {"NeverWritten", "ErrorRead2", "ErrorRead2", "write or clear these bytes first, or do not read them"},
    {"OutOfBounds", "ErrorRead3", "ErrorWrite2", "keep the access inside its buffer or launch argument"},
    {"NotAllocated", "ErrorRead1", "ErrorWrite1", "use the buffer between AllocTensor (or DeQue) and FreeTensor"},
    {"BufferState", "ErrorBuffer2", "ErrorBuffer2", "use a tensor before EnQue or after DeQue, not between them"},
    {"Misaligned", "ErrorRead4", "ErrorWrite4", "start at an aligned address"},
    {"OverwrittenUnread", "ErrorWrite3", "ErrorWrite3",
     "suspicious: the earlier load was for nothing, or its reader is missing"},
    {"UnpairedFlag", "ErrorSync3", "ErrorSync3", "every SetFlag needs its WaitFlag, on every path"},
    {"DoubledFlag", "ErrorSync4", "ErrorSync4", "wait before the same event id is set again, or use another id"},
    {"CrossCoreFlag", "ErrorSync3", "ErrorSync3",
     "every CrossCoreSetFlag needs its CrossCoreWaitFlag; both AIVs of a group take part, at most 15 sets are open"},
    {"Deadlock", "ErrorSync3", "ErrorSync3", "find the set that the waiting cores miss"},
    {"LeakedBuffer", "ErrorLeak", "ErrorLeak", "FreeTensor every tensor that AllocTensor or DeQue gave"},
    {"QueueMisuse", "ErrorFree", "ErrorFree",
     "AllocTensor, EnQue, DeQue, FreeTensor in this order, each once a tensor"},
    {"NoBuffer", "ErrorBuffer0", "ErrorBuffer0", "take memory through InitBuffer"},
    {"WrongMemory", "ErrorBuffer3", "ErrorBuffer3",
     "pass a tensor of the memory that the API works on, on the core that has it"},
    {"Argument", "", "", "keep the argument in the range that the API page allows"},
    {"Truncation", "", "", "the field is too narrow for the value: split the call"},
    {"StickyState", "", "", "reset the register: it changes later instructions, also of the next kernel"},
    {"CacheLine", "", "", "let one core own each 64 B line that scalars write, and DataCacheCleanAndInvalid it"},
    {"SelectScratch", "ErrorWrite2", "ErrorWrite2", "keep UB from 184 KiB on free when Select runs in mode 1 or 2"},
    {"Gemv", "", "", "round m up to 16, or lay A out as a plain vector"},
    {"KernelError", "", "", "see the message"},
};

std::string Quote(const std::string &text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (c == '\n') {
            quoted += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            quoted += Format("\\u%04x", c);
        } else {
            quoted += c;
        }
    }
    return quoted + "\"";
}

// [library, offset of the call in it]
std::string FramesJson(const Frames &frames)
{
    std::string text = "[";
    for (const uintptr_t frame : frames) {
        Dl_info info;
        if (dladdr(reinterpret_cast<const void *>(frame), &info) == 0 || info.dli_fname == nullptr) {
            continue;
        }
        text += text.size() > 1 ? ", " : "";
        text += "[" + Quote(info.dli_fname) + ", " +
                std::to_string(frame - 1 - reinterpret_cast<uintptr_t>(info.dli_fbase)) + "]";
    }
    return text + "]";
}

std::string SideJson(const Side &side)
{
    return "{\"core\": " + Quote(side.core) + ", \"pipe\": " + Quote(side.pipe) + ", \"api\": " + Quote(side.api) +
           ", \"frames\": " + FramesJson(side.frames) + "}";
}

} // namespace

const char *KindName(FindingKind kind)
{
    return KINDS[static_cast<int>(kind)].name;
}

std::string OfficialClass(const Finding &finding)
{
    const KindInfo &info = KINDS[static_cast<int>(finding.kind)];
    // npu_check tells the life of a tensor apart, by which call was wrong
    if (finding.kind == FindingKind::QUEUE_MISUSE) {
        const bool isForeign = finding.message.find("not one of this queue") != std::string::npos;
        return isForeign ? "ErrorBuffer1" : finding.here.api == "FreeTensor" ? "ErrorFree" : "ErrorBuffer2";
    }
    return finding.isWrite ? info.writeClass : info.readClass;
}

const char *Advice(FindingKind kind)
{
    return KINDS[static_cast<int>(kind)].advice;
}

void FindingList::Add(Finding &&finding)
{
    const auto key = std::make_tuple(finding.kind, finding.here.frames, finding.other.frames,
                                     finding.here.pipe + finding.memory + (finding.isWrite ? "w" : "r"));
    const auto found = known.find(key);
    if (found != known.end()) {
        findings[found->second].count++;
    } else if (findings.size() == MOST) {
        dropped++;
    } else {
        known[key] = findings.size();
        findings.push_back(std::move(finding));
    }
}

std::string FindingList::Json() const
{
    std::string text = "{\"dropped\": " + std::to_string(dropped) + ", \"findings\": [";
    for (const Finding &each : findings) {
        text += &each == &findings[0] ? "\n" : ",\n";
        text += std::string("{\"kind\": ") + Quote(KindName(each.kind)) +
                ", \"official_class\": " + Quote(OfficialClass(each)) + ", \"message\": " + Quote(each.message) +
                ", \"memory\": " + Quote(each.memory) + ", \"argument\": " + std::to_string(each.argument) +
                ", \"begin\": " + std::to_string(each.begin) + ", \"end\": " + std::to_string(each.end) +
                ", \"count\": " + std::to_string(each.count) + ", \"advice\": " + Quote(Advice(each.kind)) +
                ", \"here\": " + SideJson(each.here) + ", \"other\": " + SideJson(each.other) + "}";
    }
    return text + "]}\n";
}

void FindingList::Clear()
{
    findings.clear();
    known.clear();
    dropped = 0;
}

} // namespace ascendc_cpu
