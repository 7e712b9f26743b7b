//! Work modulo a named prime, whatever its number of digits.

use std::hint::black_box;
use std::time::Instant;
#[cfg(feature = "gmp")]
use sunzi::{Natural, field::TwoAdicField};
use sunzi::{
    field::{AnyField, Digits, Field, GeneralizedFermat, NamedPrime, ProductTimes},
    transform::{Algorithm, Convolution, DftContext, DftError, Direction, Ordering, StepTimes},
};
use sunzi_field::with_field;
use sunzi_files::failure::Failure;
use sunzi_measure::Work;

/// Pairs whose products are taken one at a time: few enough to stay in the cache.
const PAIRS: usize = 32;

/// A field modulo a prime r^k + 1, whose k no type tells.
pub trait Subject: Send + Sync {
    /// 32 products, one at a time.
    fn products_one_at_a_time(&self) -> (Work<'static>, usize);

    /// `count` products in one batch.
    fn products_in_a_batch(&self, count: usize) -> Work<'static>;

    /// The steps of so many products by transforms modulo primes of a word, which are checked.
    fn product_steps(&self, count: usize) -> Option<ProductTimes>;

    /// The fastest transform, forward, in natural order.
    fn transform(&self, points: usize) -> Result<Transform, DftError>;

    /// The same by radix 2 on one element at a time.
    fn radix_two(&self, points: usize) -> Result<Work<'static>, DftError>;

    /// Products by powers of r, one at a time: each of K pairs of an element and a power.
    fn rotations_one_at_a_time(&self) -> (Work<'static>, usize);

    /// Seconds that preparing a transform takes.
    fn precomputation(&self, points: usize) -> Result<f64, DftError>;

    /// The vector of [`Subject::transform`] and what it becomes, as integers.
    #[cfg(feature = "gmp")]
    fn example(&self, points: usize) -> Result<Example, DftError>;
}

/// A transform in integers.
#[cfg(feature = "gmp")]
pub struct Example {
    pub prime: Natural,
    /// The root of unity.
    pub root: Natural,
    pub input: Vec<Natural>,
    pub output: Vec<Natural>,
}

/// A transform, and a clock for its steps.
pub struct Transform {
    /// The algorithm in words.
    pub algorithm: String,
    /// The transform as it is.
    pub work: Work<'static>,
    /// One transform, timed inside.
    pub steps: Box<dyn FnMut() -> Result<StepTimes, DftError> + Send>,
}

/// The field of a named prime.
pub fn subject(prime: NamedPrime) -> Result<Box<dyn Subject>, Failure> {
    let field = AnyField::generalized_fermat(prime.radix, prime.digits)
        .map_err(|error| Failure::Computation(error.to_string()))?;
    with_field!(
        &field,
        field: GeneralizedFermat => Ok(Box::new(field.clone())),
        _ => Err(Failure::Computation("no field modulo r^k+1".into()))
    )
}

impl<const K: usize> Subject for GeneralizedFermat<K> {
    fn products_one_at_a_time(&self) -> (Work<'static>, usize) {
        let field = self.clone();
        let (mut x, y) = (elements(&field, PAIRS, 1), elements(&field, PAIRS, 2));
        let work = move |times: usize| {
            for _ in 0..times {
                for (x, y) in x.iter_mut().zip(black_box(&y)) {
                    *x = field.mul(*x, *y);
                }
            }
        };
        (Box::new(work), PAIRS)
    }

    fn products_in_a_batch(&self, count: usize) -> Work<'static> {
        let field = self.clone();
        let (mut x, y) = (elements(&field, count, 1), elements(&field, count, 2));
        Box::new(move |times: usize| {
            for _ in 0..times {
                field.mul_assign_slice(&mut x, black_box(&y));
            }
        })
    }

    fn product_steps(&self, count: usize) -> Option<ProductTimes> {
        let (x, y) = (elements(self, count, 1), elements(self, count, 2));
        let pairs: Vec<_> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
        let (products, times) = self.products_timed(&pairs);
        let right = |(&product, &[x, y]): (&Digits<K>, &[Digits<K>; 2])| product == self.mul(x, y);
        products.iter().zip(&pairs).all(right).then_some(times)
    }

    fn transform(&self, points: usize) -> Result<Transform, DftError> {
        let context = DftContext::over_big_prime(self, points)?;
        let mut data = elements(self, points, 3);
        let timed = context.clone();
        Ok(Transform {
            algorithm: context.to_string(),
            work: forward(context, data.clone()),
            steps: Box::new(move || timed.transform_timed(&mut data, Direction::Forward)),
        })
    }

    fn radix_two(&self, points: usize) -> Result<Work<'static>, DftError> {
        let algorithm = Algorithm::CooleyTukey;
        let context = DftContext::scalar(self, points, Convolution::Cyclic, algorithm)?;
        Ok(forward(context, elements(self, points, 3)))
    }

    fn rotations_one_at_a_time(&self) -> (Work<'static>, usize) {
        let field = self.clone();
        let mut x = elements(&field, K, 1);
        let work = move |times: usize| {
            for _ in 0..times {
                for (power, x) in x.iter_mut().enumerate() {
                    *x = field.mul_by_radix_power(*x, black_box(power));
                }
            }
        };
        (Box::new(work), K)
    }

    fn precomputation(&self, points: usize) -> Result<f64, DftError> {
        let start = Instant::now();
        let context = DftContext::over_big_prime(self, points)?;
        let seconds = start.elapsed().as_secs_f64();
        drop(context);
        Ok(seconds)
    }

    #[cfg(feature = "gmp")]
    fn example(&self, points: usize) -> Result<Example, DftError> {
        let context = DftContext::over_big_prime(self, points)?;
        let mut data = elements(self, points, 3);
        let integers = |data: &[Digits<K>]| data.iter().map(|&x| self.to_integer(x)).collect();
        let input = integers(&data);
        context.forward(&mut data, Ordering::Natural)?;
        // The context has that root.
        let root = self.root_of_unity(points.ilog2()).unwrap_or_default();
        Ok(Example {
            prime: self.modulus(),
            root: self.to_integer(root),
            input,
            output: integers(&data),
        })
    }
}

/// Forward transforms of the same vector again and again.
fn forward<const K: usize>(
    context: DftContext<GeneralizedFermat<K>>,
    mut data: Vec<Digits<K>>,
) -> Work<'static> {
    let mut scratch = vec![Digits::default(); context.scratch_len()];
    Box::new(move |times: usize| {
        for _ in 0..times {
            let done = context.transform_with_scratch(
                &mut data,
                &mut scratch,
                Direction::Forward,
                Ordering::Natural,
            );
            debug_assert!(done.is_ok(), "the vectors fit the context");
            // Whether it was done is not known here, so it cannot be left out.
            let _ = black_box(done);
        }
    })
}

/// Seeded elements.
fn elements<const K: usize>(
    field: &GeneralizedFermat<K>,
    count: usize,
    seed: u64,
) -> Vec<Digits<K>> {
    let mut sample = Sample::new(seed);
    let element = || Digits(std::array::from_fn(|_| sample.below(field.radix())));
    std::iter::repeat_with(element).take(count).collect()
}

/// Seeded words (G. Steele, D. Lea, C. Flood, *Fast splittable pseudorandom number generators*, 2014).
pub struct Sample(u64);

impl Sample {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A word below `bound`, or 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> u64::BITS) as u64
    }
}
