//! How many products with powers of ω transforms modulo r^k + 1 take, for each element: those of the plan, the fewest by columns
//! alone, the fewest with splits; and which powers of ω have few digits.

use sunzi_dft::internals::{FewestProducts, LANES, Stages, Twiddle, between};
use sunzi_field::generalized_fermat::{NAMED, named_prime};
use sunzi_field::{Digits, Field, GeneralizedFermat, TwoAdicField, with_digits};

use crate::common::{Failure, Usage, head, names_or};

/// The longest transforms whose products are counted.
const LONGEST_PLAN: u32 = 20;
/// The longest transforms whose powers are looked at one by one.
const LONGEST_LIST: u32 = 16;

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let names = names_or(arguments, &["P4", "P8", "P16", "P32", "P64"]);
    println!("Products with powers of ω, for each element:\n");
    let columns = [
        "prime",
        "N",
        "of the plan",
        "rotations among them",
        "fewest by columns",
        "fewest with splits",
        "over the plan",
        "½·log N (radix 2)",
    ];
    head(&columns, "--:");
    for name in &names {
        let prime = named_prime(name).ok_or_else(|| {
            Usage(format!(
                "'{name}' is no prime of {:?}",
                NAMED.map(|p| p.name)
            ))
        })?;
        let log_cycle = prime.digits.trailing_zeros() + 1;
        let most = LONGEST_PLAN.min(4 * log_cycle);
        let columns = FewestProducts::up_to(most, log_cycle, false);
        let splits = FewestProducts::up_to(most, log_cycle, true);
        for log in (log_cycle + 1)..=most {
            let Some(stages) = Stages::new(log, prime.digits) else {
                continue;
            };
            let each = |count: u64| count as f64 / (1u64 << log) as f64;
            println!(
                "| {name} | 2^{log} | {:.3} | {:.4} | {:.3} | {:.3} | {:.2} | {:.1} |",
                each(stages.products()),
                each(stages.products() - general(&stages, log, log_cycle)),
                each(columns.products(log)),
                each(splits.products(log)),
                splits.products(log) as f64 / stages.products() as f64,
                f64::from(log) / 2.0
            );
        }
    }
    println!("\nDigits of the powers of ω that are not 0, of all N powers:\n");
    head(
        &[
            "prime",
            "N",
            "1 digit",
            "2 digits",
            "3 digits",
            "up to k/2",
            "more",
        ],
        "--:",
    );
    for name in &names {
        let prime = named_prime(name).ok_or("a prime with a name, as above")?;
        with_digits!(prime.digits, K >= 4 => digits_of_powers::<K>(name, prime.radix)?, _ => ());
    }
    Ok(())
}

/// Products of the plan that are no rotations.
fn general(stages: &Stages, log: u32, log_cycle: u32) -> u64 {
    let of_stages = stages.stages.iter().map(|stage| {
        let values = stage.stride * stage.radix;
        match stage.twiddle {
            Twiddle::None | Twiddle::Rotation { .. } => 0,
            // The same for all elements of a block, and for all values of the groups before.
            Twiddle::Product { stride, .. } => {
                let [group, columns] = [values / stride, stage.columns].map(usize::trailing_zeros);
                between(group, columns, log_cycle) * (stride * LANES) as u64
            }
            Twiddle::LastProduct { stride } => {
                let rotation = 1usize << (log - log_cycle);
                let exponents = (0..values).flat_map(|j| {
                    let of_column = LANES * stride * (j / stride);
                    (0..stage.columns)
                        .flat_map(move |p| (0..LANES).map(move |l| p * of_column + l * j))
                });
                exponents
                    .filter(|exponent| !exponent.is_multiple_of(rotation))
                    .count() as u64
            }
        }
    });
    of_stages.sum()
}

fn digits_of_powers<const K: usize>(name: &str, radix: u64) -> Result<(), Failure> {
    let field = GeneralizedFermat::<K>::new(radix)?;
    for log in [10, 13, LONGEST_LIST] {
        let Some(root) = field.root_of_unity(log) else {
            continue;
        };
        let mut found = [0u64; 5];
        for power in field.first_powers(root, 1 << log) {
            found[match nonzero_digits(&field, power) {
                digits @ 0..=3 => digits.saturating_sub(1),
                digits if digits <= K / 2 => 3,
                _ => 4,
            }] += 1;
        }
        let [one, two, three, half, more] = found;
        println!("| {name} | 2^{log} | {one} | {two} | {three} | {half} | {more} |");
    }
    Ok(())
}

/// The fewest digits that are not 0 of the element or of its opposite, whose digits may be negative: |d| ≤ r/2.
fn nonzero_digits<const K: usize>(field: &GeneralizedFermat<K>, x: Digits<K>) -> usize {
    let radix = field.radix();
    let of = |x: Digits<K>| {
        let mut carry = 0;
        let mut count = 0;
        for digit in x.0 {
            let digit = digit + carry;
            // A digit above r/2 is one less than nothing, and one more in the next place.
            carry = u64::from(digit > radix / 2);
            count += usize::from(digit != 0 && digit != radix);
        }
        count + carry as usize
    };
    of(x).min(of(field.neg(x)))
}
