//! `sunzi sparse`.

/// What the file of a matrix is.
macro_rules! matrices {
    () => {
        "M is a Matrix Market file, plain or gzip: coordinate or array; real, integer or pattern; general,
symmetric or skew-symmetric. Entries on the wrong side of the diagonal are mirrored, with a note.
"
    };
}

/// What orders there are.
macro_rules! methods {
    () => {
        "
gray       rows and columns by the binary reflected Gray code of their patterns (the 2013 thesis, chapter 6), in
           little time. --block and --fraction are its parameters b and t.
rcm        reverse Cuthill-McKee on the pattern of M + M^T, rows and columns alike: a small bandwidth where rows and
           columns belong together.
bipartite  reverse Cuthill-McKee on rows and columns as the two sides of a graph, an order for each: also where they
           were permuted apart, and for matrices of any shape.
bordered   the same after dense columns were moved to the front and dense rows to the end, where there are any: for
           circuits, linear programs, graphs with few popular nodes.
auto       the one of these, or none, that misses a cache of --words in lines of --line least, as counted on a
           sample: it says which and why.
random     any order, to compare with: --seed says which.
"
    };
}

mod arithmetic;
mod cache;
mod generate;
mod info;
mod matrix;
mod ordering;
mod reorder;
mod show;
mod solve;
mod spmv;
mod vector;
mod write;

super::commands! {
    /// The commands on sparse matrices.
    SparseCommand {
        /// Makes a matrix by its definition
        Generate(generate::Generate),
        /// Rows, columns, non-zeros, bandwidth, symmetry
        Info(info::Info),
        /// Reorders rows and columns, so that products find their vector in the cache
        Reorder(reorder::Reorder),
        /// The product of a matrix and a vector
        Spmv(spmv::Spmv),
        /// Cache misses of that product, counted in an ideal cache
        Cache(cache::Cache),
        /// Draws where the non-zeros are, before and after reordering
        Show(show::Show),
        /// Solves M x = b for a symmetric positive definite matrix by conjugate gradients
        Solve(solve::Solve),
    }
}
