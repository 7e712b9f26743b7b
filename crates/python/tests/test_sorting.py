"""Sorting, and determinants of doubles."""

import math

import numpy as np
import pytest

import sunzi

KINDS = [np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64]


@pytest.mark.parametrize("kind", KINDS)
def test_all_kinds_of_keys_are_sorted(kind):
    rng = np.random.default_rng(1)
    limits = np.iinfo(kind)
    for n in (0, 1, 2, 1000, 100_000):
        keys = rng.integers(limits.min, limits.max, size=n, dtype=kind, endpoint=True)
        before = keys.copy()
        found = sunzi.sort(keys)
        assert found.dtype == kind and (found == np.sort(keys)).all()
        assert (sunzi.argsort(keys) == np.argsort(keys, kind="stable")).all()
        assert (keys == before).all()
        assert (sunzi.sort(keys[::-1]) == np.sort(keys)).all()
        assert (sunzi.sort(keys.astype(keys.dtype.newbyteorder())) == np.sort(keys)).all()


def test_other_keys_are_refused():
    for wrong in ([1.5], [[1], [2]], 5, "12", [None], np.array([True])):
        with pytest.raises(TypeError):
            sunzi.sort(wrong)
        with pytest.raises(TypeError):
            sunzi.argsort(wrong)


def test_determinants_of_doubles_do_not_overflow():
    sign, mantissa, exponent = sunzi.det_float([[-1e300, 0.0], [0.0, 1e300]])
    assert sign == -1 and math.isclose(math.log10(mantissa) + exponent * math.log10(2), 600)
    assert sunzi.det_float([[1.0, 2.0], [2.0, 4.0]])[0] == 0
    assert sunzi.det_float(np.zeros((0, 0))) == (1, 1.0, 0)
    rng = np.random.default_rng(1)
    a = rng.standard_normal((60, 60))
    sign, mantissa, exponent = sunzi.det_float(a)
    assert math.isclose(sign * math.ldexp(mantissa, exponent), np.linalg.det(a), rel_tol=1e-10)
    for wrong in ([[math.inf]], [[math.nan]], [[1.0, 2.0]], [1.0]):
        with pytest.raises(ValueError):
            sunzi.det_float(wrong)


def test_rows_are_sorted_by_their_gray_ranks():
    def rank(row, bits):
        ones, value = 0, 0
        for place in range(bits):
            ones ^= place in row
            value = 2 * value + ones
        return value

    rng = np.random.default_rng(3)
    for bits in (1, 2, 5, 40):
        rows = [sorted(set(rng.integers(0, bits, size=rng.integers(0, 5)).tolist())) for _ in range(60)]
        order = sunzi.gray_sort(rows)
        assert order.dtype == np.uint32
        assert order.tolist() == sorted(range(60), key=lambda i: rank(rows[i], bits))
    assert sunzi.gray_sort([]).tolist() == [] and sunzi.gray_sort([[], []]).tolist() == [0, 1]
    for wrong in ([[2, 1]], [[1, 1]]):
        with pytest.raises(ValueError):
            sunzi.gray_sort(wrong)
    for wrong in ([[0.5]], 5, [1, 2], np.array([[0, 1], [0, 1]])):
        with pytest.raises(TypeError):
            sunzi.gray_sort(wrong)
    scipy = pytest.importorskip("scipy.sparse")
    for name in ("coo", "csr", "csc", "lil"):
        assert sunzi.gray_sort(scipy.eye_array(3, format=name)).tolist() == [2, 1, 0]
