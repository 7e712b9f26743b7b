"""The examples in docstrings and pages."""

import doctest
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
def test_pages_hold(page):
    failed, tried = doctest.testfile(
        str(ROOT / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert failed == 0 and tried > 0


def test_the_readme_runs():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [block] = text.split("```python\n")[1:]
    exec(block.split("```")[0], {})
