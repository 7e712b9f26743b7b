//! Real roots of polynomials over Z to 128 bits, against FLINT, PARI and CGAL.

use sunzi_integer::Integer;
use sunzi_poly::{IntegerPolyRing, Poly};
use sunzi_solve::{RealRoots, RootSearch};

use super::{pari_text, random, to_flint};
use crate::contender::{Case, Entrants, Group, Peer, Setup, contender};
use crate::options::Options;
use crate::programs::{CgalRoots, Pari, peer, rounded};
use crate::sample::Sample;

const BITS: usize = 128;

/// A polynomial, and whether FLINT finds its roots in a time that is worth waiting for.
type Make = fn() -> (Poly<Integer>, bool);

const KINDS: [(&str, u64, Make); 8] = [
    ("random, degree 200", 200, || (by_chance(200), true)),
    ("random, degree 500", 500, || (by_chance(500), true)),
    ("random, degree 1000", 1000, || (by_chance(1000), true)),
    ("Chebyshev, degree 200", 200, || (chebyshev(200), true)),
    ("Chebyshev, degree 500", 500, || (chebyshev(500), true)),
    ("Wilkinson, degree 200", 200, || (wilkinson(200), true)),
    ("Mignotte, degree 100", 100, || (mignotte(100), false)),
    ("Mignotte, degree 300", 300, || (mignotte(300), false)),
];

pub fn cases(options: &Options) -> Vec<Case> {
    let case = |&(name, size, make): &(&str, u64, Make)| Case {
        section: "solve",
        group: Group::for_threads("real roots", options.threads, Some(0.7), Some(0.7)),
        name: format!("roots to {BITS} bits: {name}"),
        size,
        build: Box::new(move |setup| entrants(setup, make())),
    };
    KINDS.iter().map(case).collect()
}

fn by_chance(degree: usize) -> Poly<Integer> {
    random(&mut Sample::new(degree as u64), degree, 64)
}

/// T_n = 2x·T_{n−1} − T_{n−2}.
pub(super) fn chebyshev(degree: usize) -> Poly<Integer> {
    let mut last = vec![Integer::ONE];
    let mut this = vec![Integer::ZERO, Integer::ONE];
    for _ in 1..degree {
        let mut next = vec![Integer::ZERO; this.len() + 1];
        for (power, coefficient) in this.iter().enumerate() {
            next[power + 1] += coefficient * 2;
        }
        for (power, coefficient) in last.iter().enumerate() {
            next[power] -= coefficient;
        }
        (last, this) = (this, next);
    }
    Poly::new(if degree == 0 { last } else { this })
}

/// (x − 1)(x − 2)…(x − n).
fn wilkinson(degree: usize) -> Poly<Integer> {
    let ring = IntegerPolyRing::new();
    (1..=degree).fold(Poly::new(vec![Integer::ONE]), |product, root| {
        ring.mul(
            &product,
            &Poly::new(vec![-Integer::from(root), Integer::ONE]),
        )
    })
}

/// x^n − 2(2^14·x − 1)², two roots of which lie very close together.
fn mignotte(degree: usize) -> Poly<Integer> {
    let mut coefficients = vec![Integer::ZERO; degree + 1];
    coefficients[degree] = Integer::ONE;
    coefficients[0] -= 2;
    coefficients[1] += 4 << 14;
    coefficients[2] -= 2 << 28;
    Poly::new(coefficients)
}

fn entrants(setup: Setup, (poly, with_flint): (Poly<Integer>, bool)) -> Entrants {
    let numbers: Vec<String> = poly.coefficients().iter().map(Integer::to_string).collect();
    let digits = BITS * 3 / 10 + 1;
    let definitions = format!(
        "f = {};\ndefault(realprecision, {digits});",
        pari_text(&poly)
    );
    let pari = Pari::new(definitions, "polrootsreal(f)", |text| {
        let inner = text.trim().trim_start_matches('[').split(']').next()?;
        let roots = inner
            .split(',')
            .map(str::trim)
            .filter(|root| !root.is_empty());
        let roots: Option<Vec<f64>> = roots
            .map(|root| root.replace(" E", "e").parse().ok())
            .collect();
        Some(rounded(roots?))
    });
    let flint = with_flint.then(|| {
        let flint = contender(
            (to_flint(&poly), Vec::new()),
            |(poly, out)| *out = poly.real_roots(BITS),
            |(_, out): &(_, Vec<f64>)| {
                let mut roots = out.clone();
                roots.sort_by(f64::total_cmp);
                rounded(roots)
            },
        );
        Peer::exact("FLINT arb_fmpz_poly_real_roots", flint)
    });
    let sunzi = contender(
        (poly, None),
        |(poly, out)| {
            let search = RootSearch::new().bits(BITS as i64);
            *out = Some(search.of(poly).expect("it is not zero"));
        },
        |(_, out): &(_, Option<RealRoots>)| {
            let roots = out.iter().flat_map(|roots| roots.iter());
            rounded(roots.map(|root| root.interval().midpoint().to_f64()))
        },
    );
    Entrants {
        sunzi: setup.with_sunzi.then_some(sunzi),
        peers: [flint, peer(pari), peer(CgalRoots::new(&numbers))]
            .into_iter()
            .flatten()
            .collect(),
    }
}
