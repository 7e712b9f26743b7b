"""What `device=` names: the same results from a device, and what is told where there is none."""

import gc
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import sunzi
from sunzi import GF, NTT, PointTree, Poly

#: Words of 32 bits, of 64, and digits.
PRIMES = [469762049, 2**60 - 2**18 + 1, "P8"]


def elements(field, *shape):
    """Elements, the greatest among them."""
    rng = np.random.default_rng(1)
    flat = [int.from_bytes(rng.bytes(field.digits * 8), "little") % field.prime for _ in range(int(np.prod(shape)))]
    if flat:
        flat[-1] = field.prime - 1
    return field.array(np.array(flat, dtype=object).reshape(shape))


@pytest.fixture(scope="module")
def device():
    found = [facts["device"] for facts in sunzi.devices()]
    if not found:
        assert not os.environ.get("SUNZI_REQUIRE_GPU"), "a device is required here, and none was found"
        pytest.skip("there is no device")
    return found[0]


def test_devices_are_listed(device):
    facts = sunzi.devices()[0]
    assert facts["device"] == device and facts["memory"] > 0 and facts["name"] and facts["kind"] and facts["driver"]


def test_integers(device):
    a, b = 7**30000, -(5**20000)
    assert sunzi.mul(a, b, device=device) == a * b
    assert sunzi.sqr(b, device=device) == b * b
    assert sunzi.mul_many([a, 0, 3], [b, b, 4], device=device) == [a * b, 0, 12]
    assert sunzi.mul_many([], [], device=device) == []


@pytest.mark.parametrize("p", PRIMES)
def test_transforms(device, p):
    field = GF(p)
    x = elements(field, 3, 64)
    y = sunzi.ntt(x, p)
    assert np.array_equal(sunzi.ntt(x, p, device=device), y)
    assert np.array_equal(sunzi.intt(y, p, device=device), x)
    assert np.array_equal(sunzi.ntt(x, p, norm="forward", device=device), sunzi.ntt(x, p, norm="forward"))
    out = np.zeros_like(x)
    plan = NTT(64, p, device=device)
    assert plan.forward(x, out=out) is out and np.array_equal(out, y)
    assert np.array_equal(plan.inverse(y), x)
    other = pickle.loads(pickle.dumps(plan))
    assert repr(other) == repr(plan) and device in repr(plan) and np.array_equal(other(x), y)
    shape = (64, 3) if field.digits == 1 else (64, 3, field.digits)
    turned = np.ascontiguousarray(np.moveaxis(x, 0, 1)).reshape(shape)
    assert np.array_equal(sunzi.ntt(turned, p, axis=0, device=device), sunzi.ntt(turned, p, axis=0))


def test_what_a_device_does_not_compute_is_told(device):
    p = 469762049
    root = p - sunzi.root_of_unity(4, p)
    for x, p, keywords in (
        ([1, 2, 3, 4], p, {"root": root}),
        ([1, 2, 3], 31, {}),
        ([1, 2, 3, 4], 2**64 - 2**32 + 1, {}),
    ):
        with pytest.warns(RuntimeWarning, match="on the processor"):
            found = sunzi.ntt(x, p, device=device, **keywords)
        assert np.array_equal(found, sunzi.ntt(x, p, **keywords))
    f, g = Poly([-1, 0, 1]), Poly([1, 1])
    for method in ("gcd", "resultant", "divmod"):
        with pytest.warns(RuntimeWarning, match="on the processor"):
            found = getattr(f, method)(g, device=device)
        assert found == (divmod(f, g) if method == "divmod" else getattr(f, method)(g))
    from fractions import Fraction

    with pytest.warns(RuntimeWarning, match="on the processor"):
        assert sunzi.det([[Fraction(1, 2), 1], [1, 1]], device=device) == Fraction(-1, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            f.gcd(g, device=device)


@pytest.mark.parametrize("p", PRIMES[:2])
def test_polynomials(device, p):
    field = GF(p)
    f, g, h = (Poly(elements(field, n), field) for n in (90, 70, 40))
    assert f.mul(g, device=device) == f * g == f.mul(g)
    assert f.divmod(g, device=device) == divmod(f, g) == f.divmod(g)
    assert (f * h).gcd(g * h, device=device) == h.monic() * f.gcd(g)
    assert f.xgcd(g, device=device) == f.xgcd(g)
    assert f.resultant(g, device=device) == f.resultant(g)
    assert f.mul(3, device=device) == 3 * f
    zero = Poly([], field)
    assert f.mul(zero, device=device) == zero and zero.gcd(f, device=device) == f.monic()
    for divide in (f.divmod, lambda z, device: divmod(f, z)):
        with pytest.raises(ZeroDivisionError):
            divide(zero, device=device)


def test_polynomials_over_the_integers(device):
    f, g = Poly([3**k for k in range(200)]), Poly([-(7**k) for k in range(100)])
    assert f.mul(g, device=device) == f * g


@pytest.mark.parametrize("p", PRIMES)
def test_points(device, p):
    field = GF(p)
    points = elements(field, 50)
    f = Poly(elements(field, 60), field)
    here, there = PointTree(points, field), PointTree(points, field, device=device)
    values = there.evaluate(f)
    assert values.dtype == field.dtype and np.array_equal(values, here.evaluate(f))
    assert there.interpolate(values) == here.interpolate(values)
    assert sunzi.interpolate(points, values, field, device=device) == here.interpolate(values)
    other = pickle.loads(pickle.dumps(there))
    assert len(other) == 50 and device in repr(other) and np.array_equal(other.evaluate(f), values)
    twice = PointTree(np.concatenate([points, points]), field, device=device)
    with pytest.raises(ValueError):
        twice.interpolate(np.concatenate([values, values]))


def test_determinants(device):
    rng = np.random.default_rng(2)
    for p in PRIMES[:2]:
        matrix = elements(GF(p), 20, 20)
        assert sunzi.det(matrix, p, device=device) == sunzi.det(matrix, p)
    matrix = rng.integers(-(10**9), 10**9, size=(40, 40))
    assert sunzi.det(matrix, device=device) == sunzi.det(matrix)
    with pytest.raises(ValueError):
        sunzi.det(matrix[:3], device=device)
    doubles = rng.normal(size=(20, 20))
    sign, mantissa, exponent = sunzi.det_float(doubles)
    found = sunzi.det_float(doubles, device=device)
    assert found[0] == sign and found[2] == exponent and abs(found[1] - mantissa) < 1e-9


def test_auto_and_cpu_compute_the_same():
    for name in ("auto", "cpu", None):
        assert sunzi.mul(10**30, -3, device=name) == -3 * 10**30
        assert sunzi.det([[1, 2], [3, 4]], device=name) == -2
        assert NTT(4, 97, device=name).forward([1, 2, 3, 4]).tolist() == sunzi.ntt([1, 2, 3, 4], 97).tolist()


def test_names_that_are_none():
    for wrong in ("", "gpu7", "cuda:x", "OPENCL"):
        with pytest.raises(ValueError, match="auto"):
            sunzi.mul(2, 3, device=wrong)
    for wrong in ("opencl:999", "cuda:999"):
        with pytest.raises(RuntimeError, match="opencl|cuda|CUDA|OpenCL"):
            sunzi.mul(2, 3, device=wrong)
    with pytest.raises(TypeError):
        sunzi.mul(2, 3, device=0)
    hidden = "import sunzi; print(sunzi.devices()); sunzi.mul(2, 3, device='opencl')"
    environment = {**os.environ, "SUNZI_HIDE_DEVICES": "all"}
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, env=environment)
    assert done.stdout == "[]\n" and "RuntimeError" in done.stderr and "SUNZI_HIDE_DEVICES" in done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_devices_are_refused_in_a_fork(device):
    plan = NTT(64, 469762049, device=device)
    x = np.arange(64, dtype=np.uint32)
    expected = plan.forward(x)
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        told = []
        for work in (lambda: plan.forward(x), lambda: sunzi.mul(2, 3, device=device), sunzi.devices):
            try:
                work()
                told.append("it computed")
            except RuntimeError as error:
                told.append(str(error))
        told.append(str(sunzi.mul(2, 3, device="auto") + sunzi.mul(2, 3, device="cpu")))
        os.write(write, "\n".join(told).encode())
        os._exit(0)
    os.waitpid(child, 0)
    *refused, computed = os.read(read, 10000).decode().split("\n")
    assert len(refused) == 3 and all("spawn" in told for told in refused) and computed == "12"
    assert np.array_equal(plan.forward(x), expected)


def test_auto_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Poly([1, 2]).gcd(Poly([1, 2]), device="auto") == Poly([1, 2])
        assert sunzi.ntt([1, 2, 3, 4, 5, 6], 97, device="auto")[0] == 21


def test_empty_batches(device):
    x = np.zeros((0, 4), np.uint32)
    assert sunzi.ntt(x, 469762049, out=x, device=device) is x


def test_objects_do_not_pile_up(device):
    x = np.arange(16, dtype=np.uint32)
    for _ in range(3):
        NTT(16, 469762049, device=device).forward(x)
    gc.collect()
    before = sys.getrefcount(x)
    for _ in range(20):
        sunzi.ntt(x, 469762049, device=device)
    assert sys.getrefcount(x) == before
