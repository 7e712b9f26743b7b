//! Every arithmetic on edge residues crossed with each other, against 128-bit integers.

use sunzi_field::lanes::{Lanes, LanesField, LanesTask, MAX_LANES};
use sunzi_field::primality::is_prime;
use sunzi_field::{Fp32, Fp50, Fp64, Fp64Full};
use sunzi_machine::simd::InstructionSet;

/// The residues next to every bound that an arithmetic has.
fn edges(p: u64) -> Vec<u64> {
    let mut edges = vec![0, 1, 2, p - 1, p - 2, p / 2, p / 2 + 1, p / 3, p - p / 3];
    edges.extend([31, 32, 48, 52, 61].map(|bits| (1u64 << bits) % p));
    edges.extend([31, 32, 48, 52, 61].map(|bits| ((1u64 << bits) - 1) % p));
    edges
}

/// What one vector goes through: a chain of operations, as deep as transforms go without export.
struct Chain<W> {
    a: [W; MAX_LANES],
    b: [W; MAX_LANES],
    t: [u64; 3],
    one: u64,
}

impl<W: Copy + Default + Send + Sync + 'static> LanesTask<W> for Chain<W> {
    type Output = (u64, Vec<[W; MAX_LANES]>);

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) -> Self::Output {
        let prepared = |value: u64| {
            let mut entry = [W::default(); 2];
            lanes.prepare(value, &mut entry[..L::TWIDDLE_WORDS]);
            entry
        };
        let mut out = vec![];
        let t = self.t.map(|t| lanes.twiddle(&prepared(t)));
        let one = lanes.twiddle(&prepared(self.one));
        // SAFETY: arrays of as many words as any vector has lanes.
        let [a, b] = [self.a, self.b].map(|x| lanes.import(unsafe { lanes.load(x.as_ptr()) }));
        let mut keep = |v: L::Vector, canonical: bool| {
            let mut words = [W::default(); MAX_LANES];
            let v = if canonical {
                lanes.canonical(v)
            } else {
                lanes.export(v, one)
            };
            // SAFETY: an array of as many words as any vector has lanes.
            unsafe { lanes.store(words.as_mut_ptr(), v) };
            out.push(words);
        };
        let (sum, difference) = lanes.forward(a, b, t[0]);
        keep(sum, false);
        keep(difference, true);
        // Eight forward levels without a pause: ranges must not grow.
        let mut x = [a, b, b, a];
        for round in 0..4 {
            // Either column in turn.
            let other = [b, a, a, b];
            if round % 2 == 0 {
                [_, x] = lanes.forward4([other, x], t);
            } else {
                [x, _] = lanes.forward4([x, other], t);
            }
        }
        for v in x {
            keep(v, true);
        }
        for v in x {
            keep(v, false);
        }
        keep(lanes.mul(x[0], x[3]), true);
        let operands = [a, lanes.scale(x[1], t[0]), lanes.mul(x[0], x[3])];
        keep(lanes.combine3([x[0], b, x[2]], operands), true);
        keep(lanes.combine3([a, x[1], b], [b; 3]), false);
        keep(lanes.add(x[1], x[2]), true);
        keep(lanes.sub(x[1], x[2]), false);
        keep(lanes.scale(x[2], t[1]), true);
        let (sum, product) = lanes.inverse(a, b, t[2]);
        keep(sum, true);
        keep(product, false);
        let mut z = [a, b, lanes.sub(a, b), lanes.add(x[0], x[1])];
        for round in 0..4 {
            let other = [a, b, b, a];
            if round % 2 == 0 {
                [z, _] = lanes.inverse4([z, other], t);
            } else {
                [_, z] = lanes.inverse4([other, z], t);
            }
        }
        for v in z {
            keep(v, true);
        }
        (lanes.mul_factor(), out)
    }
}

/// The same chain on one residue, in 128-bit integers.
fn expected(p: u64, a: u64, b: u64, t: [u64; 3], factor: u64) -> Vec<u64> {
    let add = |x: u64, y: u64| ((u128::from(x) + u128::from(y)) % u128::from(p)) as u64;
    let sub = |x: u64, y: u64| add(x, p - y);
    let mul = |x: u64, y: u64| (u128::from(x) * u128::from(y) % u128::from(p)) as u64;
    let forward = |a: u64, b: u64, t: u64| (add(a, mul(b, t)), sub(a, mul(b, t)));
    let inverse = |a: u64, b: u64, t: u64| (add(a, b), mul(sub(b, a), t));
    let mut out = vec![];
    let (sum, difference) = forward(a, b, t[0]);
    out.extend([sum, difference]);
    let mut x = [a, b, b, a];
    for _ in 0..4 {
        let ((y0, y2), (y1, y3)) = (forward(x[0], x[2], t[0]), forward(x[1], x[3], t[0]));
        let ((z0, z1), (z2, z3)) = (forward(y0, y1, t[1]), forward(y2, y3, t[2]));
        x = [z0, z1, z2, z3];
    }
    out.extend(x);
    out.extend(x);
    let product = mul(factor, mul(x[0], x[3]));
    out.push(product);
    let combine = |factors: [u64; 3], x: [u64; 3]| {
        let products = [0, 1, 2].map(|i| mul(factors[i], x[i]));
        mul(factor, products.into_iter().fold(0, add))
    };
    out.push(combine([x[0], b, x[2]], [a, mul(x[1], t[0]), product]));
    out.push(combine([a, x[1], b], [b; 3]));
    out.extend([add(x[1], x[2]), sub(x[1], x[2]), mul(x[2], t[1])]);
    let (sum, product) = inverse(a, b, t[2]);
    out.extend([sum, product]);
    let mut z = [a, b, sub(a, b), add(x[0], x[1])];
    for _ in 0..4 {
        let ((y0, y1), (y2, y3)) = (inverse(z[0], z[1], t[1]), inverse(z[2], z[3], t[2]));
        let ((x0, x2), (x1, x3)) = (inverse(y0, y2, t[0]), inverse(y1, y3, t[0]));
        z = [x0, x1, x2, x3];
    }
    out.extend(z);
    out
}

fn check<F: LanesField>(field: &F, p: u64)
where
    F::Elem: 'static,
{
    let edges = edges(p);
    for kernel in InstructionSet::ALL {
        if !kernel.is_available() {
            println!("skipped: this processor has no {kernel}");
            continue;
        }
        for (i, &a) in edges.iter().enumerate() {
            for (j, &b) in edges.iter().enumerate() {
                let t = [
                    edges[(i + j) % edges.len()],
                    edges[(i * 7 + 3) % edges.len()],
                    p - 1,
                ];
                // Another residue in every lane.
                let lane = |k: usize, first: u64| {
                    let far = u128::from(first) + k as u128 * u128::from(p / 17);
                    (far % u128::from(p)) as u64
                };
                let a: [u64; MAX_LANES] = std::array::from_fn(|k| lane(k, a));
                let b: [u64; MAX_LANES] = std::array::from_fn(|k| lane(k, b));
                let chain = Chain {
                    a: a.map(|x| field.from_word(x)),
                    b: b.map(|x| field.from_word(x)),
                    t,
                    one: 1,
                };
                let (factor, outcome) = field.dispatch(kernel, chain);
                let lanes = field.dispatch(kernel, CountLanes);
                for k in 0..lanes {
                    let expected = expected(p, a[k], b[k], t, factor);
                    let found: Vec<u64> = outcome
                        .iter()
                        .map(|words| field.to_word(words[k]))
                        .collect();
                    assert_eq!(
                        found, expected,
                        "p = {p}, {kernel}, lane {k}, {} {}",
                        a[k], b[k]
                    );
                }
            }
        }
    }
}

struct CountLanes;

impl<W> LanesTask<W> for CountLanes {
    type Output = usize;
    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, _lanes: L) -> usize {
        L::LANES
    }
}

/// The primes on either side of a bound.
fn around(bound: u64) -> [u64; 2] {
    let below = (3..bound).rev().find(|&n| is_prime(n)).unwrap();
    let above = (bound..).find(|&n| is_prime(n)).unwrap();
    [below, above]
}

#[test]
fn words_of_32_bits() {
    let bounds = [1 << 29, 1 << 30].map(around);
    let below_31 = around(1 << 31)[0];
    for p in bounds
        .into_iter()
        .flatten()
        .chain([3, 5, 97, 65_537, 469_762_049, below_31])
    {
        check(&Fp32::new(p as u32).unwrap(), p);
    }
}

#[test]
fn words_of_50_bits() {
    for p in [
        3,
        97,
        469_762_049,
        around(1 << 49)[0],
        around(1 << 49)[1],
        around(1 << 50)[0],
    ] {
        check(&Fp50::new(p).unwrap(), p);
    }
}

#[test]
fn words_of_64_bits() {
    for p in around(1 << 63).into_iter().chain([3, u64::MAX - 58]) {
        check(&Fp64Full::new(p).unwrap(), p);
    }
}

#[test]
fn words_of_63_bits() {
    let bounds = [1 << 32, 1 << 61, (1 << 62) - (1 << 31), 1 << 62].map(around);
    let below_63 = around(1 << 63)[0];
    for p in bounds
        .into_iter()
        .flatten()
        .chain([3, 97, 4_611_686_018_326_724_609, below_63])
    {
        check(&Fp64::new(p).unwrap(), p);
    }
}
