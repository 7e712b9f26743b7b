//! Times of products of sparse matrices and vectors, and of what reads and rearranges the matrices.
//!
//! `MATRIX` is a test matrix, such as `grid3d:60,60,60`, or with `shuffled:` before it for random orders of
//! rows and columns. Each time is the shortest of some passes over all of a matrix's variants (what else the
//! machine does only adds), on as many threads as the machine has and on one; GB/s count the bytes that a product
//! must read and write at least: the matrix, x and y once each.

use std::hint::black_box;

use sunzi_field::{Fp32, Fp64};
use sunzi_sparse::{
    CsrMatrix, Permutation,
    matrix_market::{self, Reals, Symmetry},
    test_matrices::{TestMatrix, shuffled},
};

use crate::common::{Failure, names_or, seconds};

const USUAL: [&str; 6] = [
    "grid2d:60,60",
    "grid3d27:20,20,20",
    "grid3d27:80,80,80",
    "shuffled:grid3d27:80,80,80",
    "rmat:18,16",
    "chessboard:8,8,2",
];
const PASSES: usize = 9;

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    println!("{} threads", rayon::current_num_threads());
    for name in &names_or(arguments, &USUAL) {
        let plain = name.strip_prefix("shuffled:");
        let mut matrix = plain.unwrap_or(name).parse::<TestMatrix>()?.generate(1)?;
        if plain.is_some() {
            matrix = shuffled(&matrix, 1).0;
        }
        measure(name, &matrix)?;
        measure_files(&matrix)?;
    }
    Ok(())
}

/// What is measured, and its name.
type Variant<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// The shortest of each variant's seconds, in passes that run all variants.
fn shortest(variants: &mut [Variant<'_>]) -> Vec<f64> {
    let mut times = vec![f64::INFINITY; variants.len()];
    for _ in 0..PASSES {
        for ((_, work), time) in variants.iter_mut().zip(&mut times) {
            *time = time.min(seconds(&mut *work).1);
        }
    }
    times
}

fn measure(name: &str, matrix: &CsrMatrix<f64>) -> Result<(), Failure> {
    let (rows, columns, nnz) = (matrix.rows(), matrix.columns(), matrix.nnz());
    println!("\n{name}: {rows} rows, {columns} columns, {nnz} entries");
    let csc = matrix.to_csc();
    let (x, left) = (vec![1.5; columns], vec![1.5; rows]);
    let mut y = vec![0.0; rows];
    let field32 = Fp32::new(469_762_049)?;
    let matrix32 = matrix.map(|&value| value.abs() as u32 + 1_000_000);
    let x32 = vec![123_456_789; columns];
    let field64 = Fp64::new((1 << 60) - (1 << 18) + 1)?;
    let matrix64 = matrix.map(|&value| value.abs() as u64 + (1 << 59));
    let x64 = vec![1 << 58; columns];
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let order = Permutation::random(columns, 1);

    let mut variants: Vec<Variant<'_>> = vec![
        (
            "y = A x, doubles",
            Box::new(|| matrix.mul_vector_into(&x, &mut y).expect("lengths fit")),
        ),
        (
            "y = A x, doubles, 1 thread",
            Box::new(|| {
                black_box(one.install(|| matrix.mul_vector(&x)).expect("lengths fit"));
            }),
        ),
        (
            "y = Aᵀ x, by rows",
            Box::new(|| {
                black_box(matrix.transposed_mul_vector(&left).expect("lengths fit"));
            }),
        ),
        (
            "y = Aᵀ x, by columns",
            Box::new(|| {
                black_box(csc.transposed_mul_vector(&left).expect("lengths fit"));
            }),
        ),
        (
            "y = A x mod a 29-bit prime",
            Box::new(|| {
                black_box(
                    matrix32
                        .mul_vector_mod(&field32, &x32)
                        .expect("lengths fit"),
                );
            }),
        ),
        (
            "y = A x mod a 60-bit prime",
            Box::new(|| {
                black_box(
                    matrix64
                        .mul_vector_mod(&field64, &x64)
                        .expect("lengths fit"),
                );
            }),
        ),
        (
            "rows to columns",
            Box::new(|| {
                black_box(matrix.to_csc());
            }),
        ),
        (
            "reverse Cuthill-McKee",
            Box::new(|| {
                black_box(matrix.reverse_cuthill_mckee());
            }),
        ),
        (
            "columns permuted",
            Box::new(|| {
                black_box(matrix.permute_columns(&order).expect("lengths fit"));
            }),
        ),
    ];
    let times = shortest(&mut variants);
    let bytes = |value: usize| nnz * (4 + value) + 8 * (rows + 1) + value * (rows + columns);
    let sizes = [8, 8, 8, 8, 4, 8, 8, 8, 8];
    for (((what, _), time), size) in variants.iter().zip(&times).zip(sizes) {
        let rate = bytes(size) as f64 / time / 1e9;
        let each = time / nnz as f64 * 1e9;
        let products = time / times[0];
        println!(
            "{what:28} {:10.3} ms {each:8.2} ns/entry {rate:8.2} GB/s {products:8.1} products",
            time * 1e3
        );
    }
    Ok(())
}

fn measure_files(matrix: &CsrMatrix<f64>) -> Result<(), Failure> {
    let mut file = Vec::new();
    let write = || matrix_market::write(&mut file, matrix, Symmetry::General, "");
    let (done, written) = seconds(write);
    done?;
    let (again, read) = seconds(|| matrix_market::read(&file[..], &Reals));
    assert_eq!(&again?, matrix);
    let megabytes = file.len() as f64 / 1e6;
    println!(
        "a file of {megabytes:.1} MB: written at {:.0} MB/s, read at {:.0} MB/s",
        megabytes / written,
        megabytes / read
    );
    Ok(())
}
