"""The examples in docstrings and pages."""

import doctest
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sunzi

ROOT = Path(__file__).parents[3]


def described():
    """All documented names of the package, and those within its classes."""
    for name in sunzi.__all__:
        made = getattr(sunzi, name)
        yield name, made
        if isinstance(made, type):
            for inner in vars(made):
                yield f"{name}.{inner}", getattr(made, inner)


@pytest.mark.parametrize("name, made", [pair for pair in described()], ids=lambda x: x if isinstance(x, str) else "")
def test_docstrings_hold(name, made):
    if name.split(".")[-1].startswith("_"):
        return
    assert getattr(made, "__doc__", None), f"{name} is not documented"
    names = {key: getattr(sunzi, key) for key in sunzi.__all__}
    example = doctest.DocTestParser().get_doctest(made.__doc__ if isinstance(made.__doc__, str) else "", names, name, None, 0)
    failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example)
    assert failed == 0


@pytest.mark.parametrize("page", ["docs/python.md", "crates/python/README.md"])
def test_pages_hold(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(
        str(ROOT / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert failed == 0 and tried > 0


def test_the_readme_runs():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [block] = text.split("```python\n")[1:]
    exec(block.split("```")[0], {})


def examples():
    """The programs of the pages and of the notebook."""
    parser = doctest.DocTestParser()
    for page in ("docs/python.md", "crates/python/README.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        yield "".join(example.source for example in parser.get_examples(text))
    [block] = (ROOT / "README.md").read_text(encoding="utf-8").split("```python\n")[1:]
    yield block.split("```")[0]
    cells = json.loads((ROOT / "crates/python/examples/tour.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    # What the kernel knows by itself.
    yield "\n".join(line for cell in code for line in cell.splitlines() if not line.startswith("%"))


def test_examples_have_types(tmp_path):
    pytest.importorskip("mypy")
    programs = []
    for number, text in enumerate(examples()):
        assert "sunzi" in text
        programs.append(tmp_path / f"example{number}.py")
        programs[-1].write_text(text, encoding="utf-8")
    configuration = ROOT / "crates/python/mypy.ini"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(configuration), "--cache-dir", str(tmp_path), *map(str, programs)]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "crates/python/python")}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
