//! Programs as formulas.

use std::fmt::{self, Display};

use serde::Serialize;

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

/// A line of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlowStep {
    /// What is given a value.
    pub name: String,
    /// What is asked for it, if there are two cases.
    pub question: Option<String>,
    /// What it becomes: where the answer is yes, and where it is no; or in any case, as both say.
    pub cases: [String; 2],
}

impl Display for RationalProgram {
    /// One line an output, and one for each value that is used more than once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for FlowStep { name, cases, .. } in self.lines(false) {
            writeln!(f, "{name} = {}", cases[0])?;
        }
        Ok(())
    }
}

impl RationalProgram {
    /// The program as a flowchart: its lines in order, one of them for each decision (a choice, a minimum, a maximum), so that in
    /// each case all values are quotients of polynomials, and roundings of such.
    ///
    /// ```
    /// use sunzi::tune::{InputKind, ProgramBuilder};
    ///
    /// let mut fewer = ProgramBuilder::default();
    /// let n = fewer.input("n", InputKind::Data, 1.0, 1e6)?;
    /// let units = fewer.input("units", InputKind::Hardware, 1.0, 100.0)?;
    /// let least = fewer.minimum(n, units)?;
    /// let share = fewer.divide(n, least)?;
    /// fewer.output("share", share)?;
    /// let program = fewer.build()?;
    /// let chart = program.flowchart();
    /// assert_eq!(chart[0].question.as_deref(), Some("units < n"));
    /// assert_eq!(chart[0].cases, ["units", "n"]);
    /// assert_eq!(program.decisions(&[&[5.0, 500.0], &[10.0]])?, [[false, true]]);
    /// # Ok::<(), sunzi::tune::ProgramError>(())
    /// ```
    pub fn flowchart(&self) -> Vec<FlowStep> {
        self.lines(true)
    }

    /// Values with names, those that decide among them or not.
    fn lines(&self, decide: bool) -> Vec<FlowStep> {
        let mut uses = vec![0; self.steps.len()];
        for step in &self.steps {
            step.operands().for_each(|operand| uses[operand] += 1);
        }
        let mut texts: Vec<(String, Binding)> = Vec::with_capacity(self.steps.len());
        let (mut shared, mut lines) = (0, Vec::new());
        for (index, step) in self.steps.iter().enumerate() {
            let mut written = self.formula(*step, &texts);
            let decision = self.decision(*step, &texts).filter(|_| decide);
            let mut names = self.outputs.iter().filter(|output| output.step == index);
            let is_leaf = matches!(step, Step::Input(_) | Step::Constant(_));
            let name = match names.next() {
                Some(output) => Some(output.name.clone()),
                None if decision.is_some() || uses[index] > 1 && !is_leaf => {
                    let free =
                        |number: &usize| !self.names().any(|name| name == format!("v{number}"));
                    shared = (shared + 1..).find(free).unwrap_or_default();
                    Some(format!("v{shared}"))
                }
                None => None,
            };
            let line = |name: String, text: &String| FlowStep {
                name,
                question: None,
                cases: [text.clone(), text.clone()],
            };
            if let Some(name) = name {
                lines.push(match decision {
                    Some((question, cases)) => FlowStep {
                        name: name.clone(),
                        question: Some(question),
                        cases,
                    },
                    None => line(name.clone(), &written.0),
                });
                written = (name, Binding::Word);
            }
            lines.extend(names.map(|other| line(other.name.clone(), &written.0)));
            texts.push(written);
        }
        lines
    }

    /// What a step asks, and what it is in both cases, if it decides.
    fn decision(&self, step: Step, texts: &[(String, Binding)]) -> Option<(String, [String; 2])> {
        let case = |index: usize| texts[index].0.clone();
        Some(match step {
            Step::Minimum(a, b) => (self.formula(Step::Less(b, a), texts).0, [case(b), case(a)]),
            Step::Maximum(a, b) => (self.formula(Step::Less(a, b), texts).0, [case(b), case(a)]),
            Step::Select(a, b, c) => (case(a), [case(b), case(c)]),
            _ => return None,
        })
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
