//! Division, greatest common divisors and resultants against their definitions.

use crate::modular;
use crate::support::{residues, words};
use sunzi_device::{Device, GpuError};
use sunzi_gpu::euclid::{Cofactors, Division, EuclidConfig, EuclidContext};
use sunzi_gpu::{ResidueWord, Word};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, convolution_mod, on_every_device};

on_every_device![
    pairs_of_31_bits_are_divided_as_defined,
    pairs_of_63_bits_are_divided_as_defined,
    what_no_group_takes_is_refused,
];
as_gpu![pairs_of_31_bits_are_divided_as_defined];

as_ptx![
    pairs_of_31_bits_are_divided_as_defined,
    pairs_of_63_bits_are_divided_as_defined,
];

/// The definitions, step by step with inverses.
#[derive(Clone, Copy)]
struct Naive(u64);

impl Naive {
    fn mul(self, a: u64, b: u64) -> u64 {
        modular::mul(a, b, self.0)
    }

    fn pow(self, x: u64, exponent: u64) -> u64 {
        modular::pow(x, exponent, self.0)
    }

    fn scaled(self, a: &[u64], by: u64) -> Vec<u64> {
        a.iter().map(|&x| self.mul(x, by)).collect()
    }

    fn divide(self, a: &[u64], b: &[u64]) -> Division<u64> {
        let (mut rest, b) = (trimmed(a.to_vec()), trimmed(b.to_vec()));
        let inverse = modular::inverse(b[b.len() - 1], self.0);
        let mut quotient = vec![0; (rest.len() + 1).saturating_sub(b.len())];
        while rest.len() >= b.len() {
            let place = rest.len() - b.len();
            let factor = self.mul(rest[rest.len() - 1], inverse);
            quotient[place] = factor;
            for (x, &y) in rest[place..].iter_mut().zip(&b) {
                *x = (*x + self.0 - self.mul(factor, y)) % self.0;
            }
            rest = trimmed(rest);
        }
        Division {
            quotient: trimmed(quotient),
            remainder: rest,
        }
    }

    fn gcd(self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let (mut a, mut b) = (trimmed(a.to_vec()), trimmed(b.to_vec()));
        while !b.is_empty() {
            let remainder = self.divide(&a, &b).remainder;
            (a, b) = (b, remainder);
        }
        let Some(&leading) = a.last() else { return a };
        self.scaled(&a, modular::inverse(leading, self.0))
    }

    /// a − b·c.
    fn less_product(self, a: &[u64], b: &[u64], c: &[u64]) -> Vec<u64> {
        let product = convolution_mod(b, c, self.0);
        let mut difference = a.to_vec();
        difference.resize(a.len().max(product.len()), 0);
        for (x, y) in difference.iter_mut().zip(product) {
            *x = (*x + (self.0 - y)) % self.0;
        }
        trimmed(difference)
    }

    /// Quotients of Euclid's algorithm, applied to 1, 0 and 0, 1.
    fn cofactors(self, a: &[u64], b: &[u64]) -> Cofactors<u64> {
        let mut x = [trimmed(a.to_vec()), vec![1], vec![]];
        let mut y = [trimmed(b.to_vec()), vec![], vec![1]];
        if x[0].len() < y[0].len() {
            (x, y) = (y, x);
        }
        while !y[0].is_empty() {
            let quotient = self.divide(&x[0], &y[0]).quotient;
            let rest = [0, 1, 2].map(|part| self.less_product(&x[part], &quotient, &y[part]));
            (x, y) = (y, rest);
        }
        let factor = x[0]
            .last()
            .map_or(1, |&leading| modular::inverse(leading, self.0));
        let [gcd, s, t] = x.map(|part| trimmed(self.scaled(&part, factor)));
        Cofactors { gcd, s, t }
    }

    /// res(a, b) = (−1)^(deg a deg b) lc(b)^(deg a − deg r) res(b, r) for r = a mod b.
    fn resultant(self, a: &[u64], b: &[u64]) -> u64 {
        let (mut a, mut b) = (trimmed(a.to_vec()), trimmed(b.to_vec()));
        if a.is_empty() || b.is_empty() {
            return 0;
        }
        let mut result = 1;
        while b.len() > 1 {
            let remainder = self.divide(&a, &b).remainder;
            if remainder.is_empty() {
                return 0;
            }
            if a.len() % 2 == 0 && b.len() % 2 == 0 {
                result = (self.0 - result) % self.0;
            }
            let leading = b[b.len() - 1];
            // A remainder of a itself drops nothing, and the degrees change places.
            let drop = a.len() - remainder.len();
            result = self.mul(result, self.pow(leading, drop as u64));
            (a, b) = (b, remainder);
        }
        self.mul(result, self.pow(b[0], a.len() as u64 - 1))
    }
}

fn trimmed(mut polynomial: Vec<u64>) -> Vec<u64> {
    let len = polynomial.iter().rposition(|&x| x != 0);
    polynomial.truncate(len.map_or(0, |last| last + 1));
    polynomial
}

/// Pairs that have what goes wrong: zeros, constants, common divisors, degrees that drop by many, lengths around those of
/// a group's threads and of a row.
fn pairs(prime: u64, row: usize) -> Vec<[Vec<u64>; 2]> {
    let mut random = Random::new(7);
    let mut of = |len: usize| random.residues(len, prime);
    let most = prime - 1;
    let mut pairs = vec![
        [vec![], vec![]],
        [vec![], vec![most]],
        [vec![2 % prime], vec![0, 0]],
        [vec![], vec![1, 1]],
        [vec![most], vec![2]],
        [vec![1, 2, 0, 0], vec![2]],
        [vec![2], vec![most, 0, most]],
        [vec![most; row], vec![most; row]],
        [vec![most; row], vec![most; row - 1]],
        [vec![1; 3], vec![most; row]],
        [vec![most, most], vec![1, 1]],
        [vec![], vec![2; row]],
        [vec![most; row], vec![]],
    ];
    for [n, m] in [
        [2, 2],
        [3, 2],
        [7, 8],
        [8, 8],
        [9, 8],
        [9, 17],
        [16, 3],
        [17, 16],
        [row - 1, row],
        [row, row / 2],
        [row, 1],
        [row, 2],
    ] {
        pairs.push([of(n), of(m)]);
    }
    // A common divisor of half the length.
    let common = of(row / 2 - 1);
    pairs.push(
        [of(row / 2), of(row / 3)].map(|cofactor| convolution_mod(&cofactor, &common, prime)),
    );
    // One divides the other.
    let divisor = trimmed(of(row / 2));
    pairs.push([convolution_mod(&divisor, &of(row / 2), prime), divisor]);
    // a = q b + r, where r is much shorter than b, and q longer than usual.
    for rest in [1, 2, row / 4] {
        let (quotient, b) = (of(row / 4), of(row / 2));
        let mut a = convolution_mod(&quotient, &b, prime);
        for (x, r) in a.iter_mut().zip(of(rest)) {
            *x = (*x + r) % prime;
        }
        pairs.push([a.clone(), b.clone()]);
        pairs.push([b, a]);
    }
    // x^n − 1 and x^m − 1: sparse, with x^gcd(n, m) − 1 in common.
    let power_less_one = |n: usize| {
        let mut polynomial = vec![0; n + 1];
        (polynomial[0], polynomial[n]) = (most, 1);
        polynomial
    };
    pairs.push([power_less_one(row - 4), power_less_one(row / 2 - 2)]);
    pairs.push([power_less_one(row - 1), power_less_one(row - 4)]);
    pairs
}

/// Pairs with operands of up to `longest` coefficients, of which the longer ones are taken by rounds.
fn check<E: ResidueWord>(device: &Device, prime: u64, config: EuclidConfig, longest: usize) {
    let naive = Naive(prime);
    let context = EuclidContext::with_config(device, E::WORD, prime, config).unwrap();
    let stream = device.stream().unwrap();
    let pairs = pairs(prime, longest);
    let operands: Vec<[Vec<E>; 2]> = pairs
        .iter()
        .map(|pair| pair.each_ref().map(|x| words(x)))
        .collect();
    let slices: Vec<[&[E]; 2]> = operands.iter().map(|[a, b]| [&a[..], &b[..]]).collect();
    let name = |place: usize| {
        format!(
            "{prime} {config:?} pair {place} {:?}",
            pairs[place].each_ref().map(Vec::len)
        )
    };
    let divisors = context.gcd_all(&stream, &slices).unwrap();
    let resultants = context.resultant_all(&stream, &slices).unwrap();
    let cofactors = context.xgcd_all(&stream, &slices).unwrap();
    for (place, [a, b]) in pairs.iter().enumerate() {
        let Cofactors { gcd, s, t } = &cofactors[place];
        let found = Cofactors {
            gcd: residues(gcd),
            s: residues(s),
            t: residues(t),
        };
        assert_eq!(found, naive.cofactors(a, b), "cofactors {}", name(place));
        assert_eq!(
            residues(&divisors[place]),
            naive.gcd(a, b),
            "gcd {}",
            name(place)
        );
        assert_eq!(
            resultants[place].residue(),
            naive.resultant(a, b),
            "resultant {}",
            name(place)
        );
    }
    let divisible: Vec<usize> = (0..pairs.len())
        .filter(|&place| pairs[place][1].iter().any(|&x| x != 0))
        .collect();
    let slices: Vec<[&[E]; 2]> = divisible.iter().map(|&place| slices[place]).collect();
    let divisions = context.divide_all(&stream, &slices).unwrap();
    for (&place, found) in divisible.iter().zip(&divisions) {
        let found = Division {
            quotient: residues(&found.quotient),
            remainder: residues(&found.remainder),
        };
        let [a, b] = &pairs[place];
        assert_eq!(found, naive.divide(a, b), "division {}", name(place));
    }
    // The same in words of 32 bits, of which a coefficient may have two.
    let in_words = slices.iter().map(|pair| pair.map(bytemuck::cast_slice));
    let in_words: Vec<[&[u32]; 2]> = in_words.collect();
    let found = context.resultant_all(&stream, &in_words).unwrap();
    let expected = divisible.iter().map(|&place| resultants[place]);
    assert_eq!(
        found,
        bytemuck::cast_slice::<E, u32>(&expected.collect::<Vec<_>>())
    );
    assert_eq!(
        (divisors.len(), resultants.len(), divisions.len()),
        (pairs.len(), pairs.len(), divisible.len())
    );
    assert!(context.gcd_all::<E>(&stream, &[]).unwrap().is_empty());
}

/// Few threads, short rows and few steps a round; several launches.
const SMALL: EuclidConfig = EuclidConfig {
    threads: 8,
    row: 20,
    pairs: 5,
    steps: 5,
};

fn pairs_of_31_bits_are_divided_as_defined(place: Place) {
    let Some(device) = place.device() else { return };
    for prime in [(1 << 31) - 1, 3, 469_762_049] {
        check::<u32>(&device, prime, SMALL, 80);
    }
    let suited = EuclidConfig::for_device(device.info(), Word::U32, 90);
    check::<u32>(&device, 3, EuclidConfig { row: 90, ..suited }, 200);
}

fn pairs_of_63_bits_are_divided_as_defined(place: Place) {
    let Some(device) = place.device() else { return };
    let config = EuclidConfig { steps: 2, ..SMALL };
    check::<u64>(&device, (1 << 63) - 25, config, 80);
    let prime = (1 << 60) - (1 << 18) + 1;
    // By rounds where that costs least to compile.
    let longest = place.pick(2 * config.row, config.row);
    check::<u64>(&device, prime, config, longest);
}

fn what_no_group_takes_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let config = SMALL;
    let configured = |config| EuclidContext::with_config(&device, Word::U32, 469_762_049, config);
    for threads in [0, usize::MAX] {
        let refused = configured(EuclidConfig { threads, ..config });
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
    for (row, pairs) in [(0, 1), (40, 0)] {
        let refused = configured(EuclidConfig {
            row,
            pairs,
            ..config
        });
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
    for steps in [0, 1] {
        let refused = configured(EuclidConfig { steps, ..config });
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
    for many in [1 << 30, usize::MAX] {
        for long in [
            EuclidConfig {
                row: many,
                ..config
            },
            EuclidConfig {
                steps: many,
                ..config
            },
        ] {
            let refused = configured(long);
            assert!(
                matches!(refused, Err(GpuError::Limits { .. })),
                "{refused:?}"
            );
        }
    }
    for number in [91, 2, 1 << 31] {
        let context = EuclidContext::with_config(&device, Word::U32, number, config);
        assert!(matches!(context, Err(GpuError::Shape(_))), "{number}");
    }
    let context = EuclidContext::with_config(&device, Word::U32, 469_762_049, config).unwrap();
    let one: &[u32] = &[1];
    let refused = context.resultant_all(&stream, &[[one, &[469_762_049]]]);
    assert!(
        matches!(&refused, Err(GpuError::Shape(said)) if said.contains("pair 0")),
        "{refused:?}"
    );
    let wide: &[u64] = &[1];
    let refused = context.gcd_all(&stream, &[[wide, wide]]);
    assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    let refused = context.divide_all(&stream, &[[one, one], [one, &[0, 0]]]);
    assert!(
        matches!(&refused, Err(GpuError::Shape(said)) if said.contains("pair 1 divides by zero")),
        "{refused:?}"
    );
}
