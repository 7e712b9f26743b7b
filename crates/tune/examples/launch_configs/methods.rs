//! Ways to choose a shape.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::error::Error;

use sunzi_tune::{AnchoredModel, Chooser, Constants, Device, Kernel, Sample, Sampling, WarpLaunch};

use super::metrics::Candidate;
use super::table::{Contest, Timed, rows, summary};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All shapes are run at the sizes seen.
    Sunzi,
    /// Only those are run that promise something.
    Sampled,
    NoAccesses,
    WavesOnly,
    /// With constants that suit the other device best.
    ConstantsOfOther,
    /// Never run on the device: by times of the other, up to N.
    TimesOfOther,
    /// The shape that was best on the other device at N.
    BestOfOther,
    /// The shape that was best at the largest size seen.
    BestShape,
    /// The shape that the MWP-CWP model says is best, with counts extrapolated.
    Cycles,
    /// The same by Little's law.
    LittlesLaw,
    /// By published cycles at the largest size that has some, and by both models from the counts that were published there.
    PublishedCycles,
    CountedCycles,
    CountedLittlesLaw,
    /// The thesis's heuristic on extrapolated counts.
    Heuristic,
}

impl Method {
    pub const ALL: [Method; 14] = [
        Method::Sunzi,
        Method::Sampled,
        Method::NoAccesses,
        Method::WavesOnly,
        Method::ConstantsOfOther,
        Method::TimesOfOther,
        Method::BestOfOther,
        Method::BestShape,
        Method::Cycles,
        Method::LittlesLaw,
        Method::PublishedCycles,
        Method::CountedCycles,
        Method::CountedLittlesLaw,
        Method::Heuristic,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Method::Sunzi => "sunzi",
            Method::Sampled => "sunzi-sampled",
            Method::NoAccesses => "no-accesses",
            Method::WavesOnly => "waves-only",
            Method::ConstantsOfOther => "others-constants",
            Method::TimesOfOther => "others-times",
            Method::BestOfOther => "others-best",
            Method::BestShape => "best-shape",
            Method::Cycles => "cycles",
            Method::LittlesLaw => "littles-law",
            Method::PublishedCycles => "published-cycles",
            Method::CountedCycles => "counted-cycles",
            Method::CountedLittlesLaw => "counted-law",
            Method::Heuristic => "heuristic",
        }
    }

    /// The contests of the method, and up to which size it sees times.
    pub fn contests(self, device: &Timed) -> Vec<(String, Vec<Contest<'_>>)> {
        if matches!(
            self,
            Method::PublishedCycles | Method::CountedCycles | Method::CountedLittlesLaw
        ) {
            let mut contests = device.contests(1);
            let largest = |contest: &Contest<'_>| device.model.as_ref()?.largest(contest.name);
            contests.retain_mut(|contest| {
                contest.n = largest(contest).unwrap_or_default();
                contest.times.contains_key(&contest.n)
            });
            return vec![("-".to_owned(), contests)];
        }
        if matches!(self, Method::TimesOfOther | Method::BestOfOther) {
            return vec![("-".to_owned(), device.contests(1))];
        }
        let mut all: Vec<_> = [4, 8, 16]
            .into_iter()
            .map(|ratio| (format!("N/{ratio}"), device.contests(ratio)))
            .collect();
        all.push(("every N/4".to_owned(), device.contests_everywhere()));
        all
    }

    /// The shape for a contest on a device; `None` where the method has nothing to go by.
    pub fn choose(
        self,
        contest: &Contest<'_>,
        device: &Timed,
        other: Option<&Timed>,
        others_constants: Constants,
    ) -> Result<Option<Vec<i64>>, Box<dyn Error>> {
        let seen = contest.samples(contest.seen);
        let constants = Constants::default();
        let known = |shape: &Vec<i64>| contest.times[&contest.n].contains_key(shape);
        let fitted = |kernel: &Kernel, constants, samples: &[Sample]| {
            let model = AnchoredModel::fit(kernel, &device.device, constants, samples)?;
            Ok(Some(Chooser::new(model).choose(&[contest.n])?.to_vec()))
        };
        match self {
            Method::Sunzi => fitted(contest.kernel, constants, &seen),
            Method::Sampled => fitted(
                contest.kernel,
                constants,
                &sampled(contest, &device.device)?.0,
            ),
            Method::NoAccesses => {
                fitted(&contest.kernel.clone().without_accesses(), constants, &seen)
            }
            Method::WavesOnly => {
                let constants = Constants {
                    warps: f64::INFINITY,
                    ..constants
                };
                fitted(&contest.kernel.clone().without_accesses(), constants, &seen)
            }
            Method::ConstantsOfOther => fitted(contest.kernel, others_constants, &seen),
            Method::TimesOfOther | Method::BestOfOther => {
                let Some((other, (_, times))) =
                    other.and_then(|other| Some((other, other.kernels.get(contest.name)?)))
                else {
                    return Ok(None);
                };
                // Only shapes that both have, and sizes up to that of the contest.
                let theirs: Vec<Sample> = times
                    .range(..=contest.n)
                    .flat_map(|(&n, shapes)| {
                        shapes.iter().map(move |(shape, time)| (n, shape, *time))
                    })
                    .filter(|(_, shape, _)| known(shape))
                    .map(|(n, shape, milliseconds)| Sample {
                        data: vec![n],
                        shape: shape.clone(),
                        milliseconds,
                    })
                    .collect();
                if self == Method::BestOfOther {
                    let last = theirs.iter().map(|sample| sample.data[0]).max();
                    let last = theirs.iter().filter(|sample| Some(sample.data[0]) == last);
                    let best = last.min_by(|a, b| a.milliseconds.total_cmp(&b.milliseconds));
                    return Ok(best.map(|sample| sample.shape.clone()));
                }
                let model = AnchoredModel::fit_for(
                    contest.kernel,
                    &device.device,
                    &other.device,
                    constants,
                    &theirs,
                )?;
                Ok(Some(Chooser::new(model).choose(&[contest.n])?.to_vec()))
            }
            Method::BestShape => {
                let best = |n: i64| {
                    let at = seen.iter().filter(|sample| sample.data[0] == n);
                    at.min_by(|a, b| a.milliseconds.total_cmp(&b.milliseconds))
                };
                let largest = seen.iter().map(|sample| sample.data[0]).max();
                Ok(largest.and_then(best).map(|sample| sample.shape.clone()))
            }
            Method::Cycles => Ok(least(&candidates(contest, device), |c| c.cycles)),
            Method::LittlesLaw => Ok(least_by_law(&candidates(contest, device))),
            Method::Heuristic => Ok(heuristic(candidates(contest, device))),
            Method::PublishedCycles => Ok(least(&published(contest, device), |c| c.published)),
            Method::CountedCycles => Ok(least(&published(contest, device), |c| c.cycles)),
            Method::CountedLittlesLaw => Ok(least_by_law(&published(contest, device))),
        }
    }
}

/// Samples as they would be taken, and the milliseconds of their runs.
pub fn sampled(
    contest: &Contest<'_>,
    device: &Device,
) -> Result<(Vec<Sample>, f64), Box<dyn Error>> {
    let sizes: Vec<Vec<i64>> = contest
        .times
        .range(..=contest.seen)
        .map(|(&n, _)| vec![n])
        .collect();
    let sampling = Sampling {
        warm_up: 0,
        runs: 1,
        ..Sampling::default()
    };
    let times = |data: &[i64], shape: &[i64]| {
        let judged = contest.times[&contest.n].contains_key(shape);
        let time = contest
            .times
            .get(&data[0])
            .and_then(|shapes| shapes.get(shape));
        Ok::<_, Infallible>(time.copied().filter(|_| judged))
    };
    let sampled = sampling.run(contest.kernel, device, &sizes, times)?;
    Ok((sampled.samples, sampled.milliseconds))
}

/// The constants that do best on a device, of a few.
pub fn best_constants(device: &Timed) -> Result<Constants, Box<dyn Error>> {
    let mut best = (f64::INFINITY, Constants::default());
    for warps in [8.0, 14.0, 20.0, 32.0] {
        for thrashing in [2.0, 3.0] {
            let constants = Constants {
                warps,
                thrashing,
                ..Constants::default()
            };
            let choose = |contest: &Contest<'_>| {
                let samples = contest.samples(contest.seen);
                let model =
                    AnchoredModel::fit(contest.kernel, &device.device, constants, &samples)?;
                Ok(Some(Chooser::new(model).choose(&[contest.n])?.to_vec()))
            };
            let (_, mean, _) = summary(&rows(device.contests(4), choose)?);
            if mean < best.0 {
                best = (mean, constants);
            }
        }
    }
    Ok(best.1)
}

/// Runs of random shapes at N after which the best of them is as good as `wanted`, in the geometric mean over kernels.
pub fn random_runs(device: &Timed, wanted: f64) -> usize {
    let contests = device.contests(4);
    let expected = |contest: &Contest<'_>, runs: usize| {
        let mut times: Vec<f64> = contest.times[&contest.n].values().copied().collect();
        times.sort_by(f64::total_cmp);
        // The best of so many is of rank k with what is left of the chance that none before is among them.
        let (mut left, mut sum) = (1.0, 0.0);
        for (rank, time) in times.iter().enumerate() {
            let here = (runs as f64 / (times.len() - rank) as f64).min(1.0);
            sum += left * here * (time / times[0]).ln();
            left *= 1.0 - here;
        }
        sum
    };
    let mean = |runs: usize| {
        let sum: f64 = contests.iter().map(|contest| expected(contest, runs)).sum();
        (sum / contests.len().max(1) as f64).exp()
    };
    (1..1000).find(|&runs| mean(runs) <= wanted).unwrap_or(1000)
}

/// Shapes of a contest by extrapolated counts.
fn candidates(contest: &Contest<'_>, device: &Timed) -> Vec<Candidate> {
    let launch = |shape: &[i64]| launch(contest, device, shape);
    let found = device
        .model
        .as_ref()
        .map(|model| model.extrapolated(contest.name, contest.seen, contest.n, launch));
    timed(contest, found)
}

/// Shapes of a contest by published counts.
pub fn published(contest: &Contest<'_>, device: &Timed) -> Vec<Candidate> {
    let launch = |shape: &[i64]| launch(contest, device, shape);
    let found = device
        .model
        .as_ref()
        .map(|model| model.published(contest.name, contest.n, launch));
    timed(contest, found)
}

fn timed(contest: &Contest<'_>, found: Option<Vec<Candidate>>) -> Vec<Candidate> {
    let known = |candidate: &Candidate| contest.times[&contest.n].contains_key(&candidate.shape);
    found.into_iter().flatten().filter(known).collect()
}

fn launch(contest: &Contest<'_>, device: &Timed, shape: &[i64]) -> Option<WarpLaunch> {
    let threads = shape.iter().product::<i64>() as u64;
    let resident = device
        .device
        .blocks
        .min(device.device.warps / threads.div_ceil(32));
    let blocks = contest.kernel.blocks(&[contest.n], shape)?;
    (resident > 0).then_some(WarpLaunch {
        blocks,
        threads,
        resident,
    })
}

/// Of pairs of shapes at the largest size with published counts, whose times differ by a twentieth or more, the part that both
/// models order as they were timed: MWP-CWP, and Little's law, which says of some that they take the same, half of which count.
pub fn ordered(device: &Timed) -> [f64; 2] {
    let (mut right, mut pairs) = ([0.0; 2], 0.0_f64);
    for (_, contests) in Method::CountedLittlesLaw.contests(device) {
        for contest in contests {
            let candidates = published(&contest, device);
            let time = |candidate: &Candidate| contest.times[&contest.n][&candidate.shape];
            for (index, a) in candidates.iter().enumerate() {
                for b in &candidates[..index] {
                    let (a, b) = if time(a) < time(b) { (a, b) } else { (b, a) };
                    if time(b) < 1.05 * time(a) {
                        continue;
                    }
                    pairs += 1.0;
                    for (right, of) in right
                        .iter_mut()
                        .zip([(|c| c.cycles) as fn(&Candidate) -> f64, |c| c.littles_law])
                    {
                        *right += match of(a).total_cmp(&of(b)) {
                            Ordering::Less => 1.0,
                            Ordering::Equal => 0.5,
                            Ordering::Greater => 0.0,
                        };
                    }
                }
            }
        }
    }
    right.map(|right| right / pairs.max(1.0))
}

/// By Little's law; of shapes that take the same cycles, which are not limited by warps, the one that has most to spare.
fn least_by_law(candidates: &[Candidate]) -> Option<Vec<i64>> {
    let order = |a: &&Candidate, b: &&Candidate| {
        let by_cycles = a.littles_law.total_cmp(&b.littles_law);
        by_cycles.then(b.spare_warps.total_cmp(&a.spare_warps))
    };
    let best = candidates.iter().min_by(order);
    best.map(|candidate| candidate.shape.clone())
}

fn least(candidates: &[Candidate], of: impl Fn(&Candidate) -> f64) -> Option<Vec<i64>> {
    candidates
        .iter()
        .min_by(|a, b| of(a).total_cmp(&of(b)))
        .map(|candidate| candidate.shape.clone())
}

/// Algorithm 7 of the thesis of 2021; of what it leaves the one of the fewest cycles.
fn heuristic(mut candidates: Vec<Candidate>) -> Option<Vec<i64>> {
    type Of = fn(&Candidate) -> f64;
    let intensity: Of = |c| c.computations / c.accesses.max(1.0);
    let mean =
        |all: &[Candidate], of: Of| all.iter().map(of).sum::<f64>() / all.len().max(1) as f64;
    let efficiency = mean(&candidates, |c| c.efficiency);
    let all = candidates.len();
    stabilize(&mut candidates, intensity, 0.1, all);
    if efficiency <= 0.25 && mean(&candidates, intensity) <= 1.0 {
        stabilize(&mut candidates, |c| c.cycles, 0.1, 10);
        stabilize(&mut candidates, |c| c.accesses, 0.1, 1);
        keep(&mut candidates, |c| -c.accesses, 0.1);
        stabilize(&mut candidates, |c| c.computations, 0.1, 1);
    } else {
        stabilize(&mut candidates, |c| c.occupancy, 0.25, 1);
        keep(&mut candidates, |c| -c.memory, 0.1);
        keep(&mut candidates, |c| c.computations, 0.1);
        stabilize(&mut candidates, |c| c.accesses, 0.1, 1);
    }
    least(&candidates, |c| c.cycles)
}

fn quantile(candidates: &[Candidate], of: fn(&Candidate) -> f64, part: f64) -> f64 {
    let mut values: Vec<f64> = candidates.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    values
        .get((part * last as f64).round() as usize)
        .copied()
        .unwrap_or_default()
}

/// Leaves the lowest and the highest out, until nothing changes or so many times.
fn stabilize(candidates: &mut Vec<Candidate>, of: fn(&Candidate) -> f64, part: f64, times: usize) {
    for _ in 0..times {
        let (low, high) = (
            quantile(candidates, of, part),
            quantile(candidates, of, 1.0 - part),
        );
        let before = candidates.len();
        candidates.retain(|candidate| (low..=high).contains(&of(candidate)));
        if candidates.len() == before {
            break;
        }
    }
}

/// Keeps the highest.
fn keep(candidates: &mut Vec<Candidate>, of: fn(&Candidate) -> f64, part: f64) {
    let high = quantile(candidates, of, 1.0 - part);
    candidates.retain(|candidate| of(candidate) >= high);
}
