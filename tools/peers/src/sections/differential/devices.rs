//! What devices compute, by the engine, on two runtimes of OpenCL for processors: PoCL and Intel's. Cases are empty where
//! a runtime is not there.

use std::sync::{Arc, LazyLock};

use rug::Integer as GmpInteger;
use rug::integer::Order;
use sunzi::{
    engine::{Batch, Engine, EngineError, Tree},
    field::AnyField,
    gpu::{Device, DeviceInfo, DeviceOptions, discover},
    matrix::{AnyDenseMatrix, DenseMatrix, IntegerDeterminant},
    poly::{AnyPoly, AnyPolyRing},
    transform::{AnyDft, Direction},
};
use sunzi_field::generalized_fermat::NAMED;
use sunzi_integer::{Integer, Natural};

use super::integer_matrices::{by_flint, integers};
use super::operation::Operation;
use super::texts::compare_integers;
use super::trial::Trial;
use super::{FLINT, GMP};
use crate::flint::{FmpzModMatrix, FmpzModPoly, FmpzModulus};

/// Primes of words: few and many roots of unity, either width, the largest.
const WORDS: [u64; 7] = [
    97,
    12289,
    469_762_049,
    2_147_483_647,
    (1 << 60) - (1 << 18) + 1,
    (1 << 62) - 57,
    (1 << 63) - 25,
];

/// Rows of a batch at most.
const ROWS: usize = 6;

/// Where work runs: an engine on a device, if there is one.
type Place = Arc<LazyLock<Option<Engine>>>;

/// What a case does there.
type OnDevice = fn(&Engine, &mut Trial);

/// Operations whose names begin with the runtime.
pub fn operations() -> Vec<Operation> {
    let pocl: Place = Arc::new(LazyLock::new(|| engine(is_pocl)));
    let intel: Place = Arc::new(LazyLock::new(|| engine(is_intel)));
    let cases: [(&str, &'static str, OnDevice); 10] = [
        ("int-mul", GMP, integer_products),
        ("poly-mul", FLINT, products),
        ("poly-divrem", FLINT, quotients),
        ("poly-gcd", FLINT, divisors),
        ("poly-resultant", FLINT, resultants),
        ("poly-eval", FLINT, values),
        ("poly-interp", FLINT, interpolations),
        ("dft", FLINT, transforms),
        ("det", FLINT, determinants),
        ("det-integer", FLINT, integer_determinants),
    ];
    let runtimes = [("pocl", pocl), ("intel", intel)];
    let of_runtime = |(runtime, place): (&'static str, Place)| {
        cases.map(|(name, against, case)| {
            let place = Arc::clone(&place);
            let run = move |trial: &mut Trial| {
                if let Some(engine) = &**place {
                    case(engine, trial);
                }
            };
            Operation::alone(format!("{runtime}-{name}"), against, run)
        })
    };
    runtimes.into_iter().flat_map(of_runtime).collect()
}

fn is_pocl(info: &DeviceInfo) -> bool {
    info.driver.contains("PoCL")
}

fn is_intel(info: &DeviceInfo) -> bool {
    info.name.contains("Intel") && !is_pocl(info)
}

fn engine(is_wanted: fn(&DeviceInfo) -> bool) -> Option<Engine> {
    let found = discover().devices.into_iter().find(is_wanted)?;
    let options = DeviceOptions::from_env().expect("options of devices");
    let device = Device::open_found(&found, &options).expect("the device can be opened");
    Some(Engine::on(&device))
}

/// The results, which the device must have computed.
fn all<T>(trial: &mut Trial, found: Result<Batch<T>, EngineError>) -> Vec<T> {
    let Some(batch) = trial.expect("batch", found) else {
        return Vec::new();
    };
    trial.check(
        "all rows on the device",
        batch.on_device == batch.results.len(),
    );
    trial.expect("rows", batch.into_all()).unwrap_or_default()
}

/// A field that devices have polynomials over, and FLINT's modulus.
struct Side {
    field: AnyField,
    ring: AnyPolyRing,
    modulus: Arc<FmpzModulus>,
    prime: Natural,
    /// Limbs of a residue.
    width: usize,
}

impl Side {
    fn new(field: AnyField) -> Self {
        let prime: Natural = field.modulus();
        Self {
            ring: AnyPolyRing::new(&field),
            modulus: Arc::new(FmpzModulus::new(prime.as_limbs())),
            width: prime.as_limbs().len(),
            prime,
            field,
        }
    }

    fn modulo_word(trial: &mut Trial) -> Self {
        let prime = *trial.pick(&WORDS);
        Self::new(AnyField::modulo_word(prime).expect("an odd prime"))
    }

    /// Now and then modulo r^8 + 1 or r^16 + 1.
    fn any(trial: &mut Trial) -> Self {
        let digits = match trial.below(6) {
            0 => 8,
            1 => 16,
            _ => return Self::modulo_word(trial),
        };
        let named = NAMED.iter().find(|prime| prime.digits == digits);
        let radix = named.expect("there are primes of 8 and 16 digits").radix;
        Self::new(AnyField::generalized_fermat(radix, digits).expect("a prime r^k + 1"))
    }

    /// Rows of residues of a kind for an operand.
    fn rows(&self, trial: &mut Trial, count: usize) -> Vec<u64> {
        if let Some(prime) = self.field.word_prime() {
            let (kind, piece) = (trial.operand_kind(), trial.piece());
            return kind.residues(count, prime, piece, &mut trial.random);
        }
        let mut rows = Vec::new();
        for _ in 0..count {
            let residue = Natural::from_limbs(trial.limbs(self.width)) % &self.prime;
            self.field.push_integer(&residue, &mut rows);
        }
        rows
    }

    fn poly(&self, trial: &mut Trial, count: usize) -> AnyPoly {
        let rows = self.rows(trial, count);
        self.ring.polynomial(rows).expect("residues")
    }

    /// The same, but not zero.
    fn nonzero(&self, trial: &mut Trial, count: usize) -> AnyPoly {
        let poly = self.poly(trial, count);
        if poly.len() > 0 {
            return poly;
        }
        let mut one = Vec::new();
        self.field.push_u64(1, &mut one);
        self.ring.polynomial(one).expect("residues")
    }

    /// Rows as limbs of residues, as FLINT takes them.
    fn limbs(&self, rows: &[u64]) -> Vec<u64> {
        let mut limbs = Vec::new();
        for row in rows.chunks_exact(self.field.width()) {
            let end = limbs.len() + self.width;
            limbs.extend(self.field.integer::<Natural>(row).as_limbs());
            limbs.resize(end, 0);
        }
        limbs
    }

    fn peer(&self, poly: &AnyPoly) -> FmpzModPoly {
        FmpzModPoly::new(&self.modulus, &self.limbs(&poly.rows()), self.width)
    }

    fn compare(&self, trial: &mut Trial, what: &str, ours: &AnyPoly, theirs: &FmpzModPoly) {
        let ours = self.limbs(&ours.rows());
        trial.compare_rows(what, self.width, &ours, &theirs.rows(self.width));
    }

    /// Rows of points, no two of them the same.
    fn points(&self, trial: &mut Trial, count: usize) -> Vec<u64> {
        let first = trial.random.below(97);
        let mut rows = Vec::new();
        for i in 0..count as u64 {
            self.field.push_u64(first + i, &mut rows);
        }
        rows
    }
}

/// A batch of pairs of polynomials.
fn pairs(side: &Side, trial: &mut Trial, (usual, rare): (usize, usize)) -> Vec<[AnyPoly; 2]> {
    let count = 1 + trial.below(ROWS);
    let rare = (rare / side.width).max(usual);
    let mut pair = || {
        [(); 2].map(|()| {
            let len = trial.length(usual, rare);
            side.nonzero(trial, len)
        })
    };
    (0..count).map(|_| pair()).collect()
}

fn borrowed<T>(pairs: &[[T; 2]]) -> Vec<[&T; 2]> {
    pairs.iter().map(|[a, b]| [a, b]).collect()
}

fn integer_products(engine: &Engine, trial: &mut Trial) {
    let count = 1 + trial.below(ROWS);
    let mut operand = || {
        let len = trial.length(200, 1 << 12);
        let value = GmpInteger::from_digits(&trial.limbs(len), Order::Lsf);
        if trial.below(2) == 0 { -value } else { value }
    };
    let theirs: Vec<[GmpInteger; 2]> = (0..count).map(|_| [operand(), operand()]).collect();
    let ours: Vec<[Integer; 2]> = theirs.iter().map(|[a, b]| [a.into(), b.into()]).collect();
    let found = all(trial, engine.multiply_integers(&borrowed(&ours), None));
    for (ours, [a, b]) in found.iter().zip(&theirs) {
        compare_integers(trial, ours, &GmpInteger::from(a * b));
    }
}

fn products(engine: &Engine, trial: &mut Trial) {
    let side = Side::any(trial);
    let pairs = pairs(&side, trial, (200, 3000));
    let found = all(
        trial,
        engine.multiply_residues(&side.ring, &borrowed(&pairs), None),
    );
    for (ours, [a, b]) in found.iter().zip(&pairs) {
        let what = format!("{} by {} coefficients", a.len(), b.len());
        side.compare(trial, &what, ours, &side.peer(a).times(&side.peer(b)));
    }
}

fn quotients(engine: &Engine, trial: &mut Trial) {
    let side = Side::modulo_word(trial);
    let pairs = pairs(&side, trial, (150, 1500));
    let found = all(trial, engine.divrem_all(&side.ring, &borrowed(&pairs)));
    for (ours, [a, b]) in found.iter().zip(&pairs) {
        let theirs = side.peer(a).divided_by(&side.peer(b));
        for (ours, theirs) in ours.iter().zip(&theirs) {
            side.compare(trial, &format!("{} by {}", a.len(), b.len()), ours, theirs);
        }
    }
}

fn divisors(engine: &Engine, trial: &mut Trial) {
    let side = Side::modulo_word(trial);
    let mut pairs = pairs(&side, trial, (100, 600));
    // Pairs with a common factor.
    for pair in &mut pairs {
        let common = match trial.below(2) {
            0 => side.nonzero(trial, 20),
            _ => continue,
        };
        *pair = [&pair[0], &pair[1]].map(|f| side.ring.mul(f, &common).expect("one ring"));
    }
    let found = all(trial, engine.gcd_all(&side.ring, &borrowed(&pairs)));
    for (ours, [a, b]) in found.iter().zip(&pairs) {
        side.compare(trial, "gcd", ours, &side.peer(a).gcd(&side.peer(b)));
    }
}

fn resultants(engine: &Engine, trial: &mut Trial) {
    let side = Side::modulo_word(trial);
    let pairs = pairs(&side, trial, (100, 600));
    let found = all(trial, engine.resultant_all(&side.ring, &borrowed(&pairs)));
    for (ours, [a, b]) in found.iter().zip(&pairs) {
        let theirs = side.peer(a).resultant(&side.peer(b));
        trial.compare("resultant", &side.limbs(ours), &theirs.limbs(side.width));
    }
}

/// Polynomials, points, and what the engine prepares for them.
struct Samples<'a> {
    side: Side,
    polys: Vec<AnyPoly>,
    points: Vec<u64>,
    tree: Tree<'a>,
}

fn samples<'a>(engine: &'a Engine, trial: &mut Trial) -> Option<Samples<'a>> {
    let mut side = Side::any(trial);
    let most = match side.field.word_prime() {
        Some(97) => 97,
        Some(_) => 1000,
        None => 200,
    };
    let count = trial.length(most.min(150), most);
    if !Engine::devices_have_trees(&side.ring, count) {
        side = Side::new(AnyField::modulo_word(469_762_049).expect("an odd prime"));
    }
    let points = side.points(trial, count);
    let rows = 1 + trial.below(ROWS);
    let polys = (0..rows).map(|_| {
        let len = trial.length(count, count);
        side.poly(trial, len)
    });
    let polys = polys.collect();
    let tree = engine.subproduct_tree(&side.ring, points.clone());
    let tree = trial.expect("tree", tree)?;
    Some(Samples {
        side,
        polys,
        points,
        tree,
    })
}

fn values(engine: &Engine, trial: &mut Trial) {
    let Some(Samples {
        side,
        polys,
        points,
        tree,
    }) = samples(engine, trial)
    else {
        return;
    };
    let found = all(trial, tree.evaluate_all(&polys.iter().collect::<Vec<_>>()));
    for (ours, f) in found.iter().zip(&polys) {
        let theirs = side.peer(f).values(&side.limbs(&points), side.width);
        trial.compare_rows("values", side.width, &side.limbs(ours), &theirs);
    }
}

/// From FLINT's values back to the polynomial.
fn interpolations(engine: &Engine, trial: &mut Trial) {
    let Some(Samples {
        side,
        polys,
        points,
        tree,
    }) = samples(engine, trial)
    else {
        return;
    };
    let values = polys.iter().map(|f| {
        let limbs = side.peer(f).values(&side.limbs(&points), side.width);
        let mut rows = Vec::new();
        for residue in limbs.chunks_exact(side.width) {
            side.field.push_integer(&Natural::from(residue), &mut rows);
        }
        rows
    });
    let values: Vec<Vec<u64>> = values.collect();
    let found = all(trial, tree.interpolate_all(&values));
    for (ours, f) in found.iter().zip(&polys) {
        side.compare(trial, "interpolation", ours, &side.peer(f));
    }
}

fn transforms(engine: &Engine, trial: &mut Trial) {
    let mut side = Side::any(trial);
    let len = 1 << trial.below(10);
    let plan = match AnyDft::new(&side.field, len) {
        Ok(plan) if Engine::devices_transform(&plan) => plan,
        // Too few roots of unity.
        _ => {
            side = Side::new(AnyField::modulo_word(469_762_049).expect("an odd prime"));
            AnyDft::new(&side.field, len).expect("there are 2^26 roots of unity")
        }
    };
    let count = 1 + trial.below(ROWS);
    let given: Vec<Vec<u64>> = (0..count).map(|_| side.rows(trial, len)).collect();
    let found = all(
        trial,
        engine.transform_all(&plan, given.clone(), Direction::Forward),
    );
    let root: Natural = side.field.integer(&plan.root_of_unity());
    let mut powers = Vec::new();
    let mut power = Natural::ONE;
    for _ in 0..len {
        let end = powers.len() + side.width;
        powers.extend(power.as_limbs());
        powers.resize(end, 0);
        power = power * &root % &side.prime;
    }
    for (ours, given) in found.iter().zip(&given) {
        let peer = FmpzModPoly::new(&side.modulus, &side.limbs(given), side.width);
        let theirs = peer.values(&powers, side.width);
        trial.compare_rows("transform", side.width, &side.limbs(ours), &theirs);
    }
    let back = all(
        trial,
        engine.transform_all(&plan, found, Direction::Inverse),
    );
    trial.check("there and back", back == given);
}

fn determinants(engine: &Engine, trial: &mut Trial) {
    let side = Side::modulo_word(trial);
    let count = 1 + trial.below(ROWS);
    let orders: Vec<usize> = (0..count).map(|_| trial.length(24, 100)).collect();
    let rows: Vec<Vec<u64>> = orders.iter().map(|n| side.rows(trial, n * n)).collect();
    let matrices = orders.iter().zip(&rows).map(|(&n, rows)| {
        AnyDenseMatrix::new(&side.field, n, n, rows.clone()).expect("residues of a square")
    });
    let matrices: Vec<AnyDenseMatrix> = matrices.collect();
    let found = all(
        trial,
        engine.determinants(&matrices.iter().collect::<Vec<_>>()),
    );
    for ((ours, &n), rows) in found.iter().zip(&orders).zip(&rows) {
        let theirs = FmpzModMatrix::new(&side.modulus, n, n, &side.limbs(rows), side.width);
        let theirs = theirs.determinant().limbs(side.width);
        trial.compare(
            &format!("determinant of order {n}"),
            &side.limbs(ours),
            &theirs,
        );
    }
}

fn integer_determinants(engine: &Engine, trial: &mut Trial) {
    let order = trial.length(6, 40);
    let entries = integers(trial, order, 1);
    let ours = DenseMatrix::new(order, order, entries.iter().map(Integer::from).collect());
    let ours = ours.expect("as many entries as the shape says");
    let found = all(
        trial,
        engine.integer_determinants(IntegerDeterminant::new(), &[&ours]),
    );
    for found in found {
        let theirs = by_flint(order, &entries);
        trial.compare_one(
            &format!("order {order}"),
            GmpInteger::from(found.value),
            theirs,
        );
    }
}
