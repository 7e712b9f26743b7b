"""Polynomials against naive arithmetic on lists."""

from fractions import Fraction

import numpy as np
import pytest
from common import BIG_PRIMES, PRIMES, integers, product, trimmed, value
from hypothesis import given
from hypothesis import strategies as st

import sunzi
from sunzi import GF, PointTree, Poly

lists = st.lists(integers, max_size=12)
primes = st.sampled_from([*PRIMES, *BIG_PRIMES])


def summed(a, b, sign=1):
    n = max(len(a), len(b))
    a, b = a + [0] * (n - len(a)), b + [0] * (n - len(b))
    return [x + sign * y for x, y in zip(a, b)]


@given(lists, lists, primes)
def test_operators_are_those_of_lists_modulo_p(a, b, prime):
    F = GF(prime)
    p = F.prime
    f, g = Poly(a, F), Poly(b, F)
    assert f.coeffs() == trimmed(a, p)
    assert (f + g).coeffs() == trimmed(summed(a, b), p)
    assert (f - g).coeffs() == trimmed(summed(a, b, -1), p)
    assert (f * g).coeffs() == trimmed(product(a, b), p)
    assert (-f).coeffs() == trimmed([-c for c in a], p)
    assert (f * 3 - 2).coeffs() == trimmed(summed([3 * c for c in a], [2], -1), p) == (3 * f - 2).coeffs()
    assert (f**3).coeffs() == trimmed(product(a, product(a, a)), p)
    assert (f == g) == (trimmed(a, p) == trimmed(b, p))
    assert len(f) == f.degree() + 1 == len(trimmed(a, p))
    assert f(5) == value(a, 5, p)
    assert f(g).coeffs() == trimmed(composed(a, b), p)
    assert f.derivative().coeffs() == trimmed([i * c for i, c in enumerate(a)][1:], p)
    assert f.shift(2).coeffs() == trimmed([0, 0, *a], p)
    assert f.shift(-2).coeffs() == trimmed(a[2:], p)
    assert f.truncate(3).coeffs() == trimmed(a[:3], p)
    assert f.reverse().coeffs() == trimmed(trimmed(a, p)[::-1])
    assert f.taylor_shift(7).coeffs() == trimmed(composed(a, [7, 1]), p)
    assert Poly(str(f), F) == f == Poly(np.asarray(f), F)
    assert f[0] == (trimmed(a, p) or [0])[0] and f[1 << 40] == 0
    if g:
        q, r = divmod(f, g)
        assert q * g + r == f and r.degree() < g.degree()
        assert (f // g, f % g) == (q, r)
        assert g.monic().leading_coefficient() == 1
        gcd, s, t = f.xgcd(g)
        assert gcd == f.gcd(g) == s * f + t * g
        assert not f % gcd and not g % gcd


def composed(a, b):
    total = []
    for c in reversed(a):
        total = summed(product(total, b), [c])
    return total


@given(lists, lists)
def test_operators_are_those_of_lists_over_the_integers(a, b):
    f, g = Poly(a), Poly(b)
    assert f.coeffs() == trimmed(a)
    assert (f + g).coeffs() == trimmed(summed(a, b))
    assert (f - g).coeffs() == trimmed(summed(a, b, -1))
    assert (f * g).coeffs() == trimmed(product(a, b))
    assert (2 - f).coeffs() == trimmed(summed([2], a, -1))
    assert (f**2).coeffs() == trimmed(product(a, a))
    assert f(-3) == value(a, -3)
    assert f.taylor_shift(-2).coeffs() == trimmed(composed(a, [-2, 1]))
    assert Poly(str(f)) == f
    assert np.asarray(f).tolist() == f.coeffs()
    if g:
        assert (f * g) // g == f
        monic = Poly([*b, 1])
        q, r = divmod(f, monic)
        assert q * monic + r == f and r.degree() < monic.degree()
        assert divmod(f, -monic) == (-q, r)
        common = (f * g).gcd(g * Poly([1, 1]))
        assert (common // g) * g == common
    if f:
        assert f.primitive_part() * f.content() * (1 if f.leading_coefficient() > 0 else -1) in (f, -f)


def test_resultants_and_discriminants():
    f, g = Poly("x^2 - 2"), Poly("x^3 - x - 1")
    # The product of g at the roots ±√2: (√2 − 1)(−√2 − 1) = −1.
    assert f.resultant(g) == -1
    assert Poly("x^2 + 5*x + 6").discriminant() == 1
    assert Poly("x^3 - x - 1").discriminant() == -23
    for p in PRIMES:
        F = GF(p)
        assert Poly(f, F).resultant(Poly(g, F)) == -1 % p
        assert Poly("x^3 - x - 1", F).discriminant() == -23 % p
    assert [s.degree() for s in f.subresultants(Poly("x - 1"))][-1] <= 1


def test_square_free_factors():
    x, y = Poly("x - 1"), Poly("x^2 + 1")
    content, factors = (6 * x**3 * y).factor_squarefree()
    assert (content, factors) == (6, [(y, 1), (x, 3)])
    F = GF(101)
    leading, factors = (Poly("5*(x + 2)^2*(x + 3)", F)).factor_squarefree()
    assert (leading, factors) == (5, [(Poly("x + 3", F), 1), (Poly("x + 2", F), 2)])


@pytest.mark.parametrize("prime", [*PRIMES[1:], *BIG_PRIMES])
def test_values_at_many_points_lead_back(prime):
    F = GF(prime)
    p = F.prime
    points = list(range(40))
    f = Poly([i * i + 1 for i in range(40)], F)
    values = f(points)
    assert F.ints(values) == [value(f.coeffs(), x, p) for x in points]
    tree = PointTree(points, F)
    assert len(tree) == 40
    assert (tree.evaluate(f) == values).all()
    assert tree.interpolate(values) == f == sunzi.interpolate(points, values, F)
    assert f(np.array([[0, 1], [2, 3]], dtype=np.int64)).shape[:2] == (2, 2)
    assert F.ints(f(np.array([[0, 1], [2, 3]]))) == [F.ints(values)[:2], F.ints(values)[2:4]]
    with pytest.raises(ValueError, match="equal"):
        sunzi.interpolate([1, 2, 1], [1, 2, 3], F)
    with pytest.raises(ValueError):
        sunzi.interpolate([1, 2], [1, 2, 3], F)


def test_series_have_inverses():
    F = GF(469762049)
    f = Poly(list(range(1, 50)), F)
    assert (f * f.inverse_series(100)).truncate(100) == Poly([1], F)
    with pytest.raises(ValueError, match="constant term"):
        f.shift(1).inverse_series(3)


def test_polynomials_of_different_kinds_do_not_mix():
    f, g, h = Poly([1, 2]), Poly([1, 2], 97), Poly([1, 2], 101)
    for work in (lambda: f + g, lambda: g * h, lambda: g.gcd(f), lambda: g(h)):
        with pytest.raises(ValueError, match="fields"):
            work()
    assert f != g != h and f != 5
    for work in (
        lambda: f + 1.5,
        lambda: "x" * f,
        lambda: f.monic(),
        lambda: g.real_roots(),
        lambda: f.xgcd(f),
        lambda: f < g,
        lambda: Poly({1: 2}, 97) + None,
        lambda: Poly(3.5),
    ):
        with pytest.raises(TypeError):
            work()
    for work in (
        lambda: Poly("x +"),
        lambda: Poly([[1, 2]]),
        lambda: divmod(f, Poly([1, 2])),
        lambda: Poly([1, 1]) // Poly([2]),
        lambda: Poly(g, 101),
    ):
        with pytest.raises(ValueError):
            work()
    for work in (lambda: f // Poly([]), lambda: g % Poly([], 97), lambda: divmod(g, 0)):
        with pytest.raises(ZeroDivisionError):
            work()


def test_polynomials_are_sequences_of_coefficients():
    for f in (Poly([1, 0, 3]), Poly([1, 0, 3], 97), Poly([1, 0, 3], "P4")):
        assert list(f) == [1, 0, 3] and sum(f) == 4
        assert 3 in f and 2 not in f
        assert (f[2], f[3], f[2**62]) == (3, 0, 0)
        with pytest.raises(IndexError):
            f[-1]


def test_quotients_are_those_of_divmod():
    f, g = Poly([1, 0, 1]), Poly([-1, 1])
    assert f // g == divmod(f, g)[0] == Poly([1, 1])
    assert f // -g == divmod(f, -g)[0]


def test_what_takes_too_much_memory_is_refused():
    for work in (
        lambda: Poly([1]).shift(10**12),
        lambda: Poly([1]).shift(2**62),
        lambda: Poly([1], 97).shift(2**62),
        lambda: Poly([1, 1]) ** (1 << 70),
        lambda: Poly([1, 1]) ** (1 << 40),
        lambda: Poly([-2, 0, 1]).real_roots()[0].digits(10**13),
        lambda: Poly([-2, 0, 1]).real_roots()[0].refine(10**14),
        lambda: sunzi.nullspace(np.zeros((1, 10**6), np.uint32), 97),
        lambda: sunzi.solve_system({(65536, k): 1 for k in range(65536)}, "x"),
        lambda: sunzi.solve_system("x^3 - y", "y^3 - x - 1", digits=10**13),
    ):
        with pytest.raises(MemoryError):
            work()
    with pytest.raises(ValueError, match="negative"):
        Poly([1, 1]) ** -1


def test_real_roots_are_those_that_are_known():
    f = Poly("(x - 3)^2 * (2*x + 1) * (x^2 - 2)")
    roots = f.real_roots(digits=30)
    assert [root.multiplicity for root in roots] == [1, 1, 1, 2]
    assert [float(root) for root in roots] == [-(2**0.5), -0.5, 2**0.5, 3.0]
    assert roots[1].is_exact and roots[1].lower == Fraction(-1, 2) == roots[1].upper
    assert roots[2].digits(30) == "1.41421356237309504880168872421"
    assert roots[2].lower**2 < 2 < roots[2].upper ** 2
    assert roots[2].upper - roots[2].lower < Fraction(1, 10**30)
    narrow = roots[2].refine(500)
    assert narrow.upper - narrow.lower <= Fraction(1, 2**500)
    assert len(f.real_roots(within=(0, Fraction(5, 2)))) == 1
    assert Poly("x^2 + 1").real_roots() == []
    with pytest.raises(ValueError, match="every number"):
        Poly([]).real_roots()


def test_real_roots_have_as_many_digits_as_they_need():
    roots = Poly("x^60 - 2*(10^20*x - 1)^2").real_roots()
    texts = [root.digits(700) for root in roots]
    assert len(set(texts)) == len(texts)
