//! The compiled part of the Python package `sunzi`: arguments become the library's, the library computes without the interpreter's
//! lock, results become Python's. There is no mathematics here.
//!
//! | file | holds |
//! |---|---|
//! | `run` | the library's work: where it runs, how it is interrupted |
//! | `devices` | GPUs, where one is asked for |
//! | `failure` | its errors as Python's exceptions |
//! | `number` | Python's integers as the library's, and back |
//! | `words` | NumPy's arrays as rows of words |
//! | `integers`, `fields`, `transforms`, `convolutions`, `polynomials` with their `arithmetic`, `points`, `roots`, `curves`, `systems`, `matrices`, `images`, `files`, `sorting`, `sparse` | what users see, a file for a module of the library |

mod arithmetic;
mod convolutions;
mod curves;
mod devices;
mod failure;
mod fields;
#[cfg(unix)]
mod files;
mod images;
mod integers;
mod matrices;
mod number;
mod points;
mod polynomials;
mod roots;
mod run;
mod sorting;
mod sparse;
mod systems;
mod transforms;
mod words;

/// How pickles make an object again: its class, and the arguments.
type Remade<'py, A> = pyo3::PyResult<(pyo3::Bound<'py, pyo3::types::PyType>, A)>;

/// The compiled part of the package `sunzi`.
#[pyo3::pymodule(gil_used = false)]
mod _sunzi {
    #[pymodule_export]
    use crate::convolutions::convolve;
    #[pymodule_export]
    use crate::curves::BiPoly;
    #[pymodule_export]
    use crate::devices::devices;
    #[pymodule_export]
    use crate::failure::InternalError;
    #[pymodule_export]
    use crate::fields::GF;
    #[cfg(unix)]
    #[pymodule_export]
    use crate::files::{int_mul_file, mul_file, ntt_file};
    #[pymodule_export]
    use crate::images::{Images, det_images, images, resultant_images, subresultant_images};
    #[pymodule_export]
    use crate::integers::{Integer, from_decimal, mul, mul_many, sqr, to_decimal};
    #[pymodule_export]
    use crate::matrices::{det, det_float, inv, matmul, nullspace, rank, rref, solve};
    #[pymodule_export]
    use crate::points::{PointTree, interpolate};
    #[pymodule_export]
    use crate::polynomials::Poly;
    #[pymodule_export]
    use crate::roots::{Root, stored_root};
    #[pymodule_export]
    use crate::run::{Progress, Threads, Timeout, info, set_threads};
    #[pymodule_export]
    use crate::sorting::{argsort, gray_sort, sort};
    #[pymodule_export]
    use crate::sparse::{cache_misses, reorder, spmv};
    #[pymodule_export]
    use crate::systems::{Solutions, solve_system};
    #[pymodule_export]
    use crate::transforms::{Ntt, clear_cache, intt, ntt, root_of_unity};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
