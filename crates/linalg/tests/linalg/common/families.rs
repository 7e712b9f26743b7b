//! Families of integer matrices and their determinants in closed form.

use sunzi_integer::Integer;
use sunzi_linalg::DenseMatrix;
use sunzi_testkit::Random;

/// Of each family the matrix, and its determinant by a formula that is no elimination.
pub type Known = (DenseMatrix<Integer>, Integer);

/// The sign of a permutation of 0 … n − 1, by its cycles.
pub fn sign(permutation: &[usize]) -> Integer {
    let mut seen = vec![false; permutation.len()];
    let mut sign = Integer::ONE;
    for start in 0..permutation.len() {
        let (mut place, mut length) = (start, 0);
        while !seen[place] {
            seen[place] = true;
            place = permutation[place];
            length += 1;
        }
        if length > 0 && length % 2 == 0 {
            sign = -sign;
        }
    }
    sign
}

/// Row i holds `values[i]` in column `permutation[i]`, and zeros else.
pub fn monomial(permutation: &[usize], values: &[Integer]) -> Known {
    let n = permutation.len();
    let matrix = DenseMatrix::from_fn(n, n, |i, j| {
        if permutation[i] == j {
            values[i].clone()
        } else {
            Integer::ZERO
        }
    });
    (
        matrix,
        sign(permutation) * values.iter().product::<Integer>(),
    )
}

/// Zeros below the diagonal.
pub fn upper_triangular(order: usize, mut entry: impl FnMut(usize, usize) -> Integer) -> Known {
    let matrix = DenseMatrix::from_fn(order, order, |i, j| {
        if i <= j { entry(i, j) } else { Integer::ZERO }
    });
    let determinant = (0..order).map(|i| &matrix[(i, i)]).product();
    (matrix, determinant)
}

/// Zeros above the other diagonal, so that every first row has its only non-zero in the last place.
pub fn lower_anti_triangular(
    order: usize,
    mut entry: impl FnMut(usize, usize) -> Integer,
) -> Known {
    let matrix = DenseMatrix::from_fn(order, order, |i, j| {
        if i + j + 1 >= order {
            entry(i, j)
        } else {
            Integer::ZERO
        }
    });
    let reversed: Vec<usize> = (0..order).rev().collect();
    let product: Integer = (0..order).map(|i| &matrix[(i, order - 1 - i)]).product();
    (matrix, sign(&reversed) * product)
}

/// Powers of the points: ∏ (x_j − x_i) over i < j.
pub fn vandermonde(points: &[i64]) -> Known {
    let n = points.len();
    let matrix = DenseMatrix::from_fn(n, n, |i, j| Integer::from(points[i]).pow(j));
    (matrix, differences(points))
}

fn differences(points: &[i64]) -> Integer {
    let pairs = (0..points.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs
        .map(|(i, j)| Integer::from(points[j]) - points[i])
        .product()
}

/// Sylvester's matrices of ±1: H_{2n} is H_2 ⊗ H_n, so its determinant is det(H_2)^n·det(H_n)^2.
pub fn hadamard(log_order: u32) -> Known {
    let order = 1 << log_order;
    let matrix = DenseMatrix::from_fn(order, order, |i: usize, j: usize| {
        if (i & j).count_ones().is_multiple_of(2) {
            Integer::ONE
        } else {
            Integer::MINUS_ONE
        }
    });
    let determinant = (0..log_order).fold(Integer::ONE, |smaller, log| {
        Integer::from(-2).pow(1 << log) * smaller.pow(2)
    });
    (matrix, determinant)
}

/// ∏ i! over 0 < i < n.
fn superfactorial(n: usize) -> Integer {
    let factorials = (1..n).scan(Integer::ONE, |factorial, i| {
        *factorial *= i;
        Some(factorial.clone())
    });
    factorials.product()
}

/// The determinant of Hilbert's matrix 1/(i + j − 1) as numerator 1 and this denominator: c_{2n}/c_n^4,
/// where c_n = ∏ i! over 0 < i < n.
pub fn hilbert_denominator(order: usize) -> Integer {
    superfactorial(2 * order) / superfactorial(order).pow(4)
}

/// Hilbert's matrix, each row times the least common multiple of its denominators.
pub fn cleared_hilbert(order: usize) -> Known {
    let multiple = |i: usize| -> Integer {
        (i + 1..=i + order).fold(Integer::ONE, |multiple, k| {
            let k = Integer::from(k);
            let common = Integer::from(multiple.gcd(&k));
            multiple * k / common
        })
    };
    let multiples: Vec<Integer> = (0..order).map(multiple).collect();
    let matrix = DenseMatrix::from_fn(order, order, |i, j| &multiples[i] / (i + j + 1));
    let scale: Integer = multiples.iter().product();
    (matrix, scale / hilbert_denominator(order))
}

fn binomial(n: usize, k: usize) -> Integer {
    (0..k).fold(Integer::ONE, |product, i| product * (n - i) / (i + 1))
}

/// The inverse of Hilbert's matrix, whose entries are integers.
pub fn inverse_hilbert(order: usize) -> Known {
    let n = order;
    let matrix = DenseMatrix::from_fn(n, n, |i, j| {
        let magnitude = binomial(n + i, n - 1 - j)
            * binomial(n + j, n - 1 - i)
            * binomial(i + j, i).pow(2)
            * (i + j + 1);
        if (i + j) % 2 == 0 {
            magnitude
        } else {
            -magnitude
        }
    });
    (matrix, hilbert_denominator(order))
}

/// Cauchy's matrix 1/(x_i + y_j), each row times the product of its denominators.
pub fn cleared_cauchy(x: &[i64], y: &[i64]) -> Known {
    let n = x.len();
    assert_eq!(y.len(), n);
    let matrix = DenseMatrix::from_fn(n, n, |i, j| {
        let others = (0..n).filter(|&k| k != j);
        others.map(|k| Integer::from(x[i]) + y[k]).product()
    });
    (matrix, differences(x) * differences(y))
}

/// The coefficients of leading · ∏ (x − root), the highest power first.
fn from_roots(leading: i64, roots: &[i64]) -> Vec<Integer> {
    let start = vec![Integer::from(leading)];
    roots.iter().fold(start, |mut coefficients, &root| {
        coefficients.push(Integer::ZERO);
        for k in (1..coefficients.len()).rev() {
            let carried = &coefficients[k - 1] * root;
            coefficients[k] -= carried;
        }
        coefficients
    })
}

/// Sylvester's matrix of two polynomials given by their leading coefficients and roots: its
/// determinant, the resultant, is a^m·b^n·∏ (α − β).
pub fn sylvester(a: i64, alphas: &[i64], b: i64, betas: &[i64]) -> Known {
    let (n, m) = (alphas.len(), betas.len());
    let (f, g) = (from_roots(a, alphas), from_roots(b, betas));
    let shifted = |coefficients: &[Integer], shift: usize, j: usize| {
        let place = j.checked_sub(shift);
        place
            .and_then(|k| coefficients.get(k))
            .cloned()
            .unwrap_or_default()
    };
    let matrix = DenseMatrix::from_fn(n + m, n + m, |i, j| {
        if i < m {
            shifted(&f, i, j)
        } else {
            shifted(&g, i - m, j)
        }
    });
    let pairs = alphas
        .iter()
        .flat_map(|alpha| betas.iter().map(move |beta| (alpha, beta)));
    let differences: Integer = pairs
        .map(|(alpha, beta)| Integer::from(alpha - beta))
        .product();
    (
        matrix,
        Integer::from(a).pow(m) * Integer::from(b).pow(n) * differences,
    )
}

/// Pascal's binomials (i + j over i): 1.
pub fn pascal(order: usize) -> Known {
    (
        DenseMatrix::from_fn(order, order, |i, j| binomial(i + j, i)),
        Integer::ONE,
    )
}

/// The greatest common divisors of the indices: the product of Euler's totients (H. J. S. Smith, 1876).
pub fn common_divisors(order: usize) -> Known {
    let gcd = |i: usize, j: usize| Integer::from(Integer::from(i + 1).gcd(&Integer::from(j + 1)));
    let totient = |n: usize| {
        (0..n)
            .filter(|&k| gcd(n - 1, k) == Integer::ONE || n == 1)
            .count()
    };
    // gcd(n − 1, k) above is that of n and k + 1.
    let determinant = (1..=order).map(|n| Integer::from(totient(n))).product();
    (DenseMatrix::from_fn(order, order, gcd), determinant)
}

/// 2 on the diagonal and −1 beside it: n + 1.
pub fn second_difference(order: usize) -> Known {
    let matrix = DenseMatrix::from_fn(order, order, |i, j| match i.abs_diff(j) {
        0 => Integer::from(2),
        1 => Integer::MINUS_ONE,
        _ => Integer::ZERO,
    });
    (matrix, Integer::from(order + 1))
}

/// `a` on the diagonal, `b` elsewhere: (a − b)^(n−1)·(a + (n − 1)b).
pub fn two_values(order: usize, a: &Integer, b: &Integer) -> Known {
    assert!(order > 0);
    let matrix = DenseMatrix::from_fn(
        order,
        order,
        |i, j| if i == j { a.clone() } else { b.clone() },
    );
    let determinant = (a - b).pow(order - 1) * (a + b * (order - 1));
    (matrix, determinant)
}

/// A dense matrix L·D·U with this diagonal D, where L and U are triangular with ones on the diagonal and
/// small entries, its rows and columns in random order.
pub fn with_diagonal(diagonal: &[Integer], random: &mut Random) -> Known {
    let n = diagonal.len();
    let mut unit = |upper: bool| {
        DenseMatrix::from_fn(n, n, |i, j| match (i == j, (i < j) == upper) {
            (true, _) => Integer::ONE,
            (false, true) => Integer::from(random.below(7)) - 3,
            (false, false) => Integer::ZERO,
        })
    };
    let (lower, upper) = (unit(false), unit(true));
    let rows = shuffled(n, random);
    let columns = shuffled(n, random);
    let matrix = DenseMatrix::from_fn(n, n, |i, j| {
        let (i, j) = (rows[i], columns[j]);
        let terms = (0..=i.min(j)).map(|k| &lower[(i, k)] * &diagonal[k] * &upper[(k, j)]);
        terms.sum()
    });
    let product: Integer = diagonal.iter().product();
    (matrix, sign(&rows) * sign(&columns) * product)
}

/// The numbers 0 … n − 1 in random order.
pub fn shuffled(n: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    order
}
