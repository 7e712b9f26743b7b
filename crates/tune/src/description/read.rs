//! Descriptions from TOML.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::argument::{BufferArgument, Element, Fill, KernelArgument, NumberOf};
use super::error::{DescriptionError, Problem};
use super::expression::{Expression, Name, Refused, split_access};
use super::kernel::{Access, Kernel, Parameter, Variable};

/// How many shapes a kernel may have: each is looked at when one is chosen.
const MOST_SHAPES: usize = 1 << 16;

type Text = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Spanned<i64>,
    #[serde(default)]
    data: BTreeMap<Text, Spanned<Range>>,
    #[serde(default)]
    program: BTreeMap<Text, Spanned<Range>>,
    #[serde(default)]
    constraints: Vec<Text>,
    #[serde(default)]
    block: Vec<Text>,
    #[serde(default)]
    kernel: Vec<Spanned<Described>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    name: Text,
    data: Option<BTreeMap<Text, Spanned<Range>>>,
    program: Option<BTreeMap<Text, Spanned<Range>>>,
    constraints: Option<Vec<Text>>,
    block: Option<Vec<Text>>,
    grid: Vec<Text>,
    #[serde(default)]
    threads: BTreeMap<Text, Dimension>,
    #[serde(default)]
    loops: BTreeMap<Text, Text>,
    #[serde(default)]
    accesses: Vec<Text>,
    element: Option<u32>,
    entry: Option<Text>,
    #[serde(default)]
    definitions: BTreeMap<Text, Text>,
    #[serde(default)]
    arguments: Vec<Spanned<Argument>>,
    registers: Option<Text>,
    shared: Option<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Argument {
    buffer: Option<String>,
    value: Option<Text>,
    element: Element,
    length: Option<Text>,
    fill: Option<Fill>,
    result: Option<bool>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Dimension {
    X,
    Y,
    Z,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    from: Option<i64>,
    to: Option<i64>,
    step: Option<i64>,
    factor: Option<i64>,
    values: Option<Vec<i64>>,
    samples: Option<Vec<i64>>,
}

struct Place<'a> {
    text: &'a str,
    file: &'a str,
}

impl Place<'_> {
    fn at(&self, offset: usize, problem: Problem) -> DescriptionError {
        DescriptionError::at(self.file, self.text, offset, problem)
    }

    /// Where an expression is wrong: it stands within quotes.
    fn within(&self, text: &Text, (offset, problem): Refused) -> DescriptionError {
        let start = text.span().start;
        let quotes = self.text.get(start..).map_or(1, |rest| {
            if rest.starts_with("\"\"\"") || rest.starts_with("'''") {
                3
            } else {
                1
            }
        });
        self.at(start + quotes + offset, problem)
    }

    fn expressions(
        &self,
        texts: &[Text],
        names: &[Name],
    ) -> Result<Vec<Expression>, DescriptionError> {
        let parse = |text: &Text| {
            Expression::parse(text.get_ref(), names).map_err(|refused| self.within(text, refused))
        };
        texts.iter().map(parse).collect()
    }
}

pub(super) fn kernels(text: &str, file: &str) -> Result<Vec<Kernel>, DescriptionError> {
    let place = Place { text, file };
    let read: File = toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        place.at(offset, Problem::Toml(error.message().to_owned()))
    })?;
    if *read.version.get_ref() != 1 {
        return Err(place.at(
            read.version.span().start,
            Problem::Version(*read.version.get_ref()),
        ));
    }
    let mut kernels: Vec<Kernel> = Vec::new();
    for described in &read.kernel {
        let kernel = kernel(&place, &read, described)?;
        if kernels.iter().any(|known| known.name == kernel.name) {
            let start = described.get_ref().name.span().start;
            return Err(place.at(start, Problem::Twice(kernel.name)));
        }
        kernels.push(kernel);
    }
    Ok(kernels)
}

fn kernel(
    place: &Place,
    file: &File,
    spanned: &Spanned<Described>,
) -> Result<Kernel, DescriptionError> {
    let described = spanned.get_ref();
    let start = described.name.span().start;
    let data = parameters(place, described.data.as_ref().unwrap_or(&file.data), false)?;
    let program = parameters(
        place,
        described.program.as_ref().unwrap_or(&file.program),
        true,
    )?;
    let mut names: Vec<&str> = data
        .iter()
        .chain(&program)
        .map(|p| p.name.as_str())
        .collect();
    names.extend(
        described
            .threads
            .keys()
            .chain(described.loops.keys())
            .map(|n| n.get_ref().as_str()),
    );
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(place.at(start, Problem::DeclaredTwice(pair[0].to_owned())));
    }
    let constraints = described.constraints.as_ref().unwrap_or(&file.constraints);
    let shapes = shapes(place, start, &program, constraints)?;
    let all: Vec<Name> = data.iter().chain(&program).map(name_of).collect();
    let dimensions = |texts: &[Text], what: &'static str| {
        if !(1..=3).contains(&texts.len()) {
            return Err(place.at(start, Problem::Dimensions(what)));
        }
        place.expressions(texts, &all)
    };
    let mut definitions = Vec::new();
    for (name, text) in &described.definitions {
        let value = place
            .expressions(std::slice::from_ref(text), &all)?
            .remove(0);
        definitions.push((checked_name(place, name)?, NumberOf(value)));
    }
    let taken = |text: &Option<Text>| {
        let parse = |text| {
            Ok(place
                .expressions(std::slice::from_ref(text), &all)?
                .remove(0))
        };
        text.as_ref().map(parse).transpose()
    };
    let name = described.name.get_ref();
    let entry = match &described.entry {
        Some(entry) => checked_name(place, entry)?,
        None => name.rsplit('/').next().unwrap_or(name).to_owned(),
    };
    Ok(Kernel {
        entry,
        definitions,
        arguments: arguments(place, described, &all)?,
        name: name.clone(),
        block: dimensions(described.block.as_ref().unwrap_or(&file.block), "block")?,
        grid: dimensions(&described.grid, "grid")?,
        accesses: accesses(place, described, &data)?,
        registers: taken(&described.registers)?,
        shared: taken(&described.shared)?,
        compiled: BTreeMap::new(),
        data,
        program,
        shapes,
    })
}

fn checked_name(place: &Place, name: &Text) -> Result<String, DescriptionError> {
    let text = name.get_ref();
    match crate::program::is_name(text) {
        true => Ok(text.clone()),
        false => Err(place.at(name.span().start, Problem::Name(text.clone()))),
    }
}

fn arguments(
    place: &Place,
    described: &Described,
    names: &[Name],
) -> Result<Vec<KernelArgument>, DescriptionError> {
    let number = |text: &Text| {
        let mut parsed = place.expressions(std::slice::from_ref(text), names)?;
        Ok(NumberOf(parsed.remove(0)))
    };
    let read = |spanned: &Spanned<Argument>| {
        let argument = spanned.get_ref();
        let element = argument.element;
        match (&argument.buffer, &argument.length, &argument.value) {
            (Some(name), Some(length), None) => Ok(KernelArgument::Buffer(BufferArgument {
                name: name.clone(),
                element,
                length: number(length)?,
                fill: argument.fill.unwrap_or_default(),
                is_result: argument.result.unwrap_or(false),
            })),
            (None, None, Some(value)) if argument.fill.is_none() && argument.result.is_none() => {
                let value = number(value)?;
                Ok(KernelArgument::Value { element, value })
            }
            _ => Err(place.at(spanned.span().start, Problem::Argument)),
        }
    };
    described.arguments.iter().map(read).collect()
}

/// Values to measure at: powers of two from 64 on where none are named.
fn samples(
    place: &Place,
    start: usize,
    name: &Text,
    range: &Range,
    [lowest, highest]: [i64; 2],
) -> Result<Vec<i64>, DescriptionError> {
    let Some(named) = &range.samples else {
        let from = lowest.max(64.min(highest));
        let doubled = |value: &i64| value.checked_mul(2).filter(|&value| value <= highest);
        return Ok(std::iter::successors(Some(from), doubled).collect());
    };
    let within = named.iter().all(|value| (lowest..=highest).contains(value));
    if named.is_empty() || !within || !named.is_sorted() {
        return Err(place.at(start, Problem::Samples(name.get_ref().clone())));
    }
    Ok(named.clone())
}

fn name_of(parameter: &Parameter) -> Name<'_> {
    Name {
        name: &parameter.name,
        lowest: parameter.lowest,
        highest: parameter.highest,
    }
}

fn parameters(
    place: &Place,
    ranges: &BTreeMap<Text, Spanned<Range>>,
    enumerate: bool,
) -> Result<Vec<Parameter>, DescriptionError> {
    let mut parameters = Vec::new();
    for (name, spanned) in ranges {
        let (range, start) = (spanned.get_ref(), spanned.span().start);
        let wrong = || {
            place.at(
                start,
                Problem::Values {
                    name: name.get_ref().clone(),
                },
            )
        };
        let mut values = match (range.from, range.to, &range.values) {
            (None, None, Some(values)) if enumerate && range.step.or(range.factor).is_none() => {
                values.clone()
            }
            (Some(from), Some(to), None) => {
                if from > to {
                    let name = name.get_ref().clone();
                    return Err(place.at(start, Problem::Range { name, from, to }));
                }
                let next: Box<dyn Fn(i64) -> Option<i64>> = match (range.step, range.factor) {
                    (step, None) if step.unwrap_or(1) >= 1 => {
                        let step = step.unwrap_or(1);
                        Box::new(move |value: i64| value.checked_add(step))
                    }
                    (None, Some(factor)) if factor >= 2 && from >= 1 => {
                        Box::new(move |value: i64| value.checked_mul(factor))
                    }
                    _ => return Err(wrong()),
                };
                if enumerate {
                    let next = |value: &i64| next(*value).filter(|&value| value <= to);
                    std::iter::successors(Some(from), next)
                        .take(MOST_SHAPES + 1)
                        .collect()
                } else {
                    vec![from, to]
                }
            }
            _ => return Err(wrong()),
        };
        values.sort_unstable();
        values.dedup();
        let (Some(&lowest), Some(&highest)) = (values.first(), values.last()) else {
            return Err(wrong());
        };
        if lowest < 1 {
            return Err(wrong());
        }
        if enumerate && range.samples.is_some() {
            return Err(wrong());
        }
        parameters.push(Parameter {
            samples: samples(place, start, name, range, [lowest, highest])?,
            name: checked_name(place, name)?,
            lowest,
            highest,
            values,
        });
    }
    Ok(parameters)
}

/// All shapes that meet the constraints, in order.
fn shapes(
    place: &Place,
    start: usize,
    program: &[Parameter],
    constraints: &[Text],
) -> Result<Vec<Vec<i64>>, DescriptionError> {
    let names: Vec<Name> = program.iter().map(name_of).collect();
    let mut parsed = Vec::new();
    for text in constraints {
        let refused = |refused| place.within(text, refused);
        parsed.push(Expression::parse_comparison(text.get_ref(), &names).map_err(refused)?);
    }
    let wrong = |count| {
        place.at(
            start,
            Problem::Shapes {
                count,
                most: MOST_SHAPES,
            },
        )
    };
    let all = program
        .iter()
        .fold(1_usize, |all, p| all.saturating_mul(p.values.len()));
    if all > 16 * MOST_SHAPES {
        return Err(wrong(all));
    }
    let mut shapes = vec![Vec::new()];
    for parameter in program {
        let longer = |shape: Vec<i64>| {
            parameter
                .values
                .iter()
                .map(move |&value| [shape.as_slice(), &[value]].concat())
        };
        shapes = shapes.into_iter().flat_map(longer).collect();
    }
    shapes.retain(|shape| parsed.iter().all(|constraint| constraint.value(shape) == 1));
    if shapes.is_empty() || shapes.len() > MOST_SHAPES {
        return Err(wrong(shapes.len()));
    }
    Ok(shapes)
}

fn accesses(
    place: &Place,
    described: &Described,
    data: &[Parameter],
) -> Result<Vec<Access>, DescriptionError> {
    let mut names: Vec<Name> = data.iter().map(name_of).collect();
    let mut variables = Vec::new();
    for (name, dimension) in &described.threads {
        variables.push((name.get_ref(), Variable::Thread(*dimension as usize)));
    }
    for (name, count) in &described.loops {
        let count = place
            .expressions(std::slice::from_ref(count), &names)?
            .remove(0);
        variables.push((name.get_ref(), Variable::Loop(count)));
    }
    // Indices are taken at 0 and 1 of each variable, for its coefficient.
    names.extend(variables.iter().map(|(name, _)| Name {
        name,
        lowest: 0,
        highest: 1,
    }));
    let mut accesses = Vec::new();
    for text in &described.accesses {
        let refused = |refused| place.within(text, refused);
        let (array, index, before) = split_access(text.get_ref()).map_err(refused)?;
        let index = Expression::parse(index, &names)
            .map_err(|(offset, problem)| refused((before + offset, problem)))?;
        if index
            .degree_from(data.len())
            .is_none_or(|degree| degree > 1)
        {
            return Err(refused((before, Problem::NotAffine)));
        }
        accesses.push(Access {
            array: array.to_owned(),
            element: u64::from(described.element.unwrap_or(4).max(1)),
            index,
            variables: variables
                .iter()
                .map(|(_, variable)| variable.clone())
                .collect(),
        });
    }
    Ok(accesses)
}
