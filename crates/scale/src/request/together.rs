//! What ranks agree on before they begin: that all can, what they were asked for, which plan it is, and from where they go on.

use super::Request;
use super::opened::Opened;
use crate::error::ScaleError;
use crate::job::Job;
use crate::job::description::{Description, choices, of_choices};
use crate::plan::Plan;
use crate::ranks::{Gone, Ranks};
use std::path::Path;

/// What this rank has, if all have something; the error of the first one that has none.
pub(super) fn agree<T>(ranks: &dyn Ranks, own: Result<T, ScaleError>) -> Result<T, ScaleError> {
    let problem = match &own {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let all = ranks.gather(problem.as_bytes())?;
    match (all.iter().position(|problem| !problem.is_empty()), own) {
        (None, own) => own,
        (Some(rank), Err(error)) if rank == ranks.rank() => Err(error),
        (Some(rank), _) => Err(ScaleError::OtherRank {
            rank,
            problem: String::from_utf8_lossy(&all[rank]).into_owned(),
        }),
    }
}

/// Takes back what the rank that came least far has not done.
pub(super) fn go_back(ranks: &dyn Ranks, job: &mut Job) -> Result<(), ScaleError> {
    let (pass, band) = job.progress.next();
    let own = [pass as u64, band as u64];
    let all = ranks.gather(bytemuck::cast_slice(&own))?;
    let of_rank = |bytes: &Vec<u8>| -> Vec<u64> { bytemuck::pod_collect_to_vec(bytes) };
    let gone_back = match all.iter().map(of_rank).min().as_deref() {
        Some(&[pass, band]) => job.go_back((pass as usize, band as usize)),
        _ => Ok(()),
    };
    agree(ranks, gone_back)
}

impl Request {
    /// An error where ranks were asked for different things.
    pub(super) fn compare(&self, facts: &[(&'static str, String)]) -> Result<(), ScaleError> {
        let options = (self.fresh, self.verify, self.scratch.is_some());
        let told = format!("{facts:?} {options:?} {:?}", self.plan);
        let all = self.ranks.gather(told.as_bytes())?;
        match all.iter().position(|other| *other != all[0]) {
            Some(rank) => {
                let problem = format!(
                    "rank {rank} was asked for something else than rank 0: all ranks need the same version of the program, the same files and options"
                );
                Err(ScaleError::input(&self.inputs[0], problem))
            }
            None => Ok(()),
        }
    }

    /// Whether all ranks go on with one job; one that is alone finds out by itself.
    pub(super) fn all_go_on(&self, folder: Option<&Path>, facts: &[(&'static str, String)]) -> Result<bool, ScaleError> {
        let ranks = &*self.ranks;
        if ranks.size() == 1 {
            return Ok(true);
        }
        let has_begun = folder.is_some_and(|folder| folder.join("job").exists());
        let all_have = ranks.gather(&[u8::from(has_begun)])?.iter().all(|has| has[..] == [1]);
        let begun = match folder {
            Some(folder) if all_have && !self.fresh => agree(ranks, Description::read(folder, facts))?,
            _ => None,
        };
        let told = begun.map_or_else(String::new, |begun| choices(&begun.plan, &begun.drawn));
        let all = ranks.gather(told.as_bytes())?;
        Ok(!told.is_empty() && all.iter().all(|other| *other == told.as_bytes()))
    }

    /// The plan of a new job of several ranks, and what it draws: what the first rank has chosen, if it fits this one.
    pub(super) fn choose(&self, opened: &Opened<'_>) -> Result<(Plan, Vec<usize>), ScaleError> {
        let ranks = &*self.ranks;
        let own = match ranks.rank() {
            0 => opened.plan().map(|plan| choices(&plan, &opened.drawn())),
            _ => Ok(String::new()),
        };
        let all = ranks.gather(agree(ranks, own)?.as_bytes())?;
        let first = all.first().map(|first| String::from_utf8_lossy(first));
        let chosen = first.and_then(|first| of_choices(&first));
        let fitted = match chosen {
            Some((mut plan, drawn)) => {
                let accepted = opened.accept(&mut plan);
                let refused = |difference| ScaleError::input(&self.inputs[0], format!("the first rank has {difference}"));
                accepted.map(|()| (plan, drawn)).map_err(refused)
            }
            None => Err(ScaleError::Gone(Gone)),
        };
        agree(ranks, fitted)
    }
}
