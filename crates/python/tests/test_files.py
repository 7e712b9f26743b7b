"""Transforms and products of files that may be longer than memory."""

import os

import numpy as np
import pytest

import sunzi

P = 4611686018326724609


@pytest.fixture
def x(tmp_path):
    x = np.random.default_rng(2).integers(0, P, size=1 << 16, dtype=np.uint64)
    np.save(tmp_path / "x.npy", x)
    return x


def test_transforms_of_files(tmp_path, x):
    with sunzi.threads(1):
        for limit, passes in [(None, 1), (600_000, 3)]:
            told = sunzi.ntt_file(tmp_path / "x.npy", tmp_path / "y.npy", P, scratch=tmp_path, max_memory=limit)
            assert told["passes"] == passes and told["resumed"] is None
            assert told["bytes_written"] >= passes * x.nbytes
            assert np.array_equal(np.load(tmp_path / "y.npy"), sunzi.ntt(x, P))
        files = [str(tmp_path / name) for name in ["y.npy", "z.npy"]]
        sunzi.ntt_file(*files, P, scratch=str(tmp_path), max_memory=600_000, inverse=True)
        assert np.array_equal(np.load(tmp_path / "z.npy"), x)


def test_values_as_a_matrix(tmp_path, x):
    sunzi.ntt_file(tmp_path / "x.npy", tmp_path / "y.npy", P, scratch=tmp_path, order="transposed")
    y = np.load(tmp_path / "y.npy", mmap_mode="r")
    assert np.array_equal(y.T.reshape(-1), sunzi.ntt(x, P))
    files = [tmp_path / name for name in ["y.npy", "z.npy"]]
    sunzi.ntt_file(*files, P, scratch=tmp_path, order="transposed", inverse=True)
    assert np.array_equal(np.load(tmp_path / "z.npy"), x)


def test_products_of_files(tmp_path, x):
    np.save(tmp_path / "f.npy", x[:30000])
    expected = sunzi.Poly(x, P) * sunzi.Poly(x[:30000], P)
    with sunzi.threads(1):
        for limit, passes in [(None, 1), (1_000_000, 4)]:
            files = [tmp_path / name for name in ["x.npy", "f.npy", "h.npy"]]
            told = sunzi.mul_file(*files, P, scratch=tmp_path, max_memory=limit)
            assert told["passes"] == passes
            assert np.array_equal(np.load(tmp_path / "h.npy"), np.asarray(expected))


def test_products_over_the_integers(tmp_path):
    f = np.array([5, -(2**63), 2**63 - 1, 0, -1] * 700, dtype=np.int64)
    g = np.arange(3000, dtype=np.uint32)
    files = [tmp_path / name for name in ["f.npy", "g.npy", "h.npy"]]
    np.save(files[0], f)
    np.save(files[1], g)
    expected = sunzi.Poly(f.tolist()) * sunzi.Poly(g.tolist())
    for limit in [None, 700_000]:
        sunzi.mul_file(*files, scratch=tmp_path, max_memory=limit)
        words = np.load(files[2])
        assert words.shape == (len(f) + len(g) - 1, 2) and words.dtype == np.uint64
        values = [int.from_bytes(row.tobytes(), "little", signed=True) for row in words]
        assert values == list(expected)


def test_products_of_integers(tmp_path):
    a, b = 7**40000, 3**50000 - 2
    files = [tmp_path / name for name in ["a.npy", "b.npy", "c.npy"]]
    for number, path in zip([a, b], files):
        size = -(-number.bit_length() // 64)
        np.save(path, np.frombuffer(number.to_bytes(8 * size, "little"), dtype=np.uint64))
    for limit in [None, 700_000]:
        sunzi.int_mul_file(*files, scratch=tmp_path, max_memory=limit)
        assert int.from_bytes(np.load(files[2]).tobytes(), "little") == a * b


def test_what_cannot_be_is_told(tmp_path, x):
    def ntt(name, **more):
        sunzi.ntt_file(tmp_path / name, tmp_path / "y.npy", P, **{"scratch": tmp_path, **more})

    with pytest.raises(OSError, match="cannot be opened"):
        ntt("none.npy")
    with pytest.raises(OSError, match="cannot be read"):
        ntt("x.npy", scratch=tmp_path / "none")
    with pytest.raises(MemoryError, match="raise the limit"):
        ntt("x.npy", max_memory=1000)
    with pytest.raises(ValueError, match="natural"):
        ntt("x.npy", order="else")
    np.save(tmp_path / "large.npy", np.array([1, P], dtype=np.uint64))
    with pytest.raises(ValueError, match="entry 1 is no element"):
        ntt("large.npy")
    np.save(tmp_path / "floats.npy", np.zeros(4))
    with pytest.raises(ValueError, match="numpy.uint64"):
        ntt("floats.npy")
    assert not os.path.exists(tmp_path / "y.npy")
