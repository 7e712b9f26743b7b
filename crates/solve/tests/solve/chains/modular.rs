//! Regular chains modulo a prime against all points over a field of p² elements.

use super::oracle::{Element, Square, modulo, over_z, product, product_of, random_over_z};
use sunzi_field::generalized_fermat::NAMED;
use sunzi_field::{AnyField, Fp64};
use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, BivariateRing, ChainOptions, Poly, PolyError, PolyRing};
use sunzi_solve::{RegularChain, RegularChains, regular_chains, regular_chains_modulo};
use sunzi_testkit::{Random, on_every_thread_count};

fn field(p: u64) -> AnyField {
    AnyField::modulo_word(p).unwrap()
}

/// Residues as words.
pub(super) fn words(found: RegularChains<Integer>) -> RegularChains<u64> {
    let word = |c: &Integer| u64::try_from(c).unwrap();
    let chain = |chain: RegularChain<Integer>| RegularChain {
        t: Poly::new(chain.t.coefficients().iter().map(word).collect()),
        s: chain.s.map(word),
    };
    RegularChains {
        common: found.common.map(|common| common.map(word)),
        chains: found.chains.into_iter().map(chain).collect(),
    }
}

/// What the definition of [`RegularChains`] says, for all x of the field of p² elements and all y of its closure.
fn describe_common_zeros(
    p: u64,
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) -> RegularChains<u64> {
    let found = words(regular_chains_modulo(&field(p), f, g).unwrap());
    well_formed(p, &found.chains);
    let [f, g] = [modulo(p, f), modulo(p, g)];
    let ring = BivariateRing::new(Fp64::new(p).unwrap());
    let divided = ring.gcd(&f, &g).unwrap();
    assert_eq!(found.common, divided.is_curve().then_some(divided.gcd));
    if f.is_zero() || g.is_zero() {
        assert!(found.chains.is_empty());
        return found;
    }
    let square = Square::new(p);
    for x in square.elements() {
        let chains: Vec<&RegularChain<u64>> = found
            .chains
            .iter()
            .filter(|chain| square.value(&chain.t, x) == (0, 0))
            .collect();
        let expected = square.gcd(square.at(&divided.first, x), square.at(&divided.second, x));
        let described: Vec<Element> = match chains[..] {
            [] => vec![(1, 0)],
            [chain] => square.monic(square.at(&chain.s, x)),
            _ => panic!("{x:?} is a root of two polynomials T"),
        };
        assert_eq!(described, expected, "{x:?} modulo {p}");
    }
    found
}

/// One chain for each degree, T square-free, all of them coprime, monic and reduced.
fn well_formed(p: u64, chains: &[RegularChain<u64>]) {
    let ring = PolyRing::new(Fp64::new(p).unwrap());
    let product = chains
        .iter()
        .fold(Poly::new(vec![1]), |all, chain| ring.mul(&all, &chain.t));
    let repeated = ring.gcd(&product, &ring.derivative(&product)).unwrap();
    assert_eq!(repeated, Poly::new(vec![1]));
    assert!(chains.is_sorted_by(|a, b| a.s.degree_y() < b.s.degree_y()));
    for RegularChain { t, s } in chains {
        assert!(t.len() > 1 && t.coefficients().last() == Some(&1));
        assert!(s.degree_y() > Some(0) && s.leading_row() == Some(&Poly::new(vec![1])));
        assert!(s.degree_x() < t.degree());
    }
}

/// deg T and deg_y S of each.
fn shape<E>(found: &RegularChains<E>) -> Vec<[usize; 2]> {
    let of = |chain: &RegularChain<E>| [chain.t.degree().unwrap(), chain.s.degree_y().unwrap()];
    found.chains.iter().map(of).collect()
}

/// A name, a system, and deg T and deg_y S of its chains modulo a large prime.
type Special = (&'static str, [BivariatePoly<Integer>; 2], Vec<[usize; 2]>);

/// Systems in which something vanishes.
pub(super) fn special() -> Vec<Special> {
    let line_x = over_z(&[&[0, 1]]);
    let line_y = over_z(&[&[], &[1]]);
    let circle = over_z(&[&[-5, 0, 1], &[], &[1]]);
    vec![
        (
            "circle and hyperbola",
            [circle.clone(), over_z(&[&[-2], &[0, 1]])],
            vec![[4, 1]],
        ),
        (
            "parabola and its tangent",
            [over_z(&[&[0, 0, -1], &[1]]), line_y.clone()],
            vec![[1, 1]],
        ),
        (
            "cusp and its tangent",
            [over_z(&[&[0, 0, 0, -1], &[], &[1]]), line_y.clone()],
            vec![[1, 1]],
        ),
        (
            "node and its line",
            [
                over_z(&[&[0, 0, -1, -1], &[], &[1]]),
                over_z(&[&[0, 0, 1], &[], &[-1]]),
            ],
            vec![[1, 2]],
        ),
        (
            "two points over one x",
            [circle.clone(), line_x.clone()],
            vec![[1, 2]],
        ),
        (
            "vertical lines",
            [
                over_z(&[&[-1, 0, 1]]),
                over_z(&[&[0, 1, 0, 2], &[3], &[1, 1]]),
            ],
            vec![[1, 1], [1, 2]],
        ),
        (
            "parallel lines",
            [over_z(&[&[-1, 0, 1]]), over_z(&[&[5, 1]])],
            vec![],
        ),
        (
            "horizontal lines",
            [
                over_z(&[&[2], &[-3], &[1]]),
                over_z(&[&[0, 7, 1], &[], &[-1]]),
            ],
            vec![[4, 1]],
        ),
        (
            "vertical and horizontal lines",
            [over_z(&[&[6, -5, 1]]), over_z(&[&[2], &[-3], &[1]])],
            vec![[2, 2]],
        ),
        (
            "contents in x on both sides",
            [
                product(&over_z(&[&[-1, 1]]), &circle),
                product(&over_z(&[&[-2, 1]]), &over_z(&[&[-2], &[0, 1]])),
            ],
            vec![[3, 1], [1, 2]],
        ),
        (
            "contents in y on both sides",
            [
                product(&over_z(&[&[-1], &[1]]), &circle),
                product(&over_z(&[&[-2], &[1]]), &over_z(&[&[-2], &[0, 1]])),
            ],
            vec![[3, 1], [1, 2]],
        ),
        // x·y² + …: over x = 0 both have lower degrees, and y = 1 in common.
        (
            "vanishing leading coefficients",
            [
                over_z(&[&[-1, 1], &[1], &[0, 1]]),
                over_z(&[&[-1, 3], &[1, 1], &[0, 0, 5]]),
            ],
            vec![[5, 1]],
        ),
        (
            "only infinite over a root",
            [over_z(&[&[-1], &[0, 1]]), over_z(&[&[-2, 0, 3], &[0, 1]])],
            vec![[2, 1]],
        ),
        (
            "leading coefficients vanish twice",
            [
                over_z(&[&[-3, 2], &[1, 1], &[0, 1], &[0, 0, 1]]),
                over_z(&[&[-3, 5], &[1], &[0, 7], &[0, -1]]),
            ],
            vec![[7, 1]],
        ),
        (
            "one vanishes over a root of both leading coefficients",
            [
                over_z(&[&[0, 1], &[0, 0, 1], &[0, 1]]),
                over_z(&[&[-2], &[0, 1], &[1], &[0, 1]]),
            ],
            vec![[4, 1], [1, 2]],
        ),
        (
            "high multiplicity",
            [
                over_z(&[&[0, 0, 0, 0, 0, 0, 0, -1], &[], &[], &[], &[], &[1]]),
                over_z(&[&[0, 0, 0, -1], &[1]]),
            ],
            vec![[9, 1]],
        ),
        (
            "the same point of two curves four times",
            [
                over_z(&[&[0, 0, -2, 1], &[], &[1]]),
                over_z(&[&[0, 0, -2, 2], &[], &[1]]),
            ],
            vec![[1, 2]],
        ),
        (
            "a common line",
            [
                product(&over_z(&[&[0, -1], &[1]]), &circle),
                product(&over_z(&[&[0, -1], &[1]]), &line_y),
            ],
            vec![[2, 1]],
        ),
        (
            "a common vertical line",
            [product(&line_x, &circle), product(&line_x, &line_y)],
            vec![[2, 1]],
        ),
        ("equal", [circle.clone(), circle.clone()], vec![]),
        (
            "proportional",
            [circle.clone(), circle.map(|c| c * Integer::from(-3))],
            vec![],
        ),
        (
            "one is zero",
            [BivariatePoly::zero(), circle.clone()],
            vec![],
        ),
        (
            "zero and a constant",
            [over_z(&[&[4]]), BivariatePoly::zero()],
            vec![],
        ),
        ("a constant", [over_z(&[&[4]]), circle], vec![]),
    ]
}

#[test]
fn special_systems() {
    let mut others = Vec::new();
    for (name, [f, g], expected) in special() {
        let found = describe_common_zeros(61, &f, &g);
        assert_eq!(describe_common_zeros(61, &g, &f), found, "{name}");
        describe_common_zeros(37, &f.swapped(), &g.swapped());
        let p = 469_762_049;
        let found = words(regular_chains_modulo(&field(p), &f, &g).unwrap());
        well_formed(p, &found.chains);
        if shape(&found) != expected {
            others.push((name, shape(&found), expected));
        }
    }
    assert_eq!(others, []);
}

#[test]
fn small_systems_of_all_kinds() {
    let mut random = Random::new(61);
    for round in 0..60 {
        let p = [37, 43, 61][round % 3];
        // Sparse factors, so that there are contents, points at infinity and common curves.
        let mut factor = |rows: u64, columns: u64| {
            let (rows, columns) = (
                1 + random.below(rows) as usize,
                1 + random.below(columns) as usize,
            );
            let dense = random_over_z(&mut random, rows, columns, 3);
            dense.map(|c| {
                if random_bit(c) {
                    Integer::ZERO
                } else {
                    c.clone()
                }
            })
        };
        let [a, b, c] = [factor(3, 2), factor(2, 3), factor(2, 2)];
        let [d, e] = [factor(3, 3), factor(2, 2)];
        describe_common_zeros_unless_zero(p, &product(&a, &b), &product(&c, &d));
        describe_common_zeros_unless_zero(p, &product(&a, &e), &product_of(&[&a, &c]));
    }
}

/// Whether a small number is to be left out.
fn random_bit(c: &Integer) -> bool {
    [2, 3, -5].map(Integer::from).contains(c)
}

fn describe_common_zeros_unless_zero(
    p: u64,
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) {
    if f.is_zero() && g.is_zero() {
        assert_eq!(
            regular_chains_modulo(&field(p), f, g),
            Err(PolyError::EveryPoint)
        );
    } else {
        describe_common_zeros(p, f, g);
    }
}

#[test]
fn subresultants_up_to_any_degree() {
    // Over x = 0 they have y·(y − 1)·…·(y − k + 1) in common.
    let line = |root: i64| over_z(&[&[-root], &[1]]);
    for k in 2..7 {
        let lines: Vec<_> = (0..k).map(line).collect();
        let common = product_of(&lines.iter().collect::<Vec<_>>());
        let plus = |f: &BivariatePoly<Integer>, of_x: &[i64]| {
            let mut rows = f.clone().into_rows();
            let row = rows[0]
                .coefficients()
                .iter()
                .cloned()
                .chain(std::iter::repeat(Integer::ZERO));
            let sum = row.zip(of_x).map(|(a, &b)| a + Integer::from(b));
            rows[0] = Poly::new(sum.collect());
            BivariatePoly::new(rows)
        };
        let f = plus(&product(&common, &line(20)), &[0, 1]);
        let g = plus(&product(&common, &line(25)), &[0, 3]);
        let found = describe_common_zeros(61, &f, &g);
        assert!(
            shape(&found).contains(&[1, k as usize]),
            "{k}: {:?}",
            shape(&found)
        );
    }
}

#[test]
fn multiplicities_that_the_prime_divides() {
    let p = 7;
    // (x − 1)^7 is x^7 − 1 here.
    let mut line = vec![0; 8];
    (line[0], line[7]) = (-1, 1);
    let lines = over_z(&[&line]);
    let found = describe_common_zeros(p, &lines, &over_z(&[&[3], &[0, 1], &[1]]));
    assert_eq!(shape(&found), [[1, 2]]);
    // (x² − 3)^7·(x − 1)^2·(x − 4).
    let mut power = vec![0; 15];
    (power[0], power[14]) = (-3, 1);
    let lines = product_of(&[
        &over_z(&[&power]),
        &over_z(&[&[1, -2, 1]]),
        &over_z(&[&[-4, 1]]),
    ]);
    let found = describe_common_zeros(p, &lines, &over_z(&[&[3], &[0, 1], &[1]]));
    assert_eq!(shape(&found), [[4, 2]]);
}

#[test]
fn large_primes_of_both_sizes() {
    let mut random = Random::new(3);
    let [f, g] = [5, 4].map(|n| random_over_z(&mut random, n, n, 20));
    for p in [
        469_762_049,
        (1 << 31) - 1,
        (1 << 60) - (1 << 18) + 1,
        (1 << 63) - 25,
    ] {
        let field = field(p);
        let found = regular_chains_modulo(&field, &f, &g).unwrap();
        // No point at infinity is common to all: 3·4 + 4·3.
        assert_eq!(shape(&found), [[24, 1]]);
        on_every_thread_count(|_| {
            assert_eq!(regular_chains_modulo(&field, &f, &g), Ok(found.clone()))
        });
        well_formed(p, &words(found).chains);
    }
}

/// Modulo r^k + 1, of all sizes: as over the integers, whose chains are no other ones where so large a prime is lucky.
#[test]
fn primes_of_many_digits() {
    let mut random = Random::new(4);
    let dense = [4, 3].map(|n| random_over_z(&mut random, n, n, 20));
    // A curve in common, and two points over one x.
    let curve = over_z(&[&[0, 0, 0, -1], &[], &[1]]);
    let others = [
        product(&curve, &over_z(&[&[-3, 1], &[1]])),
        product(&curve, &over_z(&[&[-9, 0, 1], &[], &[1]])),
    ];
    for named in NAMED.iter().filter(|named| named.digits <= 16) {
        let field = AnyField::generalized_fermat(named.radix, named.digits).unwrap();
        let image = |c: &Integer, by: &Integer| {
            let [c, by] = [c, by].map(|c| {
                let mut row = Vec::new();
                field.push_integer(c, &mut row);
                row
            });
            let inverse = field.inverse_row(&by).unwrap();
            field.integer::<Integer>(&field.product_row(&c, &inverse))
        };
        for [f, g] in [&dense, &others] {
            let found = regular_chains_modulo(&field, f, g).unwrap();
            let exact = regular_chains(f, g, ChainOptions::new()).unwrap().value;
            assert_eq!(shape(&found), shape(&exact), "{}", named.name);
            for (found, exact) in found.chains.iter().zip(&exact.chains) {
                let leading = exact.t.coefficients().last().unwrap();
                let t = exact.t.coefficients().iter().map(|c| image(c, leading));
                assert_eq!(found.t, Poly::new(t.collect()), "{}", named.name);
            }
            let common = exact
                .common
                .map(|common| common.map(|c| image(c, &common.leading())));
            assert_eq!(found.common, common, "{}", named.name);
            on_every_thread_count(|_| {
                assert_eq!(regular_chains_modulo(&field, f, g), Ok(found.clone()))
            });
        }
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let f = over_z(&[&[1, 5], &[3, 0, 0, 1], &[0, 1]]);
    let g = over_z(&[&[2, 1], &[1, 4], &[0, 0, 2]]);
    let error = regular_chains_modulo(&field(7), &f, &g).unwrap_err();
    assert!(
        matches!(error, PolyError::FewPoints { prime: 7, .. }),
        "{error}"
    );
}
