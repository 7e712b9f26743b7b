//! Regular chains over Q: against those modulo a large prime, and systems with known solutions.

use super::modular::{special, words};
use super::oracle::{modulo, over_z, product, random_over_z, same_points};
use sunzi_field::AnyField;
use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, ChainOptions, Poly, PolyError, gcd};
use sunzi_solve::{RegularChain, RegularChains, regular_chains, regular_chains_modulo};
use sunzi_testkit::{Random, on_every_thread_count};

const P: u64 = 469_762_049;

fn proved(f: &BivariatePoly<Integer>, g: &BivariatePoly<Integer>) -> RegularChains<Integer> {
    let known = regular_chains(f, g, ChainOptions::new()).unwrap();
    assert!(known.proved);
    well_formed(&known.value.chains);
    known.value
}

/// Primitive, coprime, square-free, and no leading coefficient vanishes.
fn well_formed(chains: &[RegularChain<Integer>]) {
    let one = over_z(&[&[1]]).rows()[0].clone();
    for (index, RegularChain { t, s }) in chains.iter().enumerate() {
        assert!(t.len() > 1 && *t.coefficients().last().unwrap() > Integer::ZERO);
        let terms = (1..)
            .zip(&t.coefficients()[1..])
            .map(|(power, c)| c * Integer::from(power));
        assert_eq!(gcd(t, &Poly::new(terms.collect())).unwrap(), one);
        assert!(
            chains[..index]
                .iter()
                .all(|other| gcd(t, &other.t).unwrap() == one)
        );
        let leading = s.leading_row().unwrap();
        assert!(s.degree_y() > Some(0) && gcd(t, leading).unwrap() == one);
        assert!(*leading.coefficients().last().unwrap() > Integer::ZERO);
        let rows = s.rows().iter().filter(|row| !row.is_zero());
        let common = rows.fold(leading.clone(), |common, row| gcd(&common, row).unwrap());
        assert_eq!(common, one);
    }
    assert!(chains.is_sorted_by_key(|chain| (chain.s.degree_y(), chain.t.degree())));
}

/// Modulo a prime that is lucky, as chance has it.
fn agree_modulo_a_prime(
    found: &RegularChains<Integer>,
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) {
    let field = AnyField::modulo_word(P).unwrap();
    let expected = words(regular_chains_modulo(&field, f, g).unwrap());
    let image = |chain: &RegularChain<Integer>| RegularChain {
        t: modulo(P, &BivariatePoly::new(vec![chain.t.clone()]))
            .into_rows()
            .remove(0),
        s: modulo(P, &chain.s),
    };
    let images: Vec<_> = found.chains.iter().map(image).collect();
    assert!(same_points(P, &images, &expected.chains));
    assert_eq!(found.points(), expected.points());
    let of = found
        .common
        .as_ref()
        .map(|common| [common.degree_x(), common.degree_y()]);
    let expected = expected
        .common
        .map(|common| [common.degree_x(), common.degree_y()]);
    assert_eq!(of, expected);
}

#[test]
fn special_systems() {
    let mut others = Vec::new();
    for (name, [f, g], shapes) in special() {
        let found = proved(&f, &g);
        agree_modulo_a_prime(&found, &f, &g);
        let points: usize = shapes.iter().map(|[t, s]| t * s).sum();
        if found.points() != points {
            others.push((name, found.points(), points));
        }
        let exchanged = proved(&g, &f);
        agree_modulo_a_prime(&exchanged, &f, &g);
        // Coefficients that are not small, and a number in common.
        let [f, g] = [f, g].map(|f| f.map(|c| c * Integer::from(1_000_003)));
        assert_eq!(proved(&f, &g).points(), found.points(), "{name}");
    }
    assert_eq!(others, []);
}

#[test]
fn products_of_random_factors() {
    let mut random = Random::new(17);
    for round in 0..12 {
        let mut factor =
            |rows, columns| random_over_z(&mut random, rows, columns, 12 + 40 * (round % 3));
        let [a, b, c] = [factor(2, 2), factor(1, 3), factor(3, 2)];
        let [d, e] = [factor(2, 1), factor(2, 3)];
        for (f, g) in [
            (product(&a, &b), product(&c, &d)),
            (product(&a, &e), product(&a, &c)),
            (product(&e, &b), product(&c, &b)),
        ] {
            agree_modulo_a_prime(&proved(&f, &g), &f, &g);
        }
    }
}

#[test]
fn given_points_are_found() {
    // (2/3, −5), (−7, 1/4), (0, 0): T = x(3x − 2)(x + 7), and the lines through two of them.
    let t = product(
        &product(&over_z(&[&[0, 1]]), &over_z(&[&[-2, 3]])),
        &over_z(&[&[7, 1]]),
    );
    let through = |p: [i64; 2], q: [i64; 2], scale: i64| {
        // (q₀ − p₀)(y − p₁) − (q₁ − p₁)(x − p₀), coordinates times `scale`.
        let [dx, dy] = [q[0] - p[0], q[1] - p[1]];
        over_z(&[&[dy * p[0] - dx * p[1], -dy * scale], &[dx * scale]])
    };
    let [a, b, c] = [[8, -60], [-84, 3], [0, 0]];
    let lines = product(
        &product(&through(a, b, 12), &through(b, c, 12)),
        &through(a, c, 12),
    );
    let found = proved(&t, &lines);
    // Over each of the three x each of the three lines has a point; two of the lines meet at the given one.
    let [chain] = &found.chains[..] else {
        panic!("{found:?}")
    };
    assert_eq!(
        (chain.t.clone(), chain.s.degree_y()),
        (t.rows()[0].clone(), Some(3))
    );
    for point in [a, b, c] {
        let value = |f: &BivariatePoly<Integer>| {
            let degree = f.degree_x().unwrap();
            let row = |row: &Poly<Integer>| -> Integer {
                let terms = row.coefficients().iter().enumerate();
                terms
                    .map(|(i, c)| {
                        c * Integer::from(point[0]).pow(i) * Integer::from(12).pow(degree - i)
                    })
                    .sum()
            };
            let n = f.degree_y().unwrap();
            let rows = f.rows().iter().enumerate();
            rows.map(|(j, r)| {
                row(r) * Integer::from(point[1]).pow(j) * Integer::from(12).pow(n - j)
            })
            .sum::<Integer>()
        };
        assert_eq!(value(&chain.s), Integer::ZERO);
    }
}

#[test]
fn vertical_lines_shorten_polynomials() {
    // x² = 2 and y = x^20 + 1.
    let mut power = vec![0; 21];
    (power[0], power[20]) = (-1, -1);
    let found = proved(&over_z(&[&[-2, 0, 1]]), &over_z(&[&power, &[1]]));
    assert_eq!(found.chains[0].s, over_z(&[&[-1025], &[1]]));
    // 7x = 3 and x·y = x² + 5.
    let found = proved(&over_z(&[&[-3, 7]]), &over_z(&[&[-5, 0, -1], &[0, 1]]));
    assert_eq!(found.chains[0].s, over_z(&[&[-254], &[21]]));
}

#[test]
fn primes_that_divide_leading_coefficients_do_not_matter() {
    let mut random = Random::new(8);
    let mut unlucky = Integer::ONE;
    for prime in sunzi_field::primality::ntt_primes(30, 8).take(10) {
        unlucky *= Integer::from(prime);
    }
    let [f, g] = [4, 3].map(|n| random_over_z(&mut random, n, n, 10));
    // f ≡ g modulo the first primes, and their leading coefficients vanish.
    let mut rows = f.clone().into_rows();
    rows[3] = Poly::new(vec![unlucky.clone(), unlucky.clone()]);
    let with_leading = BivariatePoly::new(rows);
    let close = BivariatePoly::new(
        (0..4)
            .map(|j| {
                let zero = Poly::zero();
                let [a, b] = [
                    with_leading.row(j).unwrap_or(&zero),
                    g.row(j).unwrap_or(&zero),
                ];
                let of = |row: &Poly<Integer>, i: usize| {
                    row.coefficients().get(i).cloned().unwrap_or_default()
                };
                Poly::new((0..4).map(|i| of(a, i) + of(b, i) * &unlucky).collect())
            })
            .collect(),
    );
    let found = proved(&with_leading, &close);
    agree_modulo_a_prime(&found, &with_leading, &close);
}

#[test]
fn early_results_say_so_and_threads_do_not_matter() {
    let mut random = Random::new(4);
    let [f, g] = [5, 5].map(|n| random_over_z(&mut random, n, n, 60));
    let found = regular_chains(&f, &g, ChainOptions::new()).unwrap();
    assert!(found.proved && found.primes > 10);
    let early = regular_chains(&f, &g, ChainOptions::new().early(1)).unwrap();
    assert_eq!(early.value, found.value);
    assert_eq!(early.proved, early.primes >= found.primes);
    on_every_thread_count(|_| {
        assert_eq!(regular_chains(&f, &g, ChainOptions::new()).unwrap(), found)
    });
}

#[test]
fn both_zero() {
    let zero = BivariatePoly::zero();
    assert_eq!(
        regular_chains(&zero, &zero, ChainOptions::new()),
        Err(PolyError::EveryPoint)
    );
    let found = proved(&zero, &over_z(&[&[-4, -8]]));
    assert_eq!(
        (found.common, found.chains),
        (Some(over_z(&[&[4, 8]])), vec![])
    );
}
