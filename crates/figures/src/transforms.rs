//! Time per butterfly of a context's transforms, single-threaded, by field, kernel, length and order:
//! `cargo run --release -p sunzi-dft --example transforms -- [ALGORITHM] [LOG …]`, where ALGORITHM
//! is a part of an algorithm's name (`split` if left out).

use std::time::Instant;
use sunzi_dft::TransformField;
use sunzi_dft::{Algorithm, DftContext, Direction, Ordering};
use sunzi_field::InstructionSet;
use sunzi_field::{Fp32, Fp50, Fp64, primality::ntt_primes};

struct Request {
    algorithm: String,
    logs: Vec<u32>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut request = Request {
        algorithm: "split".to_string(),
        logs: Vec::new(),
    };
    for argument in std::env::args().skip(1) {
        match argument.parse() {
            Ok(log) => request.logs.push(log),
            Err(_) => request.algorithm = argument.to_lowercase(),
        }
    }
    if request.logs.is_empty() {
        request.logs.extend((8..=22).step_by(2));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let top = ntt_primes(50, 24).next().ok_or("there is such a prime")?;
    let (p29, p31) = (Fp32::new(469_762_049)?, Fp32::new(2_013_265_921)?);
    let (p50, p62) = (Fp50::new(top)?, Fp64::new(4_611_686_018_326_724_609)?);
    println!("ns per butterfly, forward and inverse");
    println!("prime\tkernel\talgorithm\tlength\tinternal\tbit-reversed\tnatural");
    pool.install(|| {
        measure("29 bits", &p29, &request)?;
        measure("31 bits", &p31, &request)?;
        measure("50 bits", &p50, &request)?;
        measure("62 bits", &p62, &request)
    })?;
    Ok(())
}

fn measure<F: TransformField>(
    name: &str,
    field: &F,
    request: &Request,
) -> Result<(), sunzi_dft::DftError> {
    for algorithm in Algorithm::ALL {
        if !format!("{algorithm:?}")
            .to_lowercase()
            .contains(&request.algorithm)
            || algorithm == Algorithm::Rotations
        {
            continue;
        }
        for kernel in InstructionSet::ALL.into_iter().filter(|k| k.is_available()) {
            if algorithm != Algorithm::Split && kernel != InstructionSet::Portable {
                continue;
            }
            for &log in &request.logs {
                let context = DftContext::with(field, 1 << log, algorithm, kernel)?;
                print!(
                    "{name}\t{}\t{algorithm:?}\t2^{log}",
                    context.plan().kernel()
                );
                for ordering in [Ordering::Internal, Ordering::BitReversed, Ordering::Natural] {
                    let [forward, inverse] = [Direction::Forward, Direction::Inverse]
                        .map(|direction| per_butterfly(&context, direction, ordering));
                    print!("\t{forward:.3} {inverse:.3}");
                }
                println!();
            }
        }
    }
    Ok(())
}

/// Nanoseconds: the median of several passes of at least 2^14 points each.
fn per_butterfly<F: TransformField>(
    context: &DftContext<F>,
    direction: Direction,
    ordering: Ordering,
) -> f64 {
    let n = context.points();
    // Of equal residues even jumps are foreseen.
    let mut word = 1u64;
    let mut random = || {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        context.field().from_u64(word >> 1)
    };
    let mut data: Vec<_> = (0..n).map(|_| random()).collect();
    let mut scratch = vec![context.field().zero(); context.scratch_len()];
    let repeats = (1usize << 14).div_ceil(n);
    let mut times: Vec<f64> = (0..(1usize << 24).div_ceil(n * repeats * 4).clamp(3, 50))
        .map(|_| {
            let start = Instant::now();
            for _ in 0..repeats {
                let done =
                    context.transform_with_scratch(&mut data, &mut scratch, direction, ordering);
                assert!(done.is_ok(), "the lengths fit");
            }
            start.elapsed().as_secs_f64() / repeats as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let butterflies = n as f64 / 2.0 * f64::from(context.plan().log_points()).max(1.0);
    times[times.len() / 2] * 1e9 / butterflies
}
