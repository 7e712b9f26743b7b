//! Products of polynomials over word-size fields by truncated transforms, on every kernel, against FLINT's
//! `fmpz_mod_poly`.

use sunzi_dft::TransformField;
use sunzi_dft::{Convolver, DftError};
use sunzi_machine::InstructionSet;

use super::transforms::{kernels, word_of};
use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};

/// What convolvers do, by name.
pub fn cases<F: Peered + TransformField>() -> Vec<FieldCase<F>> {
    let mut cases = vec![
        FieldCase::shared("convolver-long", long),
        FieldCase::shared("convolver-kept", kept),
        FieldCase::shared("sum-products", sums),
    ];
    cases.extend(kernels().map(|kernel| {
        let name = format!("convolver-{}", word_of(kernel));
        FieldCase::shared(name, move |twin, trial| by_kernel(twin, trial, kernel))
    }));
    cases
}

/// A convolver cut as the case wants it.
fn convolver<F: Peered + TransformField>(
    twin: &Twin<F>,
    trial: &mut Trial,
    kernel: InstructionSet,
) -> Convolver<F> {
    Convolver::with_kernel(twin.field(), kernel).with_grain(trial.grain)
}

fn any<F: Peered + TransformField>(twin: &Twin<F>, trial: &mut Trial) -> Convolver<F> {
    let kernels: Vec<InstructionSet> = kernels().collect();
    let kernel = *trial.pick(&kernels);
    convolver(twin, trial, kernel)
}

/// A product of this many coefficients.
fn compare_product<F: Peered + TransformField>(
    twin: &Twin<F>,
    trial: &mut Trial,
    convolver: &Convolver<F>,
    len: usize,
) {
    let len_a = 1 + trial.below(len);
    let len_b = len + 1 - len_a;
    let (a, b) = (twin.operand(trial, len_a), twin.operand(trial, len_b));
    let what = format!("{len_a} by {len_b}, {}", convolver.kernel());
    let mut ours = vec![twin.field().zero(); len];
    if trial
        .expect(&what, convolver.convolve(&mut ours, &a, &b))
        .is_some()
    {
        twin.compare_padded(trial, &what, &ours, &twin.product(&a, &b));
    }
    if 2 * len_a <= convolver.max_len() && trial.below(4) == 0 {
        let mut ours = vec![twin.field().zero(); 2 * len_a - 1];
        if trial
            .expect(&what, convolver.convolve(&mut ours, &a, &a))
            .is_some()
        {
            let theirs = twin.product(&a, &a);
            twin.compare_padded(trial, &format!("square of {len_a}"), &ours, &theirs);
        }
    }
}

fn by_kernel<F: Peered + TransformField>(
    twin: &Twin<F>,
    trial: &mut Trial,
    kernel: InstructionSet,
) {
    let convolver = convolver(twin, trial, kernel);
    // Some primes have no such vectors.
    if convolver.kernel() != kernel {
        return;
    }
    let most = convolver.max_len();
    let len = trial.length(300.min(most), 3000.min(most));
    compare_product(twin, trial, &convolver, len);
}

/// Threads share operands of 2^14 points, and passes of 2^16.
fn long<F: Peered + TransformField>(twin: &Twin<F>, trial: &mut Trial) {
    let convolver = any(twin, trial);
    let thresholds: &[usize] = match trial.below(4) {
        0 => &[1 << 15, 1 << 16],
        _ => &[1 << 13, 1 << 14],
    };
    let len = trial.beside(thresholds);
    if len <= convolver.max_len() {
        compare_product(twin, trial, &convolver, len);
    }
}

/// Operands whose transforms are kept.
fn kept<F: Peered + TransformField>(twin: &Twin<F>, trial: &mut Trial) {
    let convolver = any(twin, trial);
    let most = convolver.max_len();
    let len = trial.length(300.min(most), 3000.min(most));
    let len_a = 1 + trial.below(len);
    let a = twin.operand(trial, len_a);
    let Some(kept) = trial.expect("transform", convolver.transform(&a, len)) else {
        return;
    };
    for _ in 0..3 {
        let len_b = 1 + trial.below(len + 1 - len_a);
        let b = twin.operand(trial, len_b);
        let mut ours = vec![twin.field().zero(); len_a + len_b - 1];
        let done = convolver
            .transform(&b, len)
            .and_then(|other| convolver.multiply_transformed(&mut ours, &kept, &other));
        let what = format!("{len_a} by {len_b}, {}", convolver.kernel());
        if trial.expect(&what, done).is_some() {
            twin.compare_padded(trial, &what, &ours, &twin.product(&a, &b));
        }
    }
}

/// Sums of two products by values that the caller keeps.
fn sums<F: Peered + TransformField>(twin: &Twin<F>, trial: &mut Trial) {
    let convolver = any(twin, trial);
    let most = convolver.max_len();
    let len = trial.length(300.min(most), 3000.min(most));
    let Some(points) = convolver.points_for(len) else {
        // Just below the field's longest transform there may be none of a few points more.
        return;
    };
    let mut operands = Vec::new();
    for _ in 0..2 {
        let len_a = 1 + trial.below(len);
        let len_b = 1 + trial.below(len + 1 - len_a);
        operands.push(twin.operand(trial, len_a));
        operands.push(twin.operand(trial, len_b));
    }
    let values = |operand: &Vec<F::Elem>| -> Result<Vec<F::Elem>, DftError> {
        let mut values = vec![twin.field().one(); points];
        convolver.evaluate_into(&mut values, operand)?;
        Ok(values)
    };
    let mut ours = vec![twin.field().zero(); len];
    let mut all = || -> Result<(), DftError> {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| values(&operands[i]));
        let (a, b, c, d) = (a?, b?, c?, d?);
        convolver.sum_products(&mut ours, [[&a[..], &b[..]], [&c[..], &d[..]]])
    };
    let done = all();
    if trial.expect("sum of products", done).is_some() {
        let products = [0, 2].map(|i| twin.product(&operands[i], &operands[i + 1]));
        let theirs = products[0].plus(&products[1]);
        let what = format!("{len} of {points} points, {}", convolver.kernel());
        twin.compare_padded(trial, &what, &ours, &theirs);
    }
}
