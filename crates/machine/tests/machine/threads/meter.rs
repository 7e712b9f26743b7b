//! How much of a long computation is done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use sunzi_machine::threads::{Meter, Reading, Threads, Work};

fn reading(pieces: &'static str, done: u64, total: u64) -> Option<Reading> {
    Some(Reading {
        pieces,
        done,
        total,
        may_end_early: false,
    })
}

#[test]
fn the_outermost_work_is_shown_while_it_lasts() {
    let meter = Arc::new(Meter::new());
    meter.watch(|| {
        assert_eq!(meter.read(), None);
        let outer = Work::new(3, "rows");
        assert_eq!(meter.read(), reading("rows", 0, 3));
        let inner = Work::new(100, "columns");
        inner.done(50);
        drop(inner);
        outer.done(2);
        assert_eq!(meter.read(), reading("rows", 2, 3));
        // What is counted too often is no more than all.
        outer.done(2);
        assert_eq!(meter.read(), reading("rows", 3, 3));
        drop(outer);
        assert_eq!(meter.read(), None);
        let next = Work::at_most(5, "primes");
        next.done(3);
        let shown = meter.read().map(|reading| reading.to_string());
        assert_eq!(shown.as_deref(), Some("3 of at most 5 primes"));
        drop(next);
    });
    drop(Work::new(1, "none"));
    assert_eq!(meter.read(), None);
}

#[test]
fn all_threads_count() {
    let meter = Arc::new(Meter::new());
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            meter.watch(|| {
                let work = Work::new(1000, "pieces");
                Threads::all().each(0..999, |_| work.done(1));
                assert_eq!(meter.read(), reading("pieces", 999, 1000));
            });
        });
    }
}

#[test]
fn after_a_panic_nobody_watches() {
    let meter = Arc::new(Meter::new());
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        meter.watch(|| {
            let _work = Work::new(2, "pieces");
            panic!("a piece");
        })
    }));
    assert!(panicked.is_err());
    let _work = Work::new(7, "others");
    assert_eq!(meter.read(), None);
}

#[test]
fn watching_within_watching_ends_with_the_inner_one() {
    let [outer, inner] = [0; 2].map(|_| Arc::new(Meter::new()));
    outer.watch(|| {
        inner.watch(|| {
            let _work = Work::new(2, "inner");
            assert_eq!(inner.read(), reading("inner", 0, 2));
            assert_eq!(outer.read(), None);
        });
        let work = Work::new(3, "outer");
        assert_eq!(outer.read(), reading("outer", 0, 3));
        assert_eq!(inner.read(), None);
        // Work that lasts is no other meter's.
        inner.watch(|| drop(Work::new(2, "inner")));
        work.done(1);
        assert_eq!(outer.read(), reading("outer", 1, 3));
    });
}

#[test]
fn of_a_single_piece_the_pieces_are_shown() {
    let meter = Arc::new(Meter::new());
    meter.watch(|| {
        for total in [0, 1] {
            let single = Work::new(total, "inverses");
            assert_eq!(meter.read(), None);
            let parts = Work::new(9, "rows");
            single.done(1);
            parts.done(4);
            assert_eq!(meter.read(), reading("rows", 4, 9));
        }
    });
}
