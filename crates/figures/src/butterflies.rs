//! Time per butterfly of one convolution's transforms, by field, kernel and length:
//! `cargo run --release -p sunzi-dft --example butterflies`.

use std::time::Instant;
use sunzi_dft::Convolver;
use sunzi_dft::TransformField;
use sunzi_field::InstructionSet;
use sunzi_field::{Fp32, Fp50, Fp64};

fn main() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool of one thread");
    pool.install(|| {
        measure("31 bits", &Fp32::new(469_762_049).expect("a prime"));
        let p = sunzi_field::primality::ntt_primes(50, 24)
            .next()
            .expect("there are many");
        measure("50 bits", &Fp50::new(p).expect("a prime"));
        measure(
            "62 bits",
            &Fp64::new(4_611_686_018_326_724_609).expect("a prime"),
        );
    });
}

fn measure<F: TransformField>(name: &str, field: &F) {
    for kernel in InstructionSet::ALL.into_iter().filter(|k| k.is_available()) {
        let convolver = Convolver::with_kernel(field, kernel);
        for log in [8, 10, 12, 14, 16, 18, 20, 22] {
            let n = 1usize << log;
            let [a, b] = [n / 2, n / 2 + 1].map(|len| random(field, len));
            let mut out = vec![field.zero(); n];
            let mut times: Vec<f64> = (0..5 + (1 << 20) / n)
                .map(|_| {
                    let start = Instant::now();
                    convolver.convolve(&mut out, &a, &b).expect("lengths fit");
                    start.elapsed().as_secs_f64()
                })
                .collect();
            times.sort_by(f64::total_cmp);
            let time = times[times.len() / 2];
            let butterflies = 1.5 * n as f64 * f64::from(log);
            println!(
                "{name}\t{kernel}\t2^{log}\t{:.3} ms\t{:.3} ns",
                time * 1e3,
                time * 1e9 / butterflies
            );
        }
    }
}

/// Of equal residues even jumps would be foreseen.
fn random<F: TransformField>(field: &F, len: usize) -> Vec<F::Elem> {
    let mut word = 1u64;
    let next = |_| {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        field.from_u64(word >> 1)
    };
    (0..len).map(next).collect()
}
