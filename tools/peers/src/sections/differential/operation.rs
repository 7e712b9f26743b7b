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
    /// Whether threads share its work: any other runs on one thread alone.
    pub shared: bool,
    pub case: Case,
}

impl Operation {
    /// One whose work threads share.
    pub fn new(
        name: impl Into<String>,
        against: &'static str,
        case: impl Fn(&mut Trial) + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            against,
            shared: true,
            case: Box::new(case),
        }
    }

    /// One that has no threads.
    pub fn alone(
        name: impl Into<String>,
        against: &'static str,
        case: impl Fn(&mut Trial) + Send + Sync + 'static,
    ) -> Self {
        Self {
            shared: false,
            ..Self::new(name, against, case)
        }
    }

    /// Operations of one name together: a case takes any of them, each half as often as the one before.
    pub fn any_of(variants: Vec<Self>) -> Self {
        let (name, against) = (variants[0].name.clone(), variants[0].against);
        assert!(
            variants.iter().all(|variant| variant.name == name),
            "lists of the same operations"
        );
        let shared = variants[0].shared;
        let case = move |trial: &mut Trial| {
            let variant = trial.random.word().trailing_zeros() as usize % variants.len();
            (variants[variant].case)(trial);
        };
        Self {
            shared,
            ..Self::new(name, against, case)
        }
    }
}
