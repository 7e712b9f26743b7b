//! Where the times of two algorithms cross.
//!
//! Both are timed at lengths around a first guess, a quarter of an octave apart; a polynomial of degree 2 is fitted to the times of
//! each, relative errors being least, which is exact for schoolbook products and near enough for all others over three octaves. The
//! threshold is the length that loses least by these fits, all octaves weighing the same: their crossing, or, where they cross more
//! than once, the one that matters. Where the guess was so wrong that one algorithm wins everywhere, the search goes on that way. What gains
//! less than the times scatter around their curves is noise, and the guess stays.

use sunzi_tune::{Degrees, ModelError, RationalFunction};

use super::clock::{Effort, Work};

/// Lengths lie this far to either side of a guess, in quarters of octaves.
const QUARTERS: i32 = 6;
/// How often the guess may move.
const MOVES: usize = 4;

/// Where a threshold is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    /// First here,
    pub guess: usize,
    /// and not below this,
    pub least: usize,
    /// nor above this.
    pub most: usize,
}

/// The length from which the second algorithm is the faster one. `prepare` makes the work of a length, by the first algorithm or, where
/// it is told so, by the second.
///
/// # Errors
/// Times of which no curve is made, for they are not finite.
pub(super) fn crossing<'a>(
    border: Border,
    effort: &Effort,
    prepare: &dyn Fn(usize, bool) -> Work<'a>,
) -> Result<usize, ModelError> {
    let mut guess = border.guess.clamp(border.least, border.most);
    let first_guess = guess;
    let mut found = guess;
    for _ in 0..MOVES {
        let lengths = lengths(guess, border);
        let mut times = [Vec::new(), Vec::new()];
        for &length in &lengths {
            let mut works = [prepare(length, false), prepare(length, true)];
            let seconds = effort.seconds_of(&mut works);
            times[0].push(seconds[0]);
            times[1].push(seconds[1]);
        }
        let [first, second] = times;
        let curves = [curve(&lengths, &first)?, curve(&lengths, &second)?];
        let (from, to) = (lengths[0], lengths[lengths.len() - 1]);
        found = least_loss(from, to, &curves);
        if (from..=to + 1).contains(&first_guess) {
            let gain = (loss(from, first_guess, &curves) - loss(from, found, &curves))
                / (to as f64 / from as f64).ln();
            let scatter =
                scatter(&lengths, &first, &curves[0]).hypot(scatter(&lengths, &second, &curves[1]));
            if gain.is_nan() || gain <= scatter {
                return Ok(first_guess);
            }
        }
        guess = if found == from && from > border.least {
            (from / 2).max(border.least)
        } else if found > to && to < border.most {
            to.saturating_mul(2).min(border.most)
        } else {
            break;
        };
    }
    Ok(found)
}

/// The lengths at which is measured, upward.
fn lengths(guess: usize, border: Border) -> Vec<usize> {
    let length = |quarters: i32| (guess as f64 * 2f64.powf(f64::from(quarters) / 4.0)).round();
    let mut lengths: Vec<usize> = (-QUARTERS..=QUARTERS)
        .map(|quarters| (length(quarters) as usize).clamp(border.least, border.most))
        .collect();
    lengths.dedup();
    lengths
}

/// Time as a polynomial of the length: of degree 2, or less where there are few lengths.
fn curve(lengths: &[usize], times: &[f64]) -> Result<RationalFunction, ModelError> {
    let points: Vec<Vec<f64>> = lengths.iter().map(|&n| vec![n as f64]).collect();
    let degrees = Degrees {
        numerator: vec![2.min(lengths.len() - 1)],
        denominator: vec![0],
    };
    let domain = (lengths[0] as f64, lengths[lengths.len() - 1] as f64);
    RationalFunction::fit(&points, times, &degrees, &[domain])
}

/// How far times lie from their curve: the standard error of its logarithm, which has as many parameters as coefficients.
fn scatter(lengths: &[usize], times: &[f64], curve: &RationalFunction) -> f64 {
    let errors = lengths.iter().zip(times).map(|(&n, time)| {
        let error = (curve.evaluate(&[n as f64]).max(f64::MIN_POSITIVE) / time).ln();
        error * error
    });
    let parameters = 3.min(lengths.len());
    let free = (lengths.len() - parameters).max(1) as f64;
    let variance = errors.sum::<f64>() / free;
    (variance * parameters as f64 / lengths.len() as f64).sqrt()
}

/// The sum of logarithms of what is lost up to the length `at` by the first one, each octave weighing the same.
fn loss(from: usize, at: usize, [first, second]: &[RationalFunction; 2]) -> f64 {
    let value =
        |curve: &RationalFunction, n: usize| curve.evaluate(&[n as f64]).max(f64::MIN_POSITIVE);
    (from..at)
        .map(|n| (value(first, n) / value(second, n)).ln() / n as f64)
        .sum()
}

/// The length from `from` to one beyond `to` from which the second one is taken, so that the sum of logarithms of what is lost by it is
/// least, each octave weighing the same.
fn least_loss(from: usize, to: usize, [first, second]: &[RationalFunction; 2]) -> usize {
    let at =
        |curve: &RationalFunction, n: usize| curve.evaluate(&[n as f64]).max(f64::MIN_POSITIVE);
    // How much longer the first one takes, as what is lost up to each length by staying with it, less by leaving it.
    let (mut lost, mut least, mut best) = (0.0, 0.0, from);
    for n in from..=to {
        lost += (at(first, n) / at(second, n)).ln() / n as f64;
        if lost < least {
            (least, best) = (lost, n + 1);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: [f64; 3], lengths: &[usize]) -> RationalFunction {
        let time = |&n: &usize| {
            let n = n as f64;
            coefficients[0] + coefficients[1] * n + coefficients[2] * n * n
        };
        curve(lengths, &lengths.iter().map(time).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn curves_cross_where_they_were_planted() {
        let lengths: Vec<usize> = (10..200).step_by(13).collect();
        let last = lengths[lengths.len() - 1];
        let squares = polynomial([0.0, 0.0, 1.0], &lengths);
        for (line, expected) in [
            ([0.0, 100.0, 0.0], 100),
            ([30.0, 0.0, 0.0], 10),
            ([1e6, 0.0, 0.0], last + 1),
        ] {
            let curves = [squares.clone(), polynomial(line, &lengths)];
            let found = least_loss(10, last, &curves);
            assert!(found.abs_diff(expected) <= 1, "{found}, not {expected}");
        }
        // It is the crossing where something is gained that counts: the first one wins up to 100, and from 190 on by little.
        let second = polynomial([3800.0, -58.0, 1.2], &lengths);
        let found = least_loss(10, last, &[squares, second]);
        assert!(found.abs_diff(100) <= 1, "{found}");
    }

    #[test]
    fn lengths_stay_within_bounds_and_grow() {
        let border = Border {
            guess: 20,
            least: 9,
            most: 30,
        };
        for guess in [9, 20, 30] {
            let lengths = lengths(guess, border);
            assert!(lengths.is_sorted_by(|a, b| a < b), "{lengths:?}");
            assert!(lengths[0] >= 9 && lengths[lengths.len() - 1] <= 30);
        }
        let one = Border {
            guess: 7,
            least: 7,
            most: 7,
        };
        assert_eq!(lengths(7, one), [7]);
    }

    #[test]
    fn what_gains_nothing_changes_nothing() {
        let effort = Effort {
            rounds: 5,
            seconds: 2e-5,
        };
        let spin = |steps: usize| -> Work<'static> {
            Box::new(move || {
                for step in 0..steps {
                    std::hint::black_box(step);
                }
            })
        };
        let border = Border {
            guess: 100,
            least: 4,
            most: 4000,
        };
        let stays = (0..9).any(|_| {
            let found = crossing(border, &effort, &|n, _| spin(20 * n));
            found.unwrap() == 100
        });
        assert!(stays);
    }

    /// Works whose times are told by how often they run an empty loop.
    #[test]
    fn a_guess_that_is_wrong_moves() {
        let effort = Effort {
            rounds: 5,
            seconds: 2e-5,
        };
        let spin = |steps: usize| -> Work<'static> {
            Box::new(move || {
                for step in 0..steps {
                    std::hint::black_box(step);
                }
            })
        };
        let prepare = |n: usize, second: bool| match second {
            false => spin(n * n),
            true => spin(200 * n),
        };
        let border = |guess| Border {
            guess,
            least: 4,
            most: 4000,
        };
        for guess in [20, 200, 2000] {
            let near = (0..5).any(|_| {
                let found = crossing(border(guess), &effort, &prepare).unwrap();
                (140..=280).contains(&found)
            });
            assert!(near, "from {guess}");
        }
    }
}
