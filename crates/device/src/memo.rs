//! Values that are made once for each key, while somebody uses them.
//!
//! Who wants a value that another thread is making waits for it; different values are made at the same time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A value's place: empty before it is made, and when nobody uses it any more. Locked while it is made.
type Place<V> = Arc<Mutex<Weak<V>>>;

/// Values by their keys. They are held weakly: those who use them keep them alive.
pub struct Memo<K, V>(Mutex<HashMap<K, Place<V>>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash + Clone, V> Memo<K, V> {
    /// The value of a key, made if nobody has it. Where that fails, the next who asks tries again.
    pub fn get<E>(&self, key: &K, make: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let place = self.place(key);
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = place.upgrade() {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        *place = Arc::downgrade(&value);
        Ok(value)
    }

    /// The place of a key; those of values that are gone are cleared away.
    fn place(&self, key: &K) -> Place<V> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.get(key) {
            return Arc::clone(place);
        }
        // A place that somebody holds is being filled.
        places.retain(|_, place| {
            Arc::strong_count(place) > 1
                || place.try_lock().is_ok_and(|value| value.strong_count() > 0)
        });
        Arc::clone(places.entry(key.clone()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn who_wants_the_same_value_gets_the_one_that_is_made() {
        let (memo, made) = (Memo::<u32, String>::default(), AtomicUsize::new(0));
        let make = || {
            thread::sleep(Duration::from_millis(20));
            made.fetch_add(1, Ordering::Relaxed);
            Ok::<_, ()>("value".to_owned())
        };
        let values: Vec<_> = thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(|| memo.get(&1, make))).collect();
            all.into_iter()
                .map(|one| one.join().unwrap().unwrap())
                .collect()
        });
        assert_eq!(made.into_inner(), 1);
        assert!(values.iter().all(|value| Arc::ptr_eq(value, &values[0])));
    }

    #[test]
    fn different_values_are_made_at_the_same_time() {
        let memo = Memo::<u32, u32>::default();
        let (begun, other_begins) = mpsc::channel();
        let patience = Duration::from_secs(30);
        thread::scope(|scope| {
            let memo = &memo;
            scope.spawn(move || {
                let make = || other_begins.recv_timeout(patience).map(|()| 1);
                memo.get(&1, make)
                    .expect("the other one is begun meanwhile")
            });
            memo.get(&2, || begun.send(()).map(|()| 2)).unwrap();
        });
    }

    #[test]
    fn a_value_is_made_again_when_nobody_has_it_or_it_failed() {
        let memo = Memo::<u32, u32>::default();
        assert_eq!(memo.get(&1, || Err("refused")), Err("refused"));
        let first = memo.get(&1, || Ok::<_, ()>(10)).unwrap();
        assert_eq!(*memo.get(&1, || Ok::<_, ()>(11)).unwrap(), 10);
        drop(first);
        let second = memo.get(&1, || Ok::<_, ()>(12)).unwrap();
        assert_eq!(*second, 12);
        for key in 2..100 {
            memo.get(&key, || Ok::<_, ()>(key)).unwrap();
        }
        assert!(memo.0.lock().unwrap().len() <= 3, "nothing piles up");
    }
}
