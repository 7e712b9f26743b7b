//! The model: t(N, b) = c_b · G(N) · F(N, b) + D(N, b), anchored on the largest size that was run.

use std::collections::{BTreeMap, HashMap};

use crate::error::ModelError;
use serde::{Deserialize, Serialize};

use super::constants::Constants;
use super::device::Device;
use super::growth::{Growth, log_size};
use super::waves::{
    FACTOR, REGISTERS, RELATIVE, RESIDENT, RESIDENT_NAME, SHARED_BYTES, TRAFFIC, waves,
};
use crate::description::{Kernel, Resources};
use crate::program::{Input, InputKind, Output, ProgramError, RationalProgram};

/// The version of models as JSON that this crate writes and reads.
const VERSION: u32 = 1;
/// The last output of a model's program.
const TIME: &str = "milliseconds";

/// A measured time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Values of the data parameters.
    pub data: Vec<i64>,
    /// Values of the program parameters.
    pub shape: Vec<i64>,
    /// Milliseconds.
    pub milliseconds: f64,
}

/// A data parameter, and between which values it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataRange {
    /// Its name.
    pub name: String,
    /// Its least value.
    pub from: i64,
    /// Its largest value.
    pub to: i64,
}

/// A shape, and how much slower it is than F says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredShape {
    /// Values of the program parameters.
    pub values: Vec<i64>,
    /// c_b.
    pub factor: f64,
    /// What it takes of a multiprocessor when it is compiled, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<Resources>,
}

impl MeasuredShape {
    /// What an input is for the shape that was measured; 0 for what is not known.
    pub fn measured(&self, input: &str) -> f64 {
        let taken = |of: fn(Resources) -> u64| self.resources.map_or(0.0, |taken| of(taken) as f64);
        match input {
            REGISTERS => taken(|taken| taken.registers),
            SHARED_BYTES => taken(|taken| taken.shared_bytes),
            _ => self.factor,
        }
    }
}

/// Times of a kernel's shapes at any size, from times at small ones.
///
/// F is waves of blocks, each slower the more warps are resident, and slower still where strided lines exceed the first-level
/// cache; D is what all blocks read of operands that exceed the second-level cache. What a shape is better or worse than F
/// says, c_b, is measured: mostly at the largest size. See [`Constants`]. All of it is one [`RationalProgram`], the same for
/// all shapes, so a model can be written as JSON, as formulas, and as code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Document", into = "Document")]
pub struct AnchoredModel {
    document: Document,
    /// The program's inputs for all shapes; those of data are empty.
    columns: Vec<Vec<f64>>,
}

/// A model as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    kernel: String,
    data: Vec<DataRange>,
    parameters: Vec<String>,
    shapes: Vec<MeasuredShape>,
    program: RationalProgram,
}

impl From<AnchoredModel> for Document {
    fn from(model: AnchoredModel) -> Self {
        model.document
    }
}

impl TryFrom<Document> for AnchoredModel {
    type Error = ModelError;

    /// What is read is checked again: files come from anywhere.
    fn try_from(document: Document) -> Result<Self, ModelError> {
        if document.version != VERSION {
            return Err(ModelError::Version(document.version));
        }
        let Document {
            data,
            parameters,
            shapes,
            program,
            ..
        } = &document;
        if shapes.is_empty() || shapes.iter().any(|s| s.values.len() != parameters.len()) {
            return Err(ModelError::Parts(
                "shapes are none, or not over its parameters",
            ));
        }
        let inputs = program.inputs();
        let of_kind = |kind| inputs.iter().filter(move |input| input.kind == kind);
        let names = |kind| of_kind(kind).map(|input| input.name.as_str());
        let same = data
            .iter()
            .map(|data| data.name.as_str())
            .eq(names(InputKind::Data))
            && parameters
                .iter()
                .map(String::as_str)
                .eq(names(InputKind::Program))
            && names(InputKind::Measured)
                .filter(|name| *name == FACTOR)
                .count()
                == 1
            && names(InputKind::Measured)
                .all(|name| [FACTOR, REGISTERS, SHARED_BYTES].contains(&name))
            && of_kind(InputKind::Hardware).all(|input| input.from == input.to);
        if !same {
            return Err(ModelError::Parts(
                "program is over other inputs than its parts",
            ));
        }
        let outputs = program.outputs();
        let is_named =
            |output: Option<&Output>, name| output.is_some_and(|output| output.name == name);
        if !is_named(outputs.get(RESIDENT), RESIDENT_NAME) || !is_named(outputs.last(), TIME) {
            return Err(ModelError::Parts(
                "program does not give resident blocks, and milliseconds at last",
            ));
        }
        let mut data_inputs = data.iter().zip(of_kind(InputKind::Data));
        if !data_inputs
            .all(|(d, i)| d.from <= d.to && d.from as f64 >= i.from && d.to as f64 <= i.to)
        {
            return Err(ModelError::Parts("data have other ranges in its program"));
        }
        let columns = columns_of(program, shapes);
        let within = |(input, column): (&Input, &Vec<f64>)| {
            column
                .iter()
                .all(|value| (input.from..=input.to).contains(value))
        };
        if !inputs.iter().zip(&columns).all(within) {
            return Err(ModelError::Parts(
                "shapes are out of the ranges of its program",
            ));
        }
        Ok(AnchoredModel { document, columns })
    }
}

/// A shape, and its milliseconds.
type Time<'a> = (&'a [i64], f64);

/// Samples by size.
type Sizes<'a> = BTreeMap<(i128, &'a [i64]), Vec<Time<'a>>>;

impl AnchoredModel {
    /// Fits the model to times. A single size is enough for a choice, but then G is constant. Of several times of a shape for the
    /// same data the median counts, so that a clock that was disturbed once does no harm.
    ///
    /// # Errors
    /// See [`ModelError`]; shapes that do not fit the device are left out.
    pub fn fit(
        kernel: &Kernel,
        device: &Device,
        constants: Constants,
        samples: &[Sample],
    ) -> Result<Self, ModelError> {
        Self::fit_for(kernel, device, device, constants, samples)
    }

    /// A model for a device from times on another one, `measured_on`: worse than times on the device itself, and better than none.
    ///
    /// # Errors
    /// As [`AnchoredModel::fit`].
    pub fn fit_for(
        kernel: &Kernel,
        device: &Device,
        measured_on: &Device,
        constants: Constants,
        samples: &[Sample],
    ) -> Result<Self, ModelError> {
        let sizes = sizes(kernel, samples)?;
        let (program, ..) = waves(kernel, measured_on, &constants)?;
        let program = program.build()?;
        let mut shapes: HashMap<&[i64], (f64, f64)> = HashMap::new();
        let mut medians = Vec::new();
        let mut weight = 1.0;
        for ((_, data), times) in sizes.iter().rev() {
            let shapes_of_size = times.iter().map(|(shape, _)| MeasuredShape {
                values: shape.to_vec(),
                factor: 1.0,
                resources: kernel.resources(shape),
            });
            let columns = columns_of(&program, &shapes_of_size.collect::<Vec<_>>());
            let outputs = program.evaluate_lanes(&inputs(&columns, &as_doubles(data)))?;
            let mut logs = Vec::new();
            for (index, (shape, time)) in times.iter().enumerate() {
                let of = |output: usize| lane(&outputs[output], index);
                if of(RESIDENT) >= 1.0 {
                    let own = (time - of(TRAFFIC)).max(constants.least * time);
                    logs.push((*shape, (own / of(RELATIVE)).ln()));
                }
            }
            let mut sorted: Vec<f64> = logs.iter().map(|(_, log)| *log).collect();
            sorted.sort_by(f64::total_cmp);
            let Some(last) = sorted.len().checked_sub(1) else {
                continue;
            };
            let median = (sorted[last / 2] + sorted[last.div_ceil(2)]) / 2.0;
            medians.push((log_size(data), median, weight));
            for (shape, log) in logs {
                let (sum, all) = shapes.entry(shape).or_default();
                *sum += weight * (log - median);
                *all += weight;
            }
            weight = (weight * constants.weight).max(f64::MIN_POSITIVE);
        }
        if shapes.is_empty() {
            return Err(ModelError::NoSamples);
        }
        let measured = |(values, (sum, all)): (&[i64], (f64, f64))| MeasuredShape {
            values: values.to_vec(),
            factor: (sum / all).clamp(-300.0, 300.0).exp(),
            resources: kernel.resources(values),
        };
        let mut shapes: Vec<MeasuredShape> = shapes.into_iter().map(measured).collect();
        shapes.sort_by(|a, b| a.values.cmp(&b.values));
        let program = whole(kernel, device, &constants, Growth::fit(&medians), &shapes)?;
        let data = kernel.data.iter().map(|parameter| DataRange {
            name: parameter.name.clone(),
            from: parameter.lowest,
            to: parameter.highest,
        });
        let parameters = kernel.program_names().map(str::to_owned).collect();
        let columns = columns_of(&program, &shapes);
        let document = Document {
            version: VERSION,
            kernel: kernel.name().to_owned(),
            data: data.collect(),
            parameters,
            shapes,
            program,
        };
        Ok(AnchoredModel { document, columns })
    }

    /// The model as JSON: a line without spaces.
    pub fn to_json(&self) -> String {
        // Of finite numbers, strings and lists there is always JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a model from JSON. What is read is proved again: names, ranges, and that no divisor is zero.
    ///
    /// # Errors
    /// [`ModelError::Json`] with line and column, also for what is no model.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        /// What is the same in all versions.
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let versioned: Versioned = serde_json::from_str(text).map_err(json_error)?;
        if versioned.version != VERSION {
            return Err(ModelError::Version(versioned.version));
        }
        serde_json::from_str(text).map_err(json_error)
    }

    /// The kernel's name.
    pub fn kernel(&self) -> &str {
        &self.document.kernel
    }

    /// The data parameters, in the order of their values.
    pub fn data(&self) -> &[DataRange] {
        &self.document.data
    }

    /// Names of the program parameters, in the order of their values.
    pub fn parameters(&self) -> &[String] {
        &self.document.parameters
    }

    /// The shapes that were measured.
    pub fn shapes(&self) -> &[MeasuredShape] {
        &self.document.shapes
    }

    /// The program: its last output is a shape's milliseconds, the others what these are made of.
    pub fn program(&self) -> &RationalProgram {
        &self.document.program
    }

    /// Whether data are as many as the parameters and within their ranges.
    pub fn takes(&self, data: &[i64]) -> bool {
        data.len() == self.data().len()
            && (self.data().iter().zip(data)).all(|(range, v)| (range.from..=range.to).contains(v))
    }

    /// All outputs of the program for every shape that was measured: an output a vector, a shape an element. `None` for data
    /// out of range.
    pub fn explain(&self, data: &[i64]) -> Option<Vec<Vec<f64>>> {
        if !self.takes(data) {
            return None;
        }
        let values = as_doubles(data);
        let outputs = self
            .program()
            .evaluate_lanes(&inputs(&self.columns, &values));
        let mut outputs = outputs.ok()?;
        for output in &mut outputs {
            if output.len() == 1 {
                output.resize(self.shapes().len(), output[0]);
            }
        }
        Some(outputs)
    }

    /// The pieces of the program that the shapes that were measured fall into: the answers to the decisions of its
    /// [`flowchart`](RationalProgram::flowchart), and the numbers of the shapes that have them. `None` for data out of range.
    pub fn pieces(&self, data: &[i64]) -> Option<BTreeMap<Vec<bool>, Vec<usize>>> {
        if !self.takes(data) {
            return None;
        }
        let values = as_doubles(data);
        let decisions = self.program().decisions(&inputs(&self.columns, &values));
        let decisions = decisions.ok()?;
        let mut pieces: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
        for shape in 0..self.shapes().len() {
            let answers = decisions
                .iter()
                .map(|answers| answers[shape % answers.len()]);
            pieces.entry(answers.collect()).or_default().push(shape);
        }
        Some(pieces)
    }

    /// Predicted milliseconds of every shape that was measured and fits the device, in the shapes' order; `None` for data out of
    /// range.
    pub fn predict(&self, data: &[i64]) -> Option<Vec<(&[i64], f64)>> {
        let outputs = self.explain(data)?;
        let (resident, time) = (outputs.get(RESIDENT)?, outputs.last()?);
        let shapes = self.shapes().iter().zip(resident).zip(time);
        let fitting = shapes.filter(|((_, resident), _)| **resident >= 1.0);
        Some(
            fitting
                .map(|((shape, _), time)| (&shape.values[..], *time))
                .collect(),
        )
    }
}

fn json_error(error: serde_json::Error) -> ModelError {
    ModelError::Json(error.to_string())
}

/// Samples by size, if they are some.
fn sizes<'a>(kernel: &Kernel, samples: &'a [Sample]) -> Result<Sizes<'a>, ModelError> {
    let mut sizes = Sizes::new();
    for (index, sample) in samples.iter().enumerate() {
        let milliseconds = sample.milliseconds;
        if !(milliseconds.is_finite() && milliseconds > 0.0) {
            return Err(ModelError::SampleTime {
                index,
                milliseconds,
            });
        }
        let data = || sample.data.clone();
        if !kernel.takes(&sample.data) {
            let data = data();
            return Err(ModelError::SampleData { index, data });
        }
        let shape = || sample.shape.clone();
        if !kernel.is_legal(&sample.shape) {
            let shape = shape();
            return Err(ModelError::SampleShape { index, shape });
        }
        let values = sample.data.iter().map(|&n| i128::from(n));
        let size = values.fold(1_i128, i128::saturating_mul);
        let times = sizes.entry((size, &sample.data)).or_default();
        times.push((&sample.shape, milliseconds));
    }
    for times in sizes.values_mut() {
        times.sort_by(|a, b| a.0.cmp(b.0).then(a.1.total_cmp(&b.1)));
        let same = times.chunk_by(|a, b| a.0 == b.0);
        let medians: Vec<_> = same.map(|times| times[times.len() / 2]).collect();
        *times = medians;
    }
    Ok(sizes)
}

/// The program of a model: that of its waves, and the time.
fn whole(
    kernel: &Kernel,
    device: &Device,
    constants: &Constants,
    growth: Growth,
    shapes: &[MeasuredShape],
) -> Result<RationalProgram, ProgramError> {
    let (mut p, data, [relative, traffic]) = waves(kernel, device, constants)?;
    let factors = || shapes.iter().map(|shape| shape.factor);
    let (least, most) = (
        factors().fold(f64::INFINITY, f64::min),
        factors().fold(0.0, f64::max),
    );
    let factor = p.input(FACTOR, InputKind::Measured, least, most)?;
    let longest = kernel
        .data
        .iter()
        .map(|data| data.highest.max(1) as f64)
        .product();
    let growth = growth.in_program(&mut p, &data, longest)?;
    p.output("growth", growth)?;
    let own = p.multiply(factor, growth)?;
    let own = p.multiply(own, relative)?;
    let time = p.add(own, traffic)?;
    p.output(TIME, time)?;
    p.build()
}

fn as_doubles(data: &[i64]) -> Vec<f64> {
    data.iter().map(|&value| value as f64).collect()
}

fn lane(values: &[f64], index: usize) -> f64 {
    values[if values.len() == 1 { 0 } else { index }]
}

/// What a program's inputs are for shapes: empty for data.
fn columns_of(program: &RationalProgram, shapes: &[MeasuredShape]) -> Vec<Vec<f64>> {
    let mut parameter = 0;
    let column = |input: &Input| match input.kind {
        InputKind::Data => Vec::new(),
        InputKind::Hardware => vec![input.from],
        InputKind::Measured => shapes
            .iter()
            .map(|shape| shape.measured(&input.name))
            .collect(),
        InputKind::Program => {
            parameter += 1;
            let value = |shape: &MeasuredShape| shape.values[parameter - 1] as f64;
            shapes.iter().map(value).collect()
        }
    };
    program.inputs().iter().map(column).collect()
}

/// A program's inputs for data and the columns of shapes: data come first.
fn inputs<'a>(columns: &'a [Vec<f64>], data: &'a [f64]) -> Vec<&'a [f64]> {
    let shapes = columns.iter().skip(data.len()).map(Vec::as_slice);
    data.iter()
        .map(std::slice::from_ref)
        .chain(shapes)
        .collect()
}
