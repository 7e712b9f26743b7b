//! Residues of 31 bits.

use sunzi_field::Fp32;
use sunzi_machine::simd::InstructionSet;
use sunzi_poly::internals::words32::SchoolbookPass;
use sunzi_testkit::{Random, convolution_mod, skip};

#[test]
fn every_instruction_set_agrees_with_the_definition() {
    let mut random = Random::new(11);
    for prime in [3, 469762049, 536870923, 1073741789, 1073741827, 2147483647] {
        let field = &Fp32::new(prime).unwrap();
        for (long_len, short_len) in [(1, 1), (31, 5), (32, 32), (33, 33), (600, 256), (90, 70)] {
            let mut long = random.residues32(long_len, prime);
            let short = vec![prime - 1; short_len];
            for fill in [false, true] {
                if fill {
                    long.fill(prime - 1);
                }
                let words = |x: &[u32]| x.iter().map(|&x| u64::from(x)).collect::<Vec<_>>();
                let expected = convolution_mod(&words(&long), &words(&short), prime.into());
                for set in InstructionSet::ALL {
                    let mut out = vec![1; expected.len()];
                    for accumulate in [false, true] {
                        let task = SchoolbookPass {
                            field,
                            out: &mut out,
                            long: &long,
                            short: &short,
                            accumulate,
                        };
                        if set.run(task).is_none() {
                            skip(&format!("this machine lacks {set:?}"));
                            break;
                        }
                        let times = if accumulate { 2 } else { 1 };
                        let scaled = expected.iter().map(|x| x * times % u64::from(prime));
                        assert_eq!(words(&out), scaled.collect::<Vec<_>>(), "{set:?} {prime}");
                    }
                }
            }
        }
    }
}
