//! One case: its random numbers, the kind of its inputs, and what came of its comparisons.

use std::fmt::{Debug, Display, Write as _};

use sunzi_machine::Grain;
use sunzi_testkit::{Kind, Random};

/// One case in this many may be as long as the operation allows.
const LONG_ONE_IN: u64 = 32;

/// Pieces (in limbs, elements) at which structured inputs begin and end.
const PIECES: [usize; 8] = [1, 2, 8, 64, 128, 256, 1024, 4096];

/// One case of an operation, made from its number and the campaign's seed alone.
pub struct Trial {
    pub random: Random,
    pub kind: Kind,
    /// How finely work is cut wherever that can be said: in half of the cases, at every place that can be.
    pub grain: Grain,
    compared: u64,
    wrong: Option<String>,
}

impl Trial {
    pub fn new(kind: Kind, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let grain = match random.below(2) {
            0 => Grain::default(),
            _ => Grain::finer(usize::BITS),
        };
        Self {
            random,
            kind,
            grain,
            compared: 0,
            wrong: None,
        }
    }

    /// How many values were compared, and what was wrong first.
    pub fn into_outcome(self) -> (u64, Option<String>) {
        (self.compared, self.wrong)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    /// What an operation of chance is seeded by.
    pub fn seed(&mut self) -> u128 {
        let [high, low] = [(); 2].map(|()| u128::from(self.random.word()));
        high << 64 | low
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        let place = self.below(among.len());
        &among[place]
    }

    /// A length from 1 to `usual`, now and then to `rare`: every order of magnitude is as likely, and the
    /// neighbours of powers of two are met often.
    pub fn length(&mut self, usual: usize, rare: usize) -> usize {
        let most = match self.random.below(LONG_ONE_IN) {
            0 => rare,
            _ => usual,
        };
        let power = 1usize << self.below(most.ilog2() as usize + 1);
        let length = match self.below(6) {
            0 => power - 1,
            1 => power,
            2 => power + 1,
            _ => power + self.below(power),
        };
        length.clamp(1, most)
    }

    /// A length beside one of those from which something else happens, or a little beyond it.
    pub fn beside(&mut self, thresholds: &[usize]) -> usize {
        let threshold = *self.pick(thresholds);
        match self.below(8) {
            0 => threshold - 1,
            1 | 2 => threshold,
            3 => threshold + 1,
            _ => threshold + self.below(threshold / 2 + 1),
        }
    }

    /// Where structured inputs may be cut.
    pub fn piece(&mut self) -> usize {
        PIECES[self.below(PIECES.len())]
    }

    /// The kind for an operand: the case's own, or now and then any, so that kinds meet.
    pub fn operand_kind(&mut self) -> Kind {
        match self.kind {
            Kind::Random => Kind::Random,
            kind => match self.below(2) {
                0 => kind,
                _ => *self.pick(&Kind::ALL),
            },
        }
    }

    /// A natural number of this many limbs, of a kind for an operand.
    pub fn limbs(&mut self, count: usize) -> Vec<u64> {
        let (kind, piece) = (self.operand_kind(), self.piece());
        kind.limbs(count, piece, &mut self.random)
    }

    /// Compares results bit for bit; each counts, and so does that there is none.
    pub fn compare<T: PartialEq + Debug>(&mut self, what: &str, ours: &[T], theirs: &[T]) {
        self.compare_rows(what, 1, ours, theirs);
    }

    /// Compares results that take `width` words each.
    pub fn compare_rows<T: PartialEq + Debug>(
        &mut self,
        what: &str,
        width: usize,
        ours: &[T],
        theirs: &[T],
    ) {
        self.compared += (theirs.len() / width).max(1) as u64;
        if ours != theirs {
            let same = ours.iter().zip(theirs).take_while(|(x, y)| x == y).count();
            let mut found = format!("{what}: {} words for {}", ours.len(), theirs.len());
            if let (Some(x), Some(y)) = (ours.get(same), theirs.get(same)) {
                let _ = write!(found, ", at {same} {x:x?} for {y:x?}");
            }
            self.fail(found);
        }
    }

    /// Compares one result.
    pub fn compare_one<T: PartialEq + Debug>(&mut self, what: &str, ours: T, theirs: T) {
        self.compare(what, &[ours], &[theirs]);
    }

    /// What must hold, and counts as no result.
    pub fn check(&mut self, what: &str, holds: bool) {
        if !holds {
            self.fail(what.to_owned());
        }
    }

    /// A result, or the case is wrong.
    pub fn expect<T, E: Display>(&mut self, what: &str, done: Result<T, E>) -> Option<T> {
        done.map_err(|error| self.fail(format!("{what}: {error}")))
            .ok()
    }

    /// Notes what must not be.
    pub fn fail(&mut self, found: String) {
        self.wrong.get_or_insert(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_and_the_first_difference_is_told() {
        let mut trial = Trial::new(Kind::Random, 1);
        trial.compare_rows("rows", 2, &[1, 2, 3, 4], &[1, 2, 3, 4]);
        trial.compare::<u64>("nothing", &[], &[]);
        assert_eq!(trial.into_outcome(), (3, None));

        let mut trial = Trial::new(Kind::Random, 1);
        trial.compare("values", &[1, 2, 3], &[1, 7, 8]);
        trial.compare_one("later", 5, 6);
        let (compared, wrong) = trial.into_outcome();
        assert_eq!(compared, 4);
        assert_eq!(wrong.unwrap(), "values: 3 words for 3, at 1 2 for 7");
    }

    #[test]
    fn what_does_not_hold_and_errors_are_wrong_and_count_nothing() {
        let mut trial = Trial::new(Kind::Random, 1);
        trial.check("as many", true);
        assert_eq!(trial.expect("a word", "7".parse::<u64>()), Some(7));
        assert_eq!(trial.into_outcome(), (0, None));

        let mut trial = Trial::new(Kind::Random, 1);
        assert_eq!(trial.expect("a word", "x".parse::<u64>()), None);
        trial.check("as many", false);
        let (compared, wrong) = trial.into_outcome();
        assert!(compared == 0 && wrong.unwrap().starts_with("a word: invalid digit"));
    }

    #[test]
    fn half_of_the_cases_are_cut_finely_and_lengths_stand_beside_thresholds() {
        let trials = || (0..200).map(|seed| Trial::new(Kind::Random, seed));
        let fine = trials().filter(|trial| trial.grain != Grain::default());
        assert!((60..140).contains(&fine.count()));
        let lengths: Vec<usize> = trials().map(|mut trial| trial.beside(&[64])).collect();
        assert!(lengths.iter().all(|n| (63..=96).contains(n)));
        assert!([63, 64, 65, 80].iter().all(|n| lengths.contains(n)));
    }

    #[test]
    fn lengths_are_in_range_and_meet_powers_of_two() {
        let mut trial = Trial::new(Kind::Random, 2);
        let mut met = [false; 65];
        for _ in 0..2000 {
            let length = trial.length(60, 64);
            assert!((1..=64).contains(&length));
            met[length] = true;
        }
        assert!([1, 2, 15, 16, 17, 31, 32, 33, 64].iter().all(|&n| met[n]));
    }
}
