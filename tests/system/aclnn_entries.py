# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The aclnn functions that torch_npu 2.13 calls for attention below Ascend950, and their parameters in order.

Written from CANN's public headers and from the calls in op-plugin, not from the headers of this repository.
"""

import ctypes

_FLOATS = {"scaleValue", "keepProb"}
_INTS = {"preTokens", "nextTokens", "headNum", "innerPrecise", "sparseMode", "pseType"}
_TEXTS = {"inputLayout", "softmaxOutLayout", "softmaxInLayout"}
LISTS = ("prefixOptional", "actualSeqQLenOptional", "actualSeqKvLenOptional", "qStartIdxOptional", "kvStartIdxOptional")

_MASKS = "dropMaskOptional paddingMaskOptional attenMaskOptional"
_LENGTHS, _STARTS = " ".join(LISTS[1:3]), " ".join(LISTS[3:])
_PLAIN = "scaleValue keepProb preTokens nextTokens headNum inputLayout innerPrecise sparseMode"
_END = "workspaceSize executor"

_F, _FR = "query key value", "query queryRope key keyRope value"
_FM = f"realShiftOptional {_MASKS}"
_FO = f"softmaxMaxOut softmaxSumOut softmaxOutOut attentionOutOut {_END}"

_G, _GR = "query keyIn value dy", "query queryRope keyIn keyInRope value dy"
_GM = f"pseShiftOptional {_MASKS} softmaxMaxOptional softmaxSumOptional softmaxInOptional attentionInOptional"
_GO, _GRO = "dqOut dkOut dvOut dpseOut", "dqOut dqRopeOut dkOut dkRopeOut dvOut dpseOut"

_PREFIX, _SEQ = "prefixOptional", f"prefixOptional {_LENGTHS}"
_PARAMETERS = {
    "Score": f"{_F} {_FM} {_PREFIX} {_PLAIN} {_FO}",
    "ScoreV2": f"{_F} {_FM} {_PREFIX} {_STARTS} {_PLAIN} pseType {_FO}",
    "ScoreV3": f"{_F} {_FM} sinkOptional {_PREFIX} {_STARTS} {_PLAIN} pseType {_FO}",
    "VarLenScore": f"{_F} {_FM} {_SEQ} {_PLAIN} {_FO}",
    "VarLenScoreV2": f"{_F} {_FM} {_SEQ} {_STARTS} {_PLAIN} pseType {_FO}",
    "VarLenScoreV3": f"{_FR} {_FM} {_SEQ} {_STARTS} {_PLAIN} pseType {_FO}",
    "VarLenScoreV4": f"{_F} {_FM} {_SEQ} {_PLAIN} softmaxOutLayout {_FO}",
    "VarLenScoreV5": f"{_FR} {_FM} sinkOptional {_SEQ} {_STARTS} {_PLAIN} pseType softmaxOutLayout {_FO}",
    "ScoreGrad": f"{_G} {_GM} {_PREFIX} {_PLAIN} {_GO} {_END}",
    "ScoreGradV2": f"{_G} {_GM} {_PREFIX} {_STARTS} {_PLAIN} pseType {_GO} {_END}",
    "ScoreGradV3": f"{_G} {_GM} sinkInOptional {_PREFIX} {_STARTS} {_PLAIN} pseType {_GO} dsinkOut {_END}",
    "UnpaddingScoreGrad": f"{_G} {_GM} {_SEQ} {_PLAIN} {_GO} {_END}",
    "UnpaddingScoreGradV2": f"{_G} {_GM} {_SEQ} {_STARTS} {_PLAIN} pseType {_GO} {_END}",
    "UnpaddingScoreGradV3": f"{_GR} {_GM} {_SEQ} {_STARTS} {_PLAIN} pseType {_GRO} {_END}",
    "UnpaddingScoreGradV4": f"{_G} {_GM} {_SEQ} {_PLAIN} {_GO} softmaxInLayout {_END}",
    "UnpaddingScoreGradV5": (
        f"{_GR} {_GM} sinkInOptional {_SEQ} {_STARTS} {_PLAIN} pseType softmaxInLayout {_GRO} dsinkOut {_END}"
    ),
}
PREFIX = "aclnnFlashAttention"
# name without PREFIX -> parameters of its first phase
ENTRIES = {name: tuple(text.split()) for name, text in _PARAMETERS.items()}
MAX_WORKSPACE = ("VarLenScoreV5", "UnpaddingScoreGradV5")  # also have ...GetMaxWorkspaceSize, same parameters
SYMBOLS = {
    *(PREFIX + name for name in ENTRIES),
    *(PREFIX + name + "GetWorkspaceSize" for name in ENTRIES),
    *(PREFIX + name + "GetMaxWorkspaceSize" for name in MAX_WORKSPACE),
}
FORWARD = tuple(name for name in ENTRIES if "Grad" not in name)
GRADIENT = tuple(name for name in ENTRIES if "Grad" in name)
VAR_LEN = tuple(name for name in ENTRIES if name.startswith(("VarLen", "Unpadding")))


def ctype(parameter):
    """How a parameter is passed."""
    if parameter in _FLOATS:
        return ctypes.c_double
    if parameter in _INTS:
        return ctypes.c_int64
    return ctypes.c_char_p if parameter in _TEXTS else ctypes.c_void_p
