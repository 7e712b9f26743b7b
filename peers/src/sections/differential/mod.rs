//! Counted cases of every operation of the library against GMP, FLINT and definitions, by kind of input and
//! number of threads.
//!
//! A case is made from the campaign's seed, its operation, kind, number of threads and number: any case can be
//! run again by itself. Inputs are those that testkit makes for the seams of the work ([`sunzi_testkit::Kind`]).
//! Values are compared bit for bit, each limb, coefficient, entry or item once.

mod campaign;
mod chinese;
mod counts;
mod fields;
mod integer_polynomials;
mod integers;
mod matrices;
mod numbers;
mod operation;
mod options;
mod page;
mod points;
mod polynomials;
mod sorts;
mod sparse;
mod transforms;
mod trial;
mod twin;

pub use options::Options;

use std::sync::Arc;

use sunzi_field::GeneralizedFermat;
use sunzi_field::lanes::LanesField;
use sunzi_linalg::sparse::ModularProduct;

use counts::Counts;
use operation::Operation;
use transforms::Planned;
use twin::{FieldCase, Peered, Twins};

/// The marker of the tables in a page.
const MARKER: &str = "differential";

const GMP: &str = "GMP";
const FLINT: &str = "FLINT";

/// Cases of a family, their operations' first name, and against whom.
type Family<F> = (
    &'static str,
    &'static str,
    Vec<(&'static str, FieldCase<F>)>,
);

/// What every field of word size does.
fn word_families<F: Planned + LanesField + ModularProduct>() -> Vec<Family<F>> {
    let mut families = vec![
        ("field", GMP, fields::cases()),
        ("dft", FLINT, transforms::word_cases()),
        ("sparse", GMP, sparse::cases()),
    ];
    families.extend(long_families());
    families
}

/// What every field does that polynomials are over.
fn long_families<F: Planned>() -> Vec<Family<F>> {
    vec![
        ("dft", FLINT, transforms::cases()),
        ("poly", FLINT, polynomials::cases()),
        ("poly", FLINT, points::cases()),
        ("matrix", FLINT, matrices::cases()),
    ]
}

fn digit_families<const K: usize>() -> Vec<Family<GeneralizedFermat<K>>> {
    vec![
        ("field", GMP, fields::cases()),
        ("field", GMP, fields::digit_cases()),
    ]
}

/// Operations `family-name-field` over fields of one type.
fn over<F: Peered>(field: &str, twins: &Arc<Twins<F>>, families: Vec<Family<F>>) -> Vec<Operation> {
    let mut operations = Vec::new();
    for (family, against, cases) in families {
        for (name, case) in cases {
            let name = format!("{family}-{name}-{field}");
            operations.push(twin::over(twins, &name, against, case));
        }
    }
    operations
}

/// Operations over the fields modulo r^k + 1, whatever k.
fn over_big_primes() -> Vec<Operation> {
    fn digits<const K: usize>() -> Vec<Operation> {
        over("rk1", &twin::big::<K>(), digit_families::<K>())
    }
    /// Polynomials and transforms over fields of these k only: every k takes long to compile.
    fn polynomials<const K: usize>() -> Vec<Operation> {
        over(
            "rk1",
            &twin::big::<K>(),
            long_families::<GeneralizedFermat<K>>(),
        )
    }
    let mut operations = any_of([
        digits::<2>(),
        digits::<4>(),
        digits::<8>(),
        digits::<16>(),
        digits::<32>(),
        digits::<64>(),
        digits::<128>(),
        digits::<256>(),
    ]);
    operations.extend(any_of([
        polynomials::<2>(),
        polynomials::<4>(),
        polynomials::<8>(),
        polynomials::<16>(),
    ]));
    operations
}

/// One operation for those that stand at the same place of every list; the quickest list comes first.
fn any_of<const N: usize>(lists: [Vec<Operation>; N]) -> Vec<Operation> {
    let mut together: Vec<Vec<Operation>> = Vec::new();
    for list in lists {
        together.resize_with(list.len(), Vec::new);
        for (variants, operation) in together.iter_mut().zip(list) {
            variants.push(operation);
        }
    }
    together.into_iter().map(Operation::any_of).collect()
}

/// Every operation, family after family.
fn operations() -> Vec<Operation> {
    [
        integers::operations(),
        numbers::operations(),
        over("p31", &twin::words_32(), word_families()),
        over("p63", &twin::words_64(), word_families()),
        over_big_primes(),
        chinese::operations(),
        integer_polynomials::operations(),
        matrices::operations(),
        sparse::operations(),
        sorts::operations(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Does what the command line says.
pub fn run(options: &Options) -> Result<(), String> {
    // Threads are the campaign's: the peers run on the one that calls them.
    crate::flint::set_threads(1);
    let operations = operations();
    if options.list {
        for operation in &operations {
            println!("{}\tagainst {}", operation.name, operation.against);
        }
        return Ok(());
    }
    if let Some(place) = &options.replay {
        return campaign::replay(&operations, options, place);
    }
    let wrong = campaign::run(&operations, options)?;
    if let Some(page) = &options.page {
        let mut files = options.add.clone();
        files.push(options.state());
        let tables = page::tables(&Counts::read_all(&files)?, &operations);
        crate::report::rewrite_between(page, MARKER, &tables)?;
    }
    match wrong {
        0 => Ok(()),
        _ => Err(format!("{wrong} cases were wrong")),
    }
}
