//! Times of determinants modulo word primes on one thread, in Markdown: condensation in its variants
//! and elimination by blocks against elimination row by row.
//!
//! Every method runs once in each round, so that other work on the machine meets all of them; a time is the
//! median of the rounds, a ratio the median of the rounds' ratios.

use sunzi_field::{Fp32, Fp64};
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::dense::condensation::{Variant, determinant_by};
use sunzi_linalg::dense::{self, MatrixField, unblocked};

use crate::common::{Failure, Random, head, median, numbers_or, on_one_thread, seconds};

const ROUNDS: usize = 11;

type Method<'a, E> = (&'a str, Box<dyn Fn() -> E + 'a>);

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let orders = numbers_or(arguments, "an order", &[100, 300, 1000])?;
    let columns = [
        "prime",
        "order",
        "method",
        "ms",
        "over elimination row by row",
    ];
    head(&columns, "---");
    on_one_thread(|| {
        for &order in &orders {
            measure(&Fp32::new(469_762_049)?, "469762049", order)?;
            measure(&Fp64::new((1 << 60) - (1 << 18) + 1)?, "2^60−2^18+1", order)?;
        }
        Ok(())
    })
}

fn measure<F: MatrixField>(field: &F, name: &str, order: usize) -> Result<(), Failure> {
    let mut random = Random::new();
    let matrix = DenseMatrix::from_fn(order, order, |_, _| random.element(field));
    let condensation = |variant| {
        let matrix = &matrix;
        Box::new(move || determinant_by(variant, field, matrix).expect("a square matrix"))
    };
    let methods: [Method<F::Elem>; 5] = [
        (
            "elimination row by row",
            Box::new(|| unblocked::determinant(field, &matrix).expect("a square matrix")),
        ),
        (
            "condensation, pivots' powers",
            condensation(Variant::PivotPowers),
        ),
        (
            "condensation, unit pivots",
            condensation(Variant::UnitPivots),
        ),
        (
            "condensation, three steps at once",
            condensation(Variant::ThreeSteps),
        ),
        (
            "elimination by blocks",
            Box::new(|| dense::determinant(field, matrix.clone()).expect("a square matrix")),
        ),
    ];
    let mut times = vec![Vec::new(); methods.len()];
    let expected = methods[0].1();
    for _ in 0..ROUNDS {
        for ((_, method), times) in methods.iter().zip(&mut times) {
            let (found, time) = seconds(method);
            times.push(time * 1e3);
            if found != expected {
                return Err("the methods disagree".into());
            }
        }
    }
    for ((method, _), own) in methods.iter().zip(&times) {
        let ratios = own
            .iter()
            .zip(&times[0])
            .map(|(own, first)| own / first)
            .collect();
        println!(
            "| {name} | {order} | {method} | {:.3} | {:.2} |",
            median(own.clone()),
            median(ratios)
        );
    }
    Ok(())
}
