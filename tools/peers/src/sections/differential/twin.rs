//! Prime fields on both sides: elements of Sunzi and FLINT's residues, with rows of limbs between them.

use std::sync::{Arc, OnceLock};

use sunzi_field::{Digits, Field, Fp32, Fp50, Fp64, GeneralizedFermat, TwoAdicField};
use sunzi_linalg::dense::MatrixField;
use sunzi_poly::{CoefficientField, Poly, PolyRing};
use sunzi_testkit::{Kind, Random};

use super::operation::Operation;
use super::trial::Trial;
use crate::flint::{Fmpz, FmpzModPoly, FmpzModulus};

/// Fields whose elements can be made and read limb by limb.
pub trait Peered: TwoAdicField {
    /// Polynomials over the field, where it has them.
    type Ring: Send + Sync;

    fn ring(&self) -> Self::Ring;

    /// `count` elements of a kind, for work that is cut every `piece` elements.
    fn elements(
        &self,
        kind: Kind,
        count: usize,
        piece: usize,
        random: &mut Random,
    ) -> Vec<Self::Elem>;

    /// The element whose residue has these limbs.
    fn element(&self, limbs: &[u64]) -> Self::Elem;

    /// The residue in limbs.
    fn put(&self, element: Self::Elem, limbs: &mut [u64]);
}

/// Fields that polynomials and matrices are over.
pub trait Polynomial: Peered<Ring = PolyRing<Self>> + CoefficientField + MatrixField {}

impl<F: Peered<Ring = PolyRing<F>> + CoefficientField + MatrixField> Polynomial for F {}

macro_rules! word_field {
    ($field:ty, $word:ty, $ring:ty, $make:expr) => {
        impl Peered for $field {
            type Ring = $ring;

            fn ring(&self) -> $ring {
                ($make)(self.clone())
            }

            fn elements(
                &self,
                kind: Kind,
                count: usize,
                piece: usize,
                random: &mut Random,
            ) -> Vec<$word> {
                let residues = kind.residues(count, u64::from(self.prime()), piece, random);
                residues
                    .into_iter()
                    .map(|residue| residue as $word)
                    .collect()
            }

            fn element(&self, limbs: &[u64]) -> $word {
                limbs[0] as $word
            }

            fn put(&self, element: $word, limbs: &mut [u64]) {
                limbs[0] = u64::from(element);
            }
        }
    };
}

word_field!(Fp32, u32, PolyRing<Fp32>, PolyRing::new);
word_field!(Fp64, u64, PolyRing<Fp64>, PolyRing::new);
word_field!(Fp50, u64, (), |_| ());

impl<const K: usize> Peered for GeneralizedFermat<K> {
    type Ring = PolyRing<Self>;

    fn ring(&self) -> PolyRing<Self> {
        PolyRing::new(self.clone())
    }

    fn elements(
        &self,
        kind: Kind,
        count: usize,
        piece: usize,
        random: &mut Random,
    ) -> Vec<Digits<K>> {
        let element = |kind: Kind, random: &mut Random| {
            let digits = kind.digits(K, self.radix(), random);
            Digits(digits.try_into().expect("K digits"))
        };
        // Kinds are of the digits, or of the vector.
        if random.below(2) == 0 {
            return (0..count).map(|_| element(kind, random)).collect();
        }
        let places = kind.residues(count, u64::from(u32::MAX), piece, random);
        let most = self.neg(self.one());
        let of_place = |place| match place {
            0 => self.zero(),
            1 => self.one(),
            _ if place == u64::from(u32::MAX) - 1 => most,
            _ => element(Kind::Edges, random),
        };
        places.into_iter().map(of_place).collect()
    }

    fn element(&self, limbs: &[u64]) -> Digits<K> {
        self.from_limbs(false, limbs)
    }

    fn put(&self, element: Digits<K>, limbs: &mut [u64]) {
        limbs.fill(0);
        let residue = self.to_limbs(element);
        limbs[..residue.len()].copy_from_slice(&residue);
    }
}

/// A prime field, Sunzi's and FLINT's.
pub struct Twin<F: Peered> {
    field: F,
    ring: F::Ring,
    pub modulus: Arc<FmpzModulus>,
    /// Limbs of a residue.
    pub width: usize,
}

impl<F: Peered> Twin<F> {
    pub fn new(field: F) -> Self {
        let prime = field.modulus_limbs();
        Self {
            ring: field.ring(),
            modulus: Arc::new(FmpzModulus::new(&prime)),
            width: prime.len(),
            field,
        }
    }

    pub fn field(&self) -> &F {
        &self.field
    }

    /// Elements of a kind for an operand.
    pub fn operand(&self, trial: &mut Trial, count: usize) -> Vec<F::Elem> {
        let (kind, piece) = (trial.operand_kind(), trial.piece());
        self.field().elements(kind, count, piece, &mut trial.random)
    }

    /// An element of a kind for an operand.
    pub fn element(&self, trial: &mut Trial) -> F::Elem {
        self.operand(trial, 1)[0]
    }

    /// An element that is not zero.
    pub fn unit(&self, trial: &mut Trial) -> F::Elem {
        match self.element(trial) {
            zero if zero == self.field().zero() => self.field().one(),
            unit => unit,
        }
    }

    /// A polynomial of at most this many coefficients, which may be zero.
    pub fn poly(&self, trial: &mut Trial, count: usize) -> Poly<F::Elem> {
        Poly::new(self.operand(trial, count))
    }

    /// The same, but not zero.
    pub fn nonzero_poly(&self, trial: &mut Trial, count: usize) -> Poly<F::Elem> {
        match self.poly(trial, count) {
            zero if zero.is_zero() => Poly::new(vec![self.field().one()]),
            poly => poly,
        }
    }

    pub fn rows(&self, elements: &[F::Elem]) -> Vec<u64> {
        let mut rows = vec![0; elements.len() * self.width];
        for (&element, row) in elements.iter().zip(rows.chunks_exact_mut(self.width)) {
            self.field().put(element, row);
        }
        rows
    }

    pub fn peer(&self, coefficients: &[F::Elem]) -> FmpzModPoly {
        FmpzModPoly::new(&self.modulus, &self.rows(coefficients), self.width)
    }

    pub fn peer_of(&self, poly: &Poly<F::Elem>) -> FmpzModPoly {
        self.peer(poly.coefficients())
    }

    /// The product by FLINT.
    pub fn product(&self, a: &[F::Elem], b: &[F::Elem]) -> FmpzModPoly {
        self.peer(a).times(&self.peer(b))
    }

    /// FLINT's coefficients as elements.
    pub fn elements_of(&self, peer: &FmpzModPoly) -> Vec<F::Elem> {
        let rows = peer.rows(self.width);
        let rows = rows.chunks_exact(self.width);
        rows.map(|row| self.field().element(row)).collect()
    }

    pub fn peer_element(&self, element: F::Elem) -> Fmpz {
        Fmpz::new(&self.rows(&[element]))
    }

    /// Compares elements with rows of limbs; they must be canonical, too.
    pub fn compare_rows(&self, trial: &mut Trial, what: &str, ours: &[F::Elem], theirs: &[u64]) {
        if let Some(at) = ours.iter().position(|&x| !self.field().is_canonical(x)) {
            trial.fail(format!("{what}: {:?} at {at} is not canonical", ours[at]));
        }
        trial.compare_rows(what, self.width, &self.rows(ours), theirs);
    }

    pub fn compare(
        &self,
        trial: &mut Trial,
        what: &str,
        ours: &Poly<F::Elem>,
        theirs: &FmpzModPoly,
    ) {
        self.compare_rows(trial, what, ours.coefficients(), &theirs.rows(self.width));
    }

    /// Compares a vector with a polynomial that has zeros beyond its end.
    pub fn compare_padded(
        &self,
        trial: &mut Trial,
        what: &str,
        ours: &[F::Elem],
        theirs: &FmpzModPoly,
    ) {
        let mut rows = theirs.rows(self.width);
        rows.resize(rows.len().max(ours.len() * self.width), 0);
        self.compare_rows(trial, what, ours, &rows);
    }
}

impl<F: Polynomial> Twin<F> {
    /// Polynomials over the field, with work cut as finely as the case wants it. Products keep their tables.
    pub fn ring(&self, trial: &Trial) -> PolyRing<F> {
        self.ring.clone().with_grain(trial.grain)
    }
}

/// What a case does in some field.
type Run<F> = Box<dyn Fn(&Twin<F>, &mut Trial) + Send + Sync>;

/// Cases in some field, by the end of their operation's name.
pub struct FieldCase<F: Peered> {
    name: String,
    shared: bool,
    run: Run<F>,
}

impl<F: Peered> FieldCase<F> {
    /// Of an operation whose work threads share.
    pub fn shared(
        name: impl Into<String>,
        run: impl Fn(&Twin<F>, &mut Trial) + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            shared: true,
            run: Box::new(run),
        }
    }

    /// Of one that has no threads.
    pub fn alone(
        name: impl Into<String>,
        run: impl Fn(&Twin<F>, &mut Trial) + Send + Sync + 'static,
    ) -> Self {
        Self {
            shared: false,
            ..Self::shared(name, run)
        }
    }
}

/// Fields of one type, each made when its first case comes.
pub struct Twins<F: Peered> {
    make: Vec<Box<dyn Fn() -> F + Send + Sync>>,
    made: Vec<OnceLock<Twin<F>>>,
}

impl<F: Peered> Twins<F> {
    fn new(make: Vec<Box<dyn Fn() -> F + Send + Sync>>) -> Self {
        let made = make.iter().map(|_| OnceLock::new()).collect();
        Self { make, made }
    }

    /// One of them.
    pub fn pick(&self, trial: &mut Trial) -> &Twin<F> {
        let index = trial.below(self.make.len());
        self.made[index].get_or_init(|| Twin::new((self.make[index])()))
    }
}

/// Primes below 2^31: the least, those with many roots of unity, the largest.
const PRIMES_32: [u32; 12] = [
    3,
    5,
    7,
    17,
    97,
    257,
    12289,
    65537,
    469_762_049,
    998_244_353,
    2_013_265_921,
    2_147_483_647,
];

/// Primes below 2^63: beside 2^31, 2^32 and 2^50, with many roots of unity, the largest.
const PRIMES_64: [u64; 12] = [
    3,
    2_147_483_659,
    4_294_967_291,
    4_294_967_311,
    (1 << 50) - 27,
    (1 << 50) + 55,
    (1 << 60) - (1 << 18) + 1,
    (1 << 61) - 1,
    (1 << 62) - 57,
    4_611_686_018_326_724_609,
    9_223_372_036_737_335_297,
    (1 << 63) - 25,
];

/// Primes below 2^50: the least, beside powers of two, with many roots of unity, the largest.
const PRIMES_50: [u64; 8] = [
    3,
    97,
    65537,
    469_762_049,
    2_147_483_659,
    4_294_967_291,
    1_125_844_072_267_777,
    (1 << 50) - 27,
];

pub fn words_50() -> Arc<Twins<Fp50>> {
    let make = |p: u64| -> Box<dyn Fn() -> Fp50 + Send + Sync> {
        Box::new(move || Fp50::new(p).expect("an odd prime"))
    };
    Arc::new(Twins::new(PRIMES_50.map(make).into()))
}

pub fn words_32() -> Arc<Twins<Fp32>> {
    let make = |p: u32| -> Box<dyn Fn() -> Fp32 + Send + Sync> {
        Box::new(move || Fp32::new(p).expect("an odd prime"))
    };
    Arc::new(Twins::new(PRIMES_32.map(make).into()))
}

pub fn words_64() -> Arc<Twins<Fp64>> {
    let make = |p: u64| -> Box<dyn Fn() -> Fp64 + Send + Sync> {
        Box::new(move || Fp64::new(p).expect("an odd prime"))
    };
    Arc::new(Twins::new(PRIMES_64.map(make).into()))
}

/// Radices of primes r^K + 1: small ones, and those of the primes with names.
pub fn big<const K: usize>() -> Arc<Twins<GeneralizedFermat<K>>> {
    let small: &[u64] = match K {
        2 => &[2, 4, 6, 10, 4_294_967_276, 18_446_744_073_709_551_544],
        4 => &[2, 4, 6, 16, 20],
        8 => &[2, 4, 118],
        16 => &[2, 44, 74],
        32 => &[30, 54],
        64 => &[102, 162],
        128 => &[120, 190],
        _ => &[278, 614],
    };
    let prime = |&radix: &u64| GeneralizedFermat::<K>::new(radix).is_ok();
    let named = sunzi_field::generalized_fermat::NAMED.into_iter();
    let named = named
        .filter(|prime| prime.digits == K)
        .map(|prime| prime.radix);
    let radices: Vec<u64> = small.iter().copied().filter(prime).chain(named).collect();
    let make = |radix: u64| -> Box<dyn Fn() -> GeneralizedFermat<K> + Send + Sync> {
        Box::new(move || GeneralizedFermat::new(radix).expect("a prime r^K + 1"))
    };
    Arc::new(Twins::new(radices.into_iter().map(make).collect()))
}

/// Cases of a family: their operations' first name, and against whom.
pub struct Family<F: Peered> {
    pub name: &'static str,
    pub against: &'static str,
    pub cases: Vec<FieldCase<F>>,
}

/// Operations `family-case-field` whose cases take any of the fields.
pub fn over<F: Peered>(
    field: &str,
    twins: &Arc<Twins<F>>,
    families: Vec<Family<F>>,
) -> Vec<Operation> {
    let mut operations = Vec::new();
    for family in families {
        for FieldCase { name, shared, run } in family.cases {
            let name = format!("{}-{name}-{field}", family.name);
            let twins = twins.clone();
            let case = move |trial: &mut Trial| run(twins.pick(trial), trial);
            operations.push(match shared {
                true => Operation::new(name, family.against, case),
                false => Operation::alone(name, family.against, case),
            });
        }
    }
    operations
}
