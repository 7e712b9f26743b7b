//! Numbers that are handed out: each is computed once, whoever is fast, and whatever fails on any rank.

use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Barrier, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use sunzi::images::Images;
use sunzi::matrix::{DenseMatrix, DeterminantImages};
use sunzi::scale::{SharedError, share_images};
use sunzi::solve::{ResultantImages, resultant};
use sunzi::{Cancel, Integer};
use sunzi_machine::threads::alone;
use sunzi_scale::internals::{Numbers, hand_out};
use sunzi_scale::{Alone, Gone, Ranks, Threads};

const RANKS: [usize; 4] = [1, 2, 3, 7];

/// What each rank gives, with one thread each; all end soon.
fn on_ranks<R: Send>(count: usize, work: impl Fn(&Threads) -> R + Sync) -> Vec<thread::Result<R>> {
    let start = Instant::now();
    let run = |rank: &Threads| catch_unwind(AssertUnwindSafe(|| alone(|| work(rank))));
    let ranks = Threads::new(count);
    let run = &run;
    let found = thread::scope(|scope| {
        let all: Vec<_> = ranks
            .iter()
            .map(|rank| scope.spawn(move || run(rank)))
            .collect();
        all.into_iter().map(|rank| rank.join().unwrap()).collect()
    });
    assert!(start.elapsed() < Duration::from_secs(60));
    found
}

#[derive(Clone, Debug, PartialEq)]
enum Error {
    Own(usize),
    Gone,
}

impl From<Gone> for Error {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// What a rank that did it all alone would find: the least end behind which no number is needed.
fn end(count: u64, telling_nothing: &BTreeSet<u64>) -> u64 {
    let mut end = 0;
    let mut left = count;
    while left > 0 {
        left -= u64::from(!telling_nothing.contains(&end));
        end += 1;
    }
    end
}

/// Hands numbers out, and checks that each one up to the end is computed once, and arrives as it was sent.
fn check(
    ranks: usize,
    numbers: Numbers,
    telling_nothing: &BTreeSet<u64>,
    pause: impl Fn(usize) -> Duration + Sync,
) -> Vec<u64> {
    let accepted = Mutex::new(Vec::new());
    let all = on_ranks(ranks, |rank| {
        let mut compute = |numbers: Range<u64>| {
            sleep(pause(rank.rank()) * (numbers.end - numbers.start) as u32);
            Ok::<_, Gone>(numbers.flat_map(u64::to_le_bytes).collect())
        };
        let mut accept = |numbers: Range<u64>, bytes: Vec<u8>| {
            let expected: Vec<u8> = numbers.clone().flat_map(u64::to_le_bytes).collect();
            assert_eq!(bytes, expected);
            accepted.lock().unwrap().extend(numbers.clone());
            Ok(numbers
                .filter(|number| telling_nothing.contains(number))
                .count() as u64)
        };
        hand_out(rank, numbers, &mut compute, &mut accept)
    });
    let mut all = all.into_iter().map(|found| found.unwrap().unwrap());
    let computed = all.next().unwrap();
    assert!(all.all(|of_others| of_others.is_empty()));
    let mut accepted = accepted.into_inner().unwrap();
    accepted.sort_unstable();
    let end = end(numbers.count, telling_nothing);
    assert!(
        accepted.into_iter().eq(0..end),
        "{ranks} ranks, {numbers:?}"
    );
    assert_eq!((computed.len(), computed.iter().sum()), (ranks, end));
    computed
}

#[test]
fn each_number_is_computed_once() {
    for ranks in RANKS {
        for count in [0, 1, 2, 3, 7, 8, 50, 1000, 100_000] {
            for grain in [0, 1, 3, 8, 5000] {
                check(ranks, Numbers { count, grain }, &BTreeSet::new(), |_| {
                    Duration::ZERO
                });
            }
        }
    }
}

#[test]
fn numbers_that_tell_nothing_have_others_in_their_place() {
    const COUNT: u64 = 20;
    let cases: [&[u64]; 8] = [
        &[0],
        &[19],
        &[20],
        &[0, 20, 21],
        &[18, 19, 20, 21, 22, 23],
        &[3, 4, 7, 8, 15, 16, 22, 23],
        &[19, 21, 23],
        &[
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
        ],
    ];
    for ranks in RANKS {
        for grain in [1, 4, 7] {
            for case in cases {
                let case = case.iter().copied().collect();
                let numbers = Numbers {
                    count: COUNT,
                    grain,
                };
                check(ranks, numbers, &case, |_| Duration::ZERO);
                // Each rank is the last one once.
                for slow in 0..ranks {
                    let pause = |rank| Duration::from_micros(if rank == slow { 500 } else { 0 });
                    check(ranks, numbers, &case, pause);
                }
            }
        }
    }
}

#[test]
fn who_is_fast_computes_more() {
    for slow in 0..3 {
        let pause = |rank| Duration::from_micros(if rank == slow { 20_000 } else { 500 });
        let numbers = Numbers {
            count: 600,
            grain: 1,
        };
        let computed = check(3, numbers, &BTreeSet::new(), pause);
        assert!((1..100).contains(&computed[slow]), "{computed:?}");
    }
}

/// What fails where.
#[derive(Clone, Copy, Debug)]
enum Failing {
    /// A batch of this rank: the first one, or a later one.
    Batch { rank: usize, later: bool },
    /// What rank 0 accepts of a rank.
    Accepting { rank: usize },
}

/// Each rank's end if something fails by this.
fn ends(
    ranks: usize,
    failing: Failing,
    fail: impl Fn(usize) -> Error + Sync,
) -> Vec<thread::Result<Result<Vec<u64>, Error>>> {
    on_ranks(ranks, |rank| {
        let own = rank.rank();
        let mut batches = 0;
        let mut compute = |numbers: Range<u64>| {
            // Others have something to do until the end.
            sleep(Duration::from_micros(200) * (numbers.end - numbers.start) as u32);
            batches += 1;
            match failing {
                Failing::Batch { rank, later }
                    if rank == own && batches == 1 + usize::from(later) =>
                {
                    Err(fail(own))
                }
                _ => Ok(vec![own as u8]),
            }
        };
        let mut accept = |numbers: Range<u64>, found: Vec<u8>| match failing {
            Failing::Accepting { rank } if found == [rank as u8] => Err(fail(0)),
            // There is no end to it.
            _ => Ok(numbers.end - numbers.start),
        };
        hand_out(
            rank,
            Numbers {
                count: 1000,
                grain: 1,
            },
            &mut compute,
            &mut accept,
        )
    })
}

fn failures(ranks: usize) -> impl Iterator<Item = (usize, Failing)> {
    (0..ranks).flat_map(|rank| {
        [
            (rank, Failing::Batch { rank, later: false }),
            (rank, Failing::Batch { rank, later: true }),
            (0, Failing::Accepting { rank }),
        ]
    })
}

#[test]
fn an_error_of_any_rank_ends_all() {
    for ranks in RANKS {
        for (culprit, failing) in failures(ranks) {
            for (rank, found) in ends(ranks, failing, Error::Own).into_iter().enumerate() {
                let expected = if rank == culprit {
                    Error::Own(rank)
                } else {
                    Error::Gone
                };
                assert_eq!(found.unwrap(), Err(expected), "{ranks} ranks, {failing:?}");
            }
        }
    }
}

#[test]
fn a_panic_of_any_rank_ends_all() {
    let panics = |_| std::panic::resume_unwind(Box::new("a panic"));
    for ranks in RANKS {
        for (culprit, failing) in failures(ranks) {
            for (rank, found) in ends(ranks, failing, panics).into_iter().enumerate() {
                match rank == culprit {
                    true => assert_eq!(found.unwrap_err().downcast_ref(), Some(&"a panic")),
                    false => assert_eq!(
                        found.unwrap(),
                        Err(Error::Gone),
                        "{ranks} ranks, {failing:?}"
                    ),
                }
            }
        }
    }
}

/// Also while it waits for the others.
#[test]
fn a_rank_that_is_cancelled_ends_all() {
    for cancelled in [0, 1] {
        let cancel = Cancel::new();
        let both_compute = Barrier::new(2);
        let found = on_ranks(2, |rank| {
            let own = rank.rank();
            let mut compute = |_: Range<u64>| {
                // Each has a number, and then the cancelled one waits for the other.
                both_compute.wait();
                if own != cancelled {
                    sleep(Duration::from_millis(100));
                    cancel.cancel();
                    sleep(Duration::from_millis(500));
                }
                Ok::<_, Error>(Vec::new())
            };
            let mut work = || {
                let numbers = Numbers { count: 2, grain: 1 };
                hand_out(rank, numbers, &mut compute, &mut |_, _| Ok(0))
            };
            match own == cancelled {
                true => cancel.run(work).map_err(|_| Error::Own(own)).flatten(),
                false => work(),
            }
        });
        let found: Vec<_> = found.into_iter().map(|found| found.unwrap()).collect();
        let expected = [0, 1].map(|rank| {
            Err(if rank == cancelled {
                Error::Own(rank)
            } else {
                Error::Gone
            })
        });
        assert_eq!(found, expected);
    }
}

fn matrix(order: usize) -> DenseMatrix<Integer> {
    DenseMatrix::from_fn(order, order, |i, j| {
        Integer::from(10).pow(10 * i) - Integer::from(7 * j * j + i)
    })
}

#[test]
fn determinants_are_those_of_one() {
    for order in [1, 2, 9] {
        let matrix = matrix(order);
        let job = DeterminantImages::new(&matrix).unwrap();
        let expected = matrix.determinant().unwrap();
        for ranks in RANKS {
            let mut all = on_ranks(ranks, |rank| share_images(&job, rank).unwrap()).into_iter();
            let first = all.next().unwrap().unwrap().unwrap();
            assert_eq!(first.value, expected);
            assert_eq!(first.images.iter().sum::<u64>(), job.needed());
            assert!(all.all(|other| other.unwrap().is_none()));
        }
        assert_eq!(share_images(&job, &Alone).unwrap().unwrap().value, expected);
    }
}

/// Those that divide both leading coefficients.
#[test]
fn primes_that_tell_nothing_are_left_out() {
    // The first, the third and the last of those that are needed, and the next.
    let below = [113, 161, 377, 545];
    let product = below.map(|distance| Integer::from((1u64 << 50) - distance));
    let leading = product
        .into_iter()
        .fold(Integer::ONE, |product, prime| product * prime);
    let of = |text: &str| format!("{leading}*x^2 + {text}").parse().unwrap();
    let (f, g) = (of("3*x - 7"), of("10^9*x + 1"));
    let job = ResultantImages::new(&f, &g);
    let expected = resultant(&f, &g).unwrap();
    for ranks in RANKS {
        let all = on_ranks(ranks, |rank| share_images(&job, rank).unwrap());
        let first = all.into_iter().next().unwrap().unwrap().unwrap();
        assert_eq!(first.value, expected);
        assert_eq!(first.images.iter().sum::<u64>(), job.needed() + 4);
    }
}

#[test]
fn what_needs_no_images_is_found() {
    let zero = DenseMatrix::from_fn(3, 3, |_, _| Integer::ZERO);
    let job = DeterminantImages::new(&zero).unwrap();
    let all = on_ranks(3, |rank| share_images(&job, rank).unwrap());
    let first = all.into_iter().next().unwrap().unwrap().unwrap();
    assert_eq!((first.value, first.images), (Integer::ZERO, vec![0; 3]));
}

#[test]
fn different_jobs_are_refused_by_all() {
    for other in 0..3 {
        let found = on_ranks(3, |rank| {
            let order = if rank.rank() == other { 4 } else { 3 };
            let job = DeterminantImages::new(&matrix(order)).unwrap();
            share_images(&job, rank).unwrap_err()
        });
        let told = if other == 0 { 1 } else { other };
        for found in found {
            assert_eq!(found.unwrap(), SharedError::OtherJob { rank: told });
        }
    }
}
