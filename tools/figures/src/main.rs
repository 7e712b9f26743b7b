//! The tables that the pages in `docs` publish:
//!
//! ```text
//! cargo run --release -p sunzi-figures -- NAME [ARGUMENTS]
//! ```
//!
//! Each table is a file with a function `run`, and a line in [`TABLES`]. The program ends with 2 where its
//! arguments are wrong, and with 1 where a table fails.

mod algebra_times;
mod big_prime_crossover;
mod big_prime_misses;
mod butterflies;
mod common;
mod counting_sort_misses;
mod determinant_times;
mod fermat_products;
mod gamma_misses;
mod gmp_batches;
mod gpu_predictions;
mod ideal_cache;
mod ordering_misses;
mod peak_memory;
mod reordering;
mod reordering_parameters;
mod spmv_times;
mod transforms;
mod twiddle_products;
mod unlucky_primes;

use std::process::ExitCode;

use common::{Failure, Usage};

struct Table {
    name: &'static str,
    arguments: &'static str,
    says: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

const TABLES: [Table; 18] = [
    Table {
        name: "algebra-times",
        arguments: "[PRIME] [MAX_LENGTH]",
        says: "times of operations on polynomials, by length",
        run: algebra_times::run,
    },
    Table {
        name: "big-prime-crossover",
        arguments: "[PRIME] [MAX_LENGTH] [OTHER_LENGTH]",
        says: "times of all products of polynomials modulo r^k + 1, by length",
        run: big_prime_crossover::run,
    },
    Table {
        name: "big-prime-misses",
        arguments: "[--times] [PRIME]...",
        says: "cache misses of transforms modulo r^k + 1 by the order of their passes",
        run: big_prime_misses::run,
    },
    Table {
        name: "butterflies",
        arguments: "",
        says: "times of convolutions, for each butterfly",
        run: butterflies::run,
    },
    Table {
        name: "counting-sort-misses",
        arguments: "[LOG2_OF_N]",
        says: "cache misses of counting sorts beside their bounds",
        run: counting_sort_misses::run,
    },
    Table {
        name: "determinant-times",
        arguments: "[ORDER]...",
        says: "times of determinants modulo word primes",
        run: determinant_times::run,
    },
    Table {
        name: "fermat-products",
        arguments: "[--primes] [LOG2_OF_BITS]...",
        says: "products of integers modulo r^k + 1 beside those modulo three primes",
        run: fermat_products::run,
    },
    Table {
        name: "gamma-misses",
        arguments: "[--cache WORDS] [MATRIX]...",
        says: "misses of the γ non-zeros of Gray orders between their bounds, and of other orders",
        run: gamma_misses::run,
    },
    Table {
        name: "gmp-batches",
        arguments: "[SECONDS_A_CASE]",
        says: "times of GMP's products in batches, to compare with `sunzi bench gpu`",
        run: gmp_batches::run,
    },
    Table {
        name: "gpu-predictions",
        arguments: "",
        says: "what computations should take on an NVIDIA H100, from stated rates",
        run: gpu_predictions::run,
    },
    Table {
        name: "ideal-cache",
        arguments: "[MILLIONS_OF_NONZEROS]",
        says: "the speed of the simulation of an ideal cache",
        run: ideal_cache::run,
    },
    Table {
        name: "ordering-misses",
        arguments: "[--cache WORDS]... [MATRIX]...",
        says: "cache misses by the order of a sparse matrix, the order that `auto` chooses, and times",
        run: ordering_misses::run,
    },
    Table {
        name: "peak-memory",
        arguments: "",
        says: "the most memory that products take, against their limits (Linux)",
        run: peak_memory::run,
    },
    Table {
        name: "reordering-parameters",
        arguments: "[--cache WORDS] [MATRIX]...",
        says: "cache misses by the parameters of the Gray order",
        run: reordering_parameters::run,
    },
    Table {
        name: "spmv-times",
        arguments: "[MATRIX]...",
        says: "times of products of sparse matrices and vectors",
        run: spmv_times::run,
    },
    Table {
        name: "transforms",
        arguments: "[ALGORITHM] [LOG2_OF_LENGTH]...",
        says: "times of transforms by order, for each butterfly",
        run: transforms::run,
    },
    Table {
        name: "twiddle-products",
        arguments: "[PRIME]...",
        says: "products with powers of ω modulo r^k + 1: of the plan, and the fewest",
        run: twiddle_products::run,
    },
    Table {
        name: "unlucky-primes",
        arguments: "",
        says: "how often primes are unlucky for greatest common divisors over Z, and what they cost",
        run: unlucky_primes::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = arguments.split_first().and_then(|(name, rest)| {
        let table = TABLES.iter().find(|table| table.name == name)?;
        Some((table, rest))
    });
    let Some((table, rest)) = asked else {
        list();
        return ExitCode::from(2);
    };
    let Err(failure) = (table.run)(rest) else {
        return ExitCode::SUCCESS;
    };
    eprintln!("Error: {failure}");
    if failure.is::<Usage>() {
        eprintln!("Usage: sunzi-figures {} {}", table.name, table.arguments);
        return ExitCode::from(2);
    }
    ExitCode::FAILURE
}

fn list() {
    eprintln!("Usage: sunzi-figures NAME [ARGUMENTS], where NAME is one of");
    for table in &TABLES {
        let call = format!("{} {}", table.name, table.arguments);
        eprintln!("  {call:<56} {}", table.says);
    }
}
