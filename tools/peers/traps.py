#!/usr/bin/env python3
"""Times of peers on the inputs of scripts/traps, for the table in docs/reliability.md.

    pip install python-flint gmpy2 cypari
    scripts/traps --inputs FOLDER
    python3 tools/peers/traps.py FOLDER      # writes docs/measured/traps-peers.csv
    scripts/traps --page

Each peer reads the same files where there are numbers in them; reading and writing count, as they do for the program. Times
are those of the processors. A peer runs in a process of its own, and is ended after one minute. GMP is used through gmpy2, FLINT through python-flint, PARI
through cypari, the rest is Python itself and sort of coreutils.
"""

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

LIMIT = 60
OUTPUT = Path(__file__).parents[2] / "docs/measured/traps-peers.csv"


def lines(folder, name="a"):
    return (folder / name).read_text().split("\n")[:-1]


def gmp_product(folder, names):
    import gmpy2

    a, b = (gmpy2.mpz(lines(folder, name)[0], 0) for name in names)
    return str(a * b)


def decimal_square(folder):
    import gmpy2

    a = gmpy2.mpz(lines(folder)[0], 10)
    return str(a * a)


def python_lines(folder):
    return "".join(f"{int(line) ** 2}\n" for line in lines(folder))


def sort(folder, *options):
    command = ["sort", "-n", *options, str(folder / "a")]
    done = subprocess.run(command, stdout=subprocess.PIPE, env={"LC_ALL": "C"})
    if done.returncode == -signal.SIGXCPU:
        # The limit is that of every process: it ends this one as well.
        os.kill(os.getpid(), signal.SIGXCPU)
    done.check_returncode()
    return done.stdout


def python_sort(folder):
    return "".join(f"{x}\n" for x in sorted(int(line, 0) for line in lines(folder)))


def flint_binomials(field, *terms):
    """x^n + c for each pair of n and c."""
    import flint

    def polynomial(degree, constant):
        coefficients = [constant] + [0] * (degree - 1) + [1]
        return flint.nmod_poly(coefficients, field) if field else flint.fmpz_poly(coefficients)

    return [polynomial(*term) for term in terms]


def flint_product(field, *terms):
    f, g = flint_binomials(field, *terms)
    return str((f * g).coeffs())


def flint_gcd(field, *terms):
    f, g = flint_binomials(field, *terms)
    return str(f.gcd(g))


def frobenius():
    import flint

    f, g = (flint.nmod_poly([0, 2] + [0] * (n - 2) + [1], 3) for n in (531441, 19683))
    return str(f.gcd(g))


def flint_lines(folder, name):
    import flint

    return flint.fmpz_poly([int(word, 0) for word in lines(folder, name)[0].split()])


def pari(text):
    import cypari

    cypari.pari.allocatemem(4 << 30)
    return str(cypari.pari(text))


def roots(text):
    return pari(f"polrootsreal({text})")


def roots_of_line(folder):
    words = lines(folder)[0].replace(" ", ",")
    return roots(f"Polrev([{words}])")


def squarefree():
    import flint

    return str((flint.fmpz_poly([-2, 0, 1]) ** 500).factor_squarefree())


def flint_matrix(folder, name="m"):
    import flint

    entries = [[flint.fmpq(*map(int, word.split("/"))) for word in line.split()] for line in lines(folder, name)]
    matrix = flint.fmpq_mat(entries)
    if all(entry.q == 1 for row in entries for entry in row):
        return flint.fmpz_mat([[entry.p for entry in row] for row in entries])
    return matrix


def flint_inverse(folder):
    import flint

    return str(flint.fmpq_mat(flint_matrix(folder)).inv())


CASES = {
    "int-long-by-short": ("GMP", lambda at: gmp_product(at, "ab")),
    "int-ones": ("GMP", lambda at: gmp_product(at, "ab")),
    "int-power-of-ten": ("GMP", decimal_square),
    "int-leading-zeros": ("GMP", decimal_square),
    "int-tiny-lines": ("Python", python_lines),
    "sort-equal": ("coreutils", lambda at: sort(at, "-u")),
    "sort-one-long": ("coreutils", sort),
    "sort-last-limb": ("Python", python_sort),
    "poly-sparse": ("FLINT", lambda _: flint_product(469762049, (10**7, 1), (10**7, 469762048))),
    "gcd-swell": ("FLINT", lambda _: flint_gcd(None, (10000, -1), (9999, -1))),
    "gcd-fibonacci": ("FLINT", lambda _: flint_gcd(469762049, (832040, 469762048), (514229, 469762048))),
    "gcd-frobenius": ("FLINT", lambda _: frobenius()),
    "gcd-long-coefficients": ("FLINT", lambda at: str(flint_lines(at, "a").gcd(flint_lines(at, "b")))),
    "resultant-linear": ("PARI", lambda _: pari("polresultant(x^20000+1,x-12345678901234567890)")),
    "resultant-sparse": ("PARI", lambda _: pari("polresultant(x^1000-1,x^999-2)")),
    "squarefree-power": ("FLINT", lambda _: squarefree()),
    "roots-wilkinson": ("PARI", roots_of_line),
    "roots-chebyshev": ("PARI", roots_of_line),
    "roots-mignotte": ("PARI", lambda _: roots("x^300-2*(2^300*x-1)^2")),
    "roots-far": ("PARI", lambda _: roots("(x-2^3500)*(2^3500*x-1)")),
    "roots-binomial": ("PARI", lambda _: roots("x^20000-2")),
    "roots-unity": ("PARI", lambda _: roots("x^10000-1")),
    "det-hilbert": ("FLINT", lambda at: str(flint_matrix(at).det())),
    "det-zero": ("FLINT", lambda at: str(flint_matrix(at).det())),
    "det-rank-one": ("FLINT", lambda at: str(flint_matrix(at).det())),
    "det-unimodular": ("FLINT", lambda at: str(flint_matrix(at).det())),
    "det-triangular": ("FLINT", lambda at: str(flint_matrix(at).det())),
    "det-one-long": ("FLINT", lambda at: str(flint_matrix(at).det())),
    "inverse-triangular": ("FLINT", flint_inverse),
    "rank-tall": ("FLINT", lambda at: str(flint_matrix(at).rank())),
}


def timed(run, folder, channel):
    sys.set_int_max_str_digits(0)
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))
    before = time.process_time()
    run(folder)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    channel.put(time.process_time() - before + children.ru_utime + children.ru_stime)


def main():
    folder = Path(sys.argv[1])
    with OUTPUT.open("w") as file:
        for name, (peer, run) in CASES.items():
            channel = multiprocessing.Queue()
            process = multiprocessing.Process(target=timed, args=(run, folder / name, channel))
            process.start()
            process.join()
            if process.exitcode == -signal.SIGXCPU:
                seconds = f"more than {LIMIT} s"
            elif process.exitcode != 0:
                raise SystemExit(f"{name}: {peer} failed")
            else:
                seconds = f"{channel.get():.3f}"
            print(f"{name},{peer},{seconds}", file=file, flush=True)
            print(name, peer, seconds)


if __name__ == "__main__":
    main()
