//! Residues of up to 63 bits.

use sunzi_field::{Field, Fp64};
use sunzi_machine::InstructionSet;
use sunzi_poly::internals::words64::{DigitProduct, Pass};
use sunzi_testkit::{Random, convolution_mod, skip};

fn pass<'a>(
    field: &'a Fp64,
    out: &'a mut [u64],
    (long, short): (&'a [u64], &'a [u64]),
    accumulate: bool,
) -> Pass<'a> {
    Pass {
        field,
        out,
        long,
        short,
        accumulate,
    }
}

#[test]
fn every_kernel_agrees_with_the_definition() {
    let mut random = Random::new(12);
    for prime in [3, (1 << 60) - (1 << 18) + 1, (1 << 62) - 57, (1 << 63) - 25] {
        let field = &Fp64::new(prime).unwrap();
        for (long_len, short_len) in [(1, 1), (15, 5), (16, 16), (17, 17), (300, 256), (90, 70)] {
            let mut long = random.residues(long_len, prime);
            let short = vec![prime - 1; short_len];
            for fill in [false, true] {
                if fill {
                    long.fill(prime - 1);
                }
                let expected = convolution_mod(&long, &short, prime);
                for accumulate in [false, true] {
                    let start = vec![1; expected.len()];
                    let sum = |&x: &u64| if accumulate { field.add(x, 1) } else { x };
                    let expected: Vec<u64> = expected.iter().map(sum).collect();
                    let mut out = start.clone();
                    pass(field, &mut out, (&long, &short), accumulate).by_words();
                    assert_eq!(out, expected, "words, {prime}");
                    for set in InstructionSet::ALL {
                        let mut out = start.clone();
                        let operands = (&long[..], &short[..]);
                        let pass = pass(field, &mut out, operands, accumulate);
                        match set.run(DigitProduct(pass)) {
                            Some(()) => assert_eq!(out, expected, "{set:?}, {prime}"),
                            None => skip(&format!("this machine lacks {set:?}")),
                        }
                    }
                }
            }
        }
    }
}
