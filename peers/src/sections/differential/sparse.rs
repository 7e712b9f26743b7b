//! Sparse matrices: products modulo primes and of doubles, permutations and orders, systems, against GMP and
//! definitions.

use rug::Integer;
use rug::integer::Order;
use sunzi_linalg::sparse::reorder::{GrayOrder, gray_order};
use sunzi_linalg::sparse::{
    CsrMatrix, GradientsOptions, ModularProduct, Permutation, SparseError, Stop,
    conjugate_gradients,
};

use super::operation::Operation;
use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};

/// What fields do with sparse matrices, by name.
pub fn cases<F: Peered + ModularProduct>() -> Vec<(&'static str, FieldCase<F>)> {
    vec![("spmv", product)]
}

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("spmv-real", "GMP (whole numbers)", real_product),
        Operation::new("sparse-reorder", "the definition", reorder),
        Operation::new("sparse-transpose", "the definition", transpose),
        Operation::new("conjugate-gradients", "the solution known", gradients),
    ]
}

/// Places of entries: row by row, each row's columns ascending; rows of very different lengths.
struct Places {
    rows: usize,
    columns: usize,
    all: Vec<(usize, usize)>,
}

fn places(trial: &mut Trial, square: bool) -> Places {
    let rare = if trial.below(16) == 0 { 1 << 14 } else { 1000 };
    let rows = trial.length(100, rare);
    let columns = if square {
        rows
    } else {
        trial.length(100, rare)
    };
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
fn matrix<E: Copy + Send + Sync>(
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

fn product<F: Peered + ModularProduct>(twin: &Twin<F>, trial: &mut Trial) {
    if let Err(error) = modular_products(twin, trial) {
        trial.fail(error.to_string());
    }
}

fn modular_products<F: Peered + ModularProduct>(
    twin: &Twin<F>,
    trial: &mut Trial,
) -> Result<(), SparseError> {
    let places = places(trial, false);
    let entries = twin.operand(trial, places.all.len());
    let csr = matrix(&places, &entries)?;
    let prime = Integer::from_digits(twin.field().modulus().as_words(), Order::Lsf);
    let integers = |elements: &[F::Elem]| -> Vec<Integer> {
        let rows = twin.rows(elements);
        rows.into_iter().map(Integer::from).collect()
    };
    let integer_entries = integers(&entries);
    for transposed in [false, true] {
        let length = if transposed {
            places.rows
        } else {
            places.columns
        };
        let x = twin.operand(trial, length);
        let sums = sums(&places, &integer_entries, &integers(&x), transposed);
        let theirs: Vec<u64> = sums
            .into_iter()
            .map(|sum| (sum % &prime).to_u64().expect("a residue of a word"))
            .collect();
        let (field, csc) = (twin.field(), csr.to_csc());
        let ours = match transposed {
            false => [
                csr.mul_vector_mod(field, &x)?,
                csc.mul_vector_mod(field, &x)?,
            ],
            true => [
                csr.transposed_mul_vector_mod(field, &x)?,
                csc.transposed_mul_vector_mod(field, &x)?,
            ],
        };
        for (ours, form) in ours.iter().zip(["rows", "columns"]) {
            let what = format!("by {form}, transposed: {transposed}");
            twin.compare_rows(trial, &what, ours, &theirs);
        }
    }
    Ok(())
}

/// Whole numbers so small that every sum is exact, in whatever order.
fn whole(trial: &mut Trial, count: usize, bits: u32) -> Vec<Integer> {
    let (kind, piece) = (trial.operand_kind(), trial.piece());
    let residues = kind.residues(count, 1 << bits, piece, &mut trial.random);
    let signed = |residue| match trial.below(2) {
        0 => Integer::from(residue),
        _ => -Integer::from(residue),
    };
    residues.into_iter().map(signed).collect()
}

fn real_product(trial: &mut Trial) {
    if let Err(error) = real_products(trial) {
        trial.fail(error.to_string());
    }
}

fn doubles(integers: &[Integer]) -> Vec<f64> {
    integers.iter().map(Integer::to_f64).collect()
}

fn real_products(trial: &mut Trial) -> Result<(), SparseError> {
    let places = places(trial, false);
    let entries = whole(trial, places.all.len(), 20);
    let csr = matrix(&places, &doubles(&entries))?;
    for transposed in [false, true] {
        let length = if transposed {
            places.rows
        } else {
            places.columns
        };
        let x = whole(trial, length, 19);
        let theirs = doubles(&sums(&places, &entries, &x, transposed));
        let (x, csc) = (doubles(&x), csr.to_csc());
        let ours = match transposed {
            false => [csr.mul_vector(&x)?, csc.mul_vector(&x)?],
            true => [
                csr.transposed_mul_vector(&x)?,
                csc.transposed_mul_vector(&x)?,
            ],
        };
        for (ours, form) in ours.iter().zip(["rows", "columns"]) {
            let what = format!("by {form}, transposed: {transposed}");
            trial.compare(&what, ours, &theirs);
        }
    }
    Ok(())
}

/// A matrix permuted has the same entries at the places that the orders say.
fn compare_permuted(
    trial: &mut Trial,
    what: &str,
    matrix: &CsrMatrix<f64>,
    rows: &Permutation,
    columns: &Permutation,
) -> Result<(), SparseError> {
    for (order, length) in [(rows, matrix.rows()), (columns, matrix.columns())] {
        let mut once = order.order().to_vec();
        once.sort_unstable();
        let all: Vec<u32> = (0..length as u32).collect();
        trial.compare(&format!("{what}: each once"), &once, &all);
    }
    let (row_places, column_places) = (rows.inverse(), columns.inverse());
    let mut theirs: Vec<(u32, u32, f64)> = matrix
        .triplets()
        .map(|(i, j, entry)| {
            let i = row_places.order()[i as usize];
            (i, column_places.order()[j as usize], entry)
        })
        .collect();
    theirs.sort_by_key(|&(i, j, _)| (i, j));
    let ours: Vec<_> = matrix.permuted(rows, columns)?.triplets().collect();
    trial.compare(what, &ours, &theirs);
    Ok(())
}

fn reorder(trial: &mut Trial) {
    let places = places(trial, false);
    let entries = doubles(&whole(trial, places.all.len(), 20));
    let mut orders = || -> Result<(), Box<dyn std::error::Error>> {
        let matrix = matrix(&places, &entries)?;
        let gray = gray_order(&matrix, &GrayOrder::default())?;
        compare_permuted(trial, "Gray order", &matrix, &gray.rows, &gray.columns)?;
        let (rows, columns) = matrix.reverse_cuthill_mckee();
        compare_permuted(trial, "bandwidth", &matrix, &rows, &columns)?;
        let rows = Permutation::random(places.rows, trial.random.word());
        let columns = Permutation::random(places.columns, trial.random.word());
        compare_permuted(trial, "random order", &matrix, &rows, &columns)?;
        Ok(())
    };
    if let Err(error) = orders() {
        trial.fail(error.to_string());
    }
}

fn transpose(trial: &mut Trial) {
    let places = places(trial, false);
    let entries = doubles(&whole(trial, places.all.len(), 20));
    let matrix = match matrix(&places, &entries) {
        Ok(matrix) => matrix,
        Err(error) => return trial.fail(error.to_string()),
    };
    let mut theirs: Vec<(u32, u32, f64)> = matrix.triplets().map(|(i, j, x)| (j, i, x)).collect();
    theirs.sort_by_key(|&(i, j, _)| (i, j));
    let ours: Vec<_> = matrix.transposed().triplets().collect();
    trial.compare("transpose", &ours, &theirs);
    trial.compare_one("columns and back", matrix.to_csc().to_csr() == matrix, true);
    // Entries in any order, and in parts that are added.
    let mut triplets: Vec<(u32, u32, f64)> = Vec::new();
    for (i, j, entry) in matrix.triplets() {
        let part = (entry / 2.0).trunc();
        triplets.push((i, j, part));
        triplets.push((i, j, entry - part));
    }
    for last in (1..triplets.len()).rev() {
        triplets.swap(last, trial.below(last + 1));
    }
    match CsrMatrix::from_triplets(places.rows, places.columns, &triplets) {
        Ok(ours) => trial.compare_one("from triplets", ours == matrix, true),
        Err(error) => trial.fail(error.to_string()),
    }
}

/// A dominant diagonal: the solution is known, and a residual bounds its error.
fn gradients(trial: &mut Trial) {
    let places = places(trial, true);
    let n = places.rows.min(400);
    let mut entries = std::collections::BTreeMap::new();
    for &(i, j) in places.all.iter().filter(|&&(i, j)| i < j && j < n) {
        let entry = 1.0 - 2.0 * trial.below(2) as f64;
        entries.insert((i, j), entry);
        entries.insert((j, i), entry);
    }
    for i in 0..n {
        let row = entries
            .range((i, 0)..(i + 1, 0))
            .map(|(_, entry): (_, &f64)| entry.abs());
        let sum: f64 = row.sum();
        entries.insert((i, i), sum + 1.0);
    }
    let triplets: Vec<_> = entries
        .iter()
        .map(|(&(i, j), &entry)| (i as u32, j as u32, entry))
        .collect();
    let expected = doubles(&whole(trial, n, 10));
    let solved = CsrMatrix::from_triplets(n, n, &triplets).and_then(|matrix| {
        let right = matrix.mul_vector(&expected)?;
        Ok((
            conjugate_gradients(&matrix, &right, &GradientsOptions::default()),
            right,
        ))
    });
    match solved {
        Ok((Ok(report), right)) => {
            trial.compare_one("converged", report.stop, Stop::Converged);
            // The least eigenvalue is at least 1: the error is no longer than the residual.
            let norm = right.iter().map(|x| x * x).sum::<f64>().sqrt();
            let bound = 1e-9 * norm + 1e-12;
            let close = report
                .solution
                .iter()
                .zip(&expected)
                .map(|(x, y)| (x - y).abs() <= bound);
            trial.compare("solution", &close.collect::<Vec<_>>(), &vec![true; n]);
        }
        Ok((Err(error), _)) => trial.fail(error.to_string()),
        Err(error) => trial.fail(error.to_string()),
    }
}
