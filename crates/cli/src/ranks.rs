//! Whether this process is one of several that MPI has started, and how they end together.

#[cfg(feature = "mpi")]
use std::io::{Write, stderr};
use std::sync::Arc;
#[cfg(feature = "mpi")]
use sunzi::scale::Mpi;
use sunzi::scale::{Alone, Gone, Ranks, ScaleError};
use sunzi_files::failure::{Failure, WRONG_USAGE};

/// Variables by which launchers tell a process how many it is one of.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// Those by which they tell how many of them are on its machine.
const ON_A_MACHINE: [&str; 3] = [
    "OMPI_COMM_WORLD_LOCAL_SIZE",
    "MPI_LOCALNRANKS",
    "SLURM_NTASKS_PER_NODE",
];

fn told(variables: [&str; 3]) -> usize {
    let values = variables.into_iter().filter_map(std::env::var_os);
    let mut values = values.filter_map(|value| value.to_str()?.parse().ok());
    values.next().unwrap_or(1)
}

/// Whether this process is one of several.
pub fn are_several() -> bool {
    told(SIZES) > 1
}

/// Refuses what several processes cannot share.
///
/// # Errors
/// [`Failure::Usage`] on all of several; as [`Company::join`].
pub fn refuse_several(what: &str) -> Result<(), Failure> {
    if are_several() {
        Company::join()?.agree(Err(Failure::Usage(format!(
            "{what} by one process: start it without mpirun"
        ))))?;
    }
    Ok(())
}

/// How many processes share the processors of this machine.
pub fn on_this_machine() -> usize {
    match are_several() {
        true => told(ON_A_MACHINE).max(1),
        false => 1,
    }
}

/// The ranks of a command, of which this process is one, or which it is alone.
#[derive(Debug)]
pub struct Company {
    /// As what is computed needs them.
    pub ranks: Arc<dyn Ranks>,
    #[cfg(feature = "mpi")]
    mpi: Option<Arc<Mpi>>,
}

impl Company {
    /// Joins the others, if there are any.
    ///
    /// # Errors
    /// [`Failure::Computation`] if there are others and MPI cannot be begun, or is not in this build.
    pub fn join() -> Result<Self, Failure> {
        match are_several() {
            false => Ok(Self {
                ranks: Arc::new(Alone),
                #[cfg(feature = "mpi")]
                mpi: None,
            }),
            true => Self::of_mpi(),
        }
    }

    #[cfg(not(feature = "mpi"))]
    fn of_mpi() -> Result<Self, Failure> {
        Err(Failure::Computation(format!(
            "this process is one of {}, and the program was built without MPI: build it by `cargo build --release -p sunzi-cli --features mpi`, \
             for which Debian has libopenmpi-dev, openmpi-bin and libclang-dev",
            told(SIZES)
        )))
    }

    #[cfg(feature = "mpi")]
    fn of_mpi() -> Result<Self, Failure> {
        let mpi = Mpi::begin().map_err(|error| Failure::Computation(error.to_string()))?;
        if mpi.size() != told(SIZES) {
            return Err(Failure::Computation(format!(
                "the launcher tells of {} processes, and MPI of {}: start them by the mpirun of the library of MPI that the program was built \
                 with",
                told(SIZES),
                mpi.size()
            )));
        }
        let mpi = Arc::new(mpi);
        // The hook stays when MPI has come to its end.
        let (before, of_panic) = (std::panic::take_hook(), Arc::downgrade(&mpi));
        // The others would wait for this one.
        std::panic::set_hook(Box::new(move |panic| {
            before(panic);
            if let Some(mpi) = of_panic.upgrade() {
                mpi.abort(1);
            }
        }));
        Ok(Self {
            ranks: Arc::clone(&mpi) as Arc<dyn Ranks>,
            mpi: Some(mpi),
        })
    }

    /// Whether this one speaks for all.
    pub fn speaks(&self) -> bool {
        self.ranks.rank() == 0
    }

    /// An error that all ranks have: one tells it.
    pub fn refused(&self, failure: Failure) -> Failure {
        match self.speaks() {
            true => failure,
            false => Failure::Told,
        }
    }

    /// Whether there are others.
    pub fn is_several(&self) -> bool {
        self.ranks.size() > 1
    }

    /// How many threads all ranks have together.
    ///
    /// # Errors
    /// [`Failure::Told`] if another rank has ended.
    pub fn threads(&self) -> Result<u64, Failure> {
        let own = sunzi_machine::threads::count() as u64;
        let all = self.ranks.gather(&own.to_le_bytes());
        let all = all.map_err(|Gone| Failure::Told)?;
        let each = all.iter().filter_map(|count| count.first_chunk());
        Ok(each.map(|count| u64::from_le_bytes(*count)).sum())
    }

    /// What this rank has, if all have something; else one tells what the first rank says that has nothing.
    ///
    /// # Errors
    /// [`Failure`] on all ranks.
    pub fn agree<T>(&self, own: Result<T, Failure>) -> Result<T, Failure> {
        let told = match &own {
            Ok(_) => Vec::new(),
            Err(failure) => [&[failure.exit_code()], failure.to_string().as_bytes()].concat(),
        };
        let all = self.ranks.gather(&told);
        let all = all.map_err(|Gone| Failure::Told)?;
        let first = all.iter().enumerate();
        let first = first.filter_map(|(rank, told)| Some((rank, told.split_first()?)));
        match (own, first.min_by_key(|&(rank, _)| rank)) {
            (own, None) => own,
            (Err(failure), Some((0, _))) => Err(self.refused(failure)),
            (_, Some((rank, (&code, problem)))) => {
                let told = format!("rank {rank}: {}", String::from_utf8_lossy(problem));
                Err(self.refused(match code {
                    WRONG_USAGE => Failure::Usage(told),
                    _ => Failure::Computation(told),
                }))
            }
        }
    }

    /// Whether all ranks were asked for something, or none.
    ///
    /// # Errors
    /// [`Failure::Usage`] on all ranks, if some were.
    pub fn agree_on(&self, what: &str, is_asked: bool) -> Result<(), Failure> {
        let all = self.ranks.gather(&[is_asked.into()]);
        let all = all.map_err(|Gone| Failure::Told)?;
        match all.iter().all(|asked| *asked == all[0]) {
            true => Ok(()),
            false => Err(self.refused(Failure::Usage(format!(
                "some ranks were asked for {what}, and others were not: start all by one command"
            )))),
        }
    }

    /// An error of the work in the middle, which this rank has: all end by it.
    pub fn broken(&self, failure: Failure) -> Failure {
        match self.is_several() {
            true => self.end_all(failure),
            false => failure,
        }
    }

    /// An error that this rank has, or that another one tells; all end by it.
    pub fn failed(
        &self,
        error: ScaleError,
        failure: impl FnOnce(ScaleError) -> Failure,
    ) -> Failure {
        let is_told = matches!(error, ScaleError::Gone(_) | ScaleError::OtherRank { .. });
        match self.is_several() && is_told {
            true => Failure::Told,
            false => self.broken(failure(error)),
        }
    }

    #[cfg(not(feature = "mpi"))]
    fn end_all(&self, failure: Failure) -> Failure {
        failure
    }

    #[cfg(feature = "mpi")]
    fn end_all(&self, failure: Failure) -> Failure {
        let Some(mpi) = &self.mpi else {
            return failure;
        };
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let host = match host.trim() {
            "" => String::new(),
            host => format!(" on {host}"),
        };
        // Without standard error there is nobody to tell.
        let _ = writeln!(stderr(), "sunzi: rank {}{host}: {failure}", mpi.rank());
        mpi.abort(failure.exit_code().into())
    }
}
