//! Sparse matrices: products modulo primes and of doubles, forms, systems, against GMP and definitions.

use rug::Integer;
use rug::integer::Order;
use sunzi_sparse::{CscMatrix, CsrMatrix, ModularProduct, SparseError, Stop, conjugate_gradients};

use super::operation::Operation;
use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};

/// What fields do with sparse matrices, by name.
pub fn cases<F: Peered + ModularProduct>() -> Vec<FieldCase<F>> {
    vec![
        FieldCase::shared("spmv", |twin, trial| product(twin, trial, places)),
        FieldCase::shared("spmv-long", |twin, trial| product(twin, trial, long_places)),
    ]
}

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("spmv-real", "GMP (whole numbers)", |trial| {
            real_product(trial, places);
        }),
        Operation::new("spmv-real-long", "GMP (whole numbers)", |trial| {
            real_product(trial, long_places);
        }),
        Operation::new("sparse-transpose", "the definition", transpose),
        Operation::new("conjugate-gradients", "the solution known", |trial| {
            let places = places(trial);
            gradients(trial, &places, places.rows.min(places.columns).min(400));
        }),
        Operation::new(
            "conjugate-gradients-long",
            "the solution known",
            long_gradients,
        ),
    ]
}

/// Places of entries: row by row, each row's columns ascending; rows of very different lengths.
pub struct Places {
    pub rows: usize,
    pub columns: usize,
    pub all: Vec<(usize, usize)>,
}

/// As many entries as threads share, 2^15, in few rows or in many, some of which may hold most of them.
fn long_places(trial: &mut Trial) -> Places {
    let entries = trial.beside(&[1 << 15]);
    let (rows, columns) = (trial.length(5000, 5000), 5000 + trial.below(30_000));
    let long = trial.below(rows);
    let all = (0..entries).map(|_| match trial.below(3) {
        0 => (long, trial.below(columns)),
        _ => (trial.below(rows), trial.below(columns)),
    });
    let mut all: Vec<_> = all.collect();
    all.sort_unstable();
    all.dedup();
    Places { rows, columns, all }
}

pub fn places(trial: &mut Trial) -> Places {
    let rare = if trial.below(16) == 0 { 1 << 14 } else { 1000 };
    places_of(trial, (100, rare))
}

pub fn places_of(trial: &mut Trial, (usual, rare): (usize, usize)) -> Places {
    let (rows, columns) = (trial.length(usual, rare), trial.length(usual, rare));
    let mut all = Vec::new();
    for i in 0..rows {
        let entries = match trial.below(8) {
            0 => 0,
            1 => trial.below(columns.min(200) + 1),
            _ => trial.below(columns.min(6) + 1),
        };
        all.extend((0..entries).map(|_| (i, trial.below(columns))));
    }
    all.sort_unstable();
    all.dedup();
    Places { rows, columns, all }
}

/// The matrix with these entries at the places.
pub fn matrix<E: Copy + Send + Sync>(
    places: &Places,
    entries: &[E],
) -> Result<CsrMatrix<E>, SparseError> {
    let mut starts = vec![0; places.rows + 1];
    for &(i, _) in &places.all {
        starts[i + 1] += 1;
    }
    for i in 0..places.rows {
        starts[i + 1] += starts[i];
    }
    let indices = places.all.iter().map(|&(_, j)| j as u32).collect();
    CsrMatrix::new(
        places.rows,
        places.columns,
        starts,
        indices,
        entries.to_vec(),
    )
}

/// The sums of the definition, of the matrix or of its transpose.
fn sums(places: &Places, entries: &[Integer], x: &[Integer], transposed: bool) -> Vec<Integer> {
    let length = if transposed {
        places.columns
    } else {
        places.rows
    };
    let mut sums = vec![Integer::new(); length];
    for (&(i, j), entry) in places.all.iter().zip(entries) {
        let (to, from) = if transposed { (j, i) } else { (i, j) };
        sums[to] += entry * &x[from];
    }
    sums
}

/// The product by both forms, of the matrix and of its transpose, beside that of the sums.
type Products<E> = Result<[Vec<E>; 2], SparseError>;

/// Compares products by rows and by columns.
fn compare_products<E>(
    trial: &mut Trial,
    transposed: bool,
    ours: Products<E>,
    compare: impl Fn(&mut Trial, &str, &[E]),
) {
    if let Some(ours) = trial.expect("product", ours) {
        for (ours, form) in ours.iter().zip(["rows", "columns"]) {
            compare(trial, &format!("by {form}, transposed: {transposed}"), ours);
        }
    }
}

fn product<F: Peered + ModularProduct>(
    twin: &Twin<F>,
    trial: &mut Trial,
    places: fn(&mut Trial) -> Places,
) {
    let places = places(trial);
    let entries = twin.operand(trial, places.all.len());
    let Some(csr) = trial.expect("matrix", matrix(&places, &entries)) else {
        return;
    };
    let csc = csr.to_csc();
    let prime = Integer::from_digits(&twin.field().modulus_limbs(), Order::Lsf);
    let integers = |elements: &[F::Elem]| -> Vec<Integer> {
        let rows = twin.rows(elements);
        rows.into_iter().map(Integer::from).collect()
    };
    let integer_entries = integers(&entries);
    for transposed in [false, true] {
        let x = twin.operand(
            trial,
            if transposed {
                places.rows
            } else {
                places.columns
            },
        );
        let sums = sums(&places, &integer_entries, &integers(&x), transposed);
        let theirs: Vec<u64> = sums
            .into_iter()
            .map(|sum| (sum % &prime).to_u64().expect("a residue of a word"))
            .collect();
        let field = twin.field();
        let ours = || -> Products<F::Elem> {
            Ok(match transposed {
                false => [
                    csr.mul_vector_mod(field, &x)?,
                    csc.mul_vector_mod(field, &x)?,
                ],
                true => [
                    csr.transposed_mul_vector_mod(field, &x)?,
                    csc.transposed_mul_vector_mod(field, &x)?,
                ],
            })
        };
        compare_products(trial, transposed, ours(), |trial, what, ours| {
            twin.compare_rows(trial, what, ours, &theirs);
        });
    }
}

/// Whole numbers so small that every sum is exact, in whatever order.
pub fn whole(trial: &mut Trial, count: usize, bits: u32) -> Vec<Integer> {
    let (kind, piece) = (trial.operand_kind(), trial.piece());
    let residues = kind.residues(count, 1 << bits, piece, &mut trial.random);
    let signed = |residue| match trial.below(2) {
        0 => Integer::from(residue),
        _ => -Integer::from(residue),
    };
    residues.into_iter().map(signed).collect()
}

pub fn doubles(integers: &[Integer]) -> Vec<f64> {
    integers.iter().map(Integer::to_f64).collect()
}

fn real_product(trial: &mut Trial, places: fn(&mut Trial) -> Places) {
    let places = places(trial);
    // Sums of up to 2^13 products stay below 2^53.
    let entries = whole(trial, places.all.len(), 20);
    let Some(csr) = trial.expect("matrix", matrix(&places, &doubles(&entries))) else {
        return;
    };
    let csc = csr.to_csc();
    for transposed in [false, true] {
        let x = whole(
            trial,
            if transposed {
                places.rows
            } else {
                places.columns
            },
            18,
        );
        let theirs = doubles(&sums(&places, &entries, &x, transposed));
        let x = doubles(&x);
        let ours = || -> Products<f64> {
            Ok(match transposed {
                false => [csr.mul_vector(&x)?, csc.mul_vector(&x)?],
                true => [
                    csr.transposed_mul_vector(&x)?,
                    csc.transposed_mul_vector(&x)?,
                ],
            })
        };
        compare_products(trial, transposed, ours(), |trial, what, ours| {
            trial.compare(what, ours, &theirs);
        });
        if !transposed {
            let mut ours = vec![1.0; places.rows];
            if trial
                .expect("product", csr.mul_vector_into(&x, &mut ours))
                .is_some()
            {
                trial.compare("into memory of the caller's", &ours, &theirs);
            }
        }
    }
}

fn transpose(trial: &mut Trial) {
    let places = places(trial);
    let entries = doubles(&whole(trial, places.all.len(), 20));
    let Some(matrix) = trial.expect("matrix", matrix(&places, &entries)) else {
        return;
    };
    let given = places.all.iter().zip(&entries);
    let mut theirs: Vec<(u32, u32, f64)> =
        given.map(|(&(i, j), &x)| (j as u32, i as u32, x)).collect();
    theirs.sort_by_key(|&(i, j, _)| (i, j));
    let ours: Vec<_> = matrix.transposed().iter().collect();
    trial.compare("transpose", &ours, &theirs);
    let csc = matrix.to_csc();
    // By columns: the entries of the transpose, row by row.
    let ours: Vec<_> = csc.iter().map(|(i, j, x)| (j, i, x)).collect();
    trial.compare("by columns", &ours, &theirs);
    trial.check("columns and back", csc.to_csr() == matrix);
    trial.check("transposed twice", csc.transposed().transposed() == csc);
    let width = places.all.iter().map(|&(i, j)| i.abs_diff(j)).max();
    trial.compare_one("bandwidth", matrix.bandwidth(), width.unwrap_or(0));
    // Entries in any order, and in parts that are added.
    let mut triplets: Vec<(u32, u32, f64)> = Vec::new();
    for (&(i, j), &entry) in places.all.iter().zip(&entries) {
        let part = (entry / 2.0).trunc();
        triplets.push((i as u32, j as u32, part));
        triplets.push((i as u32, j as u32, entry - part));
    }
    for last in (1..triplets.len()).rev() {
        triplets.swap(last, trial.below(last + 1));
    }
    let (rows, columns) = (places.rows, places.columns);
    let row_wise = CsrMatrix::from_triplets(rows, columns, &triplets);
    if let Some(ours) = trial.expect("from triplets", row_wise) {
        trial.compare_one("from triplets", ours == matrix, true);
    }
    let column_wise = CscMatrix::from_triplets(rows, columns, &triplets);
    if let Some(ours) = trial.expect("from triplets", column_wise) {
        trial.compare_one("columns from triplets", ours == csc, true);
    }
    // Of parts at one place the greater one, whichever comes first.
    let greatest = CsrMatrix::from_triplets_with(rows, columns, &triplets, f64::max);
    if let Some(ours) = trial.expect("greatest of triplets", greatest) {
        let theirs = entries.iter().map(|entry| {
            let part = (entry / 2.0).trunc();
            part.max(entry - part)
        });
        trial.compare(
            "greatest of triplets",
            ours.values(),
            &theirs.collect::<Vec<_>>(),
        );
    }
}

/// A dominant diagonal: the solution is known, and a residual bounds its error.
fn gradients(trial: &mut Trial, places: &Places, n: usize) {
    let below = |&&(i, j): &&(usize, usize)| i < j && j < n;
    let mut triplets: Vec<(u32, u32, f64)> = Vec::new();
    let mut diagonal = vec![1.0; n];
    for &(i, j) in places.all.iter().filter(below) {
        let entry = 1.0 - 2.0 * trial.below(2) as f64;
        triplets.extend([(i as u32, j as u32, entry), (j as u32, i as u32, entry)]);
        diagonal[i] += 1.0;
        diagonal[j] += 1.0;
    }
    triplets.extend((0..n).map(|i| (i as u32, i as u32, diagonal[i])));
    let expected = doubles(&whole(trial, n, 10));
    let made = CsrMatrix::from_triplets(n, n, &triplets).and_then(|matrix| {
        let right = matrix.mul_vector(&expected)?;
        Ok((matrix, right))
    });
    let Some((matrix, right)) = trial.expect("matrix", made) else {
        return;
    };
    let solved = conjugate_gradients(&matrix, &right);
    let Some(report) = trial.expect("solution", solved) else {
        return;
    };
    trial.check(
        &format!("{:?}", report.stop),
        report.stop == Stop::Converged,
    );
    // The least eigenvalue is at least 1: the error is no longer than the residual.
    let norm = right.iter().map(|x| x * x).sum::<f64>().sqrt();
    let bound = 1e-9 * norm + 1e-12;
    let close = report.solution.iter().zip(&expected);
    let close: Vec<bool> = close.map(|(x, y)| (x - y).abs() <= bound).collect();
    trial.compare("solution", &close, &vec![true; n]);
}

/// Threads share 2^13 elements of vectors, and 2^15 entries.
fn long_gradients(trial: &mut Trial) {
    let n = trial.beside(&[1 << 13]);
    let far = 2 + trial.below(n / 2);
    let steps = [1, far, far + 1];
    let all = (0..n)
        .flat_map(|i| steps.map(|step| (i, i + step)))
        .collect();
    let (rows, columns) = (n, 2 * n);
    gradients(trial, &Places { rows, columns, all }, n);
}
