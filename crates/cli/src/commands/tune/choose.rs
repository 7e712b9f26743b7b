//! `sunzi tune choose`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use sunzi::tune::{AnchoredModel, FlowStep, InputKind};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;

use super::input;
use crate::args::Common;
use crate::commands::Run;
use crate::draw::flowchart::{self, Flowchart};
use crate::draw::{Drawing, Format};
use crate::report::{Figures, Head, Report, files};

/// For which size a shape is chosen.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sunzi tune choose model.json n=8192
  sunzi tune choose model.json n=8192 --top 5
  sunzi tune choose model.json n=8192 --explain --json
  sunzi tune choose model.json n=8192 --flowchart model.svg")]
pub struct Choose {
    /// What `tune kernel` or `tune fit` wrote
    #[arg(value_name = "MODEL.json")]
    model: PathBuf,
    /// The data: each parameter and its value
    #[arg(value_name = "NAME=VALUE", required = true)]
    data: Vec<String>,
    /// The best shapes, so many
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// The formulas, and what their parts come to
    #[arg(long)]
    explain: bool,
    /// Draw the program as a flowchart, and list its pieces: .svg or .png
    #[arg(long, value_name = "FILE")]
    flowchart: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Told<'a> {
    kernel: &'a str,
    shapes: Vec<Shape<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formulas: Option<String>,
    /// The program line by line, with names for what decides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flowchart: Vec<FlowStep>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pieces: Vec<Piece<'a>>,
}

/// A piece of the program: where all decisions have the same answers.
#[derive(Debug, Serialize)]
struct Piece<'a> {
    answers: Vec<Answer>,
    shapes: Vec<BTreeMap<&'a str, i64>>,
}

#[derive(Clone, Debug, Serialize)]
struct Answer {
    question: String,
    yes: bool,
}

#[derive(Debug, Serialize)]
struct Shape<'a> {
    shape: BTreeMap<&'a str, i64>,
    milliseconds: f64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<&'a str, f64>,
}

impl Run for Choose {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let figures = Figures::start();
        let output = Output::create(common.output.as_deref())?;
        let chart = self.flowchart.as_deref().map(|path| {
            let format = Format::of(path).ok_or_else(|| {
                let path = path.display();
                Failure::Usage(format!(
                    "--flowchart {path}: a picture's name ends in .svg or .png"
                ))
            })?;
            let chart = Output::create_named("--flowchart", path)?;
            Ok::<_, Failure>((path, format, chart))
        });
        let chart = chart.transpose()?;
        if let Some((.., chart)) = &chart {
            Output::distinct(&[&output, chart])?;
        }
        let model = input::model(&self.model)?;
        let data = self.data(&model)?;
        let outputs = model.explain(&data).ok_or_else(|| {
            let ranges = model
                .data()
                .iter()
                .map(|data| format!("{} from {} to {}", data.name, data.from, data.to));
            Failure::Usage(format!(
                "the model takes {}",
                ranges.collect::<Vec<_>>().join(", ")
            ))
        })?;
        let names: Vec<&str> = model
            .program()
            .outputs()
            .iter()
            .map(|output| output.name.as_str())
            .collect();
        let predicted = model.predict(&data).unwrap_or_default();
        let index_of = |shape: &[i64]| model.shapes().iter().position(|one| one.values == shape);
        let mut best: Vec<(usize, f64)> = predicted
            .iter()
            .filter_map(|(shape, time)| Some((index_of(shape)?, *time)))
            .collect();
        best.sort_by(|a, b| a.1.total_cmp(&b.1));
        best.truncate(self.top as usize);
        if best.is_empty() {
            return Err(Failure::Computation(
                "no shape that was measured fits the device for these data".to_owned(),
            ));
        }
        let named_shape = |index: usize| {
            let names = model.parameters().iter().map(String::as_str);
            names
                .zip(model.shapes()[index].values.iter().copied())
                .collect::<BTreeMap<_, _>>()
        };
        let shape = |&(index, milliseconds): &(usize, f64)| {
            let parts = names
                .iter()
                .zip(&outputs)
                .map(|(name, values)| (*name, values[index]));
            let inputs = model.program().inputs().iter();
            let measured = inputs.filter(|input| input.kind == InputKind::Measured);
            let measured = measured.map(|input| {
                let name = input.name.as_str();
                (name, model.shapes()[index].measured(name))
            });
            Shape {
                shape: named_shape(index),
                milliseconds,
                parts: if self.explain {
                    parts.chain(measured).collect()
                } else {
                    BTreeMap::new()
                },
            }
        };
        let named = model.data().iter().map(|range| range.name.as_str());
        let named: BTreeMap<&str, i64> = named.zip(data.iter().copied()).collect();
        let inputs = json!({ "files": files([&self.model]), "data": named, "top": self.top });
        let steps = match chart {
            Some(_) => model.program().flowchart(),
            None => Vec::new(),
        };
        let told = Told {
            kernel: model.kernel(),
            shapes: best.iter().map(shape).collect(),
            formulas: self.explain.then(|| model.program().to_string()),
            pieces: chart.as_ref().map_or_else(Vec::new, |_| {
                let found = model.pieces(&data).unwrap_or_default().into_iter();
                let questions: Vec<&String> = steps
                    .iter()
                    .filter_map(|step| step.question.as_ref())
                    .collect();
                let piece = |(answers, shapes): (Vec<bool>, Vec<usize>)| Piece {
                    answers: questions
                        .iter()
                        .zip(answers)
                        .map(|(question, yes)| Answer {
                            question: (*question).clone(),
                            yes,
                        })
                        .collect(),
                    shapes: shapes.into_iter().map(named_shape).collect(),
                };
                found.map(piece).collect()
            }),
            flowchart: steps,
        };
        let mut drawn = None;
        if let Some((path, format, mut file)) = chart {
            let drawing = self.drawing(&model, &told).encode(format);
            let failed = |error| Failure::Computation(format!("{}: {error}", path.display()));
            file.write(&drawing.map_err(failed)?)?;
            drawn = Some(file);
        }
        let report = Report {
            head: Head::new("tune choose", inputs),
            result: told,
            figures: figures.ended(),
        };
        report.write(output, common.json, |told| self.text(told))?;
        // The picture appears when all is told.
        drawn.map_or(Ok(()), Output::finish)
    }
}

/// A shape as `bx=32 by=4`.
fn words(shape: &BTreeMap<&str, i64>) -> String {
    let sides: Vec<String> = shape
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    sides.join(" ")
}

/// Shapes of a piece that are named.
const NAMED: usize = 6;

impl Piece<'_> {
    /// What it is, in a line.
    fn line(&self) -> String {
        let answers = self.answers.iter().map(|answer| {
            let not = if answer.yes { "" } else { "not " };
            format!("{not}{}", answer.question)
        });
        let answers: Vec<String> = answers.collect();
        let shapes: Vec<String> = self.shapes.iter().take(NAMED).map(words).collect();
        let more = if self.shapes.len() > NAMED {
            ", …"
        } else {
            ""
        };
        let plural = if self.shapes.len() == 1 { "" } else { "s" };
        format!(
            "{}: {} shape{plural}: {}{more}",
            answers.join(", "),
            self.shapes.len(),
            shapes.join(", ")
        )
    }
}

impl Choose {
    /// The program as a flowchart, with its pieces below.
    fn drawing(&self, model: &AnchoredModel, told: &Told<'_>) -> Drawing {
        let program = model.program();
        let inputs: Vec<&str> = program.inputs().iter().map(|input| &*input.name).collect();
        let outputs: Vec<&str> = program
            .outputs()
            .iter()
            .map(|output| &*output.name)
            .collect();
        flowchart::draw(&Flowchart {
            title: model.kernel(),
            inputs: inputs.join(", "),
            steps: &told.flowchart,
            outputs: outputs.join(", "),
            pieces: (
                format!("Pieces at {}", self.data.join(", ")),
                told.pieces.iter().map(Piece::line).collect(),
            ),
        })
    }

    /// The values of all data parameters, in the model's order.
    fn data(&self, model: &AnchoredModel) -> Result<Vec<i64>, Failure> {
        let mut values = BTreeMap::new();
        for text in &self.data {
            let parts = text
                .split_once('=')
                .and_then(|(name, value)| Some((name.trim(), value.trim().parse::<i64>().ok()?)));
            let Some((name, value)) = parts else {
                return Err(Failure::Usage(format!(
                    "`{text}` is no NAME=VALUE with an integer, such as n=8192"
                )));
            };
            if values.insert(name, value).is_some() {
                return Err(Failure::Usage(format!("`{name}` is given twice")));
            }
        }
        let wanted: Vec<&str> = model
            .data()
            .iter()
            .map(|range| range.name.as_str())
            .collect();
        let all = wanted
            .iter()
            .map(|name| values.remove(name))
            .collect::<Option<Vec<_>>>();
        match (all, values.keys().next()) {
            (Some(all), None) => Ok(all),
            _ => Err(Failure::Usage(format!(
                "the model's data are {}: give each a value",
                wanted.join(", ")
            ))),
        }
    }

    fn text(&self, told: &Told<'_>) -> String {
        let mut text = String::new();
        for shape in &told.shapes {
            text += &words(&shape.shape);
            if self.top > 1 || self.explain {
                text += &format!("  {:.4} ms", shape.milliseconds);
            }
            text += "\n";
            for (name, value) in &shape.parts {
                text += &format!("  {name} = {value}\n");
            }
        }
        if let Some(formulas) = &told.formulas {
            text += "\n";
            text += formulas;
        }
        text
    }
}
