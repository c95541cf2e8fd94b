# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The accept and reject lists of CANN's host code, with every difference named (contract_*.py)."""

import pytest

from tests.unit.op_host import contract_rows, contract_rules

TABLES = {
    "case": contract_rows.FORWARD_CASES,
    "gradient case": contract_rows.GRADIENT_CASES,
    "rule": contract_rules.FORWARD_RULES,
    "gradient rule": contract_rules.GRADIENT_RULES,
}
ROWS = {f"{table}: {name}": row for table, rows in TABLES.items() for name, row in rows.items()}


@pytest.mark.parametrize("name", ROWS)
def test_row(name, host_library):
    row = ROWS[name]
    if row.words is None:
        row.call.parse(host_library)
        return
    with pytest.raises(ValueError) as error:
        row.call.parse(host_library)
    missing = [word for word in row.words if word not in str(error.value)]
    assert not missing, f"{missing} not in: {error.value}"


def test_every_difference_is_one_of_the_contract():
    reasons = {value for name, value in vars(contract_rows).items() if name.isupper() and isinstance(value, str)}
    used = {row.differs for row in ROWS.values() if row.differs}
    assert used <= reasons
    assert {reason for reason in reasons if " " in reason} == used
