//! What is measured: a case, and those who run it.

use std::fmt;

use sunzi_measure::{Run, Work};

/// Something that can do the work of a case again and again.
pub trait Contender: Send {
    /// Does the work `times` times in a row; where a clock of its own times it, the seconds of all of it.
    fn run(&mut self, times: usize) -> Option<f64>;

    /// What the last run computed, as words that mean the same for every contender of the case.
    fn output(&self) -> Vec<u64>;

    /// What is counted of the result, where it may be better or worse.
    fn counts(&self) -> Vec<Count> {
        Vec::new()
    }
}

/// A number that tells how good a result is.
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// What it counts, the same for every contender.
    pub what: String,
    /// The fewer the better.
    pub value: u64,
}

/// A contender made of its buffers and two functions on them.
struct Parts<S, R, O> {
    state: S,
    run: R,
    output: O,
}

impl<S, R, O> Contender for Parts<S, R, O>
where
    S: Send,
    R: FnMut(&mut S) + Send,
    O: Fn(&S) -> Vec<u64> + Send,
{
    fn run(&mut self, times: usize) -> Option<f64> {
        for _ in 0..times {
            (self.run)(std::hint::black_box(&mut self.state));
        }
        None
    }

    fn output(&self) -> Vec<u64> {
        (self.output)(&self.state)
    }
}

/// A contender that owns `state`, works on it by `run`, and shows its result by `output`.
pub fn contender<S: Send + 'static>(
    state: S,
    run: impl FnMut(&mut S) + Send + 'static,
    output: impl Fn(&S) -> Vec<u64> + Send + 'static,
) -> Box<dyn Contender> {
    Box::new(Parts { state, run, output })
}

/// What is timed of a contender.
pub fn work(contender: &mut dyn Contender) -> Work<'_> {
    struct Timed<'a>(&'a mut dyn Contender);
    impl Run for Timed<'_> {
        fn run(&mut self, times: usize) -> Option<f64> {
            self.0.run(times)
        }
    }
    Box::new(Timed(contender))
}

/// How a peer's result must agree with Sunzi's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The same words.
    Exact,
    /// The same words in any order: transforms at different roots, or in different orders, take the same
    /// values.
    AnyOrder,
    /// Nothing to compare, though it counts: as much work in another ring, whose results were checked where
    /// the contender was built.
    CheckedBefore,
    /// Nothing to compare: the peer works in another field, and is shown for reference only. Such a peer
    /// does not enter the group's mean.
    Reference,
}

/// One peer of a case.
pub struct Peer {
    pub name: &'static str,
    pub agreement: Agreement,
    pub contender: Box<dyn Contender>,
}

impl Peer {
    /// A peer whose result must be Sunzi's, word by word.
    pub fn exact(name: &'static str, contender: Box<dyn Contender>) -> Self {
        Self {
            name,
            agreement: Agreement::Exact,
            contender,
        }
    }
}

/// Those who run a case, all from the same input.
pub struct Entrants {
    /// `None` when only the peers are measured.
    pub sunzi: Option<Box<dyn Contender>>,
    pub peers: Vec<Peer>,
}

/// Cases whose ratios are averaged together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    pub name: &'static str,
    /// The geometric mean to reach, where one is set.
    pub goal: Option<f64>,
}

impl Group {
    /// A group whose goal on several threads is another than on one.
    pub fn for_threads(
        name: &'static str,
        threads: u16,
        alone: Option<f64>,
        shared: Option<f64>,
    ) -> Self {
        let goal = if threads > 1 { shared } else { alone };
        Self { name, goal }
    }
}

/// What the entrants are built for.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    pub with_sunzi: bool,
    pub threads: usize,
}

/// Makes the entrants of a case, with their input.
pub type Build = Box<dyn Fn(Setup) -> Entrants + Send + Sync>;

/// One line of the table: built only when its turn comes, so that one case's memory is held at a time.
pub struct Case {
    pub section: &'static str,
    pub group: Group,
    pub name: String,
    /// The length that the case is about (points, coefficients, limbs), for plots.
    pub size: u64,
    pub build: Build,
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, {}, {}", self.section, self.group.name, self.name)
    }
}
