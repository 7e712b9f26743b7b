//! Sparse matrices that measurements of orders take, so that their tables are about the same ones.

/// Members of all families of `sunzi_sparse::test_matrices`, by the names that it reads.
pub const GALLERY: [&str; 13] = [
    "grid2d:40,40",
    "grid2d:300,300",
    "grid2d9:200,200",
    "grid3d:30,30,30",
    "grid3d27:25,25,25",
    "chessboard:8,8,2",
    "chessboard:7,7,3",
    "matching:11,3",
    "matching:12,3",
    "rmat:14,8",
    "rmat:16,4",
    "circuit:50000",
    "lp:100000",
];

/// Words of the caches in which misses are counted.
pub const CACHE_WORDS: [usize; 2] = [256, 4096];
