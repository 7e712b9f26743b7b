//! Time per butterfly of one convolution's transforms on one thread, by field, kernel and length.

use sunzi_dft::{Convolver, TransformField};
use sunzi_field::primality::ntt_primes;
use sunzi_field::{Fp32, Fp50, Fp64};
use sunzi_machine::InstructionSet;

use crate::common::{Failure, Random, median_seconds, on_one_thread};

pub fn run(_: &[String]) -> Result<(), Failure> {
    on_one_thread(|| {
        measure("31 bits", &Fp32::new(469_762_049)?);
        let prime = ntt_primes(50, 24).next().ok_or("there is such a prime")?;
        measure("50 bits", &Fp50::new(prime)?);
        measure("62 bits", &Fp64::new(4_611_686_018_326_724_609)?);
        Ok(())
    })
}

fn measure<F: TransformField>(name: &str, field: &F) {
    for kernel in InstructionSet::ALL.into_iter().filter(|k| k.is_available()) {
        let convolver = Convolver::with_kernel(field, kernel);
        for log in [8, 10, 12, 14, 16, 18, 20, 22] {
            let n = 1usize << log;
            let [a, b] = [n / 2, n / 2 + 1].map(|len| {
                let mut random = Random::new();
                let elements = (0..len).map(|_| random.element(field));
                elements.collect::<Vec<_>>()
            });
            let mut out = vec![field.zero(); n];
            let time =
                median_seconds(|| convolver.convolve(&mut out, &a, &b).expect("lengths fit"));
            let butterflies = 1.5 * n as f64 * f64::from(log);
            println!(
                "{name}\t{kernel}\t2^{log}\t{:.3} ms\t{:.3} ns",
                time * 1e3,
                time * 1e9 / butterflies
            );
        }
    }
}
