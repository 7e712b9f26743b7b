"""Sparse matrices of SciPy: orders in which their products miss the cache less, and a model of that cache.

>>> from sunzi import sparse
"""

from sunzi._sunzi import cache_misses, reorder

__all__ = ["cache_misses", "reorder"]
