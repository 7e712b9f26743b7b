//! Programs as formulas.

use std::fmt::{self, Display};

use super::{RationalProgram, Step};

/// How tightly the outermost operation of a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Choice,
    Comparison,
    Sum,
    Product,
    Word,
}

impl Display for RationalProgram {
    /// One line an output, and one for each value that is used more than once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut uses = vec![0; self.steps.len()];
        for step in &self.steps {
            step.operands().for_each(|operand| uses[operand] += 1);
        }
        let mut texts: Vec<(String, Binding)> = Vec::with_capacity(self.steps.len());
        let (mut shared, mut text) = (0, String::new());
        for (index, step) in self.steps.iter().enumerate() {
            let mut written = self.formula(*step, &texts);
            let mut names = self.outputs.iter().filter(|output| output.step == index);
            let is_leaf = matches!(step, Step::Input(_) | Step::Constant(_));
            let name = match names.next() {
                Some(output) => Some(output.name.clone()),
                None if uses[index] > 1 && !is_leaf => {
                    let free =
                        |number: &usize| !self.names().any(|name| name == format!("v{number}"));
                    shared = (shared + 1..).find(free).unwrap_or_default();
                    Some(format!("v{shared}"))
                }
                None => None,
            };
            if let Some(name) = name {
                text += &format!("{name} = {}\n", written.0);
                written = (name, Binding::Word);
            }
            for other in names {
                text += &format!("{} = {}\n", other.name, written.0);
            }
            texts.push(written);
        }
        f.write_str(&text)
    }
}

impl RationalProgram {
    fn names(&self) -> impl Iterator<Item = &str> {
        let outputs = self.outputs.iter().map(|output| output.name.as_str());
        self.inputs
            .iter()
            .map(|input| input.name.as_str())
            .chain(outputs)
    }

    fn formula(&self, step: Step, texts: &[(String, Binding)]) -> (String, Binding) {
        let word = |index: usize| &texts[index].0;
        // In parentheses, unless it binds at least so tightly.
        let operand = |index: usize, least: Binding| {
            let (text, binding) = &texts[index];
            match *binding >= least {
                true => text.clone(),
                false => format!("({text})"),
            }
        };
        let infix = |a, sign, b, binding, next| {
            (
                format!("{} {sign} {}", operand(a, binding), operand(b, next)),
                binding,
            )
        };
        // A minimum of a minimum is one of more.
        let flat = |index: usize, function: &str| {
            let (text, step) = (word(index), self.steps[index]);
            let nested = matches!(
                (step, function),
                (Step::Minimum(..), "min(") | (Step::Maximum(..), "max(")
            );
            match text.strip_prefix(function).filter(|_| nested) {
                Some(rest) => rest[..rest.len() - 1].to_owned(),
                None => text.clone(),
            }
        };
        use Binding::{Choice, Comparison, Product, Sum, Word};
        match step {
            Step::Input(input) => (self.inputs[input].name.clone(), Word),
            Step::Constant(value) if value < 0.0 => (value.to_string(), Sum),
            Step::Constant(value) => (value.to_string(), Word),
            Step::Add(a, b) => infix(a, "+", b, Sum, Sum),
            Step::Subtract(a, b) => infix(a, "-", b, Sum, Product),
            Step::Multiply(a, b) => infix(a, "*", b, Product, Product),
            Step::Divide(a, b) => infix(a, "/", b, Product, Word),
            Step::Floor(a) => (format!("floor({})", word(a)), Word),
            Step::Ceiling(a) => (format!("ceil({})", word(a)), Word),
            Step::Minimum(a, b) => (format!("min({}, {})", flat(a, "min("), word(b)), Word),
            Step::Maximum(a, b) => (format!("max({}, {})", flat(a, "max("), word(b)), Word),
            Step::Less(a, b) => infix(a, "<", b, Comparison, Sum),
            Step::AtMost(a, b) => infix(a, "<=", b, Comparison, Sum),
            Step::Equal(a, b) => infix(a, "==", b, Comparison, Sum),
            Step::Select(a, b, c) => (
                format!(
                    "{} if {} else {}",
                    operand(b, Comparison),
                    operand(a, Comparison),
                    operand(c, Choice)
                ),
                Choice,
            ),
        }
    }
}
