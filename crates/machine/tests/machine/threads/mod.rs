//! Work shared by threads.

mod cancel;
mod meter;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;
use sunzi_machine::threads::{Threads, join};

/// Miri takes minutes for what takes milliseconds else.
const MOST: usize = if cfg!(miri) { 4 } else { 100 };
const THREADS: &[usize] = match cfg!(miri) {
    true => &[1, 3],
    false => &[1, 2, 3, 7, 16],
};

fn on_threads(work: impl Fn() + Sync) {
    for &threads in THREADS {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(&work);
    }
}

#[test]
fn every_item_has_its_turn_once() {
    on_threads(|| {
        for count in 0..MOST {
            let seen = Mutex::new(Vec::new());
            Threads::all().each(0..count, |i| seen.lock().unwrap().push(i));
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, Vec::from_iter(0..count));
            let squares = Vec::from_iter((0..count).map(|i| i * i));
            assert_eq!(Threads::all().map(0..count, |i| i * i), squares);
        }
    });
}

#[test]
fn the_first_error_is_told() {
    on_threads(|| {
        for first in 0..MOST {
            let fail = |i| if i < first { Ok(i) } else { Err(i) };
            assert_eq!(Threads::all().try_map(0..MOST, fail), Err(first));
            let fail = |i| fail(i).map(|_| ());
            assert_eq!(Threads::all().try_each(0..MOST, fail), Err(first));
            assert_eq!(Threads::all().try_each(0..first, fail), Ok(()));
        }
    });
}

#[test]
fn items_and_halves_go_to_several_threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    pool.build().unwrap().install(|| {
        // Each waits for the other.
        let barrier = Barrier::new(2);
        let name = || {
            barrier.wait();
            rayon::current_thread_index()
        };
        let names = Threads::all().map(0..2, |_| name());
        assert_eq!(BTreeSet::from_iter(names).len(), 2);
        let (first, second) = join(name, name);
        assert_ne!(first, second);
    });
}

#[test]
fn panics_go_on_in_the_caller() {
    on_threads(|| {
        for place in 0..MOST / 4 {
            let result = std::panic::catch_unwind(|| {
                Threads::all().each(0..MOST / 4, |i| assert_ne!(i, place));
            });
            assert!(result.is_err());
        }
    });
}

#[test]
fn items_after_an_error_are_not_begun() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    pool.build().unwrap().install(|| {
        let (failed, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
        let work = |i| {
            begun.fetch_add(1, Ordering::Relaxed);
            if i == 0 {
                failed.store(true, Ordering::Release);
                return Err(i);
            }
            while !failed.load(Ordering::Acquire) {
                std::hint::spin_loop();
            }
            std::thread::sleep(Duration::from_millis(1));
            Ok(())
        };
        assert_eq!(Threads::all().try_each(0..1000, work), Err(0));
        assert!(begun.into_inner() < 500);
    });
}

#[test]
fn items_and_results_are_dropped_once_whatever_happens() {
    on_threads(|| {
        let count = MOST / 4;
        for place in 0..=count {
            let token = Arc::new(());
            let items = vec![token.clone(); count];
            let found = Threads::all().map(items, |token| [token.clone(), token]);
            assert_eq!(Arc::strong_count(&token), 1 + 2 * count);
            drop(found);
            let items: Vec<_> = (0..count).map(|i| (i, token.clone())).collect();
            let found = Threads::all().try_map(items.clone(), |(i, token)| {
                if i == place {
                    Err(token)
                } else {
                    Ok([token.clone(), token])
                }
            });
            assert_eq!(found.is_err(), place < count);
            drop(found);
            let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                Threads::all().map(items, |(i, token)| {
                    assert_ne!(i, place);
                    token
                })
            }));
            assert_eq!(panicked.is_err(), place < count);
            drop(panicked);
            assert_eq!(Arc::strong_count(&token), 1);
        }
    });
}
