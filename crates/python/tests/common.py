"""Operands at the edges, and slow references by definition."""

from __future__ import annotations

from hypothesis import strategies as st

EDGES = sorted(
    {
        sign * (1 << bits) + near
        for bits in (0, 1, 30, 31, 32, 53, 60, 62, 63, 64, 127, 128, 192, 256, 640, 2000)
        for near in (-1, 0, 1)
        for sign in (1, -1)
    }
    | {0}
)

#: Primes of all kinds of fields: words of 32 bits, of 64, without the top bit to spare, and digits modulo r^k + 1.
PRIMES = [3, 97, 469762049, 2**31 - 1, 2**31 + 11, 2**60 - 2**18 + 1, 2**63 - 25, 2**64 - 2**32 + 1]

BIG_PRIMES = ["P4", "P8", "P16"]

integers = st.one_of(
    st.sampled_from(EDGES),
    st.integers(),
    st.integers(-(1 << 4000), 1 << 4000),
    st.builds(lambda bits, low: (1 << bits) - low, st.integers(0, 3000), st.integers(-2, 2)),
)


def product(a: list[int], b: list[int]) -> list[int]:
    """The product of polynomials."""
    if not a or not b:
        return []
    out = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def trimmed(coefficients: list[int], p: int | None = None) -> list[int]:
    """Reduced, without leading zeros."""
    out = [c % p for c in coefficients] if p else list(coefficients)
    while out and out[-1] == 0:
        out.pop()
    return out


def value(coefficients: list[int], x: int, p: int | None = None) -> int:
    """By Horner's rule."""
    total = 0
    for c in reversed(coefficients):
        total = total * x + c
        if p:
            total %= p
    return total
