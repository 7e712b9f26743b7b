//! A kernel of a program that runs: when spare launches are made, and what is chosen by them.

use std::collections::HashSet;
use std::fmt::Display;
use std::time::Instant;

use thiserror::Error;

use super::shapes::{Launched, Limits, Plain};
use crate::choice::{AnchoredModel, Constants, Device, Sample, Sampling, SamplingError};
use crate::description::{Kernel, KernelArgument};
use crate::error::ModelError;

/// Sizes at which all shapes are tried; at others the chosen shape is compared, once.
const MOST_SIZES: usize = 4;
/// How many times as many threads make another size worth trying.
const APART: f64 = 2.0;
/// Of the program's own time: what a shape has to take at most to be chosen. The rest is noise.
const WORTH: f64 = 0.98;
/// Timed runs of a shape, whose median counts.
const RUNS: usize = 3;

/// What a spare launch took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ran {
    /// Milliseconds by the device's clock.
    pub milliseconds: f64,
    /// Whether the buffers hold the same after it as after the first one, bit by bit.
    pub same: bool,
}

/// Spare launches: of the kernel, on copies of what a launch of the program was given.
pub trait Spare {
    /// Why one failed.
    type Error: Display;

    /// Launches once, and waits. `None` if the device has no such blocks.
    ///
    /// # Errors
    /// What the driver says.
    fn run(&mut self, launched: &Launched) -> Result<Option<Ran>, Self::Error>;
}

/// Why launches of a kernel stay as they are.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Unchanged {
    /// Results that are not the same from run to run by the same shape.
    #[error("its results differ from run to run")]
    Unsteady,
    /// Results that change with the shape.
    #[error("its results change with the block {0:?}")]
    Changed([u64; 3]),
    /// A driver that does not do spare launches.
    #[error("a spare launch failed: {0}")]
    Spare(String),
    /// A description or a model that does not fit.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// What is described, and not launched so.
    #[error(
        "its launch of {threads:?} threads by blocks of {block:?} is none of those that its description allows"
    )]
    NotAsDescribed {
        /// The threads of the launch.
        threads: [u64; 3],
        /// Its block.
        block: Option<[u64; 3]>,
    },
    /// What no layer can try.
    #[error("{0}")]
    NotLegal(String),
}

/// What is to be done with a launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// It stays as it is.
    AsItIs,
    /// It is launched so.
    Shape(Launched),
    /// It is tried first: [`LiveKernel::learn`], and then asked again.
    Learn,
}

/// Where a kernel's shapes come from.
#[derive(Clone, Debug)]
enum Shapes {
    /// Blocks that divide the threads.
    Plain(Plain),
    /// A description, and for each of its data which argument holds it.
    Described(Box<Kernel>, Vec<usize>),
}

/// A kernel on a device.
#[derive(Clone, Debug)]
pub struct LiveKernel {
    name: String,
    device: Device,
    shapes: Shapes,
    may_change: bool,
    samples: Vec<Sample>,
    /// Data at which all shapes were tried, and the time of the program's own launch there.
    sizes: Vec<(Vec<i64>, f64)>,
    model: Option<AnchoredModel>,
    /// Whether the user gave the model.
    is_given: bool,
    /// Data and shapes whose results were compared.
    compared: HashSet<(Vec<i64>, Vec<i64>)>,
    /// Data that were tried in any way.
    tried: HashSet<Vec<i64>>,
    unchanged: Option<Unchanged>,
}

impl LiveKernel {
    /// A kernel that nobody has described: its blocks may be any that divide its threads.
    pub fn plain(name: &str, device: Device, dimensions: usize, limits: Limits) -> Self {
        let shapes = Shapes::Plain(Plain::new(dimensions.clamp(1, 3), limits));
        Self::new(name, device, shapes)
    }

    /// A kernel as its description says. Its data are integer arguments of the launch.
    ///
    /// # Errors
    /// [`Unchanged::NotLegal`]: a description that does not say where the data are, or macros that were decided long ago.
    pub fn described(kernel: &Kernel, device: Device) -> Result<Self, Unchanged> {
        if !kernel.definitions().is_empty() {
            return Err(Unchanged::NotLegal(
                "its description has `definitions`, which were compiled into the program: describe it without".to_owned(),
            ));
        }
        let place = |(data, name): (usize, &str)| {
            let holds = |argument: &KernelArgument| {
                matches!(argument, KernelArgument::Value { element, value }
                    if value.parameter() == Some(data) && !element.rounds())
            };
            let found = kernel.arguments().iter().position(holds);
            found.ok_or_else(|| {
                Unchanged::NotLegal(format!(
                    "its description says of no integer argument that it is `{name}`: `arguments` has all in order"
                ))
            })
        };
        let places = kernel.data_names().enumerate().map(place);
        let places = places.collect::<Result<_, _>>()?;
        let shapes = Shapes::Described(Box::new(kernel.clone()), places);
        Ok(Self::new(kernel.name(), device, shapes))
    }

    fn new(name: &str, device: Device, shapes: Shapes) -> Self {
        LiveKernel {
            name: name.to_owned(),
            device,
            shapes,
            may_change: false,
            samples: Vec::new(),
            sizes: Vec::new(),
            model: None,
            is_given: false,
            compared: HashSet::new(),
            tried: HashSet::new(),
            unchanged: None,
        }
    }

    /// The same kernel with a model that the user gives: it chooses, and nothing is tried or compared.
    ///
    /// # Errors
    /// [`Unchanged::NotLegal`] if the model's data or parameters are others than the kernel's.
    pub fn with_model(mut self, model: AnchoredModel) -> Result<Self, Unchanged> {
        self.is_given = true;
        self.with_learned(model)
    }

    /// The same kernel with what an earlier run has learned: what it chooses is compared.
    ///
    /// # Errors
    /// As [`LiveKernel::with_model`].
    pub fn with_learned(mut self, model: AnchoredModel) -> Result<Self, Unchanged> {
        let names = model.data().iter().map(|data| data.name.as_str());
        let parameters = model.parameters().iter().map(String::as_str);
        let is_its = match &self.shapes {
            Shapes::Plain(plain) => {
                let [data, program] = plain.names();
                names.eq(data.iter().copied()) && parameters.eq(program.iter().copied())
            }
            Shapes::Described(kernel, _) => {
                names.eq(kernel.data_names()) && parameters.eq(kernel.program_names())
            }
        };
        if !is_its {
            return Err(Unchanged::NotLegal(
                "the model is over other data than the launch: describe the kernel by --describe"
                    .to_owned(),
            ));
        }
        self.model = Some(model);
        Ok(self)
    }

    /// The same kernel, whose results may change with the shape.
    pub fn that_may_change(mut self) -> Self {
        self.may_change = true;
        self
    }

    /// The model that was learned, in this run or an earlier one.
    pub fn learned_model(&self) -> Option<&AnchoredModel> {
        self.model.as_ref().filter(|_| !self.is_given)
    }

    /// Why its launches stay as they are, if that is so for good.
    pub fn unchanged(&self) -> Option<&Unchanged> {
        self.unchanged.as_ref()
    }

    /// Has its launches stay as they are from now on.
    pub fn leave(&mut self, why: Unchanged) {
        self.unchanged.get_or_insert(why);
    }

    /// The data of a launch; `argument` is the integer in a place of the arguments, if there is one.
    pub fn data(
        &self,
        launched: &Launched,
        argument: impl Fn(usize) -> Option<i64>,
    ) -> Option<Vec<i64>> {
        match &self.shapes {
            Shapes::Plain(plain) => Some(plain.data(launched)),
            Shapes::Described(_, places) => places.iter().map(|&place| argument(place)).collect(),
        }
    }

    /// What is to be done with a launch.
    pub fn choose(&self, data: &[i64], own: &Launched) -> Choice {
        if self.unchanged.is_some() {
            return Choice::AsItIs;
        }
        if !self.is_given && self.is_worth_trying(data) {
            return Choice::Learn;
        }
        let Some((shape, launch)) = self.best(data, own) else {
            return Choice::AsItIs;
        };
        let key = (data.to_vec(), shape);
        if self.is_given || self.compared.contains(&key) {
            Choice::Shape(launch)
        } else if self.tried.contains(data) {
            Choice::AsItIs
        } else {
            Choice::Learn
        }
    }

    /// Whether all shapes are to be tried for these data.
    fn is_worth_trying(&self, data: &[i64]) -> bool {
        let size = |data: &[i64]| data.iter().map(|&n| (n.max(1) as f64).log2()).sum::<f64>();
        let is_far =
            |(other, _): &(Vec<i64>, f64)| (size(data) - size(other)).abs() >= APART.log2();
        // A model without sizes is of an earlier run.
        let is_open = self.model.is_none() || !self.sizes.is_empty();
        is_open
            && !self.tried.contains(data)
            && self.sizes.len() < MOST_SIZES
            && self.sizes.iter().all(is_far)
    }

    /// The shape that is predicted to be the fastest of those that are legal, if it is worth it.
    fn best(&self, data: &[i64], own: &Launched) -> Option<(Vec<i64>, Launched)> {
        let predicted = self.model.as_ref()?.predict(data)?;
        let by = self.launches(data, own);
        let launches = predicted
            .into_iter()
            .filter_map(|(shape, time)| Some((shape, by(shape)?, time)));
        let launches: Vec<_> = launches.collect();
        let best = launches.iter().min_by(|a, b| a.2.total_cmp(&b.2))?;
        let is_worth = match launches.iter().find(|(_, launch, _)| launch == own) {
            Some((_, _, of_own)) => best.2 < WORTH * of_own,
            None => self.gain().is_none_or(|gain| gain < WORTH),
        };
        is_worth.then(|| (best.0.to_vec(), best.1))
    }

    /// The time of the best shape over that of the program's own launch, where all shapes were tried: the median of all sizes.
    fn gain(&self) -> Option<f64> {
        let of_size = |(data, own): &(Vec<i64>, f64)| {
            let times = self.samples.iter().filter(|sample| sample.data == *data);
            times
                .map(|sample| sample.milliseconds / own)
                .min_by(f64::total_cmp)
        };
        let mut gains: Vec<f64> = self.sizes.iter().filter_map(of_size).collect();
        gains.sort_by(f64::total_cmp);
        gains.get(gains.len() / 2).copied()
    }

    /// The launch by a shape, if it is legal there: the arguments are those of the program's own shape.
    fn launches<'a>(
        &'a self,
        data: &'a [i64],
        own: &'a Launched,
    ) -> impl Fn(&[i64]) -> Option<Launched> + 'a {
        let arguments = |kernel: &Kernel, shape: &[i64]| -> Vec<i64> {
            let value = |argument: &KernelArgument| match argument {
                KernelArgument::Value { value, .. } => value.at(data, shape),
                KernelArgument::Buffer(buffer) => buffer.length.at(data, shape),
            };
            kernel.arguments().iter().map(value).collect()
        };
        let of_own = match &self.shapes {
            Shapes::Plain(_) => None,
            Shapes::Described(kernel, _) => {
                let shape = self.own_shape(data, own);
                shape.ok().map(|shape| arguments(kernel, &shape))
            }
        };
        move |shape| match &self.shapes {
            Shapes::Plain(plain) => plain.launch(own, shape),
            Shapes::Described(kernel, _) => {
                let launch = boxes(kernel, data, own, shape)?;
                let is_same = of_own.as_ref()? == &arguments(kernel, shape);
                is_same.then_some(launch)
            }
        }
    }

    /// The shape of a launch as the program makes it, of a described kernel.
    ///
    /// # Errors
    /// [`Unchanged::NotAsDescribed`] if it is none that the description allows.
    pub fn own_shape(&self, data: &[i64], own: &Launched) -> Result<Vec<i64>, Unchanged> {
        let found = match &self.shapes {
            Shapes::Plain(_) => None,
            Shapes::Described(kernel, _) => {
                let is_own = |shape: &&Vec<i64>| boxes(kernel, data, own, shape) == Some(*own);
                kernel.shapes().iter().find(is_own).cloned()
            }
        };
        found.ok_or(Unchanged::NotAsDescribed {
            threads: own.threads,
            block: own.block,
        })
    }

    /// Makes spare launches for data that [`LiveKernel::choose`] asks them for, at most for so many seconds: of all shapes, or of
    /// the chosen one to compare it. What goes wrong has its launches stay as they are.
    pub fn learn<S: Spare>(&mut self, data: &[i64], own: &Launched, spare: &mut S, seconds: f64) {
        let is_first = self.is_worth_trying(data);
        self.tried.insert(data.to_vec());
        let learned = match is_first {
            true => self.try_all(data, own, spare, seconds),
            false => self.compare(data, own, spare, seconds),
        };
        if let Err(why) = learned {
            self.leave(why);
        }
    }

    /// The program's own launch, run until its time and its results are known. `None` if the device does not run it, or not often enough
    /// in so many seconds.
    fn reference<S: Spare>(
        &self,
        own: &Launched,
        spare: &mut S,
        seconds: f64,
    ) -> Result<Option<f64>, Unchanged> {
        let mut times = Vec::new();
        for run in 0..=RUNS {
            let Some(ran) = spare.run(own).map_err(failed)? else {
                return Ok(None);
            };
            if !ran.same && !self.may_change {
                return Err(Unchanged::Unsteady);
            }
            // The first one may have compiled.
            if run > 0 {
                times.push(ran.milliseconds);
            }
            let left = (RUNS - run) as f64;
            if left * ran.milliseconds > 1e3 * seconds {
                return Ok(None);
            }
        }
        times.sort_by(f64::total_cmp);
        Ok(Some(times[times.len() / 2]))
    }

    fn try_all<S: Spare>(
        &mut self,
        data: &[i64],
        own: &Launched,
        spare: &mut S,
        seconds: f64,
    ) -> Result<(), Unchanged> {
        let start = Instant::now();
        let kernel = match &mut self.shapes {
            Shapes::Plain(plain) => {
                plain.add(own);
                let described = plain.describe(&self.name);
                described.map_err(|error| Unchanged::NotLegal(error.problem.to_string()))?
            }
            Shapes::Described(kernel, _) => {
                let kernel = (**kernel).clone();
                self.own_shape(data, own)?;
                kernel
            }
        };
        if !kernel.takes(data) {
            return Ok(());
        }
        let Some(of_own) = self.reference(own, spare, seconds)? else {
            return Ok(());
        };
        let sampling = Sampling {
            seconds: seconds - start.elapsed().as_secs_f64(),
            warm_up: 1,
            runs: RUNS,
            within: 2.0,
            at_least: 4,
        };
        let before: Vec<Vec<i64>> = self.sizes.iter().map(|(data, _)| data.clone()).collect();
        let sizes = [&before[..], &[data.to_vec()]].concat();
        let mut same = Vec::new();
        let by = self.launches(data, own);
        let run = |at: &[i64], shape: &[i64]| {
            if at != data {
                let known = self
                    .samples
                    .iter()
                    .find(|sample| sample.data == at && sample.shape == shape);
                return Ok(known.map(|sample| sample.milliseconds));
            }
            let Some(launch) = by(shape) else {
                return Ok(None);
            };
            let Some(ran) = spare.run(&launch).map_err(failed)? else {
                return Ok(None);
            };
            if !ran.same && !self.may_change {
                return Err(Unchanged::Changed(launch.block.unwrap_or_default()));
            }
            same.push(shape.to_vec());
            Ok(Some(ran.milliseconds.max(1e-6)))
        };
        let sampled = sampling.run(&kernel, &self.device, &sizes, run);
        drop(by);
        let sampled = sampled.map_err(|error| match error {
            SamplingError::Run { source, .. } => source,
            SamplingError::Fit(error) => Unchanged::Model(error),
        })?;
        let new = sampled
            .samples
            .into_iter()
            .filter(|sample| sample.data == data);
        self.samples.extend(new);
        self.compared
            .extend(same.into_iter().map(|shape| (data.to_vec(), shape)));
        self.sizes.push((data.to_vec(), of_own));
        if !self.samples.is_empty() {
            let model =
                AnchoredModel::fit(&kernel, &self.device, Constants::default(), &self.samples)?;
            self.model = Some(model);
        }
        Ok(())
    }

    /// Compares the results of the chosen shape with those of the program's own.
    fn compare<S: Spare>(
        &mut self,
        data: &[i64],
        own: &Launched,
        spare: &mut S,
        seconds: f64,
    ) -> Result<(), Unchanged> {
        let Some((shape, launch)) = self.best(data, own) else {
            return Ok(());
        };
        if self.reference(own, spare, seconds)?.is_none() {
            return Ok(());
        }
        match spare.run(&launch).map_err(failed)? {
            Some(ran) if ran.same || self.may_change => {
                self.compared.insert((data.to_vec(), shape));
                Ok(())
            }
            Some(_) => Err(Unchanged::Changed(launch.block.unwrap_or_default())),
            None => Ok(()),
        }
    }
}

/// The launch of a described kernel by a shape, in as many dimensions as the program's own.
fn boxes(kernel: &Kernel, data: &[i64], own: &Launched, shape: &[i64]) -> Option<Launched> {
    let [block, grid] = kernel.launch_boxes(data, shape)?;
    let mut threads = [1; 3];
    for (side, (block, blocks)) in threads.iter_mut().zip(block.iter().zip(grid)) {
        *side = block.checked_mul(blocks)?;
    }
    let fits = threads[own.dimensions..].iter().all(|&side| side == 1);
    fits.then_some(Launched {
        dimensions: own.dimensions,
        threads,
        block: Some(block),
    })
}

fn failed(error: impl Display) -> Unchanged {
    Unchanged::Spare(error.to_string())
}
