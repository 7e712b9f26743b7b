//! Counted cases of the library's operations against GMP, FLINT, the standard library's sorts and definitions, by kind
//! of input and number of threads. `README.md` says what is left out.
//!
//! A case is made from the campaign's seed, its operation, kind, number of threads and number: any case can be
//! run again by itself. Inputs are those that testkit makes for the seams of the work ([`sunzi_testkit::Kind`]).
//! Values are compared bit for bit, each limb, coefficient, entry or item once.

mod campaign;
mod chinese;
mod convolvers;
mod counts;
mod devices;
mod divisors;
mod fields;
mod integer_matrices;
mod integer_polynomials;
mod integers;
mod lazy;
mod market;
mod matrices;
mod numbers;
mod operation;
mod operators;
mod options;
mod orders;
mod page;
mod points;
mod polynomials;
mod primes;
mod solving;
mod sorts;
mod sparse;
mod test_matrices;
mod texts;
mod transforms;
mod trial;
mod twin;

pub use options::Options;

use sunzi_field::GeneralizedFermat;
use sunzi_poly::Algorithm as PolyAlgorithm;
use sunzi_sparse::ModularProduct;

use counts::Counts;
use lazy::LazyField;
use operation::Operation;
use transforms::Planned;
use twin::{Family, Polynomial, over};

/// The marker of the tables in a page.
const MARKER: &str = "differential";

/// Products of polynomials modulo r^k + 1; there are none over several word primes.
const BIG_PRIME_ALGORITHMS: [PolyAlgorithm; 4] = [
    PolyAlgorithm::Schoolbook,
    PolyAlgorithm::Karatsuba,
    PolyAlgorithm::Ntt,
    PolyAlgorithm::Kronecker,
];

const GMP: &str = "GMP";
const FLINT: &str = "FLINT";

/// What every field of word size does.
fn word_families<F: Planned + LazyField>() -> Vec<Family<F>> {
    let of = |name, against, cases| Family {
        name,
        against,
        cases,
    };
    vec![
        of("field", GMP, fields::cases()),
        of("field", GMP, lazy::cases()),
        of("dft", FLINT, transforms::cases()),
        of("dft", FLINT, transforms::word_cases()),
        of("dft", FLINT, convolvers::cases()),
    ]
}

/// What those do that matrices and polynomials are over.
fn matrix_word_families<F: Planned + LazyField + Polynomial + ModularProduct>() -> Vec<Family<F>> {
    let mut families = word_families();
    families.push(Family {
        name: "sparse",
        against: GMP,
        cases: sparse::cases(),
    });
    families.extend(polynomial_families(&PolyAlgorithm::ALL));
    families
}

/// What every field does that polynomials are over.
fn polynomial_families<F: Planned + Polynomial>(algorithms: &[PolyAlgorithm]) -> Vec<Family<F>> {
    let flint = |name, cases| Family {
        name,
        against: FLINT,
        cases,
    };
    vec![
        flint("dft", points::transforms()),
        flint("poly", polynomials::cases(algorithms)),
        flint("poly", divisors::cases()),
        flint("poly", points::cases()),
        flint("matrix", matrices::cases()),
    ]
}

fn digit_families<const K: usize>() -> Vec<Family<GeneralizedFermat<K>>> {
    let cases = [fields::cases(), fields::digit_cases()];
    cases
        .map(|cases| Family {
            name: "field",
            against: GMP,
            cases,
        })
        .into()
}

/// Operations over the fields modulo r^k + 1, whatever k.
fn over_big_primes() -> Vec<Operation> {
    fn digits<const K: usize>() -> Vec<Operation> {
        over("rk1", &twin::big::<K>(), digit_families::<K>())
    }
    /// Polynomials and transforms over fields of these k only: every k takes long to compile.
    fn polynomials<const K: usize>() -> Vec<Operation> {
        let mut families = vec![];
        for cases in [transforms::cases(), transforms::rotations()] {
            families.push(Family {
                name: "dft",
                against: FLINT,
                cases,
            });
        }
        families.extend(polynomial_families(&BIG_PRIME_ALGORITHMS));
        over("rk1", &twin::big::<K>(), families)
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
        texts::operations(),
        numbers::operations(),
        operators::operations(),
        primes::operations(),
        over("p31", &twin::words_32(), matrix_word_families()),
        over("p50", &twin::words_50(), word_families()),
        over("p63", &twin::words_64(), matrix_word_families()),
        over_big_primes(),
        chinese::operations(),
        integer_polynomials::operations(),
        integer_matrices::operations(),
        solving::operations(),
        sparse::operations(),
        orders::operations(),
        market::operations(),
        test_matrices::operations(),
        sorts::operations(),
        devices::operations(),
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
