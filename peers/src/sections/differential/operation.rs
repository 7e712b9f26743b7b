//! What is compared: an operation of the library, and who answers for it.

use super::trial::Trial;

/// Computes one case on both sides, and compares.
pub type Case = Box<dyn Fn(&mut Trial) + Send + Sync>;

/// An operation of the library.
pub struct Operation {
    /// Without blanks, for `--replay`.
    pub name: String,
    /// Whose results it is compared with.
    pub against: &'static str,
    pub case: Case,
}

impl Operation {
    pub fn new(
        name: impl Into<String>,
        against: &'static str,
        case: impl Fn(&mut Trial) + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            against,
            case: Box::new(case),
        }
    }

    /// Operations of one name together: a case takes any of them, each half as often as the one before.
    pub fn any_of(variants: Vec<Self>) -> Self {
        let (name, against) = (variants[0].name.clone(), variants[0].against);
        Self::new(name, against, move |trial| {
            let variant = trial.random.word().trailing_zeros() as usize % variants.len();
            (variants[variant].case)(trial);
        })
    }
}
