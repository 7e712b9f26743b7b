//! A disk that fails at each call in turn, that does less than it is asked for, and that is interrupted.

use crate::support::{Case, Fault, Faulty, folder, paths};
use std::io::ErrorKind;
use std::sync::atomic::Ordering;
use sunzi_dft::Direction;
use sunzi_field::AnyField;
use sunzi_scale::{Order, ScaleError};
use sunzi_testkit::Random;

fn cases() -> Vec<Case> {
    let field = AnyField::modulo_word(97).unwrap();
    vec![
        Case::new(&field, 5, 4, Direction::Forward, Order::Natural, 4),
        Case::new(&field, 5, 4, Direction::Forward, Order::Transposed, 8),
        Case::new(&field, 5, 8, Direction::Inverse, Order::Transposed, 4),
    ]
}

/// Whatever fails, there is no result or the right one; and the same call on a disk that works gives it.
#[test]
fn a_disk_that_fails_at_any_call_loses_nothing() {
    for case in cases() {
        let plan = case.plan(2, 2, 4);
        for kind in [
            ErrorKind::StorageFull,
            ErrorKind::Other,
            ErrorKind::UnexpectedEof,
        ] {
            for once in [true, false] {
                let mut failed = 0;
                for call in 0.. {
                    let fault = match once {
                        true => Fault::Fails(call, kind),
                        false => Fault::Dies(call, kind),
                    };
                    let folder = folder();
                    let [_, y, _] = paths(folder.path());
                    let disk = Faulty::new(fault);
                    let transform = case.in_folder(folder.path()).by(plan).on(disk.clone());
                    let result = transform.start().and_then(|started| started.finish());
                    if disk.calls.load(Ordering::Relaxed) <= call {
                        result.unwrap();
                        break;
                    }
                    let name = format!("{fault:?} {plan}");
                    match result {
                        // Without the file past the cache all goes on.
                        Ok(_) => case.check(folder.path(), &name),
                        Err(error) => {
                            failed += 1;
                            // The last call is made when the result has its name.
                            let is_right =
                                !y.exists() || std::fs::read(&y).unwrap() == case.expected;
                            assert!(is_right, "{name}: {error}");
                            assert!(
                                matches!(
                                    error,
                                    ScaleError::Disk { .. }
                                        | ScaleError::Damaged { .. }
                                        | ScaleError::Output { .. }
                                        // An input that ends too early.
                                        | ScaleError::Input { .. }
                                ),
                                "{name}: {error}"
                            );
                            let again = case.in_folder(folder.path()).by(plan);
                            again.start().unwrap().finish().unwrap();
                            case.check(folder.path(), &name);
                        }
                    }
                }
                assert!(failed > 30, "{failed} failures");
            }
        }
    }
}

#[test]
fn short_and_interrupted_calls_are_gone_on_with() {
    for case in cases() {
        let folder = folder();
        let transform = case.in_folder(folder.path()).by(case.plan(2, 2, 4));
        transform
            .on(Faulty::new(Fault::Short))
            .start()
            .unwrap()
            .finish()
            .unwrap();
        case.check(folder.path(), "short calls");
    }
    // Parts of pages, past the cache and through it.
    let field = AnyField::modulo_word(4_611_686_018_326_724_609).unwrap();
    let case = Case::new(&field, 16, 4, Direction::Forward, Order::Natural, 8);
    for fault in [Fault::Short, Fault::OnlyCached] {
        let folder = tempfile::tempdir().unwrap();
        let transform = case
            .in_folder(folder.path())
            .by(case.plan(1 << 13, 2, 1 << 12));
        transform
            .on(Faulty::new(fault))
            .start()
            .unwrap()
            .finish()
            .unwrap();
        case.check(folder.path(), &format!("{fault:?}"));
    }
}

/// Ended anywhere, several times.
#[test]
fn a_job_that_ends_again_and_again_comes_to_its_end() {
    let case = &cases()[0];
    let plan = case.plan(1, 1, 1);
    let mut random = Random::new(11);
    for round in 0..20 {
        let folder = folder();
        let mut ends = 0;
        loop {
            let call = 20 + random.below(60) as usize;
            let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
            let transform = case.in_folder(folder.path()).by(plan).on(disk);
            match transform.start().and_then(|started| started.finish()) {
                Ok(report) => {
                    assert_eq!(report.resumed.is_some(), ends > 0);
                    break;
                }
                Err(_) => ends += 1,
            }
            assert!(ends < 1000);
        }
        assert!(ends > 0);
        case.check(folder.path(), &format!("round {round}, {ends} ends"));
    }
}
