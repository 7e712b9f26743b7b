"""Pictures of polynomials, solutions and sparse matrices."""

import doctest
import subprocess
import sys

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot

from sunzi import Poly, solve_system, sparse


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def graph(ax):
    """The points of the graph, which has more than the other lines."""
    return max((line.get_xydata() for line in ax.lines), key=len)


def marked(ax):
    return [line.get_xydata().tolist() for line in ax.lines if line.get_marker() == "o"]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_a_graph_has_the_values_and_the_roots():
    f = Poly("(x - 3)^2*(x^2 - 2)")
    ax = f.plot()
    x, y = graph(ax).T
    assert x[0] < -(2**0.5) and x[-1] > 3
    inside = (x >= -(2**0.5)) & (x <= 3)
    expected = (x - 3) ** 2 * (x**2 - 2)
    assert np.allclose(y[inside], expected[inside], atol=1e-12)
    [roots] = marked(ax)
    assert np.allclose(roots, [[-(2**0.5), 0], [2**0.5, 0], [3, 0]])
    assert texts(ax) == ["multiplicity 2"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "f(x)")
    low, high = ax.get_ylim()
    assert low < expected[inside].min() and high > expected[inside].max()


def test_axes_and_intervals_may_be_given():
    _, ax = pyplot.subplots()
    f = Poly("x^3 - x")
    assert f.plot(ax) is ax is f.plot(ax=ax, within=(-0.5, 2))
    assert ax.get_xlim() == (-0.5, 2.0)
    assert marked(ax)[1] == [[0.0, 0.0], [1.0, 0.0]]
    x, y = ax.lines[-2].get_xydata().T
    assert np.allclose(y, x**3 - x)


@pytest.mark.parametrize("f", ["0", "7", "x", "x^2 + 1", "1000000000000*x - 1", "x - 10^40"])
def test_small_polynomials_have_graphs(f):
    x, y = graph(Poly(f).plot()).T
    assert np.isfinite(x).all() and np.isfinite(y).all() and (np.diff(x) > 0).all()


def test_large_coefficients_and_degrees_are_scaled():
    ax = Poly([-(10**1000), 0, 10**1000]).plot()
    x, y = graph(ax).T
    assert ax.get_ylabel() in ("f(x) / $10^{999}$", "f(x) / $10^{1000}$")
    scale = y[len(y) // 2]
    assert np.isfinite(y).all() and -20 < scale < 0
    assert np.allclose(y[abs(x) <= 1], -scale * (x[abs(x) <= 1] ** 2 - 1))
    # Coefficients of Chebyshev's polynomial alternate, and are far greater than its values.
    before, chebyshev, t = Poly([1]), Poly([0, 1]), Poly([0, 2])
    for _ in range(149):
        before, chebyshev = chebyshev, t * chebyshev - before
    x, y = graph(chebyshev.plot(within=(-1, 1))).T
    assert np.allclose(y, np.cos(150 * np.arccos(x)), atol=1e-9)


def test_graphs_that_cannot_be_drawn_are_refused():
    f = Poly("x^2 - 2")
    with pytest.raises(ValueError, match="over the integers"):
        Poly([1, 2], 97).plot()
    for within in ((1, 1), (2, 1)):
        with pytest.raises(ValueError, match="lower end first"):
            f.plot(within=within)
    for within in ((0, float("inf")), (0, float("nan")), ("a", "b"), 5, (1, 2, 3)):
        with pytest.raises(ValueError, match="pair of finite numbers"):
            f.plot(within=within)
    with pytest.raises(ValueError, match="range of doubles"):
        Poly([-(10**400), 1]).plot()


def curves(ax):
    """The points of each curve."""
    return [np.concatenate([path.vertices for path in drawn.get_paths()]) for drawn in ax.collections]


def test_solutions_lie_on_both_curves():
    _, ax = pyplot.subplots()
    found = solve_system("x^2 + y^2 = 1", "3*x*y = 1")
    assert found.plot(ax) is ax
    f, g = curves(ax)
    assert abs(f[:, 0] ** 2 + f[:, 1] ** 2 - 1).max() < 1e-3 > abs(3 * g[:, 0] * g[:, 1] - 1).max()
    [points] = marked(ax)
    assert points == [[float(x), float(y)] for x, y, _ in found]
    assert "(0.9342, 0.3568)" in texts(ax) and len(texts(ax)) == 4
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["$x^{2} + y^{2} - 1 = 0$", "$3 x y - 1 = 0$", "4 real solutions"]
    assert ax.get_aspect() == 1


def test_solutions_of_all_kinds_have_pictures():
    ax = solve_system("y = x^2 + 1000000", "y = 1000000").plot()
    assert texts(ax) == ["(0, 1e+06)", "multiplicity 2"] and len(curves(ax)) == 2
    x, y = curves(ax)[0].T
    assert np.allclose(y - 10**6, x**2, atol=1e-3)
    ax = solve_system("x^2 + 1", f"{10**400}*y").plot()
    assert len(curves(ax)) == 1 and texts(ax) == []
    many = solve_system("16*x^5 - 20*x^3 + 5*x", "16*y^5 - 20*y^3 + 5*y").plot()
    assert texts(many) == [] and len(marked(many)[0]) == 25
    with pytest.raises(ValueError, match="range of doubles"):
        solve_system(f"x - {10**400}", "y").plot()


def picture(ax):
    [image] = ax.images
    return np.asarray(image.get_array())


def test_no_entry_of_a_sparse_matrix_vanishes():
    scipy = pytest.importorskip("scipy.sparse")
    matrix = scipy.csr_array(([1.0], ([70_000], [5])), shape=(100_000, 100_000))
    ax = sparse.show(matrix)
    assert ax.get_title() == "100000 × 100000, 1 entry"
    shown = picture(ax)
    assert max(shown.shape) <= 512 and (shown > 0).sum() == 1
    # The one point is on the screen, too.
    matrix = scipy.csr_array(([1.0], ([70_000], [50_005])), shape=(100_000, 100_000))
    ax = sparse.show(matrix)
    ax.figure.canvas.draw()
    pixels = np.asarray(ax.figure.canvas.buffer_rgba())[..., :3]
    left, low, right, high = (int(end) for end in ax.get_window_extent().extents)
    inside = pixels[len(pixels) - high + 5 : len(pixels) - low - 5, left + 5 : right - 5]
    assert 1 <= (inside[:, :, 0] < 100).sum() <= 4


def test_matrices_are_shown_in_an_order():
    scipy = pytest.importorskip("scipy.sparse")
    dense = np.random.default_rng(1).random((30, 20)) < 0.2
    _, ax = pyplot.subplots()
    for form in (scipy.csr_array, scipy.csc_matrix, scipy.coo_matrix):
        matrix = form(dense.astype(float))
        rows, columns = sparse.reorder(matrix)
        assert sparse.show(matrix, rows, columns, ax=ax) is ax
        assert ((np.asarray(ax.images[-1].get_array()) > 0) == dense[rows][:, columns]).all()
    assert sparse.show(matrix, columns=columns).get_title() == f"30 × 20, {dense.sum()} entries"
    for wrong in ([0, 1], [0] * 30, np.arange(1, 31)):
        with pytest.raises(ValueError, match="rows is an order"):
            sparse.show(matrix, rows=wrong)
    with pytest.raises(TypeError, match="sparse matrix of SciPy"):
        sparse.show(dense)
    with pytest.raises(ValueError, match="rows and columns"):
        sparse.show(scipy.csr_array((0, 3)))


def test_the_examples_of_sparse_matrices_hold():
    pytest.importorskip("scipy")
    failed, tried = doctest.testmod(sparse)
    assert failed == 0 and tried > 0


def test_matplotlib_is_asked_for_where_it_is_missing():
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import sunzi\n"
        "for draw in (sunzi.Poly('x').plot, sunzi.solve_system('x', 'y').plot):\n"
        "    try: draw()\n"
        "    except ImportError as missing: print(missing)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "pictures need matplotlib: install it by pip install 'sunzi[plot]'\n" * 2
