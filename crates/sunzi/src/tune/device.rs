//! Shapes of Sunzi's own kernels, chosen for a device by measurement.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use sunzi_device::{Device, DeviceInfo};
use sunzi_gpu::Word;
use sunzi_gpu::integer::IntegerKernel;
use sunzi_gpu::products::{Finish, ProductConfig, ProductProblem};
use sunzi_tune::{AnchoredModel, Chooser, Constants, ModelError, Sampling};

use super::TuningError;
use super::own::OwnKernel;
use super::runner::OwnRunner;
use crate::tune::profile;

/// Bits of the primes that values are computed by, at least.
const PRIME_BITS: u64 = 30;

/// Shapes of Sunzi's own kernels for a device.
#[derive(Debug)]
pub struct DeviceTuning {
    device: DeviceName,
    choosers: BTreeMap<OwnKernel, Chooser>,
}

/// What tells a device from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceName {
    backend: String,
    name: String,
    driver: String,
}

impl DeviceName {
    fn of(info: &DeviceInfo) -> Self {
        DeviceName {
            backend: info.backend.name().to_owned(),
            name: info.name.clone(),
            driver: info.driver.clone(),
        }
    }
}

/// A tuning as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    device: DeviceName,
    models: Vec<AnchoredModel>,
}

impl DeviceTuning {
    /// Measures all kernels on a device: the time of `sampling` is shared out among them. A kernel whose share was up before
    /// anything was measured is cut as suits devices in general.
    ///
    /// # Errors
    /// [`TuningError`]; [`TuningError::Fit`] where nothing was measured at all.
    pub fn measure(device: &Device, sampling: &Sampling) -> Result<Self, TuningError> {
        let (start, known) = (Instant::now(), profile(device.info()));
        let (mut choosers, mut unmeasured) = (BTreeMap::new(), None);
        for (index, own) in OwnKernel::ALL.into_iter().enumerate() {
            // What one of them leaves is for the others.
            let left = (sampling.seconds - start.elapsed().as_secs_f64()).max(0.0);
            let sampling = Sampling {
                seconds: left / (OwnKernel::ALL.len() - index) as f64,
                ..*sampling
            };
            let kernel = own.describe(device.info())?;
            let mut runner = OwnRunner::new(device, own)?;
            let run = |data: &[i64], shape: &[i64]| runner.run(data, shape);
            let sampled = sampling.run(&kernel, &known, &kernel.samples(), run);
            let sampled = sampled.map_err(|source| TuningError::Sampling {
                kernel: own.name(),
                source: Box::new(source),
            })?;
            let model = AnchoredModel::fit(&kernel, &known, Constants::default(), &sampled.samples);
            let failed = |source| TuningError::Fit {
                kernel: own.name(),
                source,
            };
            match model {
                Err(ModelError::NoSamples) => unmeasured = Some(failed(ModelError::NoSamples)),
                model => {
                    choosers.insert(own, Chooser::new(model.map_err(failed)?));
                }
            }
        }
        if let (Some(unmeasured), true) = (unmeasured, choosers.is_empty()) {
            return Err(unmeasured);
        }
        Ok(Self {
            device: DeviceName::of(device.info()),
            choosers,
        })
    }

    /// Whether it was measured on this device, by this driver.
    pub fn is_for(&self, info: &DeviceInfo) -> bool {
        self.device == DeviceName::of(info)
    }

    /// The device's name.
    pub fn device(&self) -> &str {
        &self.device.name
    }

    /// The model of a kernel.
    pub fn model(&self, kernel: OwnKernel) -> Option<&AnchoredModel> {
        self.choosers.get(&kernel).map(Chooser::model)
    }

    /// The shape for a problem on the device that was measured: what suits devices in general, but for what was measured.
    pub fn shape(&self, info: &DeviceInfo, problem: &ProductProblem) -> ProductConfig {
        let usual = ProductConfig::for_device(info);
        if !self.is_for(info) {
            return usual;
        }
        let mut shape = usual;
        let [n, m] = problem.terms;
        let batch = problem.batch.max(1);
        shape.term_by_term = match problem.form.finish {
            Finish::Modulo32(_) => self.choose(OwnKernel::TermByTerm, [batch, n.min(m)]),
            Finish::Modulo64(_) => self.choose(OwnKernel::WideTermByTerm, [batch, n.min(m)]),
            Finish::Words { .. } | Finish::Carry => None,
        }
        .map(|shape| OwnKernel::plan(&shape));
        let points = n.saturating_add(m).next_power_of_two();
        // Where several primes take part, each has vectors of its own.
        let sums = u64::from(n.min(m).next_power_of_two().trailing_zeros());
        let primes = match problem.form.finish {
            Finish::Modulo32(prime) if (prime - 1).trailing_zeros() >= points.ilog2() => 1,
            _ => problem.form.bits.saturating_add(sums).div_ceil(PRIME_BITS),
        };
        let vectors = batch.saturating_mul(primes as usize);
        shape.transforms = self
            .choose(OwnKernel::Transforms, [points, vectors])
            .map(|shape| OwnKernel::parameters(info, Word::U32, points.ilog2(), vectors, &shape));
        if matches!(problem.form.finish, Finish::Modulo64(_)) {
            shape.wide_transforms = self
                .choose(OwnKernel::WideTransforms, [points, batch])
                .map(|shape| OwnKernel::parameters(info, Word::U64, points.ilog2(), batch, &shape));
        }
        if problem.form.finish == Finish::Carry {
            shape.word_by_word = self.word_by_word(info, problem);
        }
        // A shape that the device refuses is not used.
        shape.check(info).unwrap_or(usual)
    }

    /// How integers are multiplied word by word: the shortest have a kernel of their own, which leaves nothing to choose.
    fn word_by_word(
        &self,
        info: &DeviceInfo,
        problem: &ProductProblem,
    ) -> Option<(IntegerKernel, sunzi_gpu::integer::IntegerPlan)> {
        let [n, m] = problem.terms;
        let kernel = OwnKernel::INTEGER_KERNEL;
        if IntegerKernel::best(info, n, m) != kernel {
            return None;
        }
        let shape = self.choose(OwnKernel::WordByWord, [problem.batch.max(1), n.max(m)])?;
        let plan = OwnKernel::integer_plan(info, problem.terms, &shape).ok()?;
        Some((kernel, plan))
    }

    /// The shape of a kernel for data; none where it was not measured, or data are out of range.
    fn choose(&self, kernel: OwnKernel, data: [usize; 2]) -> Option<std::sync::Arc<[i64]>> {
        let data = data.map(|value| i64::try_from(value).unwrap_or(i64::MAX));
        self.choosers.get(&kernel)?.choose(&data).ok()
    }

    /// The tuning as it is written.
    pub(super) fn document(&self) -> Document {
        let models = self.choosers.values();
        Document {
            device: self.device.clone(),
            models: models.map(|chooser| chooser.model().clone()).collect(),
        }
    }

    /// A tuning as it was written.
    pub(super) fn read(document: Document) -> Result<Self, TuningError> {
        let mut choosers = BTreeMap::new();
        for model in document.models {
            let own = OwnKernel::ALL
                .into_iter()
                .find(|own| own.name() == model.kernel());
            let own = own.ok_or_else(|| {
                TuningError::Json(format!("there is no kernel {:?}", model.kernel()))
            })?;
            let [data, parameters] = own.names();
            let is_same = model.data().iter().map(|data| &data.name).eq(data)
                && model.parameters().iter().eq(parameters);
            if !is_same {
                return Err(TuningError::Json(format!(
                    "{:?} has other parameters",
                    model.kernel()
                )));
            }
            choosers.insert(own, Chooser::new(model));
        }
        Ok(Self {
            device: document.device,
            choosers,
        })
    }
}
