"""Sparse matrices."""

import numpy as np
import pytest

from sunzi import GF, sparse


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


def with_data(matrix, data):
    matrix.data = data
    return matrix


@pytest.mark.parametrize("p", [97, 469762049, 2**60 - 2**18 + 1, "P8"])
def test_products_are_their_definition(p):
    rng = np.random.default_rng(5)
    matrix = grid(7, rng.permutation(49))
    matrix = with_data(matrix, rng.integers(-50, 50, size=len(matrix.indices)))
    x = rng.integers(-(2**62), 2**62, size=49)
    F = GF(p)
    dense = [[0] * 49 for _ in range(49)]
    for i in range(49):
        for at in range(matrix.indptr[i], matrix.indptr[i + 1]):
            dense[i][matrix.indices[at]] = int(matrix.data[at])
    expected = [sum(c * v for c, v in zip(row, x.tolist())) % F.prime for row in dense]
    assert F.ints(sparse.spmv(matrix, x, p)) == expected
    assert F.ints(sparse.spmv(with_data(matrix, F.array(matrix.data)), F.array(x), F)) == expected
    for wrong in (x[:-1], [[1]]):
        with pytest.raises(ValueError):
            sparse.spmv(matrix, wrong, p)


def test_products_of_doubles():
    matrix = with_data(Csr((2, 3), [[0, 2], [1]]), np.array([1.0, 2.5, -3.0]))
    assert sparse.spmv(matrix, np.array([1.0, 2.0, 4.0])).tolist() == [11.0, -6.0]
    for x in (np.array([1, 2, 4]), [1.0, 2.0, 4.0]):
        with pytest.raises(TypeError, match="give p for integers"):
            sparse.spmv(matrix, x)
    with pytest.raises(ValueError):
        sparse.spmv(matrix, np.array([1.0]))
    with pytest.raises(TypeError):
        sparse.spmv(matrix, [1, 2, 4], 97)


def test_entries_at_one_place_are_not_summed_in_their_type():
    scipy = pytest.importorskip("scipy.sparse")
    made = (np.array([100, 100], dtype=np.int8), ([0, 0], [0, 0]))
    for matrix in (scipy.coo_array(made, shape=(1, 1)), scipy.csr_array((made[0], [0, 0], [0, 2]), shape=(1, 1))):
        with pytest.raises(ValueError, match="several entries at one place"):
            sparse.spmv(matrix, [1], 97)
    dense = np.array([[1, 0, 2], [0, 0, 0], [0, 3, 4]])
    x = np.arange(6.0)[::2]
    for name in ("coo", "csr", "csc", "lil", "dok", "dia", "bsr"):
        matrix = scipy.coo_array(dense).asformat(name)
        assert sparse.spmv(matrix, [1, 2, 3], 97).tolist() == (dense @ [1, 2, 3] % 97).tolist()
        assert sparse.spmv(matrix.astype(float), x).tolist() == (dense @ x).tolist()
