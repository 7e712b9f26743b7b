//! Programs as code that needs nothing else.

use std::fmt::Write;

use super::{RationalProgram, Step};

/// What code is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust, edition 2015 and later.
    Rust,
    /// C99 with `math.h`.
    C,
}

/// What names get where a language gives them a meaning, or where the code uses them itself.
const RESERVED: &[&str] = &[
    "Self",
    "abstract",
    "as",
    "async",
    "auto",
    "await",
    "become",
    "box",
    "break",
    "case",
    "ceil",
    "char",
    "const",
    "continue",
    "crate",
    "default",
    "do",
    "double",
    "dyn",
    "else",
    "enum",
    "extern",
    "f64",
    "false",
    "final",
    "float",
    "floor",
    "fn",
    "for",
    "gen",
    "goto",
    "i64",
    "if",
    "impl",
    "in",
    "inline",
    "int",
    "int64_t",
    "let",
    "long",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "register",
    "restrict",
    "return",
    "self",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "super",
    "switch",
    "trait",
    "true",
    "try",
    "type",
    "typedef",
    "typeof",
    "union",
    "unsafe",
    "unsigned",
    "unsized",
    "use",
    "usize",
    "virtual",
    "void",
    "volatile",
    "where",
    "while",
    "yield",
    "i",
    "j",
    "best",
    "least",
    "time",
    "shape",
    "choose",
    "milliseconds",
    "resident_blocks",
    "SHAPES",
    "FACTORS",
    "_",
    "_Bool",
    "_Complex",
    "_Imaginary",
];

/// A name that can stand in code.
pub(crate) fn in_code(name: &str) -> String {
    // Names of steps are `v` and digits, or double underscores.
    let digits = name.strip_prefix('v').unwrap_or("no");
    let is_step = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_reserved = RESERVED.contains(&name) || name.starts_with("__") || is_step;
    match is_reserved || name.ends_with('_') {
        true => format!("{name}_"),
        false => name.to_owned(),
    }
}

impl RationalProgram {
    /// A function `function` of the inputs as doubles, in their order, that gives the output of this number: code without
    /// anything that it depends on. It gives the very bits of [`RationalProgram::evaluate`], for inputs within their ranges;
    /// it does not check those. `None` if there is no such output.
    ///
    /// ```
    /// use sunzi::tune::{InputKind, Language, ProgramBuilder};
    /// let mut half = ProgramBuilder::default();
    /// let n = half.input("n", InputKind::Data, 0.0, 100.0)?;
    /// let two = half.constant(2.0)?;
    /// let quotient = half.divide(n, two)?;
    /// half.output("half", quotient)?;
    /// let code = half.build()?.code(Language::Rust, "half", 0).unwrap();
    /// assert_eq!(code, "#[allow(unused_variables)]\nfn half(n: f64) -> f64 {\n    let v2 = n / 2.0_f64;\n    v2\n}\n");
    /// # Ok::<(), sunzi::tune::ProgramError>(())
    /// ```
    pub fn code(&self, language: Language, function: &str, output: usize) -> Option<String> {
        let wanted = self.outputs.get(output)?.step;
        let mut needed = vec![false; self.steps.len()];
        needed[wanted] = true;
        for (index, step) in self.steps.iter().enumerate().rev() {
            if needed[index] {
                step.operands().for_each(|operand| needed[operand] = true);
            }
        }
        let parameters: Vec<String> = self
            .inputs
            .iter()
            .map(|input| match language {
                Language::Rust => format!("{}: f64", in_code(&input.name)),
                Language::C => format!("double {}", in_code(&input.name)),
            })
            .collect();
        let parameters = parameters.join(", ");
        let mut code = match language {
            Language::Rust => {
                // Not every input decides every output.
                format!("#[allow(unused_variables)]\nfn {function}({parameters}) -> f64 {{\n")
            }
            Language::C => format!("static double {function}({parameters})\n{{\n"),
        };
        if language == Language::C {
            let inputs = self.inputs.iter();
            inputs.for_each(|input| code += &format!("    (void)({});\n", in_code(&input.name)));
        }
        let declared = match language {
            Language::Rust => "let",
            Language::C => "double",
        };
        for (index, step) in self.steps.iter().enumerate() {
            if needed[index] && !matches!(step, Step::Input(_) | Step::Constant(_)) {
                // Writing to a string never fails.
                let _ = writeln!(
                    code,
                    "    {declared} v{index} = {};",
                    self.expression(*step, language)
                );
            }
        }
        code += &match language {
            Language::Rust => format!("    {}\n}}\n", self.word(wanted, language)),
            Language::C => format!("    return {};\n}}\n", self.word(wanted, language)),
        };
        Some(code)
    }

    fn word(&self, index: usize, language: Language) -> String {
        match (self.steps[index], language) {
            (Step::Input(input), _) => in_code(&self.inputs[input].name),
            (Step::Constant(value), Language::Rust) => number(value, "_f64"),
            (Step::Constant(value), Language::C) => number(value, ""),
            _ => format!("v{index}"),
        }
    }

    fn expression(&self, step: Step, language: Language) -> String {
        let word = |index| self.word(index, language);
        let choice = |condition: String, then: String, otherwise: String| match language {
            Language::Rust => format!("if {condition} {{ {then} }} else {{ {otherwise} }}"),
            Language::C => format!("{condition} ? {then} : {otherwise}"),
        };
        let decided = |a, sign, b| {
            let (yes, no) = match language {
                Language::Rust => ("1.0_f64", "0.0_f64"),
                Language::C => ("1.0", "0.0"),
            };
            let condition = format!("{} {sign} {}", word(a), word(b));
            choice(condition, yes.to_owned(), no.to_owned())
        };
        let rounded = |name: &str, a| match language {
            Language::Rust => format!("f64::{name}({})", word(a)),
            Language::C => format!("{name}({})", word(a)),
        };
        match step {
            Step::Input(_) | Step::Constant(_) => String::new(), // words
            Step::Add(a, b) => format!("{} + {}", word(a), word(b)),
            Step::Subtract(a, b) => format!("{} - {}", word(a), word(b)),
            Step::Multiply(a, b) => format!("{} * {}", word(a), word(b)),
            Step::Divide(a, b) => format!("{} / {}", word(a), word(b)),
            Step::Floor(a) => rounded("floor", a),
            Step::Ceiling(a) => rounded("ceil", a),
            Step::Minimum(a, b) => choice(format!("{} < {}", word(b), word(a)), word(b), word(a)),
            Step::Maximum(a, b) => choice(format!("{} < {}", word(a), word(b)), word(b), word(a)),
            Step::Less(a, b) => decided(a, "<", b),
            Step::AtMost(a, b) => decided(a, "<=", b),
            Step::Equal(a, b) => decided(a, "==", b),
            Step::Select(a, b, c) => {
                let zero = match language {
                    Language::Rust => "0.0_f64",
                    Language::C => "0.0",
                };
                choice(format!("{} != {zero}", word(a)), word(b), word(c))
            }
        }
    }
}

/// A double that is read back as it is.
pub(crate) fn number(value: f64, suffix: &str) -> String {
    match value < 0.0 {
        true => format!("({value:?}{suffix})"),
        false => format!("{value:?}{suffix}"),
    }
}
