"""Objects of python-flint as Sunzi's, and back. python-flint must be installed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import numpy as np

from sunzi._sunzi import GF, Integer, Poly

__all__ = ["from_flint", "to_flint"]


def to_flint(x: Any) -> Any:
    """The python-flint object of an integer, a fraction, a polynomial, or a matrix of integers or fractions.

    Polynomials over fields become ``nmod_poly`` where the prime is a word, else ``fmpz_mod_poly``.
    """
    if isinstance(x, Poly):
        if x.field is None:
            return flint.fmpz_poly(x.coeffs())
        prime = x.field.prime
        if prime < 1 << 64:
            return flint.nmod_poly(x.coeffs(), prime)
        coefficients: list[Any] = list(x.coeffs())
        return flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(prime))(coefficients)
    if isinstance(x, Fraction):
        return flint.fmpq(x.numerator, x.denominator)
    if isinstance(x, np.ndarray):
        x = x.tolist()
    if isinstance(x, (list, tuple)):
        if any(isinstance(entry, Fraction) for row in x for entry in row):
            return flint.fmpq_mat([[to_flint(Fraction(entry)) for entry in row] for row in x])
        return flint.fmpz_mat([[int(entry) for entry in row] for row in x])
    if isinstance(x, Integer) or hasattr(x, "__index__"):
        return flint.fmpz(int(x))
    raise TypeError(f"python-flint has no object for '{type(x).__name__}' that Sunzi knows")


def from_flint(x: Any) -> Any:
    """The object for one of python-flint: an ``Integer``, a ``Fraction``, a ``Poly``, or an array of entries."""
    if isinstance(x, flint.fmpz):
        return Integer(int(x))
    if isinstance(x, flint.fmpq):
        return Fraction(int(x.p), int(x.q))
    if isinstance(x, flint.fmpz_poly):
        return Poly([int(c) for c in x.coeffs()])
    if isinstance(x, flint.nmod_poly):
        return Poly([int(c) for c in x.coeffs()], GF(int(x.modulus())))
    if isinstance(x, flint.fmpz_mat):
        return _array(x, int)
    if isinstance(x, flint.fmpq_mat):
        return _array(x, from_flint)
    if isinstance(x, flint.nmod_mat):
        return GF(int(x.modulus())).array(_array(x, int).astype(np.uint64))
    raise TypeError(f"Sunzi has no object for '{type(x).__name__}' of python-flint")


def _array(matrix: Any, entry: Any) -> np.ndarray[Any, Any]:
    rows, columns = matrix.nrows(), matrix.ncols()
    array = np.empty((rows, columns), dtype=object)
    for i in range(rows):
        for j in range(columns):
            array[i, j] = entry(matrix[i, j])
    return array
