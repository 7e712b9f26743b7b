//! Transforms over generalized Fermat fields against the definition and the other algorithms.

use sunzi_dft::{Algorithm, Convolution, DftError, DftPlan, Direction, Ordering};
use sunzi_field::generalized_fermat::{FieldTask, NAMED, run};
use sunzi_field::{Digits, Field, GeneralizedFermat, TwoAdicField};
use sunzi_testkit::Random;

/// Random elements, with zeros, p − 1 and elements full of r − 1 among them.
fn elements<const K: usize>(field: &GeneralizedFermat<K>, len: usize) -> Vec<Digits<K>> {
    let r = field.radix();
    let mut source = Random::new(len as u64 ^ r);
    let element = |i: usize| match source.below(8) {
        0 => field.zero(),
        1 => field.neg(field.one()),
        2 => Digits([r - 1; K]),
        3 => field.from_u64(i as u64),
        _ => Digits(std::array::from_fn(|_| source.below(r))),
    };
    (0..len).map(element).collect()
}

/// One length after the other, against radix 2 with one element at a time.
struct AgainstRadixTwo {
    logs: std::ops::Range<u32>,
}

impl FieldTask for AgainstRadixTwo {
    type Output = ();
    fn run<const K: usize>(self, field: GeneralizedFermat<K>) {
        for log in self.logs {
            let len = 1 << log;
            let plan = DftPlan::over_big_prime(&field, len).unwrap();
            let reference =
                DftPlan::scalar(&field, len, Convolution::Cyclic, Algorithm::CooleyTukey).unwrap();
            let x = elements(&field, len);
            let mut expected = x.clone();
            reference.forward(&mut expected, Ordering::Natural).unwrap();
            let mut found = x.clone();
            plan.forward(&mut found, Ordering::Natural).unwrap();
            assert!(found == expected, "K = {K}, {len} points: {plan}");
            plan.inverse(&mut found, Ordering::Natural).unwrap();
            assert!(found == x, "K = {K}, {len} points, inverse: {plan}");
        }
    }
}

#[test]
fn as_radix_two() {
    for prime in NAMED {
        let logs = match prime.digits {
            ..=8 => 0..14,
            16 => 0..12,
            32 => 3..11,
            64 => 5..9,
            _ => 6..8,
        };
        run(prime.radix, prime.digits, AgainstRadixTwo { logs }).unwrap();
    }
}
