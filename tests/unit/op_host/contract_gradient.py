# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Calls of the gradient that CANN refuses or accepts, and those that do not fit what the forward has saved."""

from tests.unit.op_host.contract_rows import AS_THE_FORWARD, COMPRESSED, HALF, HUGE, Row, packed_gradient
from tests.unit.op_host.contract_rules import CAUSAL, FULL, SQUARE, shift
from tests.unit.op_host.gradient_call import GradientCall


def gradient(**inputs):
    return GradientCall(inputs=inputs)


def gradient_window(mode, pre, following, mask=FULL, **call):
    attrs = {"sparse_mode": mode, "pre_tockens": pre, "next_tockens": following}
    return GradientCall(mask=mask, attrs=attrs, **call)


def tnd(tokens, *lengths, mask=COMPRESSED, **more):
    return packed_gradient(lengths, tokens, 4, 2, 64, "float16", mask, **more)


STATISTICS = (2, 4, 100, 8)
GRADIENT_RULES = {
    "no maximum": Row(gradient(softmax_max=None), "REQUIRED", ("softmax_max is required",)),
    "no sum": Row(gradient(softmax_sum=None), "REQUIRED", ("softmax_sum is required",)),
    "maximum's data type": Row(
        gradient(softmax_max=(STATISTICS, "float16")), "SAVED_TYPE", ("softmax_max must be float32, got float16",)
    ),
    "sum's shape": Row(gradient(softmax_sum=((2, 4, 100, 1), "float32")), "SAVED_SHAPE", ("softmax_sum must be",)),
    "attention_in's data type": Row(
        gradient(attention_in=((2, 4, 100, 64), "float16")),
        "SAVED_TYPE",
        ("attention_in must be float32, got float16",),
    ),
    "attention_in's shape": Row(
        gradient(attention_in=((2, 4, 99, 64), "float32")), "SAVED_SHAPE", ("attention_in must be",)
    ),
    "no dy": Row(gradient(dy=None), "REQUIRED", ("dy is",)),
    "dy's head dim": Row(
        gradient(dy=((2, 4, 100, 63), "float32")), "SAVED_SHAPE", ("[2, 4, 100, 64]", "[2, 4, 100, 63]")
    ),
    "dy of another Dv": Row(
        GradientCall(dv=40, inputs={"dy": ((2, 4, 100, 64), "float32")}), "SAVED_SHAPE", ("dy", "100, 40]")
    ),
    "dy of another layout": Row(
        GradientCall(layout="BSH", inputs={"dy": ((2, 4, 100, 64), "float32")}), "SAVED_SHAPE", ("dy", "[2, 100, 256]")
    ),
    "dy of key's shape": Row(gradient(dy=((2, 2, 300, 64), "float32")), "SAVED_SHAPE", ("dy", "[2, 2, 300, 64]")),
    "dy's data type": Row(gradient(dy=((2, 4, 100, 64), "float16")), "SAVED_TYPE", ("dy",)),
    "attention_in of another Dv": Row(
        GradientCall(layout="BSH", dv=40, inputs={"attention_in": ((2, 100, 256), "float32")}),
        "SAVED_SHAPE",
        ("attention_in", "[2, 100, 160]", "256"),
    ),
    "attention_in's rank": Row(gradient(attention_in=((2, 400, 64), "float32")), "SAVED_SHAPE", ("[2, 400, 64]",)),
    "maximum's copies": Row(
        gradient(softmax_max=((2, 4, 100, 1), "float32")), "SAVED_SHAPE", ("softmax_max", "100, 8]")
    ),
    "maximum's order": Row(
        GradientCall(layout="BSND", inputs={"softmax_max": ((2, 100, 4, 8), "float32")}),
        "SAVED_SHAPE",
        ("[2, 4, 100, 8]",),
    ),
    "sum's rows": Row(
        gradient(softmax_sum=((2, 4, 99, 8), "float32")), "SAVED_SHAPE", ("softmax_sum", "[2, 4, 99, 8]")
    ),
    "sum's heads": Row(
        gradient(softmax_sum=((2, 2, 100, 8), "float32")), "SAVED_SHAPE", ("softmax_sum", "[2, 2, 100, 8]")
    ),
    **{
        f"{name}'s shape": Row(
            GradientCall(dv=48, outputs={name: (shape, "float32")}), "GRADIENT_SHAPE", (name, str(list(shape)))
        )
        for name, shape in (("dq", (2, 4, 99, 64)), ("dk", (2, 2, 299, 64)), ("dv", (2, 2, 300, 64)))
    },
    "dpse's shape": Row(
        shift((2, 4, 100, 300), name="pse_shift", kind=GradientCall, outputs={"dpse": ((2, 4, 100, 299), "float32")}),
        "GRADIENT_SHAPE",
        ("dpse", "[2, 4, 100, 299]"),
    ),
    "dsink's shape": Row(
        GradientCall(inputs={"sink": ((4,), "float32")}, outputs={"dsink": ((5,), "float32")}),
        "GRADIENT_SHAPE",
        ("dsink", "[5]"),
    ),
    **{
        f"{name} of nothing": Row(GradientCall(outputs={name: ((1,), "float32")}), "GRADIENT_ALONE", (name, "[1]"))
        for name in ("dpse", "dq_rope", "dk_rope", "dsink")
    },
    **{
        f"{name}": Row(gradient(**{name: ((1,), "float32")}), "D_SCALE", (name,))
        for name in ("d_scale_q", "d_scale_dy", "d_scale_o")
    },
    "padding_mask": Row(gradient(padding_mask=((2, 300), "float32")), "PADDING_MASK"),
    "query_rope alone": Row(gradient(query_rope=((2, 4, 100, 64), "float32")), "ROPE_ALONE", ("query_rope",)),
    "no attention_in": Row(gradient(attention_in=None), "REQUIRED", ("attention_in is required",)),
    "keep_prob without drop_mask": Row(GradientCall(attrs={"keep_prob": 0.9}), "DROP_MASK_MISSING"),
    "drop_mask's data type": Row(gradient(drop_mask=((30000,), "int8")), "DROP_MASK_TYPE"),
    "small drop_mask": Row(
        GradientCall(attrs={"keep_prob": 0.9}, inputs={"drop_mask": ((29999,), "uint8")}),
        "DROP_MASK_SIZE",
        ("at least 30000 bytes",),
    ),
    "keep_prob 0": Row(GradientCall(attrs={"keep_prob": 0.0}), "KEEP_PROB"),
    "keep_prob 1.1": Row(GradientCall(attrs={"keep_prob": 1.1}), "KEEP_PROB"),
    "mode 9": Row(gradient_window(9, 0, 0), "SPARSE_MODE", ("got 9",)),
    "mode 7 outside TND": Row(gradient_window(7, 0, 0, COMPRESSED), "SPARSE_MODE", ("got 7",)),
    "mode 8 outside TND": Row(gradient_window(8, 0, 0, COMPRESSED), "SPARSE_MODE", ("got 8",)),
    "-pre > S2": Row(gradient_window(0, -301, 400), "WINDOW_RIGHT"),
    "-pre == S2": Row(gradient_window(0, -300, 400), "WINDOW_RIGHT", differs=AS_THE_FORWARD),
    "-next > S1": Row(gradient_window(0, 200, -101), "WINDOW_BELOW"),
    "pre + next < 0": Row(gradient_window(0, 5, -6), "WINDOW_EMPTY"),
    "mode 3 with S1 > S2": Row(gradient_window(3, 0, 0, COMPRESSED, s1=300, s2=100)),
    "TND, -next > S1": Row(tnd((0, 200, -101), 100, mask=(100, 100)), "PACKED_NEXT"),
    "TND, pre + next == 0": Row(tnd((0, 0, 0), 100, mask=(100, 100)), differs=AS_THE_FORWARD),
    "TND mode 4, pre + next < 0": Row(tnd((4, 3, -5), 100), "PACKED_EMPTY"),
    "TND mode 8": Row(tnd((8, HUGE, 0), 100, 30)),
    "compressed mask": Row(
        gradient_window(2, 0, 0, (1024, 1024), s1=1024, s2=1024), "MASK_COMPRESSED", ("[2048, 2048]",)
    ),
    "mask of rank 1": Row(gradient_window(0, 300, 300, (300,)), "BROADCAST_RANK"),
    "mask [S2, S1]": Row(gradient_window(0, 300, 300, (300, 100)), "BROADCAST_2D", ("a 2-D atten_mask",)),
    **{
        f"shift {shape}": Row(shift(shape, name="pse_shift", kind=GradientCall))
        for shape in ((2, 4, 1, 300), (2, 4, 100, 300), (1, 4, 100, 300))
    },
    **{
        f"alibi {batch}": Row(
            shift((batch, 4, 1024, 2048), name="pse_shift", kind=GradientCall, **SQUARE, attrs=CAUSAL)
        )
        for batch in (1, 2)
    },
    "alibi without causality": Row(
        shift((1, 4, 1024, 2048), name="pse_shift", kind=GradientCall, **SQUARE), "ALIBI_CAUSAL"
    ),
    "shift of rank 3": Row(shift((4, 100, 300), name="pse_shift", kind=GradientCall), "BROADCAST_RANK"),
    "pse_type 2 without shift": Row(GradientCall(attrs={"pse_type": 2}), "PSE_TYPE_ALONE"),
    "shift's data type": Row(
        GradientCall(dtype=HALF, inputs={"pse_shift": ((2, 4, 100, 300), "bfloat16")}), "SHIFT_TYPE"
    ),
    "slopes": Row(shift((4,), pse_type=2, name="pse_shift", kind=GradientCall, s2=100)),
    "slopes of each batch": Row(shift((2, 4), pse_type=3, name="pse_shift", kind=GradientCall, s2=100)),
    "slopes of 3 heads": Row(shift((3,), pse_type=2, name="pse_shift", kind=GradientCall, s2=100), "SLOPES_SHAPE"),
}
