"""Sparse matrices."""

import numpy as np
import pytest

from sunzi import sparse


class Csr:
    """What SciPy's matrices have."""

    format = "csr"
    has_canonical_format = True

    def __init__(self, shape, rows):
        self.shape = shape
        self.indptr = np.cumsum([0, *map(len, rows)]).astype(np.int32)
        self.indices = np.array([j for row in rows for j in row], dtype=np.int32)


def grid(side, order):
    """The neighbours on a grid whose points are numbered by an order."""
    number = np.empty(side * side, dtype=np.int64)
    number[order] = np.arange(side * side)
    rows = [None] * (side * side)
    for i in range(side):
        for j in range(side):
            near = [(i, j), (i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
            points = [a * side + b for a, b in near if 0 <= a < side and 0 <= b < side]
            rows[number[i * side + j]] = sorted(number[points].tolist())
    return Csr((side * side, side * side), rows)


def permuted(matrix, rows, columns):
    """A[rows][:, columns]."""
    place = np.empty(len(columns), dtype=np.int64)
    place[columns] = np.arange(len(columns))
    starts = matrix.indptr
    return Csr(matrix.shape, [sorted(place[matrix.indices[starts[r] : starts[r + 1]]].tolist()) for r in rows])


@pytest.mark.parametrize("method", ["auto", "gray", "bipartite", "bordered", "rcm"])
def test_orders_are_permutations(method):
    matrix = grid(40, np.random.default_rng(1).permutation(1600))
    rows, columns = sparse.reorder(matrix, method, words=512)
    for order in (rows, columns):
        assert order.dtype == np.uint32 and sorted(order.tolist()) == list(range(1600))


def test_a_grid_that_was_shuffled_misses_less_in_a_good_order():
    shuffled = grid(60, np.random.default_rng(1).permutation(3600))
    before = sparse.cache_misses(shuffled, words=512)["x"]
    rows, columns = sparse.reorder(shuffled, words=512)
    after = sparse.cache_misses(permuted(shuffled, rows, columns), words=512)["x"]
    assert before["accesses"] == after["accesses"] == len(shuffled.indices)
    assert after["misses"] * 5 < before["misses"]
    optimal = sparse.cache_misses(shuffled, words=512, replacement="optimal")["x"]
    assert optimal["misses"] < before["misses"]
    assert before["cold"] == after["cold"] == 450


def test_matrices_of_scipy_are_taken():
    scipy = pytest.importorskip("scipy.sparse")
    for form in (scipy.csr_matrix, scipy.csc_matrix, scipy.coo_matrix, scipy.csr_array):
        matrix = form(np.array([[0, 1.5, 0], [2, 0, 3]]))
        rows, columns = sparse.reorder(matrix)
        assert sorted(rows.tolist()) == [0, 1] and sorted(columns.tolist()) == [0, 1, 2]
        assert sparse.cache_misses(matrix)["x"]["accesses"] == 3


def test_what_is_no_sparse_matrix_is_refused():
    for wrong in (np.eye(3), [[1]], None):
        with pytest.raises(TypeError):
            sparse.reorder(wrong)
    matrix = Csr((2, 3), [[0, 1], [2]])
    for work in (
        lambda: sparse.reorder(matrix, "rcm"),
        lambda: sparse.reorder(matrix, "best"),
        lambda: sparse.reorder(matrix, words=0),
        lambda: sparse.cache_misses(matrix, line=0),
        lambda: sparse.cache_misses(matrix, replacement="random"),
        lambda: sparse.reorder(Csr((2, 2), [[0, 1], [2]])),
    ):
        with pytest.raises(ValueError):
            work()
    wrong = Csr((2, 3), [[0, 1], [2]])
    wrong.indices = -wrong.indices
    with pytest.raises(ValueError):
        sparse.reorder(wrong)
