"""Sparse matrices of SciPy: orders in which their products miss the cache less, a model of that cache, and the products.

>>> from sunzi import sparse
"""

from sunzi._sunzi import cache_misses, reorder, spmv

__all__ = ["cache_misses", "reorder", "spmv"]
