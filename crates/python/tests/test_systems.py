"""Systems of two equations."""

import copy
import pickle
from fractions import Fraction

import pytest

import sunzi


def test_solutions_are_those_that_are_known():
    found = sunzi.solve_system("x^2 + y^2 - 1", "3*x*y - 1")
    assert (len(found), found.complex, found.common_curve, found.proved) == (4, (4, 4), None, True)
    for x, y, multiplicity in found:
        assert multiplicity == 1
        assert abs(float(x) ** 2 + float(y) ** 2 - 1) < 1e-15 > abs(3 * float(x) * float(y) - 1)
        assert x.upper - x.lower < Fraction(1, 10**20)
    assert float(found[-1][0]) == float(found[3][0])
    with pytest.raises(IndexError):
        found[4]
    touching = sunzi.solve_system("x^2 + y^2 = 1", "y = 1")
    assert str(touching) == "(0, 1) (multiplicity 2)" and touching[0][2] == 2


def test_all_forms_are_the_same_curves():
    forms = (
        "x^2 + y^2/2 - 1",
        "x**2 + y**2/2 - 1",
        {(2, 0): 1, (0, 2): Fraction(1, 2), (0, 0): -1},
        [[-1, 0, Fraction(1, 2)], [0], [1]],
    )
    texts = {str(sunzi.solve_system(form, "x - y")) for form in forms}
    assert len(texts) == 1
    sympy = pytest.importorskip("sympy")
    x, y = sympy.symbols("x y")
    assert str(sunzi.solve_system(x**2 + y**2 / 2 - 1, x - y)) in texts


def test_a_common_curve_is_told():
    found = sunzi.solve_system("(x - y)*(x + 1)", "(x - y)*(y - 2)")
    assert found.common_curve == sunzi.BiPoly("x - y") and found.common_curve.coeffs() == {(1, 0): 1, (0, 1): -1}
    assert [(float(x), float(y)) for x, y, _ in found] == [(-1.0, 2.0)]


def test_what_is_no_system_is_refused():
    for f in ("x +", "x + z", {(1 << 40, 0): 1}):
        with pytest.raises(ValueError):
            sunzi.solve_system(f, "y")
    for f in (5.5, {(0, 0): 1.5}, [[1.5]], None, 3):
        with pytest.raises(TypeError):
            sunzi.solve_system(f, "y")
    with pytest.raises(ValueError):
        sunzi.solve_system("0", "0")


def test_curves_are_objects():
    f = sunzi.BiPoly("x^2 + y^2/2 - 1")
    assert f.coeffs() == {(2, 0): 1, (0, 2): Fraction(1, 2), (0, 0): -1}
    assert f == sunzi.BiPoly(f) == sunzi.BiPoly(f.coeffs()) and f != sunzi.BiPoly("x") and f != "x"
    assert hash(f) == hash(sunzi.BiPoly(f.coeffs())) and f.degree() == 2 and f.degrees() == (2, 2)
    assert repr(f) == "BiPoly('x^2 + 1/2*y^2 - 1')" and f and not sunzi.BiPoly("0")
    assert (sunzi.BiPoly({}).degree(), sunzi.BiPoly({}).degrees(), sunzi.BiPoly({}).coeffs()) == (-1, (-1, -1), {})
    found = sunzi.solve_system(f, "x - y")
    assert found.curves == (f, sunzi.BiPoly("x - y"))
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert str(other) == str(found) and other.curves == found.curves
    assert pickle.loads(pickle.dumps(f)) == f
