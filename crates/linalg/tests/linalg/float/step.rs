//! One step of elimination.

use sunzi_linalg::internals::{MAGNITUDE, Update};
use sunzi_machine::simd::InstructionSet;
use sunzi_testkit::Random;

#[test]
fn every_instruction_set_computes_the_same() {
    let mut random = Random::new(5);
    for length in 0..70 {
        let mut values = || -> Vec<f64> {
            (0..length)
                .map(|_| random.word() as i64 as f64 / 2f64.powi(62))
                .collect()
        };
        let (row, top) = (values(), values());
        let factor = 0.734_512_893_4;
        let expected: Vec<u64> = (0..length)
            .map(|i| (row[i] - factor * top[i]).to_bits())
            .collect();
        let largest = expected
            .iter()
            .map(|bits| bits & MAGNITUDE)
            .max()
            .unwrap_or(0);
        for set in InstructionSet::ALL {
            let mut new = vec![0.0; length];
            let update = Update {
                new: &mut new,
                row: &row,
                top: &top,
                factor,
            };
            let Some(found) = set.run(update) else {
                sunzi_testkit::skip(&format!("this machine lacks {set:?}"));
                continue;
            };
            let bits: Vec<u64> = new.iter().map(|x| x.to_bits()).collect();
            assert_eq!((found, bits), (largest, expected.clone()), "{set:?}");
        }
    }
}
