//! Time per butterfly of a context's transforms on one thread, by field, kernel, length and order.
//!
//! ALGORITHM is a part of an algorithm's name, `split` if left out.

use sunzi_dft::{Algorithm, DftContext, DftError, Direction, Ordering, TransformField};
use sunzi_field::{Fp32, Fp50, Fp64, primality::ntt_primes};
use sunzi_machine::InstructionSet;

use crate::common::{Failure, Random, median_seconds, on_one_thread};

struct Request {
    algorithm: String,
    logs: Vec<u32>,
}

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let mut request = Request {
        algorithm: "split".to_string(),
        logs: Vec::new(),
    };
    for argument in arguments {
        match argument.parse() {
            Ok(log) => request.logs.push(log),
            Err(_) => request.algorithm = argument.to_lowercase(),
        }
    }
    if request.logs.is_empty() {
        request.logs.extend((8..=22).step_by(2));
    }
    let top = ntt_primes(50, 24).next().ok_or("there is such a prime")?;
    let (p29, p31) = (Fp32::new(469_762_049)?, Fp32::new(2_013_265_921)?);
    let (p50, p62) = (Fp50::new(top)?, Fp64::new(4_611_686_018_326_724_609)?);
    println!("ns per butterfly, forward and inverse");
    println!("prime\tkernel\talgorithm\tlength\tinternal\tbit-reversed\tnatural");
    on_one_thread(|| {
        measure("29 bits", &p29, &request)?;
        measure("31 bits", &p31, &request)?;
        measure("50 bits", &p50, &request)?;
        Ok(measure("62 bits", &p62, &request)?)
    })
}

fn measure<F: TransformField>(name: &str, field: &F, request: &Request) -> Result<(), DftError> {
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

fn per_butterfly<F: TransformField>(
    context: &DftContext<F>,
    direction: Direction,
    ordering: Ordering,
) -> f64 {
    let n = context.points();
    let mut random = Random::new();
    let mut data: Vec<_> = (0..n).map(|_| random.element(context.field())).collect();
    let mut scratch = vec![context.field().zero(); context.scratch_len()];
    let time = median_seconds(|| {
        let done = context.transform_with_scratch(&mut data, &mut scratch, direction, ordering);
        assert!(done.is_ok(), "the lengths fit");
    });
    let butterflies = n as f64 / 2.0 * f64::from(context.plan().log_points()).max(1.0);
    time * 1e9 / butterflies
}
