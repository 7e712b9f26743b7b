//! Packed vectors against single elements, which are tested against GMP, on every instruction set.

use sunzi_field::generalized_fermat::NAMED;
use sunzi_field::generalized_fermat::packed::operations::Operation;
use sunzi_field::generalized_fermat::packed::{Packed, blocks};
use sunzi_field::internals::{each_block, multiply_elements, unpack};
use sunzi_field::{AnyField, Digits, Field, GeneralizedFermat, GeneralizedFermatError, with_field};
use sunzi_machine::simd::InstructionSet;
use sunzi_testkit::{Random, skip};

/// Elements whose digits are 0, 1, r − 1 and random, in runs: carries that go far.
fn elements<const K: usize>(radix: u64, source: &mut Random, count: usize) -> Vec<Digits<K>> {
    let mut all = vec![Digits([0; K]), Digits([radix - 1; K])];
    let mut minus_one = Digits([0; K]);
    minus_one.0[K - 1] = radix;
    all.push(minus_one);
    while all.len() < count {
        let mut kind = 0;
        all.push(Digits(std::array::from_fn(|_| {
            if source.below(4) == 0 {
                kind = source.below(6);
            }
            match kind {
                0 => 0,
                1 => radix - 1,
                2 => 1,
                3 => radix - 1 - source.below(3),
                _ => source.below(radix),
            }
        })));
    }
    all
}

/// All checks in the field modulo `radix^digits + 1`, if there is one.
fn everything(radix: u64, digits: usize) -> Result<(), GeneralizedFermatError> {
    fn typed<const K: usize>(field: &GeneralizedFermat<K>) {
        let mut source = Random::new(field.radix());
        let count = if K < 64 { 8 * 40 } else { 8 * 10 };
        let x = elements::<K>(field.radix(), &mut source, count);
        let mut y = elements::<K>(field.radix(), &mut source, count);
        y.rotate_left(1);
        for set in InstructionSet::ALL {
            if !set.is_available() {
                skip(&format!("{set:?}: this machine lacks it"));
                continue;
            }
            check(field, set, &x, &y);
        }
        // The public face, with a length that fills no block.
        let (x, y) = (&x[..13], &y[..13]);
        let mut packed = field.pack(x);
        assert_eq!(field.unpack(&packed), x);
        field.mul_packed(&mut packed, &field.pack(y));
        let products: Vec<_> = x.iter().zip(y).map(|(&x, &y)| field.mul(x, y)).collect();
        assert_eq!(field.unpack(&packed), products);
        field.sub_packed(&mut packed, &field.pack(&products));
        assert_eq!(field.unpack(&packed), vec![field.zero(); 13]);
        field.add_packed(&mut packed, &field.pack(x));
        assert_eq!(field.unpack(&packed), x);
    }
    let field = AnyField::generalized_fermat(radix, digits)?;
    with_field!(&field, field: GeneralizedFermat => typed(field), _ => unreachable!());
    Ok(())
}

fn check<const K: usize>(
    field: &GeneralizedFermat<K>,
    set: InstructionSet,
    x: &[Digits<K>],
    y: &[Digits<K>],
) {
    let Some(constants) = field.constants() else {
        assert!(field.radix() < 1 << 52 || field.radix() == u64::MAX - 1);
        return;
    };
    let unpacked = |packed: &Packed<K>| {
        let mut elements = vec![field.zero(); packed.len()];
        let words = Digits::words_of_mut(&mut elements);
        unpack(set, K, constants, packed.lines(), words);
        elements
    };
    macro_rules! check {
        ($packed:ident, $operation:expr, $expected:expr, $what:expr) => {
            let other = field.pack(y);
            let x = $packed.lines_mut();
            each_block(set, K, constants, $operation, x, other.lines());
            let expected: Vec<_> = $expected;
            let found = unpacked(&$packed);
            for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{set:?} {K} {} {index}", $what);
            }
        };
    }
    let pairs = || x.iter().zip(y);
    // Each on the normalized digits that the one before left.
    let mut packed = field.pack(x);
    let product: Vec<_> = pairs().map(|(&x, &y)| field.mul(x, y)).collect();
    check!(packed, Operation::Multiply, product.clone(), "product");
    let sum: Vec<_> = product
        .iter()
        .zip(y)
        .map(|(&x, &y)| field.add(x, y))
        .collect();
    check!(packed, Operation::Add, sum.clone(), "sum");
    let square = sum.iter().zip(y).map(|(&x, &y)| field.sub(x, y)).collect();
    check!(packed, Operation::Subtract, square, "difference");
    for factor in [x[2], y[5]] {
        let mut packed = field.pack(x);
        let scaled: Vec<_> = x.iter().map(|&x| field.mul(x, factor)).collect();
        check!(
            packed,
            Operation::Scale(&blocks::normalized(&factor, field.radix())),
            scaled.clone(),
            "multiple"
        );
        for power in [0, 1, K - 1, K, K + 1, 2 * K - 1] {
            let mut packed = packed.clone();
            let rotated = scaled.iter().map(|&x| field.mul_by_radix_power(x, power));
            check!(packed, Operation::Rotate(power), rotated.collect(), power);
        }
    }
    let mut elements = x.to_vec();
    let words = Digits::words_of_mut(&mut elements);
    multiply_elements(set, K, constants, words, Digits::words_of(y));
    assert_eq!(elements, product, "{set:?} {K}");
}

#[test]
fn named_primes() {
    for prime in NAMED {
        everything(prime.radix, prime.digits).unwrap();
    }
}

#[test]
fn radices_of_all_sizes() {
    // Primes around the bounds of the kernels, and a field that has none.
    for (log, digits) in [
        (20, 4),
        (40, 8),
        (51, 4),
        (52, 4),
        (53, 16),
        (62, 32),
        (64, 8),
    ] {
        let top = 1u128 << log;
        let radix = (1..).map(|i| (top - 2 * i) as u64).find(|&radix| {
            !matches!(
                everything(radix, digits),
                Err(GeneralizedFermatError::Composite { .. })
            )
        });
        assert!(radix.is_some());
    }
}
