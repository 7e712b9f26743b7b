#!/usr/bin/env python3
"""Times two long products from files on the command line, and writes the table of them in docs/performance.md.

Run it in the repository's root: python3 tools/peers/long_products.py
Needs `cargo build --release --workspace --examples` before, and GNU/Linux for the peak of memory.
"""

import json
import os
import pathlib
import statistics
import subprocess
import tempfile

BIN = pathlib.Path("target/release")
BEGIN, END = "<!-- long products -->", "<!-- /long products -->"
PASSES = 5
PRIME = "469762049"


def write_operands(folder):
    """The operands of both products, from the seeds 1 and 2."""
    kinds = {
        "integer": ["--digits", "10000000"],
        "polynomial": ["--terms", "4000001", "--mod", PRIME],
    }
    for kind, options in kinds.items():
        for seed in "12":
            with open(folder / (kind + seed), "wb") as file:
                command = [BIN / "examples/random_input", kind, *options, "--seed", seed]
                subprocess.run(command, stdout=file, check=True)


def timings(path):
    """The timings that end the program's JSON. The product is not read: a child's peak of memory
    begins at its parent's, which has to stay small."""
    with open(path, "rb") as file:
        file.seek(-min(1000, path.stat().st_size), os.SEEK_END)
        end = file.read().decode()
    return json.loads(end[end.rindex('"seconds":') + len('"seconds":') :].rstrip()[:-1])


def measure(verb, operands, threads, folder):
    """Medians of seconds by phase, and the greatest peak of memory in bytes."""
    seconds, peak = [], 0
    out = folder / "product.json"
    for _ in range(PASSES):
        command = [BIN / "sunzi", *verb, *operands, "--threads", threads, "--json", "-o", out]
        child = subprocess.Popen([os.fspath(part) for part in command])
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"{verb}: exit code {child.returncode}")
        peak = max(peak, usage.ru_maxrss * 1024)
        seconds.append(timings(out))
    phases = ["reading", "computing", "writing", "total"]
    return [statistics.median(one[phase] for one in seconds) for phase in phases], peak


def main():
    rows = [
        "| command | threads | reading | computing | writing | whole program | peak memory |",
        "|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_operands(folder)
        jobs = [
            ("`int mul`, 10-million-digit numbers", ["int", "mul"], "integer"),
            (f"`poly mul --mod {PRIME}`, degree 4 million", ["poly", "mul", "--mod", PRIME], "polynomial"),
        ]
        for title, verb, kind in jobs:
            for threads in "12":
                operands = [folder / (kind + seed) for seed in "12"]
                times, peak = measure(verb, operands, threads, folder)
                shown = " | ".join(f"{time:.2f} s" for time in times)
                rows.append(f"| {title} | {threads} | {shown} | {peak / 2**20:.0f} MiB |")
                print(rows[-1], flush=True)
    page = pathlib.Path("docs/performance.md")
    before, rest = page.read_text().split(BEGIN)
    after = rest.split(END)[1]
    table = "\n".join(rows)
    page.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}")


if __name__ == "__main__":
    main()
