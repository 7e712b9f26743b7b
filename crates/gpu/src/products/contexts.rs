//! Contexts that are kept by what they are for: kernels and tables take longer to make than to use.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use sunzi_device::GpuError;

/// Contexts that are kept at most: what the host spends on making them is the same on any device.
const MOST: usize = 64;

/// Contexts by their keys. Unlike those of a [`Memo`](sunzi_device::Memo) they stay when nobody uses them, until there are
/// too many.
#[derive(Debug)]
pub(super) struct Contexts<K, C>(Mutex<HashMap<K, Arc<C>>>);

impl<K, C> Default for Contexts<K, C> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, C> Contexts<K, C> {
    fn all(&self) -> MutexGuard<'_, HashMap<K, Arc<C>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The context of a key, made when first asked for.
    pub(super) fn get(
        &self,
        key: K,
        make: impl FnOnce() -> Result<C, GpuError>,
    ) -> Result<Arc<C>, GpuError> {
        let found = self.all().get(&key).cloned();
        if let Some(context) = found {
            return Ok(context);
        }
        // Kernels are compiled: other threads need not wait for that. Two that want the same take what is ready first.
        let made = Arc::new(make()?);
        let mut all = self.all();
        if all.len() >= MOST {
            all.clear();
        }
        Ok(all.entry(key).or_insert(made).clone())
    }

    /// Forgets all; those in use live on until they are no more.
    pub(super) fn clear(&self) {
        self.all().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_are_made_once_and_not_too_many_are_kept() {
        let contexts = Contexts::<usize, usize>::default();
        let first = contexts.get(0, || Ok(10)).unwrap();
        assert_eq!(*contexts.get(0, || Ok(11)).unwrap(), 10);
        let refused = contexts.get(1, || Err(GpuError::Shape("no".to_owned())));
        assert!(refused.is_err());
        assert_eq!(*contexts.get(1, || Ok(12)).unwrap(), 12);
        for key in 2..=MOST {
            contexts.get(key, || Ok(key)).unwrap();
        }
        assert_eq!(*contexts.get(0, || Ok(13)).unwrap(), 13);
        assert!(contexts.all().len() <= MOST);
        contexts.clear();
        assert_eq!((*first, *contexts.get(1, || Ok(14)).unwrap()), (10, 14));
    }
}
