"""Compares the Python package with python-flint, galois, SymPy and its own Rust calls, and writes the table of docs/python.md.

Results are compared first; then contenders are timed in turn, by processor time on one thread, and medians are told.

    pip install python-flint galois sympy        # and Rust, for the calls of `in_rust`
    python tools/peers/python/measure.py [--page docs/python.md] [--seconds 0.3] [words of cases]
"""

import argparse
import ctypes
import math
import platform
import statistics
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import flint
import numpy as np
import sunzi
import sympy
from sunzi import GF, NTT, Integer, Poly

try:
    import galois
except ImportError:
    galois = None

rng = np.random.default_rng(7)
P31, P60, P62 = 469762049, 2**60 - 2**18 + 1, 4611686018326724609


class Case:
    """Contenders for one job, ours first; `goal` is the ratio that is wanted, or the microseconds where there is no other."""

    def __init__(self, name, goal, ours, theirs=None, same=lambda a, b: a == b, peer="python-flint"):
        self.name, self.goal, self.ours, self.theirs, self.same, self.peer = name, goal, ours, theirs, same, peer


def ints(n, bits=30):
    return [int.from_bytes(rng.bytes(bits // 8 + 1), "little") % (1 << bits) - (1 << bits - 1) for _ in range(n)]


def in_rust():
    """The library of the package's own calls in Rust."""
    folder = Path(__file__).parent / "in_rust"
    subprocess.run(["cargo", "build", "--release", "--quiet", "--manifest-path", folder / "Cargo.toml"], check=True)
    names = {"darwin": "libsunzi_in_rust.dylib", "win32": "sunzi_in_rust.dll"}
    library = ctypes.CDLL(folder / "target" / "release" / names.get(sys.platform, "libsunzi_in_rust.so"))
    library.new_plan.argtypes, library.new_plan.restype = [ctypes.c_size_t, ctypes.c_uint64], ctypes.c_void_p
    library.transform.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]
    library.transform.restype = ctypes.c_bool
    return library


def import_times(count):
    """Seconds that `import sunzi` takes where NumPy is there, in processes of their own."""
    program = "import numpy, time; start = time.process_time(); import sunzi; print(time.process_time() - start)"
    run = [sys.executable, "-c", program]
    return [float(subprocess.run(run, capture_output=True, text=True, check=True).stdout) for _ in range(count)]


def transforms():
    library = in_rust()
    for p, name, dtype in ((P31, "31", np.uint32), (P62, "62", np.uint64)):
        for log in (16, 20):
            n = 1 << log
            x = rng.integers(0, p, size=n, dtype=dtype)
            ours, theirs = x.copy(), x.copy()
            plan, other = NTT(n, p), library.new_plan(n, p)
            address, bits = theirs.ctypes.data, 8 * x.itemsize
            values = x.copy()
            assert library.transform(other, values.ctypes.data, bits)

            def rust(other=other, address=address, bits=bits, theirs=theirs):
                assert library.transform(other, address, bits)
                return theirs

            yield Case(
                f"`NTT.forward` of 2^{log} points, {name} bits, `out`; the same Rust call",
                1.05,
                lambda plan=plan, ours=ours: plan.forward(ours, out=ours),
                rust,
                np.array_equal,
                "Rust",
            )
            yield Case(
                "the same, array to array",
                1.10,
                lambda plan=plan, x=x: plan.forward(x),
                rust,
                lambda a, b, values=values: np.array_equal(a, values),
                "Rust",
            )


def cases():
    yield from transforms()
    for digits, goal in ((10**4, 0.8), (10**5, 0.5), (10**6, 0.4), (10**7, 0.4)):
        a, b = 10**digits // 7, 10**digits // 13
        yield Case(
            f"`int` in, `int` out, 10^{round(math.log10(digits))} digits",
            goal,
            lambda a=a, b=b: sunzi.mul(a, b),
            lambda a=flint.fmpz(a), b=flint.fmpz(b): a * b,
            lambda x, y: x == int(y),
        )
    for digits, goal in ((10**3, 1.0), (10**6, 0.35)):
        a, b = 10**digits // 7, 10**digits // 13
        yield Case(
            f"`Integer` product, 10^{round(math.log10(digits))} digits",
            goal,
            lambda a=Integer(a), b=Integer(b): a * b,
            lambda a=flint.fmpz(a), b=flint.fmpz(b): a * b,
            lambda x, y: x == int(y),
        )
    a, b = 10**19 + 3, 10**19 + 7
    yield Case("`mul` of 20 digits, µs", 1.0, lambda: sunzi.mul(a, b))
    x, plan = np.arange(4, dtype=np.uint32), NTT(4, P31)
    yield Case("`NTT.forward` of 4 elements, µs", 0.5, lambda: plan.forward(x))
    yield Case("`ntt` of 4 elements, µs", 1.0, lambda: sunzi.ntt(x, P31))
    for log, goal in ((8, 0.25), (12, 0.08), (16, 0.06)):
        c, d = (rng.integers(0, P31, size=1 << log, dtype=np.uint32) for _ in "ab")
        f, g = (flint.nmod_poly(v.tolist(), P31) for v in (c, d))
        yield Case(
            f"product mod 469762049, arrays, 2^{log}; FLINT's product alone",
            goal,
            lambda c=c, d=d: sunzi.convolve(c, d, P31),
            lambda f=f, g=g: f * g,
            lambda u, v: u.tolist() == [int(c) for c in v.coeffs()],
        )
    c, d = (rng.integers(0, P31, size=1 << 16, dtype=np.uint32) for _ in "ab")
    yield Case(
        "the same, 2^16, FLINT from and to lists",
        0.02,
        lambda: sunzi.convolve(c, d, P31),
        lambda: (flint.nmod_poly(c.tolist(), P31) * flint.nmod_poly(d.tolist(), P31)).coeffs(),
        lambda u, v: u.tolist() == [int(c) for c in v],
    )
    c60, d60 = (rng.integers(0, P60, size=1 << 16, dtype=np.uint64) for _ in "ab")
    f60, g60 = (flint.nmod_poly(v.tolist(), P60) for v in (c60, d60))
    yield Case(
        "product mod 2^60−2^18+1, 2^16",
        0.07,
        lambda: sunzi.convolve(c60, d60, P60),
        lambda: f60 * g60,
        lambda u, v: u.tolist() == [int(c) for c in v.coeffs()],
    )
    for p, name, goals in ((P31, "31", (0.4, 0.2)), (P60, "60", (0.7, 0.25))):
        F = GF(p)
        for log, goal in zip((8, 12), goals):
            c, d = (rng.integers(0, p, size=1 << log, dtype=np.uint64).tolist() for _ in "ab")
            ours, theirs = [Poly(v, F) for v in (c, d)], [flint.nmod_poly(v, p) for v in (c, d)]
            yield Case(
                f"gcd mod p of {name} bits, 2^{log}",
                goal,
                lambda o=ours: o[0].gcd(o[1]),
                lambda t=theirs: t[0].gcd(t[1]),
                lambda u, v: u.coeffs() == [int(c) for c in v.coeffs()],
            )
            yield Case(
                f"resultant mod p of {name} bits, 2^{log}",
                goal,
                lambda o=ours: o[0].resultant(o[1]),
                lambda t=theirs: t[0].resultant(t[1]),
                lambda u, v: u == int(v),
            )
    for log, bits in ((10, 64), (14, 64), (12, 512)):
        c, d = ints(1 << log, bits), ints(1 << log, bits)
        ours, theirs = [Poly(v) for v in (c, d)], [flint.fmpz_poly(v) for v in (c, d)]
        yield Case(
            f"Z[x], 2^{log} coefficients of {bits} bits: product",
            0.4,
            lambda o=ours: o[0] * o[1],
            lambda t=theirs: t[0] * t[1],
            lambda u, v: u.coeffs() == [int(c) for c in v.coeffs()],
        )
        yield Case(
            "the same, from lists to lists",
            0.5,
            lambda c=c, d=d: (Poly(c) * Poly(d)).coeffs(),
            lambda c=c, d=d: (flint.fmpz_poly(c) * flint.fmpz_poly(d)).coeffs(),
            lambda u, v: u == [int(c) for c in v],
        )
    for n, goal in ((50, 1.0), (200, 0.6), (500, 0.5)):
        m = rng.integers(0, P31, size=(n, n), dtype=np.uint32)
        theirs = flint.nmod_mat(n, n, m.ravel().tolist(), P31)
        yield Case(
            f"det mod p, n = {n}, from an array",
            goal,
            lambda m=m: sunzi.det(m, P31),
            lambda t=theirs: t.det(),
            lambda u, v: u == int(v),
        )
    for n, goal in ((5, 1.5), (50, 0.35), (200, 0.3)):
        m = rng.integers(-(10**9), 10**9, size=(n, n))
        theirs = flint.fmpz_mat(m.tolist())
        yield Case(
            f"det over Z, n = {n}, from an array",
            goal,
            lambda m=m: sunzi.det(m),
            lambda t=theirs: t.det(),
            lambda u, v: u == int(v),
        )
    for degree, goal in ((16, 1.5), (100, 1.0), (500, 0.8)):
        common = Poly(ints(degree // 2, 20))
        pair = [(common * Poly(ints(degree - degree // 2 + 1, 20))).coeffs() for _ in "ab"]
        theirs = [flint.fmpz_poly(c) for c in pair]
        yield Case(
            f"gcd over Z, degree {degree}, from lists",
            goal,
            lambda p=pair: Poly(p[0]).gcd(Poly(p[1])).coeffs(),
            lambda t=theirs: t[0].gcd(t[1]),
            lambda u, v: u == [int(c) for c in v.coeffs()] or [-c for c in u] == [int(c) for c in v.coeffs()],
        )
    for degree in (50, 150, 250):
        pair = [ints(degree + 1, 20) for _ in "ab"]
        ours, theirs = [Poly(c) for c in pair], [flint.fmpz_poly(c) for c in pair]
        yield Case(
            f"resultant over Z, degree {degree}",
            0.15,
            lambda o=ours: o[0].resultant(o[1]),
            lambda t=theirs: t[0].resultant(t[1]),
            lambda u, v: u == int(v),
        )
    c = ints(41, 20)
    ours, theirs = Poly(c), sympy.Poly(c[::-1], sympy.Symbol("x"))
    yield Case(
        "real roots, degree 40, 15 digits; SymPy's `intervals`",
        0.07,
        lambda: [r.digits(15) for r in ours.real_roots(digits=15)],
        lambda: theirs.intervals(eps=sympy.Rational(1, 10**15)),
        lambda u, v: len(u) == len(v),
        "SymPy",
    )
    roots = flint.fmpz_poly(c)
    yield Case(
        "the same; FLINT's complex roots",
        0.07,
        lambda: [r.digits(15) for r in ours.real_roots(digits=15)],
        lambda: roots.complex_roots(),
        lambda u, v: len(u) == sum(1 for r, _ in v if r.imag == 0),
    )
    x, y = sympy.symbols("x y")
    f, g = x**2 + y**2 - 1, 3 * x * y - 1
    yield Case(
        "x² + y² − 1, 3xy − 1; SymPy's `solve_poly_system`",
        0.01,
        lambda: sunzi.solve_system("x^2 + y^2 - 1", "3*x*y - 1", digits=15),
        lambda: sympy.solve_poly_system([f, g], x, y),
        lambda u, v: len(u) == len(v),
        "SymPy",
    )
    if galois:
        for log, goal in ((10, 0.04), (16, 0.08)):
            v = rng.integers(0, P31, size=1 << log, dtype=np.uint32)
            w = v.astype(np.int64).tolist()
            elements = galois.GF(P31)(w)
            yield Case(
                f"`ntt` of 2^{log} points; galois, compiled already",
                goal,
                lambda v=v: sunzi.ntt(v, P31),
                lambda e=elements: galois.ntt(e, modulus=P31),
                lambda a, b: sorted(a.tolist()) == sorted(int(c) for c in b),
                "galois",
            )


def once(work, count):
    start = time.process_time()
    for _ in range(count):
        work()
    return (time.process_time() - start) / count


def timed(works, seconds):
    """Medians of times in turn."""
    counts = []
    for work in works:
        count = 1
        while (spent := once(work, count) * count) < 0.005:
            count *= 4
        counts.append(max(1, round(count * 0.01 / spent)))
    times = [[] for _ in works]
    start = time.perf_counter()
    while len(times[0]) < 3 or time.perf_counter() - start < seconds * len(works):
        for work, count, into in zip(works, counts, times):
            into.append(once(work, count))
    return [statistics.median(t) for t in times]


def written(value):
    return f"{value:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", help="the page whose table is replaced")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each contender of a case")
    parser.add_argument("words", nargs="*", help="cases with one of these in their names alone")
    arguments = parser.parse_args()
    rows = []
    with sunzi.threads(1):
        if not arguments.words or "import" in arguments.words:
            rows.append(("`import sunzi` after NumPy, ms", "–", written(statistics.median(import_times(21)) * 1e3), "10"))
            print(" | ".join(rows[-1]), flush=True)
        for case in cases():
            if arguments.words and not any(word in case.name for word in arguments.words):
                continue
            if case.theirs is None:
                [ours] = timed([case.ours], arguments.seconds)
                rows.append((case.name, "–", written(ours * 1e6), written(case.goal)))
            else:
                assert case.same(case.ours(), case.theirs()), f"{case.name}: the results differ"
                ours, theirs = timed([case.ours, case.theirs], arguments.seconds)
                rows.append((case.name, case.peer, written(ours / theirs), written(case.goal)))
            print(" | ".join(rows[-1]), flush=True)
    # Goals are for those who work on it.
    table = ["| case | against | ratio |", "|---|---|--:|"]
    table += [f"| {' | '.join(row[:-1])} |" for row in rows]
    if arguments.page:
        with open(arguments.page, encoding="utf-8") as file:
            text = file.read()
        begin, end = "<!-- measured -->\n", "<!-- /measured -->\n"
        head, rest = text.split(begin)
        told = (
            f"Processor time on one thread, medians, by `python tools/peers/python/measure.py` on {platform.machine()} with "
            f"{sunzi.info()['instructions']}, "
            f"Python {platform.python_version()}, python-flint {flint.__version__}, SymPy {sympy.__version__}"
            f"{f', galois {galois.__version__}' if galois else ''}, {date.today()}:\n\n"
        )
        text = head + begin + told + "\n".join(table) + "\n" + end + rest.split(end)[1]
        with open(arguments.page, "w", encoding="utf-8") as file:
            file.write(text)


main()
