"""Which arrays and sequences are taken, and which are not."""

import threading

import numpy as np
import pytest
from common import BIG_PRIMES, PRIMES

import sunzi
from sunzi import GF, NTT

P = 469762049


@pytest.mark.parametrize("p", PRIMES)
def test_all_kinds_of_entries_are_the_same_elements(p):
    F = GF(p)
    numbers = [0, 1, 2, p - 1]
    for entries in (
        numbers,
        tuple(numbers),
        np.array(numbers, dtype=object),
        np.array(numbers, dtype=np.uint64),
        np.array(numbers, dtype=np.uint64).astype(">u8"),
        np.array([x for x in numbers for _ in (0, 1)], dtype=np.uint64)[::2],
        [n - p for n in numbers],
        [n + 7 * p for n in numbers],
        iter(numbers),
    ):
        array = F.array(entries)
        assert array.dtype == F.dtype and array.tolist() == numbers
        assert F.ints(array) == numbers
    signed = np.array([-1, 5, -7], dtype=np.int64)
    assert F.array(signed).tolist() == [-1 % p, 5 % p, -7 % p]
    assert F.array(signed.astype(np.int8)).tolist() == [-1 % p, 5 % p, -7 % p]
    assert F.array(np.array([1, 2], dtype=np.uint8)).tolist() == [1, 2]
    assert F.dtype == (np.uint32 if p < 2**31 else np.uint64)
    assert F.array(5).shape == () and F.ints(5) == 5 % p
    assert F.array([[1, 2], [0, 1]]).tolist() == [[1, 2], [0, 1]]
    assert F.array([]).shape == (0,) and F.array([[], []]).shape == (2, 0)
    assert F.array(np.uint64(2)) == 2


@pytest.mark.parametrize("name", BIG_PRIMES)
def test_elements_modulo_big_primes_are_rows_of_digits(name):
    F = GF(name)
    p = F.prime
    numbers = [0, 1, p - 1, p // 3, 12345678901234567890]
    array = F.array(numbers)
    assert array.shape == (5, F.digits) and array.dtype == np.uint64
    assert F.ints(array) == numbers
    assert F.ints(F.mul(array, array)) == [n * n % p for n in numbers]
    with pytest.raises(ValueError, match="digits"):
        F.ints(array[:, :-1])
    outside = array.copy()
    outside[0] = np.uint64(2**64 - 1)
    with pytest.raises(ValueError, match="entry 0"):
        F.ints(outside)


@pytest.mark.parametrize("p", PRIMES)
def test_operations_are_those_modulo_p(p):
    F = GF(p)
    a = [0, 1, 2, p - 1, p // 2]
    b = [p - 1, 1, p // 3, p - 1, 5 % p]
    assert F.add(a, b).tolist() == [(x + y) % p for x, y in zip(a, b)]
    assert F.sub(a, b).tolist() == [(x - y) % p for x, y in zip(a, b)]
    assert F.mul(a, b).tolist() == [x * y % p for x, y in zip(a, b)]
    assert F.sub(3, b).tolist() == [(3 - y) % p for y in b]
    assert F.mul(a, 3).tolist() == [3 * x % p for x in a]
    assert F.pow(a, 5).tolist() == [pow(x, 5, p) for x in a]
    units = [x for x in a if x]
    assert F.inv(units).tolist() == [pow(x, -1, p) for x in units]
    assert F.pow(units, -2).tolist() == [pow(x, -2, p) for x in units]
    with pytest.raises(ZeroDivisionError, match="element 0 is zero"):
        F.inv(a)
    with pytest.raises(ValueError, match="shapes"):
        F.add([1, 2], [1, 2, 3])


def test_entries_that_are_no_elements_are_refused_or_reduced():
    F = GF(97)
    for array in (np.array([1, 97], dtype=np.uint32), np.array([1, 1 << 40], dtype=np.uint64)):
        with pytest.raises(ValueError, match="entry 1"):
            F.array(array)
        assert F.array(array, reduce=True).tolist() == [int(x) % 97 for x in array]


@pytest.mark.parametrize(
    "entries",
    [
        [1.0],
        np.array([1.0]),
        np.array([True]),
        np.array(["1"]),
        [None],
        "12",
        None,
        [[1], [2.5]],
        np.array([1, None], dtype=object),
        np.array([1j]),
    ],
)
def test_entries_of_other_types_are_refused(entries):
    kinds = (GF(97).array, lambda x: sunzi.ntt(x, 97), lambda x: sunzi.Poly(x, 97))
    for work in kinds:
        if isinstance(entries, str) and work is not kinds[0]:
            continue
        with pytest.raises(TypeError):
            work(entries)


@pytest.mark.parametrize("entries", [[[1], [2, 3]], [1, [2]], [[1], 2], [[[1]], [[1], [2]]]])
def test_ragged_sequences_are_refused(entries):
    with pytest.raises(ValueError, match="lengths"):
        GF(97).array(entries)


def test_arrays_that_cannot_be_written_are_refused():
    x = np.arange(8, dtype=np.uint32)
    plan = NTT(8, P)
    locked = np.empty(8, dtype=np.uint32)
    locked.flags.writeable = False
    for out in (
        locked,
        np.empty(8, dtype=np.uint64),
        np.empty(7, dtype=np.uint32),
        np.empty(16, dtype=np.uint32)[::2],
        [0] * 8,
    ):
        with pytest.raises(ValueError, match="out"):
            plan.forward(x, out=out)
    x.flags.writeable = False
    assert plan.forward(x).tolist() == plan.forward(x.copy()).tolist()


def test_results_may_lie_where_operands_do():
    x = np.arange(8, dtype=np.uint32)
    expected = sunzi.ntt(x, P)
    y = x.copy()
    assert sunzi.ntt(y, P, out=y) is y
    assert y.tolist() == expected.tolist()
    # Overlapping, but not the same.
    long = np.zeros(12, dtype=np.uint32)
    long[:8] = x
    sunzi.ntt(long[:8], P, out=long[4:])
    assert long[4:].tolist() == expected.tolist()


def test_results_go_only_where_they_fit():
    x = np.arange(8, dtype=np.uint32)
    for out in (np.zeros(8, np.uint8), np.zeros(8, np.float32), np.zeros((2, 8), np.uint32), np.zeros(4, np.uint32), None):
        for arguments in ({"axis": 0}, {"n": 8}, {}):
            if out is not None:
                with pytest.raises(ValueError, match="out"):
                    sunzi.ntt(x, P, out=out, **arguments)
    strided = np.zeros(16, np.uint32)[::2]
    assert sunzi.ntt(x, P, axis=0, out=strided) is strided
    assert strided.tolist() == sunzi.ntt(x, P).tolist()


def test_axes_that_are_not_there_are_refused():
    x = np.arange(16, dtype=np.uint64).reshape(4, 4)
    for axis in (2, -3, 7):
        with pytest.raises(IndexError, match="axis"):
            sunzi.ntt(x.astype(np.uint32), P, axis=axis)
    # The digits are no axis.
    for axis in (1, -2):
        with pytest.raises(IndexError, match="axis"):
            sunzi.ntt(x, "P4", axis=axis)
    assert (sunzi.ntt(x, "P4", axis=0) == sunzi.ntt(x, "P4")).all()


def test_arrays_lie_anywhere():
    F = GF(97)
    shifted = np.zeros(17, np.uint8)[1:].view(np.uint32)
    shifted[:] = [1, 2, 3, 4]
    assert F.array(shifted).tolist() == [1, 2, 3, 4]
    deep = np.zeros((1,) * 31, np.int64)
    assert F.array(deep).shape == deep.shape
    plan = NTT(4, P)
    out = np.zeros(17, np.uint8)[1:].view(np.uint32)
    with pytest.raises(ValueError, match="out"):
        plan.forward([1, 2, 3, 4], out=out)


def test_what_has_no_entries_or_no_order_is_refused():
    F = GF(97)
    for wrong in ({1, 2}, {1: 2}, frozenset([1]), np.ma.array([1, 2], mask=[0, 1])):
        with pytest.raises(TypeError):
            F.array(wrong)


def test_zero_has_no_inverse_anywhere():
    for F in (GF(97), GF(2**60 - 2**18 + 1), GF("P4")):
        for work in (lambda: F.inv(0), lambda: F.inv([1, 0]), lambda: F.pow(0, -1)):
            with pytest.raises(ZeroDivisionError):
                work()
        with pytest.raises(ValueError, match="exponent"):
            F.pow(3, 2**70)


def test_a_field_is_its_prime():
    assert GF(97) == GF("97") == GF("2^7 - 31") != GF(101)
    assert len({GF(97), GF(97), GF(101)}) == 2
    assert GF("P8") == GF(GF("P8").prime)
    for wrong in (15, 16, 1, 0, -7, "2^32", "x", 2**64 + 1):
        with pytest.raises(ValueError):
            GF(wrong)
    for wrong in (1.5, None, [97]):
        with pytest.raises(TypeError):
            GF(wrong)


@pytest.mark.parametrize("p", [97, 2**60 - 2**18 + 1, "P8"])
def test_coefficients_are_shared_where_they_are_words(p):
    f = sunzi.Poly([1, 2, 3], p)
    view = np.asarray(f)
    ints = sunzi.GF(p).ints
    assert ints(view) == [1, 2, 3] and not view.flags.writeable and not view.flags.owndata
    assert np.shares_memory(view, np.asarray(f)) and not np.shares_memory(view, f.__array__(copy=True))
    with pytest.raises(ValueError):
        view[0] = 5
    with pytest.raises(ValueError):
        view.flags.writeable = True
    copy = f.__array__(copy=True)
    copy[0] = 5
    assert np.asarray(f, dtype=np.uint64).dtype == np.uint64
    del f
    assert ints(view) == [1, 2, 3]
    assert np.asarray(sunzi.Poly([], p)).shape[0] == 0
    assert sunzi.Poly(view, p).coeffs() == [1, 2, 3]
    with pytest.raises(ValueError):
        sunzi.Poly([1]).__array__(copy=False)


class Exported:
    """An array of a library that has DLPack alone."""

    def __init__(self, array, device=None):
        self.array, self.device = array, device or array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


def test_arrays_of_other_libraries_are_taken():
    x = np.arange(4, dtype=np.uint32)
    assert sunzi.ntt(Exported(x), 97).tolist() == sunzi.ntt(x, 97).tolist()
    out = np.zeros(4, dtype=np.uint32)
    sunzi.ntt(Exported(out), 97, out=out)
    assert sunzi.Poly(Exported(x), 97) == sunzi.Poly(x, 97)
    assert sunzi.det(Exported(np.array([[1, 2], [3, 4]]).T)) == -2
    with pytest.raises(TypeError, match="float64"):
        sunzi.ntt(Exported(x.astype(float)), 97)
    for wanted in (None, out):
        with pytest.raises(TypeError, match="another device: copy it"):
            sunzi.ntt(Exported(x, (2, 0)), 97, out=wanted)


def test_shared_arrays_are_made_while_others_compute():
    f = sunzi.Poly(np.arange(1 << 16, dtype=np.uint32), P)
    failed, done = [], threading.Event()

    def look():
        while not done.is_set():
            try:
                np.asarray(f)
            except Exception as error:
                failed.append(error)
                return

    other = threading.Thread(target=look)
    other.start()
    for _ in range(20):
        sunzi.ntt(np.asarray(f), P)
    done.set()
    other.join()
    assert not failed
    with pytest.raises(ValueError):
        f.__array__(np.uint64, copy=False)
    assert f.__array__(np.uint32, copy=False).dtype == np.uint32
