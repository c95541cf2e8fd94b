# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The table of refusals in the host's code (fa_contract_rows.h) and the table of calls here (contract_*.py): every call
is accepted or refused for its row, every row has a call, and every difference from CANN is named."""

import pytest

from tests.unit.op_host import contract_gradient, contract_rows, contract_rules, contract_shapes
from tests.unit.op_host.call import Call
from tests.unit.op_host.contract_rows import Row
from tests.unit.op_host.gradient_call import GradientCall
from tests.unit.op_host.parse import Refused, contract

FORWARD = contract_rules.FORWARD_RULES | contract_shapes.SHAPE_RULES
TABLES = {
    "case": contract_rows.FORWARD_CASES,
    "gradient case": contract_rows.GRADIENT_CASES,
    "rule": FORWARD,
    "gradient rule": contract_gradient.GRADIENT_RULES,
    # A gradient refuses what its forward refuses.
    "rule, gradient": {
        name: Row(GradientCall(**vars(row.call)), row.refusal, row.words)
        for name, row in FORWARD.items()
        if type(row.call) is Call
        and not (row.call.inputs or row.call.outputs or "softmax_out_layout" in row.call.attrs)
    },
}
ROWS = {f"{table}: {name}": row for table, rows in TABLES.items() for name, row in rows.items()}
REFUSED = [name for name, row in ROWS.items() if row.refusal]
# What the framework refuses by the definition of the operator before it asks the tiling.
BY_DEFINITION = ("dtypes", "its data is nullptr", "is required and got nullptr")


@pytest.mark.parametrize("name", ROWS)
def test_row(name, host_library):
    row = ROWS[name]
    if row.refusal is None:
        row.call.parse(host_library)
        return
    with pytest.raises(Refused) as error:
        row.call.parse(host_library)
    assert error.value.row == row.refusal
    missing = [word for word in row.words if word not in str(error.value)]
    assert not missing, f"{missing} not in: {error.value}"


@pytest.mark.parametrize("name", REFUSED)
def test_the_caller_reads_the_reason(name, host_library):
    """Through the framework and the tiling."""
    call = ROWS[name].call
    with pytest.raises(Refused) as refusal:
        call.parse(host_library)
    with pytest.raises(ValueError) as error:
        call.tile()
    assert any(text in str(error.value) for text in (str(refusal.value), *BY_DEFINITION)), error.value


def test_every_row_of_the_code_has_a_call_and_the_other_way_round(host_library):
    assert {ROWS[name].refusal for name in REFUSED} == set(contract(host_library))


def test_every_difference_is_one_of_the_contract():
    reasons = {value for name, value in vars(contract_rows).items() if name.isupper() and isinstance(value, str)}
    used = {row.differs for row in ROWS.values() if row.differs}
    assert used <= reasons
    assert {reason for reason in reasons if " " in reason} == used
