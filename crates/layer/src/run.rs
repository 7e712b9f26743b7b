//! The run of a program: its plan, its kernels, and what is left of the time for spare launches.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Instant;

use sunzi_tune::live::{Choice, Finding, Launched, Limits, LiveKernel, RunPlan, Spare, Unchanged};
use sunzi_tune::{AnchoredModel, Description, Device, Kernel};

use crate::guard::guarded;
use crate::record::{Record, beginning};

/// Choices that a kernel keeps, and those that are told of.
const MOST_KEPT: usize = 4096;
const MOST_TOLD: usize = 256;
/// What devices that nobody knows are taken to have: warps and blocks of a multiprocessor, bytes of a cache, gigabytes a second.
const USUAL: (u64, u64, u64, f64) = (64, 16, 4 << 20, 200.0);

/// The run.
#[derive(Debug)]
pub struct Run {
    plan: RunPlan,
    descriptions: Vec<Kernel>,
    findings: Mutex<File>,
    record: Option<Record>,
    /// Seconds that spare launches have taken.
    spent: Mutex<f64>,
    kernels: Mutex<HashMap<(Identity, usize), Arc<Tuned>>>,
}

/// What tells a kernel from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The device's name, and its driver.
    pub device: String,
    /// The kernel's name.
    pub kernel: String,
    /// What tells its code from other code.
    pub code: String,
}

/// A launch that was seen, and its data.
type Seen = (Launched, Vec<i64>);

/// A kernel that is tuned.
#[derive(Debug)]
pub struct Tuned {
    pub identity: Identity,
    /// What lines of the record begin with.
    pub beginning: String,
    /// As it was at first: it tells the data of a launch without a lock.
    first: LiveKernel,
    live: Mutex<LiveKernel>,
    /// What is launched in the place of launches with these data.
    kept: RwLock<HashMap<Seen, Option<Launched>>>,
}

/// What is known of the device and the kernel when it is launched first.
#[derive(Debug)]
pub struct Known<'a> {
    /// What launches it.
    pub api: &'static str,
    /// The device's name alone.
    pub device: &'a str,
    /// Its processors.
    pub units: u64,
    pub dimensions: usize,
    pub limits: Limits,
    /// Whether spare launches of the kernel are safe only where it is described.
    pub only_described: bool,
    /// Why its blocks cannot change at all, if that is so.
    pub fixed: Option<Unchanged>,
}

impl Run {
    /// The run of this process; `None` if the environment names no plan that can be read.
    pub fn get() -> Option<&'static Self> {
        static RUN: OnceLock<Option<Run>> = OnceLock::new();
        RUN.get_or_init(|| guarded(Self::start)).as_ref()
    }

    fn start() -> Option<Self> {
        let file = std::env::var_os(RunPlan::VARIABLE)?;
        let plan = RunPlan::from_json(&std::fs::read_to_string(file).ok()?).ok()?;
        let descriptions = plan.descriptions.iter();
        let descriptions = descriptions.map(|text| Description::parse(text, "a description"));
        let descriptions: Vec<Description> = descriptions.collect::<Result<_, _>>().ok()?;
        let kernels = descriptions.iter().flat_map(|all| all.kernels().to_vec());
        let findings = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&plan.findings)
            .ok()?;
        let record = plan.record.as_deref().map(Record::open).transpose().ok()?;
        if record.is_some() {
            at_exit();
        }
        Some(Run {
            descriptions: kernels.collect(),
            findings: Mutex::new(findings),
            record,
            spent: Mutex::new(0.0),
            kernels: Mutex::default(),
            plan,
        })
    }

    /// The record of launches, if there is to be one.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// A kernel that is launched in so many dimensions: the same for all handles of equal code.
    pub fn kernel(&self, identity: Identity, known: Known<'_>) -> Arc<Tuned> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (identity.clone(), known.dimensions);
        let tuned = kernels.entry(key).or_insert_with(|| {
            let known_api = known.api;
            let live = self.live(&identity, known);
            Arc::new(Tuned {
                first: live.clone(),
                live: Mutex::new(live),
                beginning: beginning(known_api, &identity),
                identity,
                kept: RwLock::default(),
            })
        });
        tuned.clone()
    }

    fn live(&self, identity: &Identity, known: Known<'_>) -> LiveKernel {
        let device = self
            .plan
            .devices
            .iter()
            .find(|device| device.name == known.device);
        let (warps, blocks, cache, bandwidth) = USUAL;
        let unknown = || Device::new(known.units, warps, blocks, cache, bandwidth);
        let device = device.map_or_else(unknown, |device| device.profile.clone());
        let name = &identity.kernel;
        let described = self
            .descriptions
            .iter()
            .find(|kernel| kernel.entry() == name);
        let plain = || LiveKernel::plain(name, device.clone(), known.dimensions, known.limits);
        let leave = |why| {
            let mut live = plain();
            live.leave(why);
            live
        };
        let live = described.map_or_else(
            || Ok(plain()),
            |kernel| LiveKernel::described(kernel, device.clone()),
        );
        let mut live = match live {
            Ok(live) => live,
            Err(why) => return leave(why),
        };
        let is_it = |kernel: &str| {
            kernel == name || described.is_some_and(|described| described.name() == kernel)
        };
        if let Some(given) = self.plan.models.iter().find(|model| is_it(model.kernel())) {
            live = match live.with_model(given.clone()) {
                Ok(live) => live,
                Err(why) => return leave(why),
            };
        } else if known.only_described && described.is_none() {
            live.leave(Unchanged::NotLegal(
                "what it reaches is not known without a description: --describe has one".to_owned(),
            ));
        } else if let Some(learned) = self.plan.learned.iter().find(|learned| {
            (&learned.device, &learned.kernel, &learned.code)
                == (&identity.device, name, &identity.code)
        }) {
            // What was learned in other dimensions, or before there was a description, is learned anew.
            live = live
                .clone()
                .with_learned(learned.model.clone())
                .unwrap_or(live);
        }
        if let Some(why) = known.fixed {
            live.leave(why);
        }
        match self.plan.may_change.iter().any(|kernel| is_it(kernel)) {
            true => live.that_may_change(),
            false => live,
        }
    }

    /// The user's description of a kernel, if there is one.
    pub fn description(&self, tuned: &Tuned) -> Option<&Kernel> {
        self.descriptions
            .iter()
            .find(|kernel| kernel.entry() == tuned.identity.kernel)
    }

    /// Whether a kernel's results may change with the block.
    pub fn may_change(&self, tuned: &Tuned) -> bool {
        let named = |name: &str| self.plan.may_change.iter().any(|kernel| kernel == name);
        named(&tuned.identity.kernel)
            || self
                .description(tuned)
                .is_some_and(|kernel| named(kernel.name()))
    }

    /// What is launched in the place of a launch; `None` if that stays as it is. `argument` is the integer in a place of the arguments,
    /// `check` says whether the block may change for these arguments, and `spare` makes what spare launches run on.
    pub fn decide<S: Spare>(
        &self,
        tuned: &Tuned,
        own: &Launched,
        argument: impl Fn(usize) -> Option<i64>,
        check: impl FnOnce() -> Result<(), Unchanged>,
        spare: impl FnOnce(&LiveKernel, &[i64]) -> Result<S, Unchanged>,
    ) -> Option<Launched> {
        let missing = Cell::new(None);
        let seen = |place| {
            let integer = argument(place);
            if integer.is_none() {
                missing.set(Some(place));
            }
            integer
        };
        let Some(data) = tuned.first.data(own, seen) else {
            self.leave_undescribed(tuned, own, missing.get()?);
            return None;
        };
        let key = (*own, data);
        if let Some(&kept) = tuned.kept.read().ok()?.get(&key) {
            return kept;
        }
        // Where another thread learns, or has failed, launches stay as they are.
        let mut live = tuned.live.try_lock().ok()?;
        let mut choice = live.choose(&key.1, own);
        if choice != Choice::AsItIs
            && let Err(why) = check()
        {
            live.leave(why);
            choice = Choice::AsItIs;
        }
        let is_new = choice == Choice::Learn;
        if is_new {
            let start = Instant::now();
            let left = self.plan.seconds - *self.spent.lock().ok()?;
            if left > 0.0 {
                match spare(&live, &key.1) {
                    Ok(mut spare) => live.learn(&key.1, own, &mut spare, left),
                    Err(why) => live.leave(why),
                }
                choice = live.choose(&key.1, own);
                *self.spent.lock().ok()? += start.elapsed().as_secs_f64();
            }
        }
        let chosen = match choice {
            Choice::Shape(launch) => Some(launch).filter(|launch| launch != own),
            Choice::AsItIs | Choice::Learn => None,
        };
        let mut kept = tuned.kept.write().ok()?;
        if is_new || kept.len() < MOST_TOLD {
            let model = live.learned_model().filter(|_| is_new).cloned();
            self.find(tuned, &live, (&key, chosen), model);
        }
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, chosen);
        chosen
    }

    /// A description names an argument that is not seen as an integer: launches of the kernel stay as they are, which is told once.
    fn leave_undescribed(&self, tuned: &Tuned, own: &Launched, place: usize) -> Option<()> {
        let mut live = tuned.live.try_lock().ok()?;
        if live.unchanged().is_none() {
            live.leave(Unchanged::NotLegal(format!(
                "its argument {place} is not seen to be an integer, as its description says"
            )));
            tuned.kept.write().ok()?.clear();
            self.find(tuned, &live, (&(*own, Vec::new()), None), None);
        }
        Some(())
    }

    /// A launch by a chosen shape has failed: from now on launches of the kernel stay as they are.
    pub fn take_back(&self, tuned: &Tuned, why: Unchanged) {
        if let (Ok(mut live), Ok(mut kept)) = (tuned.live.lock(), tuned.kept.write()) {
            live.leave(why);
            kept.clear();
        }
    }

    /// Writes down what was found for data.
    fn find(
        &self,
        tuned: &Tuned,
        live: &LiveKernel,
        ((own, data), chosen): (&Seen, Option<Launched>),
        model: Option<AnchoredModel>,
    ) {
        let Identity {
            device,
            kernel,
            code,
        } = tuned.identity.clone();
        let finding = Finding {
            device,
            kernel,
            code,
            data: data.clone(),
            own_block: own.block,
            block: chosen.and_then(|launch| launch.block),
            unchanged: live.unchanged().map(Unchanged::to_string),
            model,
        };
        let (Ok(text), Ok(mut file)) = (serde_json::to_string(&finding), self.findings.lock())
        else {
            return;
        };
        // Without room for it, nothing is told.
        let _ = file.write_all((text + "\n").as_bytes());
    }
}

/// Has the record written when the process ends: only files are touched then, drivers may be gone.
fn at_exit() {
    extern "C" fn flush() {
        guarded(|| {
            crate::opencl::give_up_pending();
            #[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
            crate::cuda::give_up_pending();
            Run::get()?.record()?.flush();
            Some(())
        });
    }
    #[cfg(unix)]
    // SAFETY: the function has this type, and the library is never unloaded: drivers keep its functions.
    unsafe {
        libc::atexit(flush);
    }
}
