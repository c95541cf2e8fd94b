# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
from scripts.check_api_tests import functions_of, public_functions, untested, words_of_tests

HEADER = """
template <typename T>
__aicore__ inline void Plain(const LocalTensor<T> &dst) { Helper(dst); }
inline void Helper() {}
#define ASCENDC_CPU_UNARY(name) __aicore__ inline void name(const LocalTensor<T> &dst) { Run(dst); }
ASCENDC_CPU_UNARY(Generated, EXP)
#undef ASCENDC_CPU_UNARY
__aicore__ inline __gm__ uint8_t *
Returning(int a);
"""


def test_functions_of():
    assert functions_of(HEADER) == {"Plain", "Generated", "Returning"}


def test_untested_function_is_reported(tmp_path):
    (tmp_path / "include").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "include" / "a.h").write_text(HEADER)
    (tmp_path / "tests" / "a.cpp").write_text("Plain(x); Generated(y);")
    functions = public_functions(tmp_path / "include")
    words = words_of_tests(tmp_path / "tests")
    assert untested(functions, words, {}) == ["a.h: Returning is named by no test"]
    assert untested(functions, words, {"Returning": "reason"}) == []
    assert untested(functions, words, {"Returning": "r", "Gone": "r"}) == [
        "exception Gone is no function of the headers"
    ]
