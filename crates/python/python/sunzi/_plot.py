"""Pictures of polynomials and of systems, by matplotlib, which is imported when the first one is drawn."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from sunzi._sunzi import BiPoly, Poly, Root, Solutions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["axes", "plot_poly", "plot_solutions"]

_Doubles = NDArray[np.float64]

#: A graph has twice as many steps as that, a power of two.
_HALF = 256
#: A curve is drawn on a grid of so many points a side.
_GRID = 401
#: Points of more solutions than that are not labelled.
_LABELS = 12


def axes(ax: Axes | None) -> Axes:
    """The axes given, or those of a new figure."""
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError("pictures need matplotlib: install it by pip install 'sunzi[plot]'") from missing
    return pyplot.subplots()[1] if ax is None else ax


def plot_poly(
    f: Poly,
    ax: Axes | None = None,
    within: tuple[SupportsIndex | Fraction | float, SupportsIndex | Fraction | float] | None = None,
) -> Axes:
    """The graph of a polynomial over the integers, with its real roots."""
    if f.field is not None:
        raise ValueError("graphs are of polynomials over the integers: Poly(f.coeffs()).plot() takes the coefficients as such")
    if within is None:
        roots = f.real_roots() if f else []
        lower, upper = _around(roots)
    else:
        lower, upper = _interval(within)
        roots = f.real_roots(within=(lower, upper)) if f else []
    for end in (lower, upper):
        if abs(end) > 10**300:
            raise ValueError("the interval has ends beyond the range of doubles: give a shorter one by within=(a, b)")
    if float(lower) == float(upper):
        raise ValueError("the interval has no doubles inside: give a wider one by within=(a, b)")
    ax = axes(ax)
    places = [float(root) for root in roots]
    # What lies between the roots is seen, even where the ends are far higher.
    between = (places[0], places[-1]) if within is None and len(roots) > 1 else None
    x, y, power, heights = _graph(f, lower, upper, between)
    ax.axhline(0, color="0.6", linewidth=0.8)
    ax.plot(x, y)
    if roots:
        ax.plot(places, [0.0] * len(places), "o", color="C3", zorder=3)
    for place, root in zip(places, roots):
        if root.multiplicity > 1:
            _multiplicity(ax, place, 0.0, root.multiplicity)
    ax.set_xlim(float(lower), float(upper))
    if heights:
        ax.set_ylim(heights)
    ax.set_xlabel("x")
    ax.set_ylabel(f"f(x) / $10^{{{power}}}$" if power else "f(x)")
    return ax


def plot_solutions(found: Solutions, ax: Axes | None = None) -> Axes:
    """The two curves of a system and its real solutions."""
    points = [(float(x), float(y), multiplicity) for x, y, multiplicity in found]
    if not all(math.isfinite(x) and math.isfinite(y) for x, y, _ in points):
        raise ValueError("solutions beyond the range of doubles have no picture: scale the variables")
    ax = axes(ax)
    (x, width), (y, height) = _window([p[0] for p in points]), _window([p[1] for p in points])
    width, height = max(width, height / 2), max(height, width / 2)
    for curve, name, color in zip(found.curves, "fg", ("C0", "C1")):
        _curve(ax, curve, (x, width), (y, height), color)
        ax.plot([], [], color=color, label=_equation(curve, name))
    ax.plot([p[0] for p in points], [p[1] for p in points], "o", color="C3", zorder=3, label=_count(len(points)))
    for a, b, multiplicity in points:
        if len(points) <= _LABELS:
            text = f"({a:.4g}, {b:.4g})"
            ax.annotate(text, (a, b), xytext=(6, 6), textcoords="offset points", fontsize="small")
        if multiplicity > 1:
            _multiplicity(ax, a, b, multiplicity)
    ax.set_xlim(x - width, x + width)
    ax.set_ylim(y - height, y + height)
    ax.set_aspect("equal")
    ax.set_xlabel("x")
    ax.set_ylabel("y")
    ax.legend(fontsize="small")
    return ax


def _multiplicity(ax: Axes, x: float, y: float, multiplicity: int) -> None:
    ax.annotate(
        f"multiplicity {multiplicity}", (x, y), xytext=(6, -14), textcoords="offset points", color="C3", fontsize="small"
    )


def _count(solutions: int) -> str:
    return "1 real solution" if solutions == 1 else f"{solutions or 'no'} real solutions"


def _interval(within: Any) -> tuple[Fraction, Fraction]:
    try:
        lower, upper = within
        lower, upper = _number(lower), _number(upper)
    except (TypeError, ValueError, OverflowError) as wrong:
        raise ValueError("an interval is a pair of finite numbers: within=(a, b)") from wrong
    if lower >= upper:
        raise ValueError("an interval has its lower end first: within=(a, b) with a < b")
    return lower, upper


def _number(end: Any) -> Fraction:
    if isinstance(end, (float, Fraction)):
        return Fraction(end)
    return Fraction(float(end)) if isinstance(end, np.floating) else Fraction(operator.index(end))


def _around(roots: Sequence[Root]) -> tuple[Fraction, Fraction]:
    """An interval with all roots, and some room at its ends."""
    if not roots:
        return Fraction(-2), Fraction(2)
    lower, upper = roots[0].lower, roots[-1].upper
    size = max(abs(lower), abs(upper))
    margin = max((upper - lower) / 6, size / 10**9) if len(roots) > 1 else max(size / 2, Fraction(1))
    return lower - margin, upper + margin


def _graph(
    f: Poly, lower: Fraction, upper: Fraction, between: tuple[float, float] | None
) -> tuple[_Doubles, _Doubles, int, tuple[float, float] | None]:
    """Points x, y with f(x) = y·10^power, the power, and heights that suit the part between two places."""
    # The ends go to a coarse grid, then f is moved onto [-1, 1] exactly: D^n·f((C + H·t) / D) has integral coefficients.
    width = upper - lower
    bits = width.numerator.bit_length() - width.denominator.bit_length() - 14
    unit = Fraction(2) ** bits
    first, last = math.floor(lower / (2 * unit)), math.ceil(upper / (2 * unit))
    center, half, below = (first + last) * unit.numerator, (last - first) * unit.numerator, unit.denominator
    n = max(f.degree(), 0)
    shift = below.bit_length() - 1
    moved = Poly([c << shift * (n - i) for i, c in enumerate(f.coeffs())])(Poly([center, half])).coeffs()
    # Fixed point: no step of Horner's rule makes an error grow, and no coefficient is more than 2.5^n times the greatest value.
    drop = max((c.bit_length() for c in moved), default=0) - (2 * n + 128)
    steps = np.array(range(-_HALF, _HALF + 1), dtype=object)
    values = np.zeros(len(steps), dtype=object)
    for c in reversed(moved):
        values = values * steps // _HALF + (c >> drop if drop > 0 else c << -drop)
    x = np.array([float((center + half * Fraction(k, _HALF)) / below) for k in steps])
    inner = values[(x >= between[0]) & (x <= between[1])] if between else values[:0]
    if not inner.any():
        y, power = _scaled(values.tolist(), drop - shift * n)
        return x, y, power, None
    low, high = min(inner.min(), 0), max(inner.max(), 0)
    low, high = low - (high - low) // 4, high + (high - low) // 4
    low, high = max(low, values.min() - (high - low) // 20), min(high, values.max() + (high - low) // 20)
    clipped = np.clip(values, 8 * low - 7 * high, 8 * high - 7 * low)
    y, power = _scaled([*clipped.tolist(), low, high], drop - shift * n)
    return x, y[:-2], power, (float(y[-2]), float(y[-1]))


def _scaled(values: list[int], exponent: int) -> tuple[_Doubles, int]:
    """Doubles and a power of ten, whose products are the values times a power of two."""
    top = max(abs(v) for v in values).bit_length()
    mantissas = np.array([v / (1 << top) for v in values])
    exponent += top
    if abs(exponent) < 900 or not mantissas.any():
        return np.ldexp(mantissas, exponent if abs(exponent) < 900 else 0), 0
    power, rest = divmod(exponent * math.log10(2), 1)
    return mantissas * 10**rest, int(power)


def _window(places: list[float]) -> tuple[float, float]:
    """The center and half of the width of an interval around all places."""
    if not places:
        return 0.0, 2.0
    lower, upper = min(places), max(places)
    center = lower / 2 + upper / 2
    size = max(abs(lower), abs(upper))
    if upper == lower:
        return center, max(1.0, 1e-6 * size)
    return center, max(0.7 * (upper - lower), 1e-9 * size)


def _curve(ax: Axes, curve: BiPoly, across: tuple[float, float], upward: tuple[float, float], color: str) -> None:
    values = _values(curve, across, upward)
    if values.min() < 0 < values.max():
        (x, width), (y, height) = across, upward
        steps = np.linspace(-1, 1, _GRID)
        ax.contour(x + width * steps, y + height * steps, values, levels=[0.0], colors=[color])


def _values(curve: BiPoly, across: tuple[float, float], upward: tuple[float, float]) -> _Doubles:
    """The values on a grid around a center, times a positive number."""
    if not curve:
        return np.zeros((_GRID, _GRID))
    terms = curve.coeffs()
    rows, columns = (degree + 1 for degree in curve.degrees())
    exact = [[Fraction(terms.get((i, j), 0)) for j in range(columns)] for i in range(rows)]
    exact = [_moved(row, *upward) for row in exact]
    exact = [list(row) for row in zip(*(_moved(column, *across) for column in zip(*exact)))]
    greatest = max(abs(c) for row in exact for c in row)
    coefficients = np.array([[float(c / greatest) for c in row] for row in exact])
    steps = np.linspace(-1, 1, _GRID)
    values: _Doubles = np.vander(steps, columns, increasing=True) @ coefficients.T @ np.vander(steps, rows, increasing=True).T
    return values


def _moved(coefficients: Sequence[Fraction], center: float, half: float) -> list[Fraction]:
    """The coefficients of p(center + half·t)."""
    out, c, h = list(coefficients), Fraction(center), Fraction(half)
    for start in range(len(out) - 1):
        for i in range(len(out) - 2, start - 1, -1):
            out[i] += c * out[i + 1]
    return [value * h**i for i, value in enumerate(out)]


def _equation(curve: BiPoly, name: str) -> str:
    """The equation of a curve where it is short, else its name."""
    return f"{name} = 0" if len(str(curve)) > 40 else curve._repr_latex_().rstrip("$") + " = 0$"
