//! Sunzi on several threads against Sunzi on one: the second thread must pay where there is work for it,
//! and must never cost.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};

use sunzi_field::generalized_fermat::named_prime;

use super::{gfp_fft, nmod};
use crate::contender::{Case, Contender, Entrants, Group, Peer};
use crate::options::Options;
use crate::sample::Sample;
use crate::sunzi_side;

const LONG: Group = Group {
    name: "threads against one, from 2^16 on",
    goal: Some(0.58),
};
const SHORT: Group = Group {
    name: "threads against one, below 2^16",
    goal: Some(1.0),
};

const BIG_PRIMES: Group = Group {
    name: "threads against one, transforms mod r^k+1 from 2^12 on",
    goal: Some(0.56),
};

/// From this power of two on, a second thread has to pay for transforms modulo r^k + 1.
const BIG_PRIMES_LOG: u32 = 12;
/// From this power of two on, the second thread has to pay.
const LONG_LOG: u32 = 16;

/// Makes Sunzi's contender for a size.
type Make = fn(usize) -> Option<Box<dyn Contender>>;

const KINDS: [(&str, u32, Make); 6] = [
    ("product mod 469762049, length", 22, |length| {
        modular(nmod::PRIMES[0].0, length)
    }),
    ("product mod 2^31-19, length", 22, |length| {
        modular(nmod::PRIMES[1].0, length)
    }),
    ("product mod 2^62-57, length", 22, |length| {
        modular(nmod::PRIMES[3].0, length)
    }),
    ("Z[x] 64-bit, length", 18, |length| {
        let mut sample = Sample::new(length as u64);
        let mut operand = || -> Vec<_> {
            (0..length)
                .map(|_| (sample.word() & 1 == 1, sample.limbs(1)))
                .collect()
        };
        let (a, b) = (operand(), operand());
        sunzi_side::product_in_z(&a, &b, 3)
    }),
    ("integers, limbs", 22, |limbs| {
        let mut sample = Sample::new(limbs as u64);
        let (a, b) = (sample.limbs(limbs), sample.limbs(limbs));
        sunzi_side::integer_product(&a, &b)
    }),
    ("NTT 62-bit prime, points", 22, |length| {
        const P: u64 = 4_611_686_018_326_724_609;
        let input = Sample::new(length as u64).residues(length, P);
        sunzi_side::cyclic(P, &input, length)
    }),
];

fn modular(p: u64, length: usize) -> Option<Box<dyn Contender>> {
    let mut sample = Sample::new(p ^ length as u64);
    let (a, b) = (sample.residues(length, p), sample.residues(length, p));
    sunzi_side::product_mod(p, &a, &b)
}

/// A contender that runs in a pool of its own.
struct Pooled {
    pool: Arc<ThreadPool>,
    inner: Box<dyn Contender>,
}

impl Contender for Pooled {
    fn run(&mut self, times: usize) -> Option<f64> {
        let inner = &mut self.inner;
        self.pool.install(|| inner.run(times))
    }

    fn output(&self) -> Vec<u64> {
        self.inner.output()
    }
}

pub fn cases(options: &Options) -> Vec<Case> {
    let pools = Pools::new(options);
    let mut cases = Vec::new();
    for (name, last, make) in KINDS {
        for log in options.logs(6, last) {
            let group = if log >= LONG_LOG { LONG } else { SHORT };
            let name = format!("{name} 2^{log}");
            cases.push(pools.case(group, name, 1 << log, move || make(1 << log)));
        }
    }
    cases.extend(big_primes(options));
    cases
}

/// Transforms modulo the primes of one size after the other.
pub fn big_primes(options: &Options) -> Vec<Case> {
    let pools = Pools::new(options);
    let mut cases = Vec::new();
    for prime in gfp_fft::PRIMES.into_iter().filter_map(named_prime) {
        let logs = gfp_fft::logs(prime);
        for log in options.logs(BIG_PRIMES_LOG, *logs.end()) {
            if logs.contains(&log) {
                let name = format!("transform mod {}, points 2^{log}", prime.name);
                cases.push(pools.case(BIG_PRIMES, name, 1 << log, move || {
                    let p = super::big_primes::modulus(prime);
                    let input = gfp_fft::input(prime, &p, log);
                    sunzi_side::big_prime_transform(prime, &input, p.len())
                }));
            }
        }
    }
    cases
}

/// The pools of several threads and of one.
struct Pools {
    many: Arc<ThreadPool>,
    one: Arc<ThreadPool>,
}

impl Pools {
    fn new(options: &Options) -> Self {
        let pool = |threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            Arc::new(pool.expect("the system gives the threads asked for"))
        };
        Self {
            many: pool(usize::from(options.threads).max(2)),
            one: pool(1),
        }
    }

    /// The case of what `make` makes, in the one pool and in the other.
    fn case(
        &self,
        group: Group,
        name: String,
        size: u64,
        make: impl Fn() -> Option<Box<dyn Contender>> + Send + Sync + 'static,
    ) -> Case {
        let (many, one) = (self.many.clone(), self.one.clone());
        Case {
            section: "threads",
            group,
            name,
            size,
            build: Box::new(move |_| {
                let in_pool = |pool: &Arc<ThreadPool>| -> Option<Box<dyn Contender>> {
                    let inner = make()?;
                    let pool = pool.clone();
                    Some(Box::new(Pooled { pool, inner }))
                };
                Entrants {
                    sunzi: in_pool(&many),
                    peers: in_pool(&one)
                        .map(|alone| Peer::exact("Sunzi on 1 thread", alone))
                        .into_iter()
                        .collect(),
                }
            }),
        }
    }
}
