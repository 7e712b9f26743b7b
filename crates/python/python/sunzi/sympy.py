"""Sunzi's answers to SymPy's questions: functions that take and give SymPy's objects. SymPy must be installed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy

import sunzi
from sunzi._sunzi import Poly, Root

__all__ = ["det", "gcd", "real_roots", "resultant", "solve_poly_system"]


def _number(x: int | Fraction) -> Any:
    return sympy.Rational(x.numerator, x.denominator)


def _poly(f: Any, *gens: Any) -> tuple[Poly, Any, int]:
    """The polynomial over the integers, its variable, and what it was multiplied by."""
    poly = f if isinstance(f, sympy.Poly) else sympy.Poly(f, *gens)
    if len(poly.gens) != 1:
        raise ValueError(f"polynomials in one variable are needed here, not in {poly.gens}")
    if not (poly.domain.is_ZZ or poly.domain.is_QQ):
        raise ValueError(f"coefficients are integers or rational numbers here, not of {poly.domain}")
    denominator, poly = poly.clear_denoms(convert=True)
    return Poly([int(c) for c in reversed(poly.all_coeffs())]), poly.gens[0], int(denominator)


def _expression(f: Poly, x: Any) -> Any:
    return sympy.Poly.from_list([sympy.Integer(c) for c in reversed(f.coeffs())] or [0], x).as_expr()


def det(matrix: Any) -> Any:
    """The determinant of a matrix of integers or rational numbers."""
    rows = [[Fraction(int(entry.p), int(entry.q)) for entry in row] for row in matrix.tolist()]
    if all(entry.denominator == 1 for row in rows for entry in row):
        return _number(sunzi.det([[entry.numerator for entry in row] for row in rows]))
    return _number(sunzi.det(rows))


def gcd(f: Any, g: Any, *gens: Any) -> Any:
    """The greatest common divisor of two polynomials in one variable: primitive, with a positive leading coefficient, where one
    has coefficients that are no integers, monic."""
    (a, x, p), (b, y, q) = _poly(f, *gens), _poly(g, *gens)
    if x != y:
        raise ValueError(f"polynomials in one variable are needed here, not in {x} and {y}")
    found = _expression(a.gcd(b), x)
    if p == q == 1:
        return found
    return sympy.Poly(found, x).monic().as_expr()


def resultant(f: Any, g: Any, *gens: Any) -> Any:
    """The resultant of two polynomials in one variable."""
    (a, x, p), (b, y, q) = _poly(f, *gens), _poly(g, *gens)
    if x != y:
        raise ValueError(f"polynomials in one variable are needed here, not in {x} and {y}")
    if not a or not b:
        return sympy.Integer(0)
    return sympy.Rational(a.resultant(b), p ** b.degree() * q ** a.degree())


def _root(root: Root, digits: int) -> Any:
    rational = root.rational()
    return sympy.Float(root.digits(digits), digits) if rational is None else _number(rational)


def real_roots(f: Any, *gens: Any, digits: int = 15) -> list[Any]:
    """The real roots, ascending, each as often as its multiplicity says: rational numbers as such, others to so many digits."""
    poly, _, _ = _poly(f, *gens)
    found = poly.real_roots()
    return [_root(root, digits) for root in found for _ in range(root.multiplicity)]


def solve_poly_system(system: Sequence[Any], x: Any, y: Any, digits: int = 15) -> list[tuple[Any, Any]]:
    """All real solutions of two equations in two variables, as pairs."""
    first, second = system
    names = {x: sympy.Symbol("x"), y: sympy.Symbol("y")}

    def terms(curve: Any) -> dict[tuple[int, int], Fraction]:
        poly = sympy.Poly(sympy.sympify(curve).subs(names, simultaneous=True), *names.values())
        return {powers: Fraction(int(c.p), int(c.q)) for powers, c in poly.terms()}

    found = sunzi.solve_system(terms(first), terms(second), digits=digits)
    return [(_root(a, digits), _root(b, digits)) for a, b, _ in found]
