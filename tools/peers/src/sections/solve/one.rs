//! GCDs and resultants in Z[x], against FLINT and PARI.

use sunzi_integer::Integer;
use sunzi_poly::{IntegerGcd, IntegerPolyRing, IntegerResultant, Method, Poly, gcd, resultant};

use super::{pari_text, random, to_flint, words, words_of_flint, words_of_pari};
use crate::contender::{Agreement, Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::options::Options;
use crate::programs::{Pari, peer};
use crate::sample::Sample;

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    let group = |name| Group::for_threads(name, options.threads, Some(0.5), Some(0.5));
    for (cofactors, common) in [(20, 10), (50, 25), (200, 100), (400, 200), (1000, 500)] {
        cases.push(Case {
            section: "solve",
            group: group("gcd in Z[x]"),
            name: format!("gcd, degrees {cofactors}+{common}, 64 bits"),
            size: (cofactors + common) as u64,
            build: Box::new(move |setup| gcd_entrants(setup, cofactors, common)),
        });
    }
    for degree in [20, 50, 100, 200, 400] {
        cases.push(Case {
            section: "solve",
            group: group("resultant in Z[x]"),
            name: format!("resultant, degree {degree}, 64 bits"),
            size: degree as u64,
            build: Box::new(move |setup| resultant_entrants(setup, degree)),
        });
    }
    cases
}

/// Products of a common factor and of others without one.
fn gcd_entrants(setup: Setup, cofactors: usize, common: usize) -> Entrants {
    let mut sample = Sample::new((cofactors << 16 | common) as u64);
    let ring = IntegerPolyRing::new();
    let factor = random(&mut sample, common, 64);
    let [f, g] = [0; 2].map(|_| ring.mul(&factor, &random(&mut sample, cofactors, 64)));
    let definitions = format!("f = {};\ng = {};", pari_text(&f), pari_text(&g));
    let pari = Pari::new(definitions, "Vecrev(gcd(f, g))", words_of_pari);
    let flint = contender(
        (to_flint(&f), to_flint(&g), to_flint(&Poly::zero())),
        |(f, g, out)| *out = f.gcd(g),
        |(_, _, out)| words_of_flint(out),
    );
    let one_prime = IntegerGcd::new().method(Method::BigPrime);
    let one_prime = one_prime.plan(&f, &g).is_ok().then(|| {
        reference(contender(
            (f.clone(), g.clone(), Poly::zero()),
            move |(f, g, out)| *out = one_prime.compute(f, g).expect("there is memory").value,
            |(_, _, out): &(Poly<Integer>, Poly<Integer>, Poly<Integer>)| words(out.coefficients()),
        ))
    });
    let sunzi = contender(
        (f, g, Poly::zero()),
        |(f, g, out)| *out = gcd(f, g).expect("there is memory"),
        |(_, _, out): &(Poly<Integer>, Poly<Integer>, Poly<Integer>)| words(out.coefficients()),
    );
    Entrants {
        sunzi: setup.with_sunzi.then_some(sunzi),
        peers: [
            Some(Peer::exact("FLINT fmpz_poly_gcd", flint)),
            peer(pari),
            one_prime,
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}

fn resultant_entrants(setup: Setup, degree: usize) -> Entrants {
    let mut sample = Sample::new(degree as u64);
    let [f, g] = [0; 2].map(|_| random(&mut sample, degree, 64));
    let definitions = format!("f = {};\ng = {};", pari_text(&f), pari_text(&g));
    let pari = Pari::new(definitions, "polresultant(f, g)", words_of_pari);
    let flint = contender(
        (to_flint(&f), to_flint(&g), to_flint(&Poly::zero())),
        |(f, g, out)| *out = f.resultant(g),
        |(_, _, out)| words_of_flint(out),
    );
    let one_prime = IntegerResultant::new().method(Method::BigPrime);
    let one_prime = one_prime.plan(&f, &g).is_ok().then(|| {
        reference(contender(
            (f.clone(), g.clone(), Integer::ZERO),
            move |(f, g, out)| *out = one_prime.compute(f, g).expect("there is memory").value,
            |(_, _, out): &(Poly<Integer>, Poly<Integer>, Integer)| words([out]),
        ))
    });
    let sunzi = contender(
        (f, g, Integer::ZERO),
        |(f, g, out)| *out = resultant(f, g).expect("there is memory"),
        |(_, _, out): &(Poly<Integer>, Poly<Integer>, Integer)| words([out]),
    );
    Entrants {
        sunzi: setup.with_sunzi.then_some(sunzi),
        peers: [
            Some(Peer::exact("FLINT fmpz_poly_resultant", flint)),
            peer(pari),
            one_prime,
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}

/// Sunzi by one prime r^k + 1 instead of many of a word, to compare the two.
fn reference(contender: Box<dyn Contender>) -> Peer {
    Peer {
        name: "Sunzi, one prime r^k+1",
        agreement: Agreement::Reference,
        contender,
    }
}
