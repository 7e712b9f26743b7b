"""Linear algebra against elimination with fractions."""

from fractions import Fraction

import numpy as np
import pytest
from common import BIG_PRIMES, PRIMES
from hypothesis import given
from hypothesis import strategies as st

import sunzi
from sunzi import GF

entries = st.one_of(st.integers(-5, 5), st.integers(-(1 << 70), 1 << 70))
squares = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(entries, min_size=n, max_size=n), min_size=n, max_size=n)
)


def determinant(matrix):
    """Laplace's expansion along the first row."""
    if not matrix:
        return 1
    minors = ([row[:j] + row[j + 1 :] for row in matrix[1:]] for j in range(len(matrix)))
    return sum((-1) ** j * matrix[0][j] * determinant(m) for j, m in enumerate(minors))


def times(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


@given(squares)
def test_determinants_are_laplaces(matrix):
    d = determinant(matrix)
    assert sunzi.det(matrix) == d == sunzi.det(np.array(matrix, dtype=object))
    assert isinstance(sunzi.det(matrix), int)
    for p in PRIMES:
        assert sunzi.det(matrix, p) == d % p
    thirds = [[Fraction(x, 3) for x in row] for row in matrix]
    assert sunzi.det(thirds) == Fraction(d, 3 ** len(matrix))
    assert sunzi.rank(matrix) == len(matrix) if d else sunzi.rank(matrix) < len(matrix)


@given(squares)
def test_inverses_and_solutions_are_right(matrix):
    n = len(matrix)
    right = list(range(1, n + 1))
    if determinant(matrix):
        unit = [[int(i == j) for j in range(n)] for i in range(n)]
        assert times(matrix, sunzi.inv(matrix).tolist()) == unit
        x = sunzi.solve(matrix, right)
        assert x.shape == (n,) and times(matrix, [[c] for c in x]) == [[c] for c in right]
        assert sunzi.solve(matrix, [[c] for c in right]).shape == (n, 1)
    else:
        with pytest.raises(ValueError, match="singular"):
            sunzi.inv(matrix)
    null = sunzi.nullspace(matrix)
    assert null.shape == (n, n - sunzi.rank(matrix))
    if null.size:
        assert not any(c for row in times(matrix, null.tolist()) for c in row)
    assert sunzi.rank(sunzi.rref(matrix)) == sunzi.rank(matrix)
    assert sunzi.matmul(matrix, matrix).tolist() == times(matrix, matrix)
    assert sunzi.matmul(matrix, right).tolist() == [c for [c] in times(matrix, [[c] for c in right])]


@pytest.mark.parametrize("prime", [*PRIMES[1:], *BIG_PRIMES])
def test_linear_algebra_modulo_p(prime):
    F = GF(prime)
    p = F.prime
    matrix = [[1, 2, 3], [4, 5, 6], [7, 8, -10]]
    assert sunzi.det(matrix, F) == determinant(matrix) % p
    inverse = F.ints(sunzi.inv(matrix, F))
    assert [[c % p for c in row] for row in times(matrix, inverse)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    x = F.ints(sunzi.solve(matrix, [1, 2, 3], F))
    assert [c % p for [c] in times(matrix, [[c] for c in x])] == [1, 2, 3]
    assert F.ints(sunzi.matmul(matrix, matrix, F)) == [[c % p for c in row] for row in times(matrix, matrix)]
    flat = [[1, 2, 3], [2, 4, 6]]
    assert sunzi.rank(flat, F) == 1
    assert F.ints(sunzi.rref(flat, F)) == [[1, 2, 3], [0, 0, 0]]
    assert len(F.ints(sunzi.nullspace(flat, F))[0]) == 2


def test_matrices_of_other_libraries_are_taken():
    class Lists:
        def tolist(self):
            return [[1, 2], [3, 4]]

    assert sunzi.det(Lists()) == -2
    assert sunzi.det(np.array([[1, 2], [3, 4]], dtype=np.int8)) == -2
    assert sunzi.det(np.array([[1, 2], [3, 4]]).T) == -2
    assert sunzi.det(np.zeros((0, 0), dtype=np.int64)) == 1


def test_what_is_no_matrix_is_refused():
    for work in (
        lambda: sunzi.det([[1, 2, 3], [4, 5, 6]]),
        lambda: sunzi.det([1, 2]),
        lambda: sunzi.det([[1], [2, 3]]),
        lambda: sunzi.det(np.array([[97]], dtype=np.uint32), 97),
        lambda: sunzi.solve([[1, 2], [2, 4]], [1, 3]),
        lambda: sunzi.solve([[1, 2]], [1, 3]),
        lambda: sunzi.matmul([[1, 2]], [[1, 2]]),
        lambda: sunzi.det([[1, 2], [3, 4]], 15),
    ):
        with pytest.raises(ValueError):
            work()
    for wrong in ([[1.5]], np.eye(2), "12", [["a"]], None, 5.0):
        with pytest.raises(TypeError):
            sunzi.det(wrong)


def test_long_determinants_are_those_of_their_factors():
    rng = np.random.default_rng(2)
    n = 120
    low = np.tril(rng.integers(-9, 9, size=(n, n)), -1) + np.eye(n, dtype=np.int64)
    diagonal = rng.integers(1, 9, size=n)
    matrix = low @ np.diag(diagonal) @ low.T
    expected = 1
    for d in diagonal.tolist():
        expected *= d
    for threads in (1, 2, 3, 7):
        with sunzi.threads(threads):
            assert sunzi.det(matrix) == expected
