//! Products of blocks on every instruction set, cut in all ways, against the definition.

use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_linalg::dense::MatrixField;
use sunzi_linalg::internals::scheme::{Halves, Scheme, Thirds, Whole};
use sunzi_linalg::internals::{Room, Run, View, ViewMut, subtract};
use sunzi_machine::{Grain, InstructionSet};
use sunzi_testkit::{Random, edge_residues, on_every_thread_count};

/// C − A·B by the definition.
fn expected<F: Field>(
    field: &F,
    c: &[F::Elem],
    a: View<F::Elem>,
    b: View<F::Elem>,
) -> Vec<F::Elem> {
    let columns = b.columns();
    let entry = |(at, &c): (usize, &F::Elem)| {
        (0..a.columns()).fold(c, |sum, t| {
            let product = field.mul(a.row(at / columns)[t], b.row(t)[at % columns]);
            field.sub(sum, product)
        })
    };
    c.iter().enumerate().map(entry).collect()
}

/// Shapes around those of tiles and blocks: rows, terms, columns.
const SHAPES: [(usize, usize, usize); 12] = [
    (1, 1, 1),
    (2, 3, 1),
    (4, 5, 8),
    (6, 16, 32),
    (7, 17, 33),
    (8, 255, 9),
    (9, 256, 31),
    (13, 257, 16),
    (3, 600, 65),
    (25, 40, 513),
    (12, 2, 1030),
    (5, 0, 5),
];

fn check<C: Scheme<P>, const P: usize>(
    field: &C::Field,
    scheme: C,
    residue: impl Fn(u64) -> C::Word,
    prime: u64,
) where
    C::Word: PartialEq + std::fmt::Debug,
{
    let edges = edge_residues(prime);
    let mut random = Random::new(prime);
    // What one product leaves there is none of the next one's business.
    let mut room = Room::new();
    for (rows, terms, columns) in SHAPES {
        for greatest in [true, false] {
            let mut block = |len: usize| -> Vec<C::Word> {
                let entries = random.residues(len, prime).into_iter();
                let entry = |(i, random): (usize, u64)| match i % 4 {
                    _ if greatest => prime - 1,
                    0 => edges[i / 4 % edges.len()],
                    _ => random,
                };
                entries.enumerate().map(entry).map(&residue).collect()
            };
            let (a, b, c) = (
                block(rows * terms),
                block(terms * columns),
                block(rows * columns),
            );
            let (a, b) = (View::new(&a, rows, terms), View::new(&b, terms, columns));
            let expected = expected(field, &c, a, b);
            for set in InstructionSet::ALL {
                if !set.is_available() {
                    sunzi_testkit::skip(&format!("this machine lacks {set:?}"));
                    continue;
                }
                let mut found = c.clone();
                let target = ViewMut::new(&mut found, rows, columns);
                let grain = Grain::default();
                subtract(scheme, &Run { set, grain }, &mut room, target, a, b);
                assert_eq!(
                    found, expected,
                    "{rows} {terms} {columns}, {prime}, {set:?}"
                );
            }
        }
    }
}

#[test]
fn whole_residues() {
    for prime in [
        3,
        5,
        65537,
        469_762_049,
        1_073_741_827,
        1_431_655_777,
        2_147_483_647,
    ] {
        let field = Fp32::new(prime).unwrap();
        check(&field, Whole::new(&field), |x| x as u32, prime.into());
    }
}

#[test]
fn halves_of_residues() {
    // The least and the greatest primes of 32, 45, 59 and 60 bits among them.
    for prime in [
        3,
        5,
        65537,
        469_762_049,
        2_147_483_659,
        4_294_967_291,
        17_592_186_044_423,
        35_184_372_088_777,
        288_230_376_151_711_813,
        576_460_752_303_423_433,
        576_460_752_303_423_619,
        (1 << 60) - (1 << 18) + 1,
        (1 << 60) - 93,
    ] {
        let field = Fp64::new(prime).unwrap();
        check(&field, Halves::new(&field), |x| x, prime);
    }
}

#[test]
fn thirds_of_residues() {
    for prime in [(1 << 60) + 33, (1 << 62) - 57, (1 << 63) - 25] {
        let field = Fp64::new(prime).unwrap();
        check(&field, Thirds::new(&field), |x| x, prime);
    }
}

#[test]
fn combinations() {
    let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    let element = |x: u64| field.pow(field.from_u64(x + 3), 1000 + x);
    let a: Vec<_> = (0..15).map(element).collect();
    let b: Vec<_> = (15..50).map(element).collect();
    let c: Vec<_> = (0..21).map(|x| element(7 * x)).collect();
    let (a, b) = (View::new(&a, 3, 5), View::new(&b, 5, 7));
    let mut found = c.clone();
    let target = ViewMut::new(&mut found, 3, 7);
    field.subtract_product(&mut Room::new(), target, a, b);
    assert_eq!(found, expected(&field, &c, a, b));
}

/// Tasks of one strip, and blocks of 1, 4 and 16 terms and twice as many columns.
#[test]
fn every_cut_on_every_number_of_threads() {
    fn check<C: Scheme<P>, const P: usize>(
        field: &C::Field,
        scheme: C,
        residue: impl Fn(u64) -> C::Word,
        prime: u64,
    ) where
        C::Word: PartialEq + std::fmt::Debug,
    {
        let mut random = Random::new(prime);
        let set = InstructionSet::detect();
        for (rows, terms, columns) in [(1, 2, 1), (2, 17, 3), (7, 16, 33), (33, 5, 9), (50, 33, 31)]
        {
            let mut block = |len: usize, greatest: bool| -> Vec<C::Word> {
                let entries = random.residues(len, prime).into_iter();
                let entry = |random: u64| if greatest { prime - 1 } else { random };
                entries.map(entry).map(&residue).collect()
            };
            for greatest in [true, false] {
                let a = block(rows * terms, greatest);
                let b = block(terms * columns, greatest);
                let c = block(rows * columns, greatest);
                let (a, b) = (View::new(&a, rows, terms), View::new(&b, terms, columns));
                let expected = expected(field, &c, a, b);
                on_every_thread_count(|threads| {
                    for grain in [4, 6, 8].map(Grain::finer) {
                        let mut found = c.clone();
                        let target = ViewMut::new(&mut found, rows, columns);
                        subtract(scheme, &Run { set, grain }, &mut Room::new(), target, a, b);
                        let case = (rows, terms, columns, prime, threads, grain);
                        assert_eq!(found, expected, "{case:?}");
                    }
                });
            }
        }
    }
    let field = Fp32::new(2_147_483_647).unwrap();
    check(&field, Whole::new(&field), |x| x as u32, 2_147_483_647);
    let prime = (1 << 60) - 93;
    let field = Fp64::new(prime).unwrap();
    check(&field, Halves::new(&field), |x| x, prime);
    let prime = (1 << 63) - 25;
    let field = Fp64::new(prime).unwrap();
    check(&field, Thirds::new(&field), |x| x, prime);
}
