//! Integers as their users write them, new objects and all, against GMP (by rug), FLINT, dashu and malachite.

mod libraries;
mod pi;

use std::hint::black_box;

use crate::contender::{Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::flint::Fmpz;
use crate::options::Options;
use crate::sample::Sample;
use libraries::Number;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    /// Of two numbers of n limbs.
    Product,
    /// Of one number of n limbs with itself.
    Square,
    /// Of 2n limbs by n, with remainder.
    Division,
    Gcd,
    GcdExt,
    /// Of 2n limbs.
    SquareRoot,
    /// The fifth.
    Power,
    /// With an exponent of n limbs, modulo an odd number of n limbs.
    PowerModulo,
    ToText,
    FromText,
}

use Operation::{
    Division, FromText, Gcd, GcdExt, Power, PowerModulo, Product, Square, SquareRoot, ToText,
};

/// Names of the groups of short, longer and long numbers.
macro_rules! ranges {
    ($name:literal) => {
        [
            concat!($name, ", below 2^6 limbs"),
            concat!($name, ", from 2^6 limbs"),
            concat!($name, ", from 2^12 limbs"),
        ]
    };
}

const GROUPS: [(Operation, [&str; 3]); 10] = [
    (Product, ranges!("numbers: product")),
    (Square, ranges!("numbers: square")),
    (Division, ranges!("numbers: quotient and remainder")),
    (Gcd, ranges!("numbers: GCD")),
    (GcdExt, ranges!("numbers: GCD with cofactors")),
    (SquareRoot, ranges!("numbers: square root")),
    (Power, ranges!("numbers: fifth power")),
    (PowerModulo, ranges!("numbers: power modulo an odd number")),
    (ToText, ranges!("numbers: decimal out")),
    (FromText, ranges!("numbers: decimal in")),
];

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    let lengths = [1, 2, 3, 4, 6, 8, 12].into_iter();
    let lengths = lengths.chain(options.logs(4, 16).map(|log| 1 << log));
    let lengths: Vec<usize> = lengths.collect();
    for (operation, names) in GROUPS {
        for &limbs in &lengths {
            // Those take minutes.
            if operation == PowerModulo && limbs > 1 << 7 {
                continue;
            }
            let (name, goal) = match limbs {
                0..64 => (names[0], 1.1),
                64..4096 => (names[1], 1.0),
                _ => (names[2], 0.7),
            };
            cases.push(Case {
                section: "numbers",
                group: Group {
                    name,
                    goal: Some(goal),
                },
                name: match limbs.is_power_of_two() && limbs >= 16 {
                    true => format!("2^{} limbs", limbs.ilog2()),
                    false => format!("{limbs} limbs"),
                },
                size: limbs as u64,
                build: Box::new(move |setup| entrants(setup, operation, limbs)),
            });
        }
    }
    cases.extend(pi::cases(options));
    cases
}

fn entrants(setup: Setup, operation: Operation, limbs: usize) -> Entrants {
    let mut peers = Vec::new();
    if setup.threads == 1 {
        peers.push(peer::<rug::Integer>(operation, limbs));
    }
    peers.push(peer::<Fmpz>(operation, limbs));
    // Its divisors of n limbs take n² steps: minutes from there on, at which it is never the quickest.
    if setup.threads == 1 && !(limbs > 1 << 12 && matches!(operation, Gcd | GcdExt)) {
        peers.push(peer::<dashu_int::IBig>(operation, limbs));
    }
    if setup.threads == 1 {
        peers.push(peer::<malachite_nz::natural::Natural>(operation, limbs));
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| work::<sunzi_integer::Integer>(operation, limbs)),
        peers,
    }
}

fn peer<N: Number>(operation: Operation, limbs: usize) -> Peer {
    Peer::exact(N::NAME, work::<N>(operation, limbs))
}

/// Operands of one case.
struct Operands<N> {
    a: N,
    b: N,
    long: N,
    odd: N,
    text: String,
}

/// The operation on many operands in turn: what processors learn of one would not help on the next.
fn work<N: Number>(operation: Operation, limbs: usize) -> Box<dyn Contender> {
    let mut sample = Sample::new(limbs as u64);
    let count = match operation {
        PowerModulo => 1.max(200 / (limbs * limbs)),
        _ => 1.max(2000 / limbs),
    };
    let all: Vec<Operands<N>> = (0..count)
        .map(|_| {
            // Of lengths between limbs, too.
            let mut number = |limbs| {
                let mut number = sample.limbs(limbs);
                *number.last_mut().expect("a limb") >>= limbs % 5;
                number
            };
            let (a, b, long) = (number(limbs), number(limbs), number(2 * limbs));
            let mut odd = number(limbs);
            odd[0] |= 1;
            let a = N::from_limbs(&a);
            let text = match operation {
                FromText => a.to_text(),
                _ => String::new(),
            };
            Operands {
                a,
                b: N::from_limbs(&b),
                long: N::from_limbs(&long),
                odd: N::from_limbs(&odd),
                text,
            }
        })
        .collect();
    contender(
        all,
        move |all| {
            for Operands {
                a,
                b,
                long,
                odd,
                text,
            } in black_box(&*all)
            {
                match operation {
                    Product => drop(black_box(a.product(b))),
                    Square => drop(black_box(a.square())),
                    Division => drop(black_box(long.div_rem(b))),
                    Gcd => drop(black_box(a.gcd(b))),
                    GcdExt => drop(black_box(a.gcd_ext(b))),
                    SquareRoot => drop(black_box(long.sqrt())),
                    Power => drop(black_box(a.pow(5))),
                    PowerModulo => drop(black_box(a.pow_mod(b, odd))),
                    ToText => drop(black_box(a.to_text())),
                    FromText => drop(black_box(N::from_text(text))),
                }
            }
        },
        move |all| {
            let Operands {
                a,
                b,
                long,
                odd,
                text,
            } = &all[0];
            match operation {
                Product => a.product(b).limbs(),
                Square => a.square().limbs(),
                Division => long.div_rem(b).iter().flat_map(N::limbs).collect(),
                Gcd => a.gcd(b).limbs(),
                // Cofactors may differ.
                GcdExt => a.gcd_ext(b)[0].limbs(),
                SquareRoot => long.sqrt().limbs(),
                Power => a.pow(5).limbs(),
                PowerModulo => a.pow_mod(b, odd).limbs(),
                ToText => a.to_text().bytes().map(u64::from).collect(),
                FromText => N::from_text(text).limbs(),
            }
        },
    )
}
