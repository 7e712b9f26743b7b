//! Work that ends before it is done, at each of its looks and on several numbers of threads.

use super::on_threads;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use sunzi_machine::threads::{Cancel, Cancelled, Threads, Work, alone, count, join, look};

/// Work in which all functions that look stand within each other.
fn work(running: &AtomicUsize) -> Vec<u64> {
    let square = |x: u64| {
        running.fetch_add(1, Ordering::Relaxed);
        look();
        let square = x * x;
        running.fetch_sub(1, Ordering::Relaxed);
        square
    };
    let rows = |first: u64| {
        let work = Work::new(4, "squares");
        let row = Threads::all().try_map(first..first + 4, |x| {
            work.done(1);
            Ok::<_, ()>(square(x))
        });
        row.unwrap().into_iter().sum::<u64>()
    };
    let (low, high) = join(
        || Threads::all().map([0, 4, 8], rows),
        || Threads::when(false).join(|| rows(12), || rows(16)),
    );
    low.into_iter().chain([high.0, high.1]).collect()
}

#[test]
fn work_ends_at_every_look() {
    on_threads(|| {
        let whole = work(&AtomicUsize::new(0));
        let mut ended = 0;
        loop {
            let running = AtomicUsize::new(0);
            let cancel = Cancel::after(ended);
            match cancel.run(|| work(&running)) {
                Err(Cancelled) => assert!(cancel.is_cancelled()),
                Ok(found) => {
                    assert_eq!(found, whole);
                    break;
                }
            }
            // Neither this thread nor the pool's keep what ended the work.
            assert_eq!(work(&AtomicUsize::new(0)), whole);
            ended += 1;
        }
        assert!(ended > 40, "{ended}");
    });
}

#[test]
fn nothing_of_it_runs_when_it_has_ended() {
    on_threads(|| {
        let (cancel, running) = (Cancel::new(), AtomicUsize::new(0));
        let later = cancel.clone();
        let timer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(5));
            later.cancel();
        });
        let start = Instant::now();
        let ended = cancel.run(|| {
            Threads::all().each(0..u64::MAX >> 40, |_| {
                running.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(1));
                running.fetch_sub(1, Ordering::SeqCst);
            });
        });
        assert_eq!(ended, Err(Cancelled));
        assert_eq!(running.load(Ordering::SeqCst), 0);
        assert!(start.elapsed() < Duration::from_secs(5));
        timer.join().unwrap();
        assert_eq!(cancel.run(|| 1), Err(Cancelled));
        assert_eq!(Cancelled.to_string(), "the computation was cancelled");
    });
}

#[test]
fn an_inner_one_ends_its_work_alone_and_an_outer_one_all() {
    on_threads(|| {
        let (outer, inner) = (Cancel::new(), Cancel::new());
        let endless = |ask: &Cancel| {
            Threads::all().each(0..1 << 20, |_| {
                ask.cancel();
                look();
            });
        };
        let found = outer.run(|| {
            assert_eq!(inner.run(|| endless(&inner)), Err(Cancelled));
            look();
            Threads::all().map(0..3, |i| i)
        });
        assert_eq!(found, Ok(vec![0, 1, 2]));
        let reached = AtomicBool::new(false);
        let ended = outer.run(|| {
            let _ = Cancel::new().run(|| endless(&outer));
            reached.store(true, Ordering::Relaxed);
        });
        assert_eq!((ended, reached.into_inner()), (Err(Cancelled), false));
    });
}

/// Waits until another thread has come so far.
fn wait(until: &AtomicBool) {
    let start = Instant::now();
    while !until.load(Ordering::Acquire) {
        assert!(start.elapsed() < Duration::from_secs(60), "nobody comes");
        std::thread::yield_now();
    }
}

#[test]
fn others_work_on_the_same_threads_goes_on() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.unwrap();
    let [begun, taken, asked] = [const { AtomicBool::new(false) }; 3];
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            // One thread of the pool is busy until this is taken: the other one takes it while it waits for that one.
            wait(&begun);
            pool.install(|| {
                look();
                taken.store(true, Ordering::Release);
                wait(&asked);
                look();
                std::thread::current().id()
            })
        });
        let cancel = Cancel::new();
        let waits = Mutex::new(None);
        let ended = pool.install(|| {
            cancel.run(|| {
                Threads::all().each([false, true], |busy| {
                    if !busy {
                        *waits.lock().unwrap() = Some(std::thread::current().id());
                        return wait(&begun);
                    }
                    begun.store(true, Ordering::Release);
                    wait(&taken);
                    cancel.cancel();
                    asked.store(true, Ordering::Release);
                    look();
                });
            })
        });
        assert_eq!(ended, Err(Cancelled));
        let takes = other.join().unwrap();
        assert_eq!(waits.into_inner().unwrap(), Some(takes));
    });
}

#[test]
fn panics_are_not_taken_for_it() {
    on_threads(|| {
        let cancel = Cancel::new();
        let fails = || cancel.run(|| Threads::all().each(0..9, |i| assert_ne!(i, 5)));
        let panic = catch_unwind(AssertUnwindSafe(fails)).unwrap_err();
        assert!(panic.is::<String>());
        assert_eq!(cancel.run(|| 7), Ok(7));
    });
}

#[test]
fn alone_there_is_one_thread() {
    on_threads(|| {
        let threads = count();
        let here = std::thread::current().id();
        let panicked = catch_unwind(|| {
            alone(|| {
                assert_eq!(count(), 1);
                assert!(!Threads::all().are_several());
                let names = Threads::all().map(0..9, |_| std::thread::current().id());
                assert_eq!(names, [here; 9]);
                assert_eq!(alone(count), 1);
                assert_eq!(count(), 1);
                panic!("a panic")
            })
        });
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"a panic"));
        assert_eq!(count(), threads);
    });
}
