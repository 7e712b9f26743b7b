"""Transforms and convolutions against their definitions."""

import math
import pickle

import numpy as np
import pytest
from common import BIG_PRIMES, PRIMES, product

import sunzi
from sunzi import GF, NTT

P = 469762049


def dft(x, w, p):
    n = len(x)
    return [sum(c * pow(w, i * j, p) for i, c in enumerate(x)) % p for j in range(n)]


@pytest.mark.parametrize("p", PRIMES)
def test_transforms_are_their_definition(p):
    lengths = [n for n in (1, 2, 3, 4, 6, 8, 12, 16) if (p - 1) % n == 0]
    for n in lengths:
        w = sunzi.root_of_unity(n, p)
        assert pow(w, n, p) == 1
        x = [(7 * i * i + i - 3) % p for i in range(n)]
        values = sunzi.ntt(x, p)
        assert values.tolist() == dft(x, w, p)
        assert sunzi.intt(values, p).tolist() == x
        plan = NTT(n, p)
        assert (plan.n, plan.root_of_unity, plan.field) == (n, w, GF(p))
        assert plan(x).tolist() == values.tolist() == plan.forward(x).tolist()
        assert plan.inverse(values).tolist() == x
        assert sunzi.ntt(x, p, norm="forward").tolist() == [v * pow(n, -1, p) % p for v in values.tolist()]
        assert sunzi.intt(sunzi.ntt(x, p, norm="forward"), p, norm="forward").tolist() == x


@pytest.mark.parametrize("name", BIG_PRIMES)
def test_transforms_modulo_big_primes(name):
    F = GF(name)
    p, w = F.prime, sunzi.root_of_unity(4, F)
    x = [5, p - 1, 1 << 70, 0]
    values = sunzi.ntt(F.array(x), F)
    assert F.ints(values) == dft(x, w, p)
    assert F.ints(sunzi.intt(values, F)) == x
    rows = F.array([x, x[::-1]])
    assert F.ints(sunzi.ntt(rows, F, axis=0, n=4)) == [
        list(row) for row in zip(*(dft([a, b, 0, 0], w, p) for a, b in zip(x, x[::-1])))
    ]


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("n", [None, 2, 4, 8])
def test_axes_and_lengths_are_those_of_numpy(axis, n):
    x = np.arange(4 * 4 * 4, dtype=np.uint32).reshape(4, 4, 4)
    y = sunzi.ntt(x, P, n=n, axis=axis)
    assert y.shape == np.fft.fft(x, n=n, axis=axis).shape
    # One line at a time.
    moved, found = np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1)
    for index in np.ndindex(4, 4):
        line = moved[index].tolist()
        line = (line + [0] * 8)[: n or 4]
        assert found[index].tolist() == sunzi.ntt(line, P).tolist()
    out = np.empty_like(y)
    assert sunzi.ntt(x, P, n=n, axis=axis, out=out) is out
    assert (out == y).all()


def test_what_has_no_transform_is_refused():
    for work in (
        lambda: sunzi.ntt([1, 2, 3], P),
        lambda: sunzi.ntt([], P),
        lambda: sunzi.ntt(5, P),
        lambda: sunzi.ntt([1, 2], P, norm="ortho"),
        lambda: NTT(0, P),
        lambda: NTT(4, P).forward([1, 2]),
        lambda: NTT(3, P),
    ):
        with pytest.raises(ValueError):
            work()


@pytest.mark.parametrize("p", [*PRIMES, None])
def test_convolutions_are_products_of_polynomials(p):
    a, b = [1, 2, 3, 4, 5], [3, 0, 2, 7, 1]
    whole = product(a, b)
    reduced = [c % p for c in whole] if p else whole
    assert list(sunzi.convolve(a, b, p)) == reduced
    for mode, sign in (("cyclic", 1), ("negacyclic", -1)):
        folded = [whole[i] + sign * (whole[i + 5] if i + 5 < len(whole) else 0) for i in range(5)]
        found = list(sunzi.convolve(a, b, p, mode=mode))
        assert found == ([c % p for c in folded] if p else folded)
    assert len(sunzi.convolve([], b, p)) == 0
    assert list(sunzi.convolve([2], [3], p, mode="cyclic")) == [6 % p if p else 6]
    with pytest.raises(ValueError):
        sunzi.convolve(a, b[:4], p, mode="cyclic")
    with pytest.raises(ValueError):
        sunzi.convolve(a, b, p, mode="same")
    with pytest.raises(ValueError):
        sunzi.convolve([a], [b], p)


def test_long_transforms_lead_back():
    rng = np.random.default_rng(1)
    for n in (1 << 16, 7 << 13):
        x = rng.integers(0, P, size=n, dtype=np.uint32)
        assert (sunzi.intt(sunzi.ntt(x, P), P) == x).all()
    for threads in (1, 2, 3, 7):
        with sunzi.threads(threads):
            assert (sunzi.intt(sunzi.ntt(x, P), P) == x).all()


@pytest.mark.parametrize("p", PRIMES)
def test_roots_of_unity_may_be_given(p):
    for n in [n for n in (1, 2, 3, 4, 6, 8, 12, 16) if (p - 1) % n == 0]:
        w = sunzi.root_of_unity(n, p)
        x = [(7 * i * i + i - 3) % p for i in range(n)]
        for j in range(n + 1):
            root = pow(w, j, p)
            if math.gcd(j, n) > 1:
                with pytest.raises(ValueError, match="no root of unity of order"):
                    sunzi.ntt(x, p, root=root)
                continue
            values = sunzi.ntt(x, p, root=root)
            assert values.tolist() == dft(x, root, p)
            assert sunzi.intt(values, p, root=root).tolist() == x
            assert sunzi.ntt([x, x], p, root=root).tolist() == [values.tolist()] * 2
            assert sunzi.ntt(np.array([x, x], dtype=object).T, p, axis=0, root=root).T.tolist() == [values.tolist()] * 2
            plan = pickle.loads(pickle.dumps(NTT(n, p, root=root)))
            assert plan.root_of_unity == root and plan(x).tolist() == values.tolist()
    with pytest.raises(ValueError):
        NTT(2, p, 1)


def test_roots_of_big_primes_may_be_given():
    F = GF("P8")
    root = pow(sunzi.root_of_unity(8, F), 5, F.prime)
    x = [5, F.prime - 1, 1 << 70, 0, 1, 2, 3, 4]
    for given in (root, F.array(root)):
        values = sunzi.ntt(F.array(x), F, root=given)
        assert F.ints(values) == dft(x, root, F.prime)
        assert F.ints(sunzi.intt(values, F, root=given)) == x
