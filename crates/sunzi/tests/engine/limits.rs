//! Devices with small groups compute what the processor does: every family, in sizes that take each of its ways.

use super::on_processor;
use sunzi::{Integer, Natural};
use sunzi::{
    engine::{Batch, Engine},
    field::{AnyField, named_prime},
    gpu::{Device, DeviceInfo},
    matrix::{AnyDenseMatrix, DenseMatrix, IntegerDeterminant, IntegerMethod, float::Pivoting},
    poly::{AnyPoly, AnyPolyRing},
    transform::{AnyDft, Direction},
};
use sunzi_testkit::{Place, Random};

const NARROW: u64 = 469_762_049;
const WIDE: u64 = (1 << 60) - (1 << 18) + 1;

/// A device with groups of so many threads that share so many bytes.
struct Limited {
    engine: Engine,
    info: DeviceInfo,
}

impl Limited {
    fn new(place: Place, threads: usize, kibibytes: usize) -> Option<Self> {
        let device: Device = place.device_limited(threads, kibibytes << 10)?;
        let info = device.info().clone();
        assert!(info.group_threads <= threads && info.shared_memory <= kibibytes << 10);
        Some(Self {
            engine: Engine::on(&device),
            info,
        })
    }

    /// Compares what is computed there, all of it, with the processor's results.
    fn compare<T: PartialEq>(&self, what: &str, compute: impl Fn(&Engine) -> Batch<T>) {
        let [found, expected] = [&self.engine, &on_processor()].map(compute);
        let name = format!("{what}: {:?}", self.info);
        assert_eq!(found.warnings, [""; 0], "{name}");
        assert_eq!(
            (found.on_device, expected.on_device),
            (found.results.len(), 0),
            "{name}"
        );
        let (found, expected) = (found.into_all(), expected.into_all());
        assert!(found.is_ok() && found == expected, "{name}");
    }

    /// Integers word by word, by few and by many columns a thread, and by transforms; carries go through several blocks.
    fn integers(&self) {
        let mut random = Random::new(39);
        let mut of = |limbs: usize| Integer::from(Natural::from_limbs(random.words(limbs)));
        let ones = (Integer::ONE << 40_000usize) - Integer::ONE;
        let mut all = [1, 5, 10, 100, 300, 512, 550].map(&mut of).to_vec();
        all.extend([ones.clone(), ones + Integer::from(2)]);
        let pairs: Vec<_> = all
            .iter()
            .zip(all.iter().skip(1))
            .map(|(a, b)| [a, b])
            .collect();
        self.compare("integers", |engine| {
            engine.multiply_integers(&pairs, None).unwrap()
        });
    }

    /// Products term by term, in several parts, and by transforms of several passes, of a prime's own and of several primes.
    fn products(&self, prime: u64, lengths: &[usize]) {
        let ring = ring(prime);
        let all = lengths
            .iter()
            .map(|&length| polynomial(&ring, prime, length));
        let all: Vec<_> = all.collect();
        let pairs: Vec<_> = all
            .iter()
            .map(|f| [f, &all[0]])
            .chain([[&all[1]; 2]])
            .collect();
        self.compare("products", |engine| {
            rows(engine.multiply_residues(&ring, &pairs, None).unwrap())
        });
    }

    /// Transforms of several passes.
    fn transforms(&self, field: &AnyField, points: usize) {
        let plan = AnyDft::new(field, points).unwrap();
        let radix = field.word_prime().unwrap_or(1 << 32);
        let vector = Random::new(2).residues(points * field.width(), radix);
        for direction in [Direction::Forward, Direction::Inverse] {
            self.compare("transforms", |engine| {
                engine
                    .transform_all(&plan, vec![vector.clone()], direction)
                    .unwrap()
            });
        }
    }

    /// Pairs that a group shares, and longer ones, by rounds.
    fn euclid(&self, prime: u64) {
        let (ring, bytes) = (ring(prime), if prime == NARROW { 4 } else { 8 });
        // Beyond the rows that a group shares alone, and with cofactors.
        let [beyond, with_cofactors] = [2, 6].map(|rows| self.info.shared_memory / (rows * bytes));
        let pair = |n, m| [n, m].map(|length| polynomial(&ring, prime, length));
        let pairs = [pair(40, 30), pair(beyond + 9, beyond / 2)];
        let pairs = pairs.each_ref().map(|[a, b]| [a, b]);
        self.compare("divisions", |engine| {
            let divisions = engine.divrem_all(&ring, &pairs).unwrap();
            divisions.map(|division| division.map(|f| f.rows().into_owned()))
        });
        self.compare("divisors", |engine| {
            rows(engine.gcd_all(&ring, &pairs).unwrap())
        });
        self.compare("resultants", |engine| {
            engine.resultant_all(&ring, &pairs).unwrap()
        });
        let pairs = [pair(40, 30), pair(with_cofactors + 9, with_cofactors)];
        let pairs = pairs.each_ref().map(|[a, b]| [a, b]);
        self.compare("cofactors", |engine| {
            let found = engine.xgcd_all(&ring, &pairs).unwrap();
            found.map(|found| found.map(|f| f.rows().into_owned()))
        });
    }

    /// Matrices that a group shares, and one that none does: several panels.
    fn determinants(&self, prime: u64) {
        let field = AnyField::modulo_word(prime).unwrap();
        let bytes = if prime == NARROW { 4 } else { 8 };
        let beyond = (self.info.shared_memory / bytes).isqrt() + 1;
        let all = [3, 40, beyond].map(|n| {
            let entries = Random::new(n as u64).residues(n * n, prime);
            AnyDenseMatrix::new(&field, n, n, entries).unwrap()
        });
        let all: Vec<_> = all.iter().collect();
        self.compare("determinants", |engine| engine.determinants(&all).unwrap());
    }

    /// Determinants over Z by residues, and of doubles.
    fn other_determinants(&self) {
        let mut random = Random::new(7);
        let integers = DenseMatrix::from_fn(9, 9, |_, _| Integer::from(random.word() as i64));
        let doubles = DenseMatrix::from_fn(70, 70, |i, j| 1.0 / (i + 2 * j + 1) as f64);
        let how = IntegerDeterminant::new().method(IntegerMethod::Residues);
        self.compare("determinants over Z", |engine| {
            let found = engine.integer_determinants(how, &[&integers]).unwrap();
            found.map(|known| known.value)
        });
        self.compare("determinants of doubles", |engine| {
            engine
                .float_determinants(Pivoting::ALL[0], &[&doubles])
                .unwrap()
        });
    }

    /// Values at points and back, in trees of several levels.
    fn trees(&self, ring: &AnyPolyRing, count: usize, element: impl Fn(usize) -> Vec<u64>) {
        let points: Vec<u64> = (0..count).flat_map(&element).collect();
        let elements =
            |from: usize, count: usize| (from..from + count).flat_map(&element).collect();
        let polynomials =
            [1, count, 2 * count].map(|len| ring.polynomial(elements(5, len)).unwrap());
        let polynomials: Vec<_> = polynomials.iter().collect();
        let values = [elements(9, count)];
        self.compare("values", |engine| {
            let tree = engine.subproduct_tree(ring, points.clone()).unwrap();
            tree.evaluate_all(&polynomials).unwrap()
        });
        self.compare("interpolation", |engine| {
            let tree = engine.subproduct_tree(ring, points.clone()).unwrap();
            rows(tree.interpolate_all(&values).unwrap())
        });
    }

    /// Trees modulo primes of a word: by its own roots of unity, and by several primes.
    fn trees_of_words(&self, prime: u64) {
        // More than a leaf, whatever the device: 256 points.
        let ring = ring(prime);
        self.trees(&ring, 300, |i| vec![(i * i + 3) as u64]);
    }

    /// Products, transforms and trees modulo r^k + 1.
    fn big_prime(&self, name: &str) {
        let prime = named_prime(name).unwrap();
        let field = AnyField::generalized_fermat(prime.radix, prime.digits).unwrap();
        let ring = AnyPolyRing::new(&field);
        let element = |i: usize| Random::new(i as u64).residues(prime.digits, prime.radix);
        let elements = |count: usize| (0..count).flat_map(element).collect();
        let [f, g] = [20, 33].map(|count| ring.polynomial(elements(count)).unwrap());
        self.compare("products modulo r^k + 1", |engine| {
            rows(engine.multiply_residues(&ring, &[[&f, &g]], None).unwrap())
        });
        self.transforms(&field, 128);
        self.trees(&ring, 9, element);
    }
}

fn ring(prime: u64) -> AnyPolyRing {
    AnyPolyRing::new(&AnyField::modulo_word(prime).unwrap())
}

fn polynomial(ring: &AnyPolyRing, prime: u64, length: usize) -> AnyPoly {
    let residues = Random::new(length as u64).residues(length, prime);
    ring.polynomial(residues).unwrap()
}

fn rows(batch: Batch<AnyPoly>) -> Batch<Vec<u64>> {
    batch.map(|polynomial| polynomial.rows().into_owned())
}

// Compilers for processors take long for what suits GPUs: each number of threads meets one size of memory, and some of the
// families. That plans are within all limits is tested where they are made.

#[test]
fn groups_of_32_threads() {
    let Some(limited) = Limited::new(Place::OpenClAsGpu, 32, 16) else {
        return;
    };
    limited.integers();
    limited.products(NARROW, &[20, 300, 3000]);
    limited.euclid(WIDE);
    limited.determinants(WIDE);
    limited.trees_of_words(NARROW);
    limited.big_prime("P8");
}

#[test]
fn groups_of_64_threads() {
    let Some(limited) = Limited::new(Place::OpenClAsGpu, 64, 32) else {
        return;
    };
    limited.integers();
    limited.products(WIDE, &[20, 300, 1500]);
    limited.euclid(NARROW);
}

#[test]
fn groups_of_128_threads() {
    let Some(limited) = Limited::new(Place::OpenClAsGpu, 128, 48) else {
        return;
    };
    limited.integers();
    limited.determinants(NARROW);
    limited.trees_of_words((1 << 63) - 25);
}

#[test]
fn groups_of_256_threads() {
    let Some(limited) = Limited::new(Place::OpenClAsGpu, 256, 16) else {
        return;
    };
    limited.integers();
    limited.products((1 << 31) - 1, &[20, 300, 600]);
    limited.big_prime("P8");
}

#[test]
fn groups_of_1024_threads() {
    let Some(limited) = Limited::new(Place::OpenClAsGpu, 1024, 48) else {
        return;
    };
    limited.transforms(&AnyField::modulo_word(WIDE).unwrap(), 1 << 13);
    limited.other_determinants();
    limited.determinants(WIDE);
}

#[test]
fn small_groups_of_a_processor() {
    let Some(limited) = Limited::new(Place::OpenCl, 48, 16) else {
        return;
    };
    limited.integers();
    limited.products(NARROW, &[20, 300, 600]);
    limited.euclid(NARROW);
    limited.determinants(NARROW);
    limited.trees_of_words(NARROW);
    limited.big_prime("P32");
}

#[test]
fn small_groups_by_cuda() {
    let Some(limited) = Limited::new(Place::Cuda, 96, 16) else {
        return;
    };
    limited.integers();
    limited.trees_of_words(NARROW);
    limited.other_determinants();
    Place::Cuda.check();
}

#[test]
fn elements_of_more_digits_than_a_group_has_threads_are_the_processors() {
    let Some(limited) = Limited::new(Place::OpenCl, 32, 32) else {
        return;
    };
    let prime = named_prime("P64").unwrap();
    let field = AnyField::generalized_fermat(prime.radix, prime.digits).unwrap();
    let ring = AnyPolyRing::new(&field);
    let f = ring.polynomial(vec![1; 64]).unwrap();
    let batch = limited
        .engine
        .multiply_residues(&ring, &[[&f, &f]], None)
        .unwrap();
    assert_eq!((batch.on_device, batch.warnings.len()), (0, 1));
    let told = "a group has 1 to 32 threads";
    assert!(batch.warnings[0].contains(told), "{:?}", batch.warnings);
}
