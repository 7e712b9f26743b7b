#!/usr/bin/env python3
"""Writes the measured tables of docs/big-prime-fft.md.

Run it in the repository's root, after `cargo build --release` and the measurement that the page names under
"Measured how":

    python3 tools/peers/big_prime_page.py
"""

import csv
import json
import math
import pathlib
import re
import subprocess

PAGE = pathlib.Path("docs/big-prime-fft.md")
TIMINGS = pathlib.Path("docs/measured/big-primes.csv")
NAMES = ["P2F", "P4F", "P8F", "P16F", "P32F", "P64F", "P128F", "P4", "P8", "P16", "P32", "P64", "P128"]
SUNZI = "Sunzi"
# The clock of the machine that the floor is computed for, and its vector instructions a cycle.
GHZ, PER_CYCLE, LANES = 3.0, 2, 8


def shown(seconds):
    """A time with a unit, three digits."""
    if seconds is None:
        return "–"
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if seconds >= size or unit == "ns":
            return f"{seconds / size:.3g} {unit}"


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def rows():
    """The timings, and what the file says of the machine."""
    lines = TIMINGS.read_text().splitlines()
    facts = [line[2:] for line in lines if line.startswith("# ")]
    table = csv.DictReader(line for line in lines if not line.startswith("#"))
    return list(table), facts


def prime_of(row):
    return re.search(r"\bP\d+F?\b", row["group"] + " " + row["case"]).group()


def digits(name):
    return int(re.search(r"\d+", name).group())


def best(rows, wanted):
    """The least median of the contenders that are wanted."""
    times = [float(row["median_s"]) for row in rows if wanted(row["contender"])]
    return min(times, default=None)


def table(head, body):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(line) + " |" for line in body]
    return "\n".join(lines)


def multiplication(rows):
    body, ratios = [], {True: [], False: []}
    for name in NAMES:
        line = [name]
        for batch in (False, True):
            of = [r for r in rows if r["section"] == "gfp-mul" and prime_of(r) == name and ("4096" in r["group"]) == batch]
            own, peer = best(of, lambda c: c == SUNZI), best(of, lambda c: c != SUNZI)
            if own and peer:
                if batch:
                    own, peer = own / 4096, peer / 4096
                ratios[batch].append(own / peer)
                line += [shown(own), shown(peer), f"{own / peer:.2f}"]
            else:
                line += ["–"] * 3
        body.append(line)
    body.append(["geometric mean", "", "", f"**{mean(ratios[False]):.2f}**", "", "", f"**{mean(ratios[True]):.2f}**"])
    return table(["prime", "one at a time", "best of GMP, FLINT", "ratio", "batch of 4096, each", "best of GMP, FLINT", "ratio"], body)


def floor(rows):
    body = []
    for name in NAMES:
        k = digits(name)
        own = best([r for r in rows if r["section"] == "gfp-mul" and prime_of(r) == name and "4096" in r["group"]], lambda c: c == SUNZI)
        if k < 4 or not own:
            continue
        products, others = 5 * k, 45
        ns = lambda each: each * k / PER_CYCLE / LANES / GHZ
        own *= 1e9 / 4096
        whole = ns(products + others)
        body.append([name, f"{ns(products):.3g} ns", f"{whole:.3g} ns", f"{own:.3g} ns ({whole / own:.0%} of the floor's speed)"])
    return table(["prime", "multiply-adds alone", "all instructions", "measured, batch of 4096"], body)


def transforms(rows):
    fft = [r for r in rows if r["section"] == "gfp-fft" and r["threads"] == "1"]
    crt = [r for r in rows if r["section"] == "gfp-vs-crt" and r["threads"] == "1"]
    body, ratios = [], {"GMP": [], "FLINT": [], "crt": []}
    for name in NAMES:
        for size in sorted({int(r["size"]) for r in fft if prime_of(r) == name}):
            of = [r for r in fft if prime_of(r) == name and int(r["size"]) == size]
            own = best(of, lambda c: c == SUNZI)
            gmp, flint = (best(of, lambda c, who=who: c.startswith(who)) for who in ("GMP", "FLINT"))
            several = [r for r in crt if prime_of(r) == name and int(r["size"]) == size and r["counts"] == "true"]
            several = best(several, lambda c: c != SUNZI)
            powers = {(2 * digits(name)) ** 2: "K²", (2 * digits(name)) ** 3: "K³"}
            if size in powers:
                ratios["GMP"].append(own / gmp)
                ratios["FLINT"].append(own / min(gmp, flint))
                if several:
                    ratios["crt"].append(own / several)
            mark = f" = {powers[size]}" if size in powers else ""
            ratio = lambda other: f"{own / other:.2f}" if other else "–"
            body.append([name, f"{size}{mark}", shown(own), shown(gmp), ratio(gmp), shown(flint), ratio(flint), shown(several), ratio(several)])
    value = lambda key: f"**{mean(ratios[key]):.2f}**" if ratios[key] else "–"
    body.append(["mean of K², K³", "", "", "", value("GMP"), "", value("FLINT"), "", value("crt")])
    return table(["prime", "N", "(a)", "(b) GMP", "(a)/(b)", "(b') FLINT", "(a)/(b')", "(c)", "(a)/(c)"], body)


def polynomials(rows):
    body, ratios = [], []
    poly = [r for r in rows if r["section"] == "gfp-poly" and r["threads"] == "1"]
    for name in NAMES:
        for size in sorted({int(r["size"]) for r in poly if prime_of(r) == name}):
            of = [r for r in poly if prime_of(r) == name and int(r["size"]) == size]
            own, peer = best(of, lambda c: c == SUNZI), best(of, lambda c: c != SUNZI)
            ratios.append(own / peer)
            body.append([name, str(size), shown(own), shown(peer), f"{own / peer:.2f}"])
    body.append(["geometric mean", "", "", "", f"**{mean(ratios):.2f}**" if ratios else "–"])
    return table(["prime", "length", "Sunzi", "FLINT", "ratio"], body)


def steps():
    command = ["target/release/sunzi", "bench", "gfp", "--primes", "P4,P8,P16,P32", "--seconds", "0.1", "--json"]
    measured = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["result"]
    body = []
    for transform in measured["transforms"]:
        for step in transform["steps"]:
            parts = [step["permutation"], step["base_case"], step["twiddle"]]
            whole = sum(parts)
            body.append([transform["prime"], str(step["points"]), shown(whole)] + [f"{shown(p)} ({p / whole:.0%})" for p in parts])
    text = table(["prime", "N", "together", "permutation", "base cases", "twiddles and carries"], body)
    body = []
    for case in measured["speedups"]:
        times = {t["threads"]: t["seconds"]["median"] for t in case["by_threads"]}
        for threads, seconds in sorted(times.items()):
            if threads > 1:
                body.append([case["prime"], str(case["points"]), str(threads), shown(times[1]), shown(seconds), f"{seconds / times[1]:.2f}"])
    return text + "\n\n" + table(["prime", "N", "threads", "1 thread", "that many threads", "ratio"], body)


def main():
    measured, facts = rows()
    parts = {
        "floor": floor(measured),
        "multiplication": multiplication(measured),
        "transforms": transforms(measured),
        "polynomials": polynomials(measured),
        "steps": steps(),
        "machine": "; ".join(facts) + ".",
    }
    page = PAGE.read_text()
    for name, text in parts.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        start, stop = page.index(begin) + len(begin), page.index(end)
        page = page[:start] + "\n" + text + "\n" + page[stop:]
    PAGE.write_text(page)


main()
