"""Integers against Python's."""

import copy
import math
import pickle

import numpy as np
import pytest
from common import EDGES, integers
from hypothesis import given

import sunzi
from sunzi import Integer, Poly


@given(integers, integers)
def test_products_are_those_of_int(a, b):
    assert sunzi.mul(a, b) == a * b == sunzi.mul(Integer(a), b)
    assert sunzi.sqr(a) == a * a
    assert sunzi.mul_many([a, b, a], (b, b, Integer(a))) == [a * b, b * b, a * a]


@given(integers, integers)
def test_operators_are_those_of_int(a, b):
    x, y = Integer(a), Integer(b)
    for left, right in ((x, y), (x, b), (a, y)):
        assert left + right == a + b
        assert left - right == a - b
        assert left * right == a * b
        assert (left == right, left < right, left >= right) == (a == b, a < b, a >= b)
        if b:
            assert divmod(left, right) == divmod(a, b)
            assert left // right == a // b
            assert left % right == a % b
        assert isinstance(left + right, Integer)
    assert (-x, +x, abs(x), bool(x)) == (-a, a, abs(a), bool(a))
    assert (int(x), hash(x), str(x), f"{x}") == (a, hash(a), sunzi.to_decimal(a), sunzi.to_decimal(a))
    assert x.gcd(b) == math.gcd(a, b)
    g, s, t = x.gcdext(b)
    assert (g, s * a + t * b) == (math.gcd(a, b), math.gcd(a, b))
    assert x.bit_length() == a.bit_length()
    assert (Integer(abs(a)).isqrt()) == math.isqrt(abs(a))
    assert pickle.loads(pickle.dumps(x)) == a == copy.deepcopy(x)


@given(integers)
def test_shifts_and_powers_are_those_of_int(a):
    x = Integer(a)
    for places in (0, 1, 63, 64, 65, 1000):
        assert x << places == a << places
        assert x >> places == a >> places
        assert (5 << Integer(places), a >> Integer(places)) == (5 << places, a >> places)
    assert x >> (1 << 62) == (-1 if a < 0 else 0)
    for exponent in (0, 1, 2, 5):
        assert x**exponent == a**exponent
        assert 3 ** Integer(exponent) == 3**exponent
        for modulus in (1, -7, 10, (1 << 130) + 5):
            assert pow(x, exponent, modulus) == pow(a, exponent, modulus)
    if math.gcd(a, 97) == 1:
        assert pow(x, -3, 97) == pow(a, -3, 97)


@given(integers)
def test_text_leads_back(a):
    text = sunzi.to_decimal(a)
    assert sunzi.from_decimal(text) == a == Integer(text)
    assert sunzi.from_decimal(f"  {text}\n") == a
    assert f"{Integer(a):x}" == f"{a:x}"


def test_many_digits_have_no_limit():
    digits = "7" * 100_000
    x = Integer(digits)
    assert sunzi.to_decimal(x) == digits == str(x)
    assert x.bit_length() == int(x).bit_length()
    assert "100000 digits" in repr(x)
    assert Integer("1_000") == 1000


def test_floats_and_texts_are_refused():
    for work in (
        lambda: sunzi.mul(1.0, 2),
        lambda: sunzi.mul("1", 2),
        lambda: Integer(1.5),
        lambda: Integer(1) + 1.0,
        lambda: "1" * Integer(2) * 1.5,
        lambda: sunzi.mul_many([1], [2.5]),
        lambda: sunzi.sqr(None),
        lambda: Integer([1]),
    ):
        with pytest.raises(TypeError):
            work()
    assert Integer(1) != 1.5 and Integer(1) != "1"


def test_what_has_no_result_is_refused():
    for error, work in (
        (ZeroDivisionError, lambda: Integer(5) // 0),
        (ZeroDivisionError, lambda: 5 % Integer(0)),
        (ZeroDivisionError, lambda: divmod(Integer(5), 0)),
        (ZeroDivisionError, lambda: pow(Integer(5), 2, 0)),
        (ValueError, lambda: Integer("12x")),
        (ValueError, lambda: sunzi.from_decimal("")),
        (ValueError, lambda: Integer(-4).isqrt()),
        (ValueError, lambda: Integer(4).iroot(0)),
        (ValueError, lambda: Integer(1) << -1),
        (MemoryError, lambda: Integer(1) << (1 << 70)),
        (MemoryError, lambda: Integer(1) << (1 << 45)),
        (MemoryError, lambda: Integer(3) ** (1 << 70)),
        (MemoryError, lambda: Integer(3) ** (1 << 45)),
        (ValueError, lambda: Integer(2) ** -1),
        (ValueError, lambda: pow(Integer(2), -1, 4)),
        (ValueError, lambda: sunzi.mul_many([1, 2], [3])),
    ):
        with pytest.raises(error):
            work()


def test_index_is_enough():
    class Number:
        def __init__(self, value):
            self.value = value

        def __index__(self):
            return self.value

    for a in EDGES:
        assert sunzi.mul(Number(a), 3) == 3 * a == Integer(Number(a)) * 3
    assert sunzi.mul(True, 7) == 7


def test_foreign_objects_are_left_to_themselves():
    x = Integer(5)
    assert x != int and int not in [x] and x != np.array([5, 6])[0:1].tolist()
    assert (x == np.array([5, 6])).tolist() == [True, False]
    assert (x * np.array([5, 6], dtype=object)).tolist() == [25, 30]
    assert (Poly([1]) == np.array([5, 6])) is not True
    with pytest.raises(TypeError):
        x + int


def test_classes_of_their_own_are_integers():
    class Strange(int):
        def __neg__(self):
            return 7

        def bit_length(self):
            return 3

        def __index__(self):
            return 1

    for a in (2**70, -(2**70), 5):
        assert sunzi.mul(Strange(a), 3) == 3 * a


def test_underscores_stand_between_digits():
    assert Integer("1_000") == 1000 == sunzi.from_decimal("1_0_0_0")
    for wrong in ("_1", "1_", "1__0", "-_1", "_", "", " ", "+", "0x10"):
        with pytest.raises(ValueError):
            Integer(wrong)


def test_formats_have_no_limit():
    assert f"{Integer(10) ** 5000:d}" == "1" + "0" * 5000
    assert f"{Integer(0) << 10**30}" == "0"


def test_bits_at_the_seams_of_all_algorithms():
    for limbs in (1, 12, 25, 26, 100, 269, 270, 599, 600, 700):
        for a in ((1 << 64 * limbs) - 1, 1 << 64 * limbs, (1 << 64 * limbs) // 3):
            assert sunzi.mul(a, a + 1) == a * (a + 1)
            assert Integer(a * a + 1) // a == a


@given(integers, integers)
def test_bits_are_those_of_int(a, b):
    x, y = Integer(a), Integer(b)
    assert (x & y, x | y, x ^ y, ~x) == (a & b, a | b, a ^ b, ~a)
    assert (a & y, a | y, a ^ y) == (a & b, a | b, a ^ b)
    assert all(type(made) is Integer for made in (x & b, a | y, x ^ y, ~x))
