# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Random sequences of packed calls, and the windows that such calls may have."""

from tests.cases.case import UNLIMITED


def draw_sequences(random, draw_length):
    """(S1, S2) of 0 to 12 sequences; many of them short, equal or empty."""
    count = random.choice((1, 1, 2, 3, 4, 5, 12)) if random.random() < 0.98 else 0
    style = random.random()
    result = []
    for _ in range(count):
        s1, s2 = draw_length(random), draw_length(random)
        if count > 4:
            s1, s2 = s1 % 40, s2 % 40
        if style < 0.35:
            s2 = s1
        elif style < 0.6 and s1 > s2:
            s1, s2 = s2, s1
        if random.random() < 0.06:
            s1, s2 = random.choice(((0, s2), (s1, 0), (0, 0)))
        result.append((s1, s2))
    return tuple(result)


def _visible_pairs(sequences):
    return [(s1, s2) for s1, s2 in sequences if s1 and s2]


def _band(sequences, mode):
    """(S1, S2) of the sequence that modes 7 and 8 treat differently, or None."""
    with_queries = [pair for pair in sequences if pair[0]]
    return with_queries[-1 if mode == 7 else 0] if with_queries else None


def _split_window(random, sequences, mode):
    """pre and next of modes 7 and 8, None if the lengths do not allow the mode."""
    if mode == 7 and any(s1 > s2 for s1, s2 in _visible_pairs(sequences)):
        return None
    s1, s2 = _band(sequences, mode) or (0, 0)
    following = random.randint(s1 - s2, 0) if s1 <= s2 else s1 - s2
    if mode == 7 and following > 0:
        following = 0
    if mode == 8:
        following = max(s1 - s2, random.choice((0, following, random.randint(0, 30))))
    return mode, s2 + random.choice((0, 5, UNLIMITED - s2)), following


def draw_window(random, sequences):
    """(sparse_mode, pre_tokens, next_tokens), None if the drawn mode does not go with the sequences."""
    mode = random.choice((0, 0, 0, 1, 2, 3, 4, 6, 7, 8))
    pairs = _visible_pairs(sequences)
    surplus = max((s1 - s2 for s1, s2 in pairs), default=0)  # queries above the diagonal from the bottom right
    if mode in (7, 8):
        return _split_window(random, sequences, mode)
    if mode == 3 and surplus > 0:
        return None
    if mode == 0 and random.random() < 0.6:
        pre = random.choice((UNLIMITED, max(0, surplus), random.randint(surplus, surplus + 50)))
        return mode, pre, random.choice((UNLIMITED, max(0, -pre), max(0, -pre) + random.randint(0, 100)))
    if mode == 4:
        pre = random.choice((UNLIMITED, 0, random.randint(0, 100)))
        least = max(surplus, -pre)
        return mode, pre, random.choice((UNLIMITED, least, max(least, 0), least + random.randint(0, 100)))
    return mode, UNLIMITED, UNLIMITED
