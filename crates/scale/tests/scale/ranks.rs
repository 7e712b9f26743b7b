//! Jobs of several ranks, which are threads here: byte for byte what one rank finds, and whatever fails on any of them.

use crate::support::{Case, Fault, Faulty, fields, folder, on_ranks, paths};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use sunzi_dft::Direction;
use sunzi_field::AnyField;
use sunzi_machine::memory::Budget;
use sunzi_scale::npy::Header;
use sunzi_scale::{FileProduct, FileTransform, Order, Ranks, Report, Route, ScaleError, Threads};
use sunzi_testkit::{Random, long_convolution_mod};

fn finished(transform: FileTransform) -> Result<Report, ScaleError> {
    transform.start().and_then(|started| started.finish())
}

#[test]
fn ranks_give_the_bytes_of_one() {
    for field in fields(7) {
        for log_n in [1, 2, 5, 7] {
            for order in [Order::Natural, Order::Transposed] {
                for direction in [Direction::Forward, Direction::Inverse] {
                    let word = if field.word_bits() == 32 { 4 } else { 8 };
                    for ranks in [2, 3, 4, 7, 9] {
                        // The matrix of values is that of the plan, or was given.
                        let given = order == Order::Transposed && direction == Direction::Inverse;
                        let height = if given { 1 << (log_n / 2) } else { 1 };
                        let case = Case::new(&field, log_n, height, direction, order, word);
                        let folder = folder();
                        drop(case.in_folder(folder.path()));
                        let transform = case.in_folder(folder.path()).without_scratch();
                        let reports = on_ranks(ranks, |rank| {
                            finished(transform.clone().among(rank)).unwrap()
                        });
                        let plan = reports[0].plan;
                        assert_eq!((plan.ranks, plan.passes() > 1), (ranks, true));
                        assert!(reports.iter().all(|report| report.plan == plan));
                        let of_plan = Case::new(&field, log_n, plan.height, direction, order, word);
                        of_plan.check(
                            folder.path(),
                            &format!("{field} {direction:?} {order:?} {plan}"),
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_shape_of_bands_on_any_ranks() {
    let field = AnyField::modulo_word(469_762_049).unwrap();
    for order in [Order::Natural, Order::Transposed] {
        for direction in [Direction::Forward, Direction::Inverse] {
            let case = Case::new(&field, 8, 16, direction, order, 4);
            for bands in [[1, 1, 1], [4, 2, 8], [16, 16, 16], [2, 16, 1], [16, 1, 4]] {
                for ranks in 1..=7 {
                    let folder = folder();
                    let [columns, rows, moved] = bands;
                    let mut plan = case.plan(columns, rows, moved);
                    plan.ranks = ranks;
                    let transform = case.in_folder(folder.path()).by(plan);
                    // Folders for scratch files of all ranks are in one.
                    let reports = on_ranks(ranks, |rank| {
                        finished(transform.clone().among(rank)).unwrap()
                    });
                    let told = format!("{order:?} {direction:?} {plan}");
                    case.check(folder.path(), &told);
                    let sent: u64 = reports[0].sent;
                    let exchanges = if plan.route == Route::Natural { 2 } else { 1 };
                    assert_eq!(
                        sent,
                        exchanges * 1024 / ranks as u64 * (ranks as u64 - 1),
                        "{told}"
                    );
                    if ranks > 1 {
                        let transform = case.in_folder(folder.path()).by(plan).without_scratch();
                        on_ranks(ranks, |rank| {
                            finished(transform.clone().among(rank)).unwrap()
                        });
                        case.check(folder.path(), &told);
                    }
                }
            }
        }
    }
}

fn written(path: &Path, words: &[u64]) {
    let header = Header {
        word: 8,
        is_signed: false,
        shape: vec![words.len()],
    };
    let mut bytes = header.bytes();
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    fs::write(path, bytes).unwrap();
}

#[test]
fn products_and_squares() {
    let p = 4_611_686_018_326_724_609;
    let field = AnyField::modulo_word(p).unwrap();
    let mut random = Random::new(4);
    for [la, lb] in [[1, 1], [5, 9], [700, 600], [3000, 1]] {
        let [a, b] = [la, lb].map(|length| random.residues(length, p));
        let folder = folder();
        let [x, y, scratch] = paths(folder.path());
        let z = folder.path().join("z.npy");
        fs::create_dir(&scratch).unwrap();
        written(&x, &a);
        written(&z, &b);
        for (other, factor) in [(&z, &b), (&x, &a)] {
            let expected = long_convolution_mod(&a, factor, p);
            for ranks in [2, 3, 4] {
                let product = FileProduct::new(&field, &x, other, &y, &scratch);
                let reports = on_ranks(ranks, |rank| {
                    let started = product.clone().among(rank).start();
                    started.unwrap().finish().unwrap()
                });
                assert!(reports[0].plan.passes() >= 3);
                let header = Header {
                    word: 8,
                    is_signed: false,
                    shape: vec![expected.len()],
                };
                let mut bytes = header.bytes();
                bytes.extend(expected.iter().flat_map(|word| word.to_le_bytes()));
                assert!(fs::read(&y).unwrap() == bytes, "{la} {lb} {ranks}");
                assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
                fs::remove_file(&y).unwrap();
            }
        }
    }
}

#[test]
fn a_rank_that_fails_ends_all_and_nothing_is_lost() {
    let field = AnyField::modulo_word(97).unwrap();
    for (order, ranks) in [(Order::Natural, 3), (Order::Transposed, 2)] {
        let case = Case::new(&field, 5, 4, Direction::Forward, order, 4);
        let mut plan = case.plan(2, 1, 2);
        plan.ranks = ranks;
        for failing in 0..ranks {
            for call in (0..).step_by(3) {
                let folder = folder();
                let transform = case.in_folder(folder.path()).by(plan);
                let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
                let found = on_ranks(ranks, |rank| {
                    let transform = match rank.rank() == failing {
                        true => transform.clone().on(disk.clone()),
                        false => transform.clone(),
                    };
                    finished(transform.among(rank))
                });
                let case_name = format!("rank {failing} at call {call}");
                if disk.calls.load(Relaxed) <= call {
                    assert!(found.iter().all(Result::is_ok), "{case_name}");
                    case.check(folder.path(), &case_name);
                    break;
                }
                // Whoever knows that the result is there may say so.
                if found.iter().any(Result::is_err) {
                    let again = on_ranks(ranks, |rank| finished(transform.clone().among(rank)));
                    assert!(again.iter().all(Result::is_ok), "{case_name}: {again:?}");
                }
                case.check(folder.path(), &case_name);
            }
        }
    }
}

#[test]
fn a_job_goes_on_from_where_all_ranks_are() {
    let field = AnyField::modulo_word(469_762_049).unwrap();
    let case = Case::new(&field, 8, 16, Direction::Forward, Order::Natural, 4);
    let mut plan = case.plan(2, 2, 2);
    plan.ranks = 2;
    let mut resumed = 0;
    for call in (20..140).step_by(7) {
        let folder = folder();
        let transform = case.in_folder(folder.path()).by(plan);
        let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
        let found = on_ranks(2, |rank| {
            let transform = match rank.rank() {
                0 => transform.clone().on(disk.clone()),
                _ => transform.clone(),
            };
            finished(transform.among(rank))
        });
        if found[0].is_ok() {
            continue;
        }
        let again = on_ranks(2, |rank| finished(transform.clone().among(rank)).unwrap());
        assert_eq!(again[0].resumed, again[1].resumed);
        resumed += usize::from(again[0].resumed.is_some());
        case.check(folder.path(), &format!("{call}"));
    }
    assert!(resumed > 5, "{resumed}");
}

#[test]
fn ranks_that_are_asked_for_different_things_are_told() {
    let field = AnyField::modulo_word(97).unwrap();
    let case = Case::new(&field, 4, 4, Direction::Forward, Order::Natural, 4);
    let folder = folder();
    let transform = case.in_folder(folder.path());
    let refused = on_ranks(3, |rank| {
        let transform = match rank.rank() {
            2 => transform.clone().direction(Direction::Inverse),
            _ => transform.clone(),
        };
        finished(transform.among(rank)).unwrap_err().to_string()
    });
    for error in refused {
        assert!(
            error.contains("rank 2 was asked for something else"),
            "{error}"
        );
    }
    // One has no input, and one no memory.
    let refused = on_ranks(3, |rank| {
        let transform = match rank.rank() {
            1 => FileTransform::new(&field, "none.npy", "y.npy", "."),
            _ => transform.clone(),
        };
        finished(transform.among(rank)).unwrap_err().to_string()
    });
    assert!(
        refused[1].contains("none.npy: cannot be opened"),
        "{refused:?}"
    );
    assert!(
        refused[0].contains("rank 1: none.npy: cannot be opened"),
        "{refused:?}"
    );
    let refused = on_ranks(2, |rank| {
        let bytes = 1000 + (1 << 30) * (1 - rank.rank() as u64);
        let transform = transform.clone().within(Budget::within(Some(bytes)));
        finished(transform.among(rank)).unwrap_err().to_string()
    });
    assert!(refused[1].contains("memory"), "{refused:?}");
    case.in_folder(folder.path())
        .start()
        .unwrap()
        .finish()
        .unwrap();
    case.check(folder.path(), "at last");
}

#[test]
fn an_output_that_others_write_is_refused() {
    let field = AnyField::modulo_word(97).unwrap();
    let case = Case::new(&field, 4, 4, Direction::Forward, Order::Natural, 4);
    let folder = folder();
    let transform = case.in_folder(folder.path()).without_scratch();
    let started = transform.start().unwrap();
    let error = transform.start().map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("another process writes it"), "{error}");
    started.finish().unwrap();
    case.check(folder.path(), "the first one");
}

#[test]
fn an_entry_that_is_none_ends_all_and_a_better_one_is_computed() {
    let field = AnyField::modulo_word(97).unwrap();
    let case = Case::new(&field, 5, 4, Direction::Forward, Order::Natural, 4);
    let folder = folder();
    let mut plan = case.plan(1, 1, 1);
    plan.ranks = 3;
    let transform = case.in_folder(folder.path()).by(plan);
    let [x, ..] = paths(folder.path());
    let mut bytes = case.input.clone();
    let last = bytes.len() - 4;
    bytes[last] = 97;
    fs::write(&x, &bytes).unwrap();
    let found = on_ranks(3, |rank| finished(transform.clone().among(rank)));
    assert!(found.iter().all(Result::is_err));
    let told = found
        .iter()
        .filter_map(|found| found.as_ref().err().map(ToString::to_string));
    assert!(
        told.into_iter()
            .any(|error| error.contains("entry 31 is no element"))
    );
    fs::write(&x, &case.input).unwrap();
    on_ranks(3, |rank| finished(transform.clone().among(rank)).unwrap());
    case.check(folder.path(), "at last");
}

#[test]
fn a_rank_that_panics_ends_all() {
    let ranks = Threads::new(2);
    let found = thread::scope(|scope| {
        let [first, second] = [0, 1].map(|i| ranks[i].clone());
        let waits = scope.spawn(move || first.gather(&[1]));
        let panics = scope.spawn(move || {
            struct Leaves(Threads);
            impl Drop for Leaves {
                fn drop(&mut self) {
                    self.0.leave();
                }
            }
            let _leaves = Leaves(second);
            std::panic::resume_unwind(Box::new("a panic"));
        });
        assert!(panics.join().is_err());
        waits.join().unwrap()
    });
    assert!(found.is_err());
}
