"""Results in parts, here and in other processes."""

import copy
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context

import numpy as np
import pytest

import sunzi
from sunzi import BiPoly, Poly


def matrix():
    return np.random.default_rng(4).integers(-(10**9), 10**9, size=(30, 30))


def test_determinants_in_parts():
    a = matrix()
    job = sunzi.det_images(a)
    assert job.needed > 20
    parts = [sunzi.images(job, range(7, job.needed)), sunzi.images(job, range(7))]
    assert job.combine(parts) == sunzi.det(a)
    assert job.combine(json.loads(json.dumps(parts))) == sunzi.det(a)
    assert sunzi.det_images([[0, 0], [1, 2]]).combine([]) == 0


def test_resultants_in_parts():
    f, g = Poly([3**k for k in range(20)]), Poly([7, 0, 10**40, -5])
    job = sunzi.resultant_images(f, g)
    assert job.combine([sunzi.images(job, range(job.needed))]) == f.resultant(g)
    other = pickle.loads(pickle.dumps(job))
    assert repr(other) == repr(job) and sunzi.images(other, range(3)) == sunzi.images(job, range(3))


def test_resultants_in_y_in_parts():
    f, g = BiPoly("10^30*x^2 + (x + y)^3 - 5"), BiPoly("x*y^2 - 7^40*y + 2")
    job = sunzi.resultant_images(f, g)
    assert job.needed > 10
    parts = [sunzi.images(job, range(5, job.needed + 1)), sunzi.images(job, range(5))]
    found = job.combine(json.loads(json.dumps(parts)))
    # At points where no leading coefficient is zero, it is the resultant of the values.
    for at in (-3, 1, 10**9):
        of_f = Poly([10**30 * at**2 + at**3 - 5, 3 * at**2, 3 * at, 1])
        of_g = Poly([2, -(7**40), at])
        assert found(at) == of_f.resultant(of_g)
    other = pickle.loads(pickle.dumps(job))
    assert sunzi.images(other, range(2)) == sunzi.images(job, range(2)) and repr(other) == repr(job)
    assert sunzi.resultant_images(BiPoly("0"), f).combine([]) == Poly([])
    with pytest.raises(ValueError, match="denominators"):
        sunzi.resultant_images(BiPoly("x/2"), f)
    for pair in ((f, Poly([1, 2])), ("x", "y"), (f, None)):
        with pytest.raises(TypeError, match="two BiPoly"):
            sunzi.resultant_images(*pair)
    part = sunzi.images(job, range(2))
    with pytest.raises(ValueError, match="damaged"):
        job.combine([{**part, "residues": [part["residues"][0], part["residues"][0]]}])
    with pytest.raises(ValueError, match="no part"):
        job.combine([{**part, "residues": [["x"]]}])


def test_subresultants_in_y_in_parts():
    f, g = BiPoly("10^30*x^2 + (x + y)^3 - 5"), BiPoly("x*y^2 - 7^40*y + 2")
    job = sunzi.subresultant_images(f, g, [1, 0])
    parts = [sunzi.images(job, range(k, k + 7)) for k in range(0, job.needed, 7)]
    first, last = job.combine(json.loads(json.dumps(parts)))
    of_resultant = sunzi.resultant_images(f, g)
    resultant = of_resultant.combine([sunzi.images(of_resultant, range(of_resultant.needed))])
    assert last == BiPoly({(i, 0): c for i, c in enumerate(resultant.coeffs())})
    # The last remainder before the resultant, at points where no leading coefficient is zero.
    for at in (-3, 1, 10**9):
        of_f = Poly([10**30 * at**2 + at**3 - 5, 3 * at**2, 3 * at, 1])
        of_g = Poly([2, -(7**40), at])
        value = {j: sum(c * at**i for (i, k), c in first.coeffs().items() if k == j) for j in (0, 1)}
        assert Poly([value[0], value[1]]) == of_f.subresultants(of_g)[-2]
    other = pickle.loads(pickle.dumps(job))
    assert sunzi.images(other, range(2)) == sunzi.images(job, range(2)) and repr(other) == repr(job)
    assert repr(job) == f"subresultant_images(<{job.needed} images>)"
    with pytest.raises(ValueError, match="3"):
        sunzi.subresultant_images(f, g, [3])
    with pytest.raises(ValueError, match="denominators"):
        sunzi.subresultant_images(BiPoly("x/2"), f, [0])
    with pytest.raises(TypeError):
        sunzi.subresultant_images(f, Poly([1, 2]), [0])


def test_more_images_than_needed_test_the_value():
    job = sunzi.det_images(matrix())
    part = sunzi.images(job, range(job.needed + 3))
    assert job.combine([part]) == sunzi.det(matrix())


def test_other_processes_compute_parts():
    a = matrix()
    job = sunzi.det_images(a)
    a[0, 0] += 1  # It is of the matrix as it was.
    ranges = [range(k, k + 10) for k in range(0, job.needed, 10)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = job.combine(pool.map(sunzi.images, repeat(job), ranges))
    assert found == sunzi.det(matrix())
    assert copy.copy(job) is job and copy.deepcopy(job) is job


def test_wrong_parts_are_told():
    job, other = sunzi.det_images(matrix()), sunzi.det_images(matrix() + 1)
    part = sunzi.images(job, range(10))
    for parts, told in (
        ([], r"0\.\.\d+ are missing"),
        ([part], r"10\.\.\d+ are missing"),
        ([part, part], "in two parts"),
        ([sunzi.images(other, range(10))], "other operands"),
        ([{**part, "residues": [2**40] * 10}], "damaged"),
        ([{**part, "residues": [5, *part["residues"][1:]]}], "damaged"),
        ([{**part, "first": 3}], "damaged"),
        ([{**part, "residues": [-1]}], "no part"),
        ([{**part, "sunzi_images": 2}], "form 2"),
        ([{**part, "job": "x"}], "damaged"),
        ([{}], "no part"),
        ([1], "no part"),
    ):
        with pytest.raises(ValueError, match=told):
            job.combine(parts)
    with pytest.raises(ValueError, match="none of them"):
        sunzi.images(job, range(2**63))
    with pytest.raises(MemoryError):
        sunzi.images(sunzi.resultant_images(Poly([1, 2]), Poly([3, 4])), range(2**63))
    for numbers in (range(-1, 3), 5, None, (0, 3), range(2**70)):
        with pytest.raises(TypeError, match="range"):
            sunzi.images(job, numbers)
    with pytest.raises(ValueError, match="step"):
        sunzi.images(job, range(0, 9, 2))
    assert sunzi.images(job, range(5, 3))["residues"] == []
    with pytest.raises(ValueError):
        sunzi.det_images([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(TypeError):
        sunzi.resultant_images(Poly([1, 2], 97), Poly([1, 2], 97))
