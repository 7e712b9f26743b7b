//! Every route with bands of every kind, byte for byte against transforms in memory.

use crate::support::{Case, fields, folder, paths};
use std::fs;
use sunzi_dft::Direction;
use sunzi_field::AnyField;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::alone;
use sunzi_scale::{FileTransform, Order, Route, ScaleError};
use sunzi_testkit::on_every_thread_count;

const WAYS: [(Direction, Order); 4] = [
    (Direction::Forward, Order::Natural),
    (Direction::Forward, Order::Transposed),
    (Direction::Inverse, Order::Natural),
    (Direction::Inverse, Order::Transposed),
];

/// Bands of one, of some and of all columns and rows.
fn lengths(most: usize) -> Vec<usize> {
    let mut lengths = vec![1, 2, most / 2, most];
    lengths.retain(|&length| length > 0 && most.is_multiple_of(length));
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

#[test]
fn every_matrix_in_every_kind_of_bands() {
    for log_n in [1, 2, 3, 5, 8] {
        for field in fields(log_n) {
            for (way, &(direction, order)) in WAYS.iter().enumerate() {
                for log_height in (0..=log_n).step_by(1 + log_n as usize / 4) {
                    let word = [4, 8][(way + log_height as usize) % 2];
                    let word = if field.word_prime().is_none_or(|p| p >> 32 > 0) {
                        8
                    } else {
                        word
                    };
                    let case = Case::new(&field, log_n, 1 << log_height, direction, order, word);
                    let width = case.points / case.height;
                    for columns in lengths(width) {
                        for rows in lengths(case.height) {
                            let plan = case.plan(columns, rows, width / columns);
                            let folder = folder();
                            let transform = case.in_folder(folder.path()).by(plan);
                            let report = transform.start().unwrap().finish().unwrap();
                            assert_eq!((report.plan, report.resumed), (plan, None));
                            case.check(folder.path(), &format!("{field} {plan}"));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn limits_of_memory_choose_all_routes() {
    // Tables and pieces take a quarter of a mebibyte on one thread.
    alone(limits_of_memory);
}

fn limits_of_memory() {
    for (limit, expected) in [(1 << 30, 1), (1_200_000, 2), (700_000, 2)] {
        for (direction, order) in WAYS {
            let field = AnyField::modulo_word(4_611_686_018_326_724_609).unwrap();
            let case = Case::new(&field, 17, 256, direction, order, 8);
            let folder = tempfile::tempdir().unwrap();
            let transform = case.in_folder(folder.path());
            let transform = transform.within(Budget::within(Some(limit)));
            let plan = transform.plan().unwrap();
            assert!(plan.memory <= limit, "{plan}");
            let passes = match order {
                Order::Natural if expected > 1 => 3,
                _ => expected,
            };
            assert_eq!(plan.passes(), passes, "{plan}");
            assert_eq!(plan.route == Route::InMemory, passes == 1);
            if order == Order::Natural || plan.height == case.height {
                let report = transform.start().unwrap().finish().unwrap();
                case.check(folder.path(), &format!("{direction:?} {order:?} {plan}"));
                // Besides headers, journals and checks nothing more is moved.
                let moved = report.read + report.written;
                assert!(
                    moved >= plan.moved() && moved < plan.moved() + 400_000,
                    "{moved} {plan}"
                );
            } else {
                // Values of another matrix: their inverse leads back.
                transform.start().unwrap().finish().unwrap();
                let [x, y, scratch] = paths(folder.path());
                let z = folder.path().join("z.npy");
                let back = FileTransform::new(&field, y, &z, scratch).order(order);
                let back = back
                    .direction(Direction::Inverse)
                    .within(Budget::within(Some(limit)));
                back.start().unwrap().finish().unwrap();
                assert!(fs::read(z).unwrap() == fs::read(x).unwrap());
            }
        }
    }
}

#[test]
fn what_fits_memory_takes_one_pass() {
    for log_n in 0..=9 {
        for field in fields(log_n) {
            for (direction, order) in WAYS {
                let case = Case::new(&field, log_n, 1 << (log_n / 2), direction, order, 8);
                let folder = folder();
                let report = case
                    .in_folder(folder.path())
                    .start()
                    .unwrap()
                    .finish()
                    .unwrap();
                assert_eq!(report.plan.passes(), 1);
                case.check(folder.path(), &format!("{field} {}", report.plan));
            }
        }
    }
}

#[test]
fn long_runs_go_past_the_cache_of_files() {
    // Runs of 64 KiB and more, of an input that begins at a page, and of one that begins elsewhere.
    let field = AnyField::modulo_word(4_611_686_018_326_724_609).unwrap();
    for (direction, order) in WAYS {
        let case = Case::new(&field, 18, 4, direction, order, 8);
        for header in [4096, 128] {
            let folder = tempfile::tempdir().unwrap();
            let transform = case
                .in_folder(folder.path())
                .by(case.plan(1 << 14, 2, 1 << 13));
            if header == 128 {
                let mut bytes = case.input[..128].to_vec();
                bytes[8..10].copy_from_slice(&118u16.to_le_bytes());
                bytes[127] = b'\n';
                bytes.extend_from_slice(&case.input[4096..]);
                fs::write(&paths(folder.path())[0], bytes).unwrap();
            }
            transform.start().unwrap().finish().unwrap();
            case.check(folder.path(), &format!("{direction:?} {order:?} {header}"));
        }
    }
}

#[test]
fn threads_make_no_difference() {
    let field = AnyField::modulo_word(469_762_049).unwrap();
    for (direction, order) in WAYS {
        let case = Case::new(&field, 16, 64, direction, order, 4);
        on_every_thread_count(|threads| {
            let folder = folder();
            let transform = case.in_folder(folder.path()).by(case.plan(256, 8, 128));
            transform.start().unwrap().finish().unwrap();
            case.check(
                folder.path(),
                &format!("{direction:?} {order:?} on {threads}"),
            );
        });
    }
}

#[test]
fn without_checks_the_result_is_the_same() {
    let field = AnyField::modulo_word(97).unwrap();
    let case = Case::new(&field, 5, 4, Direction::Forward, Order::Natural, 8);
    let folder = folder();
    let transform = case
        .in_folder(folder.path())
        .by(case.plan(2, 2, 2))
        .verify(false);
    transform.start().unwrap().finish().unwrap();
    case.check(folder.path(), "no checks");
}

/// What the transform of a file with these bytes is refused with.
fn refusal(case: &Case, bytes: &[u8]) -> String {
    let folder = folder();
    let [x, y, scratch] = paths(folder.path());
    fs::write(&x, bytes).unwrap();
    let error = case
        .in_folder(folder.path())
        .start()
        .and_then(|started| started.finish());
    let error = error.unwrap_err().to_string();
    assert!(!y.exists());
    let left = fs::read_dir(&scratch).unwrap().count();
    assert_eq!(left, 0, "{error}");
    error.replace(&folder.path().display().to_string(), "")
}

#[test]
fn inputs_that_are_no_vectors_are_refused() {
    let field = AnyField::modulo_word(97).unwrap();
    let case = Case::new(&field, 3, 2, Direction::Forward, Order::Natural, 8);
    let whole = &case.input;
    let cut = refusal(&case, &whole[..whole.len() - 1]);
    assert!(
        cut.starts_with("/x.npy: its header tells of 8 words of 8 bytes, and 63 bytes follow it"),
        "{cut}"
    );
    let longer = refusal(&case, &[&whole[..], &[0]].concat());
    assert!(longer.contains("65 bytes follow it"), "{longer}");
    let mut large = whole.clone();
    large[4096 + 40] = 97;
    let large = refusal(&case, &large);
    assert_eq!(
        large,
        "/x.npy: entry 5 is no element: it is not below the modulus, 97"
    );
    assert_eq!(
        refusal(&case, b"1\n2\n"),
        "/x.npy: this is no file of numpy.save"
    );
    assert_eq!(refusal(&case, b""), "/x.npy: this is no file of numpy.save");

    let shape = |shape: Vec<usize>| {
        let mut bytes = sunzi_scale::npy::Header {
            word: 8,
            is_signed: false,
            shape,
        }
        .bytes();
        bytes.extend(&whole[4096..]);
        refusal(&case, &bytes)
    };
    assert_eq!(
        shape(vec![2, 4]),
        "/x.npy: its shape (2, 4) of words of 8 bytes is not what is needed here: a vector has the shape (N,)"
    );
    assert_eq!(
        shape(vec![]),
        "/x.npy: its header tells of 1 words of 8 bytes, and 64 bytes follow it: it is cut off, or no file of numpy.save"
    );
    let lengths = |points: usize, p: u64| {
        let field = AnyField::modulo_word(p).unwrap();
        let case = Case {
            field,
            ..Case::new(&fields(0)[0], 0, 1, Direction::Forward, Order::Natural, 8)
        };
        let mut bytes = sunzi_scale::npy::Header {
            word: 8,
            is_signed: false,
            shape: vec![points],
        }
        .bytes();
        bytes.resize(4096 + 8 * points, 0);
        refusal(&case, &bytes)
    };
    assert!(lengths(12, 97).contains("pad the vector with zeros to 16"));
    assert!(lengths(0, 97).contains("pad the vector with zeros to 1"));
    assert!(lengths(64, 97).contains("transforms of up to 32 points"));

    let back = Case::new(&field, 3, 2, Direction::Inverse, Order::Transposed, 8);
    let vector = refusal(&back, whole);
    assert_eq!(
        vector,
        "/x.npy: its shape (8,) of words of 8 bytes is not what is needed here: values in transposed order have the shape (n1, n2)"
    );
    let digits = fields(0).pop().unwrap();
    let digits = Case {
        field: digits,
        ..case
    };
    let words = refusal(&digits, &digits.input.clone());
    assert!(
        words.contains("rows of 8 words of uint64, in the shape (N, 8)"),
        "{words}"
    );
}

#[test]
fn outputs_that_cannot_be_are_refused_before_the_work() {
    let field = AnyField::modulo_word(97).unwrap();
    let case = Case::new(&field, 3, 2, Direction::Forward, Order::Natural, 8);
    let folder = folder();
    case.in_folder(folder.path());
    let [x, _, scratch] = paths(folder.path());
    let to = |output: &std::path::Path| {
        let transform = FileTransform::new(&field, &x, output, &scratch);
        transform.start().map(|_| ()).unwrap_err()
    };
    assert!(matches!(to(&x), ScaleError::Output { .. }));
    assert!(matches!(to(&scratch), ScaleError::Output { .. }));
    assert!(matches!(
        to(&folder.path().join("no/y.npy")),
        ScaleError::Output { .. }
    ));
    assert!(matches!(
        to(std::path::Path::new("/dev/null")),
        ScaleError::Output { .. }
    ));
    let transform = FileTransform::new(
        &field,
        &x,
        folder.path().join("y"),
        folder.path().join("none"),
    );
    assert!(matches!(transform.start(), Err(ScaleError::Disk { .. })));
    let long = "y".repeat(300);
    assert!(matches!(
        to(&folder.path().join(long)),
        ScaleError::Output { .. }
    ));
    assert!(matches!(
        to(std::path::Path::new("/proc/y.npy")),
        ScaleError::Output { .. }
    ));
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
    assert_eq!(fs::read(&x).unwrap(), case.input);
}
