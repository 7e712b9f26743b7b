//! Products modulo several primes among ranks: byte for byte what GMP finds, carries from rank to rank, and whatever fails on any of them.

use crate::combined::{Case, Kind, Words, cases, residues, words};
use crate::support::{Fault, Faulty, on_ranks, paths};
use std::fs;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use sunzi_machine::memory::Budget;
use sunzi_scale::{FileProduct, Gone, Plan, Ranks, Report, Route, ScaleError};
use sunzi_testkit::edge_limb_vectors;

/// More than there are bands, too.
const RANKS: [usize; 6] = [1, 2, 3, 4, 7, 9];

fn all_finish(product: &FileProduct, ranks: usize) -> Vec<Report> {
    let finish = |rank| finished(product.clone().among(rank)).unwrap();
    on_ranks(ranks, finish)
}

fn finished(product: FileProduct) -> Result<Report, ScaleError> {
    product.start().and_then(|started| started.finish())
}

/// The plan for so many ranks, which put their own columns together or, where limbs carry, rows.
fn among(ranks: usize, plan: Plan, kind: Kind) -> Plan {
    let plan = Plan { ranks, ..plan };
    match kind {
        Kind::Limbs => plan,
        _ => Plan {
            combined_rows: plan.height,
            combined_columns: plan.band_columns,
            ..plan
        },
    }
}

#[test]
fn ranks_give_the_bytes_of_one() {
    for lengths in [[0, 5], [1, 1], [2, 1], [5, 4], [8, 9], [17, 16]] {
        for case in cases(lengths) {
            for ranks in RANKS {
                let told = format!("{:?} {lengths:?} on {ranks}", case.kind);
                let reports = all_finish(&case.product(), ranks);
                case.check(&told);
                let plan = reports[0].plan;
                assert_eq!(
                    (plan.ranks, plan.passes() > 1),
                    (ranks, ranks > 1),
                    "{told}"
                );
                assert!(reports.iter().all(|report| report.plan == plan), "{told}");
                all_finish(&case.product().without_scratch(), ranks);
                case.check(&told);
            }
        }
    }
}

#[test]
fn every_matrix_in_every_kind_of_bands_on_any_ranks() {
    let modulus = (1 << 61) - 1;
    let operands = [
        (Kind::Limbs, words(9, 8, false, 1), words(7, 8, false, 2)),
        (Kind::Integers, words(9, 8, true, 3), words(8, 4, true, 4)),
        (
            Kind::Modulo(modulus),
            residues(9, modulus, 8, 5),
            residues(5, modulus, 8, 6),
        ),
    ];
    for (kind, a, b) in operands {
        let case = Case::new(kind, [&a, &b]);
        for log_height in 0..=4 {
            let (height, width) = (1usize << log_height, 16 >> log_height);
            for bands in [
                [1, 1, 1],
                [width, height, height],
                [width.div_ceil(2), 1, height.div_ceil(2)],
                [1, height.div_ceil(2), 1],
            ] {
                for ranks in RANKS {
                    // By rows all can be put together.
                    let by_rows = Plan {
                        ranks,
                        ..case.plan(height, bands)
                    };
                    for plan in [by_rows, among(ranks, by_rows, kind)] {
                        let told = format!(
                            "{kind:?} {plan} {:?}",
                            [plan.combined_rows, plan.combined_columns]
                        );
                        all_finish(&case.product().by(plan), ranks);
                        case.check(&told);
                        all_finish(&case.product().by(plan).without_scratch(), ranks);
                        case.check(&told);
                    }
                }
            }
        }
    }
}

/// Limbs whose product by B + 1 has, before anything is carried, 1, B, and B − 1 over and over: a carry runs through all of them.
fn run_of_ones(count: usize) -> Vec<u64> {
    (0..count)
        .map(|i| {
            if i == 0 {
                1
            } else {
                (i as u64 % 2).wrapping_neg()
            }
        })
        .collect()
}

#[test]
fn a_carry_runs_through_the_bands_of_all_ranks() {
    let count = 30;
    let whole = run_of_ones(count);
    let other = Words::long(vec![1, 1]);
    // The run is whole, or ends somewhere; then it begins again or does not.
    let mut operands = vec![whole.clone()];
    for at in 1..count {
        let mut ends = whole.clone();
        ends[at] = ends[at].saturating_sub(1);
        let mut begins = whole.clone();
        begins[at] = begins[at].wrapping_add(1);
        operands.extend([ends, begins]);
    }
    for (i, operand) in operands.into_iter().enumerate() {
        let case = Case::new(Kind::Limbs, [&Words::long(operand), &other]);
        // Bands of one limb, of two, of three or more, and more ranks than bands.
        for (height, rows) in [(32, 1), (32, 2), (16, 2), (4, 1)] {
            let ranks = RANKS[1 + (i + height) % 5];
            let plan = Plan {
                ranks,
                ..case.plan(height, [1, 1, rows])
            };
            all_finish(&case.product().by(plan), ranks);
            case.check(&format!("{i} {plan}"));
        }
    }
}

#[test]
fn limbs_at_the_seams_of_ranks() {
    for edges in edge_limb_vectors(16) {
        let edges = Words::long(edges);
        for other in [&words(16, 8, false, 1), &edges] {
            let case = Case::new(Kind::Limbs, [&edges, other]);
            for bands in [[1, 1, 1], [2, 2, 4]] {
                let plan = Plan {
                    ranks: 3,
                    ..case.plan(8, bands)
                };
                all_finish(&case.product().by(plan), 3);
                case.check(&format!("{:x?} {plan}", edges.words));
            }
        }
    }
}

#[test]
fn a_file_twice_is_a_square_on_ranks() {
    let modulus = (1 << 61) - 1;
    for (kind, operand) in [
        (Kind::Limbs, words(13, 8, false, 1)),
        (Kind::Integers, words(13, 8, true, 2)),
        (Kind::Modulo(modulus), residues(13, modulus, 8, 3)),
    ] {
        let mut case = Case::new(kind, [&operand; 2]);
        case.files[1] = case.files[0].clone();
        let reports = all_finish(&case.product(), 3);
        assert_eq!(reports[0].plan.route, Route::Square);
        case.check(&format!("{kind:?}"));
    }
}

/// A rank that counts what it sends to others in blocks.
#[derive(Debug)]
struct Counting(Arc<dyn Ranks>, Arc<AtomicU64>);

impl Ranks for Counting {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn all_to_all(&self, send: &[u8], received: &mut [u8]) -> Result<(), Gone> {
        let others = send.len() / self.size() * (self.size() - 1);
        self.1.fetch_add(others as u64, Relaxed);
        self.0.all_to_all(send, received)
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Gone> {
        self.0.gather(own)
    }

    fn send(&self, to: usize, message: &[u8]) -> Result<(), Gone> {
        self.0.send(to, message)
    }

    fn receive(&self) -> Result<Option<(usize, Vec<u8>)>, Gone> {
        self.0.receive()
    }

    fn leave(&self) {
        self.0.leave();
    }
}

#[test]
fn each_prime_takes_three_exchanges_and_limbs_one_more() {
    for case in cases([60, 50]) {
        for ranks in [2, 4] {
            let count = Arc::new(AtomicU64::new(0));
            let product = case.product().without_scratch();
            let reports = on_ranks(ranks, |rank| {
                finished(
                    product
                        .clone()
                        .among(Arc::new(Counting(rank, Arc::clone(&count)))),
                )
                .unwrap()
            });
            let (plan, sent) = (reports[0].plan, reports[0].sent);
            let exchanges = match case.kind {
                Kind::Limbs => 4,
                _ => 3,
            };
            let vector = 8 * (plan.height * plan.width) as u64;
            let others = ranks as u64 - 1;
            let told = format!("{:?} {plan}", case.kind);
            assert_eq!(
                sent,
                (exchanges * plan.primes) as u64 * vector / ranks as u64 * others,
                "{told}"
            );
            assert_eq!(count.load(Relaxed), sent, "{told}");
            case.check(&told);
        }
    }
}

#[test]
fn plans_keep_within_the_memory_of_a_rank() {
    let modulus = (1 << 61) - 1;
    let lengths = [70_000, 60_001];
    let operands = [
        (
            Kind::Limbs,
            lengths.map(|length| words(length, 8, false, 1)),
        ),
        (
            Kind::Modulo(modulus),
            lengths.map(|length| residues(length, modulus, 8, 2)),
        ),
    ];
    for (kind, [a, b]) in operands {
        let case = Case::new(kind, [&a, &b]);
        for (limit, in_memory) in [(3_000_000, false), (1_500_000, false), (4_000_000, true)] {
            let product = case.product().within(Budget::within(Some(limit)));
            let product = match in_memory {
                true => product.without_scratch(),
                false => product,
            };
            let reports = all_finish(&product, 3);
            let plan = reports[0].plan;
            let by_columns = plan.combined_columns < plan.width;
            assert!(
                plan.memory <= limit && by_columns != (kind == Kind::Limbs),
                "{plan}"
            );
            let moved: u64 = reports
                .iter()
                .map(|report| report.read + report.written)
                .sum();
            // Each looks again and again whether the inputs are what they were.
            assert!(
                moved >= plan.moved() && moved < plan.moved() + 3 * 2_000_000,
                "{moved} {plan}"
            );
            case.check(&plan.to_string());
        }
    }
}

#[test]
fn limbs_are_not_put_together_by_columns() {
    let case = Case::new(
        Kind::Limbs,
        [&words(9, 8, false, 1), &words(7, 8, false, 2)],
    );
    let plan = case.plan(4, [2, 2, 4]);
    let plan = Plan {
        combined_columns: 2,
        ..plan
    };
    let error = case
        .product()
        .by(plan)
        .start()
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(error.contains("the plan is not for it"), "{error}");
}

/// A product over Z and one of integers, through which a carry runs, with bands for several rounds of three ranks.
fn long_and_carrying() -> [(Case, Plan); 2] {
    let limbs = [&Words::long(run_of_ones(12)), &Words::long(vec![1, 1])];
    let coefficients = [&words(9, 4, true, 1), &words(7, 4, true, 2)];
    [
        (Kind::Limbs, limbs, [2, 2, 1]),
        (Kind::Integers, coefficients, [1, 2, 1]),
    ]
    .map(|(kind, operands, bands)| {
        let case = Case::new(kind, operands);
        let plan = among(3, case.plan(4, bands), kind);
        (case, plan)
    })
}

#[test]
fn a_rank_that_fails_ends_all_and_nothing_is_lost() {
    for (case, plan) in long_and_carrying() {
        let (mut failed, mut resumed) = (0, 0);
        for failing in 0..3 {
            for call in (0..).step_by(3) {
                let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
                let product = case.product().by(plan);
                let found = on_ranks(3, |rank| {
                    let product = match rank.rank() == failing {
                        true => product.clone().on(disk.clone()),
                        false => product.clone(),
                    };
                    finished(product.among(rank))
                });
                let told = format!("{:?}: rank {failing} at call {call}", case.kind);
                if disk.calls.load(Relaxed) <= call {
                    assert!(found.iter().all(Result::is_ok), "{told}");
                    case.check(&told);
                    break;
                }
                // Whoever knows that the result is there may say so.
                if found.iter().any(Result::is_err) {
                    failed += 1;
                    let again = on_ranks(3, |rank| finished(product.clone().among(rank)));
                    assert!(again.iter().all(Result::is_ok), "{told}: {again:?}");
                    let where_on = again.into_iter().map(|report| report.unwrap().resumed);
                    let where_on: Vec<_> = where_on.collect();
                    assert!(
                        where_on.iter().all(|on| *on == where_on[0]),
                        "{told}: {where_on:?}"
                    );
                    resumed += usize::from(
                        where_on[0].is_some_and(|on| on.pass == plan.passes() && on.band > 1),
                    );
                }
                case.check(&told);
            }
        }
        assert!(failed > 100, "{failed}");
        // Within the pass that puts residues together, behind its first round.
        assert!(resumed > 0, "{:?}", case.kind);
    }
}

#[test]
fn a_product_that_is_wrong_is_not_told_on_ranks() {
    for (case, plan) in long_and_carrying() {
        let product = case.product().by(plan);
        // A job that ends in its last pass, or behind it.
        let scratch = &paths(case.folder.path())[2];
        let lines_of = |folder: fs::DirEntry| {
            let path = folder.path().join("journal");
            let text = fs::read_to_string(&path).unwrap_or_default();
            (path, text)
        };
        let of_last = format!("band {} ", plan.passes() - 1);
        let mut begun = None;
        for call in (0..).step_by(3) {
            let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
            on_ranks(3, |rank| {
                let product = match rank.rank() {
                    0 => product.clone().on(disk.clone()),
                    _ => product.clone(),
                };
                finished(product.fresh(true).among(rank)).map(|_| ())
            });
            let mut journals = fs::read_dir(scratch)
                .unwrap()
                .map(|folder| lines_of(folder.unwrap()));
            begun = journals.find(|(_, text)| text.contains(&of_last));
            if begun.is_some() {
                break;
            }
        }
        // What a band of the first operand came to is changed, with the sum of the line.
        let (path, text) = begun.unwrap();
        let line = text.lines().next().unwrap();
        let (told, _) = line.rsplit_once(' ').unwrap();
        let (before, share) = told.rsplit_once(' ').unwrap();
        let told = format!("{before} {}", if share == "1" { "0" } else { "1" });
        let changed = format!(
            "{told} {:016x}",
            xxhash_rust::xxh3::xxh3_64(told.as_bytes())
        );
        fs::write(path, text.replacen(line, &changed, 1)).unwrap();
        let found = on_ranks(3, |rank| finished(product.clone().among(rank)));
        let errors = found
            .iter()
            .filter_map(|found| found.as_ref().err().map(ToString::to_string));
        let errors: Vec<_> = errors.collect();
        assert!(errors.len() == 3, "{errors:?}");
        assert!(
            errors
                .iter()
                .any(|error| error.contains("by its definition")),
            "{errors:?}"
        );
        assert!(!paths(case.folder.path())[1].exists());
    }
}
