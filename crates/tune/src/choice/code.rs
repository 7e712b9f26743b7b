//! Models as code: a function that chooses.

use std::fmt::Write;

use super::model::AnchoredModel;
use super::waves::{REGISTERS, RESIDENT, RESIDENT_NAME, SHARED_BYTES};
use crate::program::{InputKind, Language, in_code, number};

/// The table of an input that is measured.
fn table(name: &str) -> &'static str {
    match name {
        REGISTERS => "REGISTERS",
        SHARED_BYTES => "SHARED_BYTES",
        _ => "FACTORS",
    }
}

impl AnchoredModel {
    /// The choice as code without anything that it depends on: functions that say how many blocks reside on a multiprocessor and
    /// how many milliseconds a shape takes, the shapes that were measured, and a function that takes the data and gives the shape.
    ///
    /// Rust: `pub fn choose(n: i64, …) -> Option<[i64; PARAMETERS]>`. C99: `int choose(int64_t n, …, int64_t shape[PARAMETERS])`,
    /// which returns 0 where it chooses nothing. Both give what [`Chooser`](crate::Chooser) chooses.
    pub fn code(&self, language: Language) -> String {
        match language {
            Language::Rust => self.rust(),
            Language::C => self.c(),
        }
    }

    /// The functions of both languages, and the arguments to call them with for shape i.
    fn functions(&self, language: Language) -> (String, String) {
        let last = self.program().outputs().len() - 1;
        let functions = [(RESIDENT_NAME, RESIDENT), ("milliseconds", last)];
        let functions = functions.map(|(name, output)| {
            self.program()
                .code(language, name, output)
                .unwrap_or_default()
        });
        let mut parameter = 0;
        let arguments = self
            .program()
            .inputs()
            .iter()
            .map(|input| match (input.kind, language) {
                (InputKind::Data, Language::Rust) => format!("{} as f64", in_code(&input.name)),
                (InputKind::Data, Language::C) => format!("(double){}", in_code(&input.name)),
                (InputKind::Hardware, _) => number(input.from, ""),
                (InputKind::Measured, _) => format!("{}[i]", table(&input.name)),
                (InputKind::Program, _) => {
                    parameter += 1;
                    match language {
                        Language::Rust => format!("SHAPES[i][{}] as f64", parameter - 1),
                        Language::C => format!("(double)SHAPES[i][{}]", parameter - 1),
                    }
                }
            });
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        (functions.join("\n"), arguments)
    }

    /// Names of the inputs that are measured for each shape.
    fn measured(&self) -> impl Iterator<Item = &str> {
        let inputs = self.program().inputs().iter();
        let measured = inputs.filter(|input| input.kind == InputKind::Measured);
        measured.map(|input| input.name.as_str())
    }

    fn rust(&self) -> String {
        let (functions, arguments) = self.functions(Language::Rust);
        let (shapes, parameters) = (self.shapes().len(), self.parameters().len());
        let mut code = format!(
            "// The shape of kernel {:?} that is predicted to be fastest: {}.\n\n{functions}\n",
            self.kernel(),
            self.parameters().join(", ")
        );
        // Writing to a string never fails.
        let _ = writeln!(code, "const SHAPES: [[i64; {parameters}]; {shapes}] = [");
        for shape in self.shapes() {
            let _ = writeln!(code, "    {:?},", shape.values);
        }
        for name in self.measured() {
            let _ = writeln!(code, "];\n\nconst {}: [f64; {shapes}] = [", table(name));
            for shape in self.shapes() {
                let _ = writeln!(code, "    {},", number(shape.measured(name), ""));
            }
        }
        let data = self
            .data()
            .iter()
            .map(|data| format!("{}: i64", in_code(&data.name)));
        let _ = writeln!(
            code,
            "];\n\npub fn choose({}) -> Option<[i64; {parameters}]> {{",
            data.collect::<Vec<_>>().join(", ")
        );
        for data in self.data() {
            let name = in_code(&data.name);
            let _ = writeln!(
                code,
                "    if {name} < {} || {name} > {} {{\n        return None;\n    }}",
                data.from, data.to
            );
        }
        let _ = write!(
            code,
            "    let mut best = None;
    let mut least = 0.0;
    for i in 0..{shapes} {{
        if resident_blocks({arguments}) < 1.0 {{
            continue;
        }}
        let time = milliseconds({arguments});
        if best.is_none() || time < least {{
            best = Some(SHAPES[i]);
            least = time;
        }}
    }}
    best
}}
"
        );
        code
    }

    fn c(&self) -> String {
        let (functions, arguments) = self.functions(Language::C);
        let (shapes, parameters) = (self.shapes().len(), self.parameters().len());
        let mut code = format!(
            "/* The shape of kernel {} that is predicted to be fastest: {}.\n   Compile with -ffp-contract=off. */\n\
             #include <math.h>\n#include <stdint.h>\n\n{functions}\n",
            self.kernel().replace("*/", "* /"),
            self.parameters().join(", ")
        );
        let row = |values: &[i64]| {
            values
                .iter()
                .map(i64::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        };
        // Writing to a string never fails.
        let _ = writeln!(
            code,
            "static const int64_t SHAPES[{shapes}][{parameters}] = {{"
        );
        for shape in self.shapes() {
            let _ = writeln!(code, "    {{{}}},", row(&shape.values));
        }
        for name in self.measured() {
            let table = table(name);
            let _ = writeln!(code, "}};\n\nstatic const double {table}[{shapes}] = {{");
            for shape in self.shapes() {
                let _ = writeln!(code, "    {},", number(shape.measured(name), ""));
            }
        }
        let data = self
            .data()
            .iter()
            .map(|data| format!("int64_t {}, ", in_code(&data.name)));
        let _ = writeln!(
            code,
            "}};\n\nint choose({}int64_t shape[{parameters}])\n{{",
            data.collect::<String>()
        );
        for data in self.data() {
            let name = in_code(&data.name);
            let _ = writeln!(
                code,
                "    if ({name} < INT64_C({}) || {name} > INT64_C({}))\n        return 0;",
                data.from, data.to
            );
        }
        let _ = write!(
            code,
            "    int best = -1;
    double least = 0.0;
    for (int i = 0; i < {shapes}; i++) {{
        if (resident_blocks({arguments}) < 1.0)
            continue;
        double time = milliseconds({arguments});
        if (best < 0 || time < least) {{
            best = i;
            least = time;
        }}
    }}
    for (int j = 0; best >= 0 && j < {parameters}; j++)
        shape[j] = SHAPES[best][j];
    return best >= 0;
}}
"
        );
        code
    }
}
