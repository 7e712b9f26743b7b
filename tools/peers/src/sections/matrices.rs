//! Ranks, systems, inverses, nullspaces, reduced echelon forms and products of matrices, modulo word-size primes and over
//! Q, against FLINT, modulo primes of 32 bits against FFLAS-FFPACK, too.

use sunzi_field::{Field, Fp32, Fp64};
use sunzi_integer::{Integer, Rational};
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::dense::{Decomposition, MatrixField, RationalElimination, product};

use super::determinants::{PRIMES, by_fflas, integer_of, signed};
use crate::contender::{Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::flint::{CHECK_PRIME, FmpqMatrix, FmpzMatrix, NmodMatrix};
use crate::options::Options;
use crate::sample::Sample;
use crate::sunzi_side::{elements, words};

/// What is found of matrices.
#[derive(Clone, Copy, Debug)]
enum What {
    Rank,
    Solve,
    Inverse,
    Nullspace,
    Reduced,
    Product,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::Solve => "solve",
            Self::Inverse => "inverse",
            Self::Nullspace => "nullspace",
            Self::Reduced => "reduced echelon form",
            Self::Product => "product",
        }
    }
}

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    for (p, name) in PRIMES {
        let group = match name {
            "65521" => "matrices mod 65521",
            "469762049" => "matrices mod 469762049",
            _ => "matrices mod 2^60-2^18+1",
        };
        for what in [
            What::Rank,
            What::Solve,
            What::Inverse,
            What::Nullspace,
            What::Reduced,
            What::Product,
        ] {
            for order in [100, 300, 1000] {
                cases.push(Case {
                    section: "matrices",
                    group: Group::for_threads(group, options.threads, Some(0.7), Some(0.7)),
                    name: format!("{} of order {order}, mod {name}", what.name()),
                    size: order as u64,
                    build: Box::new(move |setup| modular(setup, p, order, what)),
                });
            }
        }
    }
    for what in [
        What::Rank,
        What::Solve,
        What::Inverse,
        What::Nullspace,
        What::Product,
    ] {
        for order in [50, 100, 200] {
            cases.push(Case {
                section: "matrices",
                group: Group::for_threads(
                    "matrices over Q, 32 bits",
                    options.threads,
                    Some(0.7),
                    Some(0.7),
                ),
                name: format!("{} of order {order}, 32 bits", what.name()),
                size: order as u64,
                build: Box::new(move |setup| rational(setup, order, what)),
            });
        }
    }
    cases
}

/// A matrix of full rank for systems, inverses and products; of half the rank, half of its rows sums of two others, else.
fn residues_for(what: What, order: usize, p: u64) -> Vec<u64> {
    let mut residues = Sample::new(order as u64).residues(order * order, p);
    if matches!(what, What::Rank | What::Nullspace | What::Reduced) {
        let half = order / 2;
        for i in half..order {
            for j in 0..order {
                let [a, b] = [i - half, (i - half + 1) % half].map(|row| residues[row * order + j]);
                residues[i * order + j] = ((u128::from(a) + u128::from(b)) % u128::from(p)) as u64;
            }
        }
    }
    residues
}

fn modular(setup: Setup, p: u64, order: usize, what: What) -> Entrants {
    let residues = residues_for(what, order, p);
    let right = Sample::new(order as u64 + 1).residues(order * order, p);
    let square = (order, order);
    let state = (
        NmodMatrix::new(p, order, &residues),
        NmodMatrix::new(p, order, &right),
        NmodMatrix::zero(p, square),
        order,
    );
    let (name, flint) = match what {
        What::Rank => (
            "FLINT nmod_mat_rank",
            contender(
                state,
                |(matrix, _, _, rank)| *rank = matrix.rank(),
                |(_, _, _, rank)| vec![*rank as u64],
            ),
        ),
        What::Solve => (
            "FLINT nmod_mat_solve",
            contender(
                state,
                |(matrix, right, out, _)| assert!(matrix.solve(right, out)),
                |(_, _, out, order)| out.words(*order),
            ),
        ),
        What::Inverse => (
            "FLINT nmod_mat_inv",
            contender(
                state,
                |(matrix, _, out, _)| assert!(matrix.inverse(out)),
                |(_, _, out, order)| out.words(*order),
            ),
        ),
        What::Nullspace => (
            "FLINT nmod_mat_nullspace",
            contender(
                state,
                |(matrix, _, out, nullity)| *nullity = matrix.nullspace(out),
                |(_, _, out, nullity)| out.words(*nullity),
            ),
        ),
        What::Reduced => (
            "FLINT nmod_mat_rref",
            contender(
                state,
                |(matrix, _, out, _)| matrix.reduced(out),
                |(_, _, out, order)| out.words(*order),
            ),
        ),
        What::Product => (
            "FLINT nmod_mat_mul",
            contender(
                state,
                |(matrix, right, out, _)| matrix.times(right, out),
                |(_, _, out, order)| out.words(*order),
            ),
        ),
    };
    let sunzi = || match u32::try_from(p) {
        Ok(p) => modular_by_sunzi(Fp32::new(p).ok()?, order, (&residues, &right), what),
        Err(_) => modular_by_sunzi(Fp64::new(p).ok()?, order, (&residues, &right), what),
    };
    let mut peers = vec![Peer::exact(name, flint)];
    let fflas = |what, matrices: &[&[u64]]| by_fflas(what, p, order, matrices, setup);
    peers.extend(match what {
        What::Rank => fflas("rank", &[&residues]),
        What::Solve => fflas("solve", &[&residues, &right]),
        What::Inverse => fflas("inverse", &[&residues]),
        // Its basis is another one.
        What::Nullspace => None,
        What::Reduced => fflas("reduced", &[&residues]),
        What::Product => fflas("product", &[&residues, &right]),
    });
    Entrants {
        sunzi: setup.with_sunzi.then(sunzi).flatten(),
        peers,
    }
}

/// Both sides copy the matrix, which elimination overwrites.
fn modular_by_sunzi<F: MatrixField<Elem: TryFrom<u64> + Into<u64>>>(
    field: F,
    order: usize,
    (left, right): (&[u64], &[u64]),
    what: What,
) -> Option<Box<dyn Contender>> {
    let matrix = |words| DenseMatrix::new(order, order, elements::<F>(words)?).ok();
    let none = DenseMatrix::new(0, 0, Vec::new()).ok()?;
    Some(contender(
        (matrix(left)?, matrix(right)?, none, 0),
        move |(matrix, right, out, rank)| {
            if matches!(what, What::Product) {
                *out = product(&field, matrix, right).expect("shapes fit");
                return;
            }
            let decomposition = Decomposition::new(&field, matrix.clone());
            *rank = decomposition.rank();
            match what {
                What::Rank | What::Product => {}
                What::Solve => *out = decomposition.solve(right).expect("it is invertible"),
                What::Inverse => *out = decomposition.inverse().expect("it is invertible"),
                What::Nullspace => *out = decomposition.nullspace(),
                What::Reduced => *out = decomposition.reduced_row_echelon_form(),
            }
        },
        move |(_, _, out, rank)| match what {
            What::Rank => vec![*rank as u64],
            _ => words(out.entries()),
        },
    ))
}

/// Entries of 32 bits; the last tenth of the rows are sums of others where a rank or a nullspace is wanted. Systems have
/// one right side.
fn rational(setup: Setup, order: usize, what: What) -> Entrants {
    let mut entries = signed(order * order, 32, order as u64);
    if matches!(what, What::Rank | What::Nullspace) {
        let rank = order - order / 10;
        for i in rank..order {
            for j in 0..order {
                entries[i * order + j] = entries[(i - rank) * order + j].clone();
            }
        }
    }
    let columns = if matches!(what, What::Solve) {
        1
    } else {
        order
    };
    let right = signed(order * columns, 32, order as u64 + 1);
    let square = (order, order);
    let matrix = FmpzMatrix::new(order, &entries);
    let right_matrix = FmpzMatrix::of_shape((order, columns), &right);
    let (name, flint) = match what {
        What::Rank => (
            "FLINT fmpz_mat_rank",
            contender(
                (matrix, 0),
                |(matrix, rank)| *rank = matrix.rank(),
                |(_, rank)| vec![*rank as u64],
            ),
        ),
        What::Solve => (
            "FLINT fmpq_mat_solve_fmpz_mat_dixon",
            contender(
                (matrix, right_matrix, FmpqMatrix::zero((order, columns))),
                |(matrix, right, out)| assert!(out.solve(matrix, right)),
                |(_, _, out)| out.residues().concat(),
            ),
        ),
        What::Inverse => (
            "FLINT fmpq_mat_inv",
            contender(
                (
                    FmpqMatrix::of_integers(&matrix, square),
                    FmpqMatrix::zero(square),
                ),
                |(matrix, out)| assert!(matrix.inverse(out)),
                |(_, out)| out.residues().concat(),
            ),
        ),
        // Its columns are integers, and ours fractions that are 1 at a place where the others are 0.
        What::Nullspace => (
            "FLINT fmpz_mat_nullspace",
            contender(
                (matrix, FmpzMatrix::zero(square), 0),
                |(matrix, out, nullity)| *nullity = matrix.nullspace(out),
                |(_, out, nullity)| with_ones(out.residues(*nullity), *nullity),
            ),
        ),
        What::Reduced | What::Product => (
            "FLINT fmpz_mat_mul",
            contender(
                (matrix, right_matrix, FmpzMatrix::zero(square)),
                |(matrix, right, out)| matrix.times(right, out),
                move |(_, _, out)| out.residues(order),
            ),
        ),
    };
    let sunzi = || rational_by_sunzi((order, columns), [&entries, &right], what);
    Entrants {
        sunzi: setup.with_sunzi.then(sunzi).flatten(),
        peers: vec![Peer::exact(name, flint)],
    }
}

/// Columns divided by their last entry that is not 0, which is that of a free column.
fn with_ones(mut residues: Vec<u64>, columns: usize) -> Vec<u64> {
    let Ok(field) = Fp64::new(CHECK_PRIME) else {
        return residues;
    };
    for j in 0..columns {
        let last = residues.iter().skip(j).step_by(columns).rfind(|&&x| x != 0);
        let inverse = last.and_then(|&last| field.inv(last)).unwrap_or(0);
        for residue in residues.iter_mut().skip(j).step_by(columns) {
            *residue = field.mul(*residue, inverse);
        }
    }
    residues
}

fn rational_by_sunzi(
    (order, columns): (usize, usize),
    [left, right]: [&[(bool, Vec<u64>)]; 2],
    what: What,
) -> Option<Box<dyn Contender>> {
    let field = Fp64::new(CHECK_PRIME).ok()?;
    if matches!(what, What::Product) {
        let matrix = |entries: &[(bool, Vec<u64>)]| {
            DenseMatrix::new(order, order, entries.iter().map(integer_of).collect()).ok()
        };
        let none = DenseMatrix::new(0, 0, Vec::new()).ok()?;
        return Some(contender(
            (matrix(left)?, matrix(right)?, none),
            |(a, b, out)| *out = a.try_mul(b).expect("shapes fit"),
            move |(_, _, out): &(_, _, DenseMatrix<Integer>)| {
                let entries = out.entries().iter();
                entries.map(|entry| field.from_integer(entry)).collect()
            },
        ));
    }
    let matrix = |entries: &[(bool, Vec<u64>)], columns: usize| {
        let entries = entries
            .iter()
            .map(|entry| Rational::from(integer_of(entry)));
        DenseMatrix::new(order, columns, entries.collect()).ok()
    };
    let none = DenseMatrix::new(0, 0, Vec::new()).ok()?;
    Some(contender(
        (matrix(left, order)?, matrix(right, columns)?, none, 0),
        move |(matrix, right, out, rank)| {
            let elimination = RationalElimination::new();
            match what {
                What::Solve => {
                    let solution = elimination.solve(matrix, right);
                    *out = solution.expect("it is invertible").matrix;
                }
                What::Inverse => *out = elimination.inverse(matrix).expect("it is invertible"),
                What::Nullspace => *out = elimination.nullspace(matrix).expect("memory"),
                _ => *rank = elimination.rank(matrix).expect("memory"),
            }
        },
        move |(_, _, out, rank): &(_, _, DenseMatrix<Rational>, usize)| {
            let parts = |entry: &Rational| {
                let numerator = field.from_integer(entry.numerator());
                [numerator, field.from_integer(entry.denominator())]
            };
            let parts: Vec<[u64; 2]> = out.entries().iter().map(parts).collect();
            match what {
                What::Solve | What::Inverse => parts.concat(),
                What::Nullspace => {
                    let value = |&[numerator, denominator]: &[u64; 2]| {
                        field.mul(numerator, field.inv(denominator).unwrap_or(0))
                    };
                    parts.iter().map(value).collect()
                }
                _ => vec![*rank as u64],
            }
        },
    ))
}
