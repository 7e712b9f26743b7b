"""Sparse matrices of SciPy: orders in which their products miss the cache less, a model of that cache, the products, and pictures.

>>> from sunzi import sparse
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sunzi._plot import axes
from sunzi._sunzi import cache_misses, reorder, spmv

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cache_misses", "reorder", "show", "spmv"]

#: A picture has no more points a side than that.
_SIDE = 512


def show(matrix: Any, rows: ArrayLike | None = None, columns: ArrayLike | None = None, ax: Axes | None = None) -> Axes:
    """A picture of the places of a sparse matrix's entries. Where many fall on one point, it is the darker the more there are.

    With the orders that ``reorder`` gave it is the picture of ``matrix[rows][:, columns]``.

    >>> from scipy.sparse import random_array
    >>> matrix = random_array((300, 200), density=0.01, format="csr")
    >>> rows, columns = reorder(matrix)
    >>> ax = show(matrix, rows, columns)
    >>> ax.get_title()
    '300 × 200, 600 entries'
    """
    if not hasattr(matrix, "tocoo"):
        raise TypeError(f"a sparse matrix of SciPy is needed here, not '{type(matrix).__name__}'")
    entries = matrix.tocoo()
    if len(entries.shape) != 2 or 0 in entries.shape:
        raise ValueError(f"a matrix with rows and columns is needed for a picture, not one of shape {entries.shape}")
    height, width = entries.shape
    places = _places(entries.row, rows, height, "rows"), _places(entries.col, columns, width, "columns")
    ax = axes(ax)
    # Points as large as those of the screen: none is left out when the picture is drawn.
    across, upward = ax.bbox.width, ax.bbox.height
    square = max(height, width) <= 4 * min(height, width)
    if square:
        scale = min(across / width, upward / height)
        across, upward = scale * width, scale * height
    bins = [max(1, min(_SIDE, height, int(upward))), max(1, min(_SIDE, width, int(across)))]
    counts, _, _ = np.histogram2d(*places, bins=bins, range=[[-0.5, height - 0.5], [-0.5, width - 0.5]])
    shade = np.where(counts > 0, 0.4 + 0.6 * np.log1p(counts) / np.log1p(max(1.0, counts.max())), 0.0)
    ax.imshow(
        shade,
        cmap="Blues",
        vmin=0,
        vmax=1,
        interpolation="nearest",
        extent=(-0.5, width - 0.5, height - 0.5, -0.5),
        aspect="equal" if square else "auto",
    )
    ax.set_title(f"{height} × {width}, {entries.nnz} {'entry' if entries.nnz == 1 else 'entries'}")
    return ax


def _places(old: NDArray[Any], order: ArrayLike | None, length: int, name: str) -> NDArray[Any]:
    """The new places of the old ones."""
    if order is None:
        return old
    order = np.asarray(order)
    if order.shape != (length,) or order.dtype.kind not in "iu" or not np.array_equal(np.sort(order), np.arange(length)):
        raise ValueError(f"{name} is an order of the numbers from 0 to {length - 1}: give one that reorder gave for this matrix")
    new = np.empty(length, dtype=np.int64)
    new[order] = np.arange(length)
    moved: NDArray[Any] = new[old]
    return moved
