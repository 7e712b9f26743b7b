//! Digits of π as text: Sunzi's example, the same series over GMP's integers, and FLINT's constant.

use rug::Integer;
use rug::ops::Pow as _;

use crate::contender::{Case, Entrants, Group, Peer, Setup, contender};
use crate::flint::Pi;
use crate::options::Options;

/// The example as users find it.
#[path = "../../../../../crates/sunzi/examples/pi.rs"]
#[allow(dead_code)]
mod example;

const GROUP: Group = Group {
    name: "digits of pi",
    goal: Some(0.6),
};

pub fn cases(_: &Options) -> Vec<Case> {
    let case = |digits: usize| Case {
        section: "numbers",
        group: GROUP,
        name: format!("10^{} digits", digits.ilog10()),
        size: digits as u64,
        build: Box::new(move |setup| entrants(setup, digits)),
    };
    [10_000, 1_000_000, 10_000_000].map(case).into()
}

fn entrants(setup: Setup, digits: usize) -> Entrants {
    let words = |text: &String| text.bytes().map(u64::from).collect();
    let mut peers = vec![Peer::exact(
        "FLINT arb_const_pi",
        contender(
            (Pi::default(), String::new()),
            move |(pi, text)| *text = pi.digits(digits),
            move |(_, text)| words(text),
        ),
    )];
    if setup.threads == 1 {
        peers.push(Peer::exact(
            "GMP (the same series)",
            contender(
                String::new(),
                move |text| *text = pi(digits).to_string(),
                words,
            ),
        ));
    }
    Entrants {
        sunzi: setup.with_sunzi.then(|| {
            contender(
                String::new(),
                move |text| *text = example::pi(digits).to_string(),
                words,
            )
        }),
        peers,
    }
}

/// P, Q and T of the terms from `a` to `b`, as the example has them.
fn halves(a: u64, b: u64, last: bool) -> [Integer; 3] {
    if b - a == 1 {
        let p = Integer::from(6 * a - 5) * (2 * a - 1) * (6 * a - 1);
        let q = Integer::from(a).pow(3) * 10_939_058_860_032_000_u64;
        let t = Integer::from(&p * (13_591_409 + 545_140_134 * i128::from(a)));
        return [p, q, if a % 2 == 1 { -t } else { t }];
    }
    let middle = a.midpoint(b);
    let [p, q, t] = halves(a, middle, false);
    let [p2, q2, t2] = halves(middle, b, last);
    let t = t * &q2 + &p * t2;
    [if last { Integer::ZERO } else { p * p2 }, q * q2, t]
}

/// ⌊π·10^digits⌋.
fn pi(digits: usize) -> Integer {
    let [_, q, t] = halves(1, digits as u64 / 14 + 2, true);
    let exponent = u32::try_from(digits).expect("fewer than 2^32 digits") + 10;
    let one = Integer::from(10).pow(exponent);
    let root = (Integer::from(10_005) * &one * &one).sqrt();
    let pi = Integer::from(&q * 426_880) * root / (q * 13_591_409 + t);
    pi / Integer::from(10).pow(10)
}
