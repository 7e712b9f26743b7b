//! Computations that end at any of their looks, and what they leave behind.

use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};
use sunzi::field::{Field, Fp32, GeneralizedFermat};
use sunzi::integer::Multiplier;
use sunzi::matrix::DenseMatrix;
use sunzi::poly::{IntegerPolyRing, Poly, PolyRing, SubproductTree};
use sunzi::solve::{BivariateSystem, RealRoots, resultant};
use sunzi::sort::sorting_permutation;
use sunzi::sparse::{CsrMatrix, conjugate_gradients};
use sunzi::transform::{self, DftContext};
use sunzi::{Cancel, Cancelled, Integer, Natural, ThreadPoolBuilder};

/// Ends the work at looks further and further from its beginning; what it keeps in `context` must be good afterwards. How often it could
/// be ended: short work may be done before it looks.
fn ends<C: Sync, R: Send + PartialEq + Debug>(
    new: impl Fn() -> C + Sync,
    work: impl Fn(&C) -> R + Sync,
) -> usize {
    let ended = AtomicUsize::new(0);
    for threads in [1, 2, 3, 7] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let expected = work(&new());
            let mut looks = 0;
            loop {
                // What it prepares is prepared by the work that ends.
                let context = new();
                let found = Cancel::after(looks).run(|| work(&context));
                assert_eq!(work(&context), expected, "{threads} threads, {looks} looks");
                match found {
                    Err(Cancelled) => ended.fetch_add(1, Ordering::Relaxed),
                    Ok(found) => {
                        assert_eq!(found, expected);
                        break;
                    }
                };
                looks += 1 + looks / 6;
            }
        });
    }
    ended.into_inner()
}

/// Numbers without a pattern.
fn words(count: usize) -> Vec<u64> {
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state ^ state >> 29
    };
    (0..count).map(|_| next()).collect()
}

fn natural(limbs: usize) -> Natural {
    Natural::from_limbs(words(limbs))
}

fn residues(field: &Fp32, count: usize) -> Vec<u32> {
    words(count)
        .into_iter()
        .map(|word| field.from_u64(word))
        .collect()
}

#[test]
fn products_of_integers_end() {
    let mut ended = 0;
    let (a, b) = (words(20_000), words(15_000));
    let product = |multiplier: &Multiplier| {
        let mut product = vec![0; a.len() + b.len()];
        multiplier.mul(&mut product, &a, &b);
        product
    };
    ended += ends(Multiplier::new, product);
    assert!(ended > 9, "it hardly looks: {ended}");
}

#[test]
fn other_operations_on_integers_end() {
    let mut ended = 0;
    let (a, b) = (natural(6000), natural(2500));
    ended += ends(|| (), |()| a.div_rem(&b));
    ended += ends(|| (), |()| a.sqrt());
    ended += ends(|| (), |()| (&a << 7u32).gcd(&(&b << 3u32)));
    ended += ends(|| (), |()| b.to_string());
    let text = b.to_string();
    ended += ends(|| (), |()| text.parse::<Natural>());
    assert!(ended > 9, "it hardly looks: {ended}");
}

#[test]
fn polynomials_end() {
    let mut ended = 0;
    let field = Fp32::new(469_762_049).unwrap();
    let new = || PolyRing::new(Fp32::new(469_762_049).unwrap());
    let f = Poly::new(residues(&field, 40_000));
    let g = Poly::new(residues(&field, 15_000));
    ended += ends(new, |ring| ring.try_mul(&f, &g).unwrap());
    ended += ends(new, |ring| ring.divrem(&f, &g).unwrap());
    let [f, g] = [&f, &g].map(|f| Poly::new(f.coefficients()[..6000].to_vec()));
    ended += ends(new, |ring| ring.gcd(&f, &g).unwrap());
    let points: Vec<_> = (0..5000).collect();
    let tree = || SubproductTree::new(&new(), &points).unwrap();
    ended += ends(tree, |tree| tree.evaluate(&f).unwrap());
    ended += ends(tree, |tree| {
        tree.interpolate(&f.coefficients()[..5000]).unwrap()
    });
    assert!(ended > 9, "it hardly looks: {ended}");
}

#[test]
fn transforms_end() {
    let mut ended = 0;
    let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    let x: Vec<_> = (0..1 << 13).map(|i| field.from_u64(i)).collect();
    let new = || DftContext::over_big_prime(&field, x.len()).unwrap();
    let transformed = |context: &DftContext<_>| {
        let mut x = x.clone();
        context
            .forward(&mut x, transform::Ordering::Natural)
            .unwrap();
        x
    };
    ended += ends(new, transformed);
    assert!(ended > 9, "it hardly looks: {ended}");
}

#[test]
fn work_over_the_integers_ends() {
    let mut ended = 0;
    let coefficients = |count: usize, skip: usize| {
        let words = words(count + skip).into_iter().skip(skip);
        Poly::new(words.map(|word| Integer::from(word as i64 >> 30)).collect())
    };
    let (f, g) = (coefficients(120, 0), coefficients(100, 50));
    ended += ends(IntegerPolyRing::new, |ring| ring.try_mul(&f, &g).unwrap());
    ended += ends(|| (), |()| resultant(&f, &g).unwrap());
    ended += ends(|| (), |()| RealRoots::of(&f).unwrap().to_string());
    let entries = f.coefficients();
    let matrix = DenseMatrix::from_fn(30, 30, |i, j| {
        entries[(7 * i + 11 * j + i * j) % 120].clone()
    });
    ended += ends(|| (), |()| matrix.determinant().unwrap());
    ended += ends(|| (), |()| matrix.inverse().unwrap());
    let system = || {
        let curves = ["x^5 + y^4 - 3*x*y + 1", "x^3*y - y^3 + 2"];
        let [f, g] = curves.map(|curve| curve.parse().unwrap());
        BivariateSystem::new(f, g)
    };
    ended += ends(system, |system| system.solve().unwrap().to_string());
    assert!(ended > 9, "it hardly looks: {ended}");
}

#[test]
fn work_on_vectors_ends() {
    let mut ended = 0;
    let keys = words(300_000);
    ended += ends(|| (), |()| sorting_permutation(&keys).unwrap());
    let n = 20_000u32;
    let triplets: Vec<_> = (0..n)
        .flat_map(|i| [(i, i, 4.0), (i, (i + 1) % n, 1.0), ((i + 1) % n, i, 1.0)])
        .collect();
    let matrix = CsrMatrix::from_triplets(n as usize, n as usize, &triplets).unwrap();
    let right: Vec<_> = (0..n).map(f64::from).collect();
    ended += ends(
        || (),
        |()| conjugate_gradients(&matrix, &right).unwrap().solution,
    );
    assert!(ended > 9, "it hardly looks: {ended}");
}
