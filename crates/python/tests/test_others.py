"""SymPy's, python-flint's and mpmath's objects, where these are installed."""

from fractions import Fraction

import numpy as np
import pytest

import sunzi
from sunzi import GF, Integer, Poly


def test_objects_of_python_flint_lead_back():
    flint = pytest.importorskip("flint")
    from sunzi.flint import from_flint, to_flint

    for made in (Integer(-(10**40)), Fraction(-3, 7), Poly([1, -2, 3]), Poly([1, 2, 3], 97), Poly([1, 2], GF(2**64 - 59))):
        other = to_flint(made)
        assert type(other).__module__.startswith("flint")
        assert from_flint(other) == made
    assert to_flint([[1, 2], [3, 4]]).det() == -2
    assert to_flint(sunzi.inv([[1, 2], [3, 4]])).det() == flint.fmpq(-1, 2)
    assert sunzi.det(from_flint(flint.fmpz_mat([[1, 2], [3, 4]]))) == -2
    assert sunzi.det(flint.fmpz_mat([[1, 2], [3, 4]])) == -2
    assert from_flint(flint.nmod_mat(2, 2, [1, 2, 3, 4], 97)).dtype == np.uint32
    for wrong in (1.5, "x"):
        with pytest.raises(TypeError):
            to_flint(wrong)
        with pytest.raises(TypeError):
            from_flint(wrong)


def test_sympys_questions_have_sympys_answers():
    sympy = pytest.importorskip("sympy")
    import sunzi.sympy as ours

    x, y, a, b = sympy.symbols("x y a b")
    matrix = sympy.Matrix([[1, 2], [3, sympy.Rational(1, 4)]])
    assert ours.det(matrix) == matrix.det() == sympy.Rational(sunzi.det(matrix))
    assert ours.det(sympy.Matrix([[1, 2], [3, 4]])) == -2
    f, g = x**3 - x, 2 * x**2 - 2
    assert ours.gcd(f, g) == sympy.gcd(f, g)
    assert ours.gcd(f / 2, g) == sympy.gcd(f / 2, g)
    assert ours.resultant(x**2 - 2, x**3 / 3 - x) == sympy.resultant(x**2 - 2, x**3 / 3 - x, x)
    assert ours.real_roots((x - 3) ** 2 * (2 * x - 1) * (x**2 - 2))[1:] == [
        sympy.Rational(1, 2),
        sympy.Float("1.41421356237310", 15),
        3,
        3,
    ]
    found = ours.solve_poly_system([a**2 + b**2 - 1, a - b / 2], a, b)
    assert len(found) == 2 and all(abs(p**2 + q**2 - 1) < 1e-12 for p, q in found)
    assert ours.solve_poly_system([a - 1, b - sympy.Rational(1, 3)], a, b) == [(1, sympy.Rational(1, 3))]
    for wrong in (x + y, sympy.sin(x), x * sympy.pi):
        with pytest.raises((ValueError, sympy.PolynomialError)):
            ours.gcd(wrong, x)


def test_mpmath_takes_roots():
    mpmath = pytest.importorskip("mpmath")
    root = Poly("x^2 - 2").real_roots()[1]
    with mpmath.workdps(50):
        assert abs(mpmath.mpmathify(root) ** 2 - 2) < mpmath.mpf(10) ** -48
    assert root.rational() is None and Poly("3*x - 1").real_roots()[0].rational() == Fraction(1, 3)
