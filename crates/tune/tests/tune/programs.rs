//! Rational programs: every operation against exact numbers; what is refused; code in other languages.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use sunzi_integer::{Integer, Rational};
use sunzi_tune::{
    AnchoredModel, Chooser, Constants, Description, Device, InputKind, Language, ProgramBuilder,
    ProgramError, RationalProgram, Resources, Sample,
};
use sunzi_tune::{BlockResources, MultiprocessorLimits};

/// A program with every operation.
fn everything() -> RationalProgram {
    let mut p = ProgramBuilder::default();
    let n = p.input("n", InputKind::Data, 1.0, 1e6).unwrap();
    let b = p.input("while", InputKind::Program, -32.0, 1024.0).unwrap();
    let m = p.input("v3", InputKind::Hardware, 0.5, 100.0).unwrap();
    let (two, tenth) = (p.constant(2.0).unwrap(), p.constant(0.1).unwrap());
    let sum = p.add(n, b).unwrap();
    let difference = p.subtract(b, n).unwrap();
    let product = p.multiply(sum, difference).unwrap();
    let quotient = p.divide(product, m).unwrap();
    let floor = p.floor(quotient).unwrap();
    let ceiling = p.ceiling(quotient).unwrap();
    let least = p.minimum(sum, m).unwrap();
    let most = p.maximum(b, two).unwrap();
    let less = p.less(b, m).unwrap();
    let at_most = p.at_most(sum, b).unwrap();
    let half = p.divide(n, two).unwrap();
    let whole = p.floor(half).unwrap();
    let even = p.equal(half, whole).unwrap();
    let chosen = p.select(even, floor, ceiling).unwrap();
    let chosen = p.select(less, chosen, most).unwrap();
    let scaled = p.multiply(least, tenth).unwrap();
    let shifted = p.subtract(chosen, scaled).unwrap();
    let shifted = p.add(shifted, at_most).unwrap();
    p.output("chosen", chosen).unwrap();
    p.output("all", shifted).unwrap();
    p.build().unwrap()
}

proptest! {
    #[test]
    fn doubles_agree_with_exact_numbers(n in 1_u32..1_000_000, b in -32_i32..1024, eighths in 4_u32..800) {
        let program = everything();
        let inputs = [f64::from(n), f64::from(b), f64::from(eighths) / 8.0];
        let doubles = program.evaluate(&inputs).unwrap();
        let exact = program.evaluate_exactly(&inputs.map(|x| Rational::from_f64(x).unwrap())).unwrap();
        for (double, exact) in doubles.iter().zip(&exact) {
            let exact = exact.to_f64();
            prop_assert!((double - exact).abs() <= 1e-12 * exact.abs().max(1.0), "{double} {exact}");
        }
        // Lanes are as many evaluations.
        let bs = [f64::from(b), 7.0, -32.0];
        let lanes = program.evaluate_lanes(&[&inputs[..1], &bs, &inputs[2..]]).unwrap();
        for (lane, b) in bs.into_iter().enumerate() {
            let one = program.evaluate(&[inputs[0], b, inputs[2]]).unwrap();
            prop_assert_eq!([lanes[0][lane], lanes[1][lane]], [one[0], one[1]]);
        }
    }
}

/// Texts with one part replaced are refused with these words.
fn refused<E: std::fmt::Display>(
    text: &str,
    read: impl Fn(&str) -> Result<(), E>,
    replaced: &[(&str, &str, &str)],
) {
    for (from, to, said) in replaced {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text, "{from}");
        let error = read(&wrong)
            .map_err(|error| error.to_string())
            .expect_err(to);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn programs_survive_writing() {
    let program = everything();
    let text = serde_json::to_string(&program).unwrap();
    assert_eq!(
        serde_json::from_str::<RationalProgram>(&text).unwrap(),
        program
    );
    let formulas = program.to_string();
    assert!(formulas.contains("chosen = "), "{formulas}");
    assert!(
        formulas.contains(" if while < v3 else max(while, 2)"),
        "{formulas}"
    );
    // Another version, a step before its operand, divisors that may be zero and names that are none.
    refused(
        &text,
        |text| serde_json::from_str::<RationalProgram>(text).map(|_| ()),
        &[
            ("\"version\":1", "\"version\":2", "version 2"),
            ("{\"input\":0}", "{\"add\":[0,1]}", "before it"),
            (
                "\"from\":0.5",
                "\"from\":-0.5",
                "divides by what may be zero",
            ),
            ("\"from\":0.5", "\"from\":500", "not a range"),
            ("\"while\"", "\"n\"", "no name"),
            ("\"while\"", "\"1st\"", "no name"),
            ("\"step\":", "\"step\":99", "before it"),
            ("{\"constant\":2.0}", "{\"constant\":1e308}", "2^1000"),
        ],
    );
}

#[test]
fn what_is_known_is_computed_at_once() {
    let mut p = ProgramBuilder::default();
    let n = p.input("n", InputKind::Data, 1.0, 100.0).unwrap();
    let (zero, one, two) = (
        p.constant(-0.0).unwrap(),
        p.constant(1.0).unwrap(),
        p.constant(2.0).unwrap(),
    );
    assert_eq!(
        (p.add(zero, n).unwrap(), p.multiply(n, one).unwrap()),
        (n, n)
    );
    assert_eq!(p.multiply(n, zero).unwrap(), zero);
    assert_eq!(p.maximum(n, one).unwrap(), n);
    let always = p.less(zero, n).unwrap();
    assert_eq!((always, p.select(always, two, n).unwrap()), (one, two));
    let (a, b) = (p.add(one, one).unwrap(), p.divide(n, two).unwrap());
    assert_eq!((a, p.divide(n, two).unwrap()), (two, b));
    assert!(matches!(
        p.divide(n, zero),
        Err(ProgramError::Divisor { .. })
    ));
    let most = p.subtract(n, two).unwrap();
    assert!(matches!(
        p.divide(n, most),
        Err(ProgramError::Divisor { .. })
    ));
    assert!(matches!(p.constant(f64::NAN), Err(ProgramError::Range(_))));
    assert!(matches!(
        p.input("m", InputKind::Data, 2.0, 1.0),
        Err(ProgramError::Range(_))
    ));
    let mut huge = n;
    let refused = (0..12).find_map(|_| p.multiply(huge, huge).map(|square| huge = square).err());
    assert!(matches!(refused, Some(ProgramError::Overflow { .. })));
    assert_eq!(p.build(), Err(ProgramError::Empty));
    let program = everything();
    assert!(matches!(
        program.evaluate(&[1.0]),
        Err(ProgramError::Count {
            given: 1,
            wanted: 3
        })
    ));
    assert!(matches!(
        program.evaluate(&[0.0, 0.0, 1.0]),
        Err(ProgramError::Input { .. })
    ));
    assert!(matches!(
        program.evaluate(&[1.0, f64::NAN, 1.0]),
        Err(ProgramError::Input { .. })
    ));
    assert!(program.evaluate_lanes(&[&[1.0], &[], &[1.0]]).is_err());
    assert!(
        program
            .evaluate_lanes(&[&[1.0, 2.0], &[1.0; 3], &[1.0]])
            .is_err()
    );
}

/// Runs a compiler, and then what it made with this input.
fn compiled(
    folder: &Path,
    compiler: &str,
    arguments: &[&str],
    source: (&str, &str),
    input: &str,
) -> String {
    std::fs::write(folder.join(source.0), source.1).unwrap();
    let made = Command::new(compiler)
        .current_dir(folder)
        .args(arguments)
        .output();
    let made = made.unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(
        made.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&made.stderr),
        source.1
    );
    std::fs::write(folder.join("input"), input).unwrap();
    let output = Command::new(folder.join("made"))
        .stdin(std::fs::File::open(folder.join("input")).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

const C: &[&str] = &[
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-O2",
    "-ffp-contract=off",
    "made.c",
    "-o",
    "made",
    "-lm",
];
const RUST: &[&str] = &[
    "-O",
    "made.rs",
    "-o",
    "made",
    "-A",
    "dead_code",
    "-D",
    "warnings",
];

#[test]
fn generated_code_gives_the_same_bits() {
    let program = everything();
    let points: Vec<[f64; 3]> = (0..10_000_u64)
        .map(|k| {
            let random = |salt: u64| (k + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15 + 2 * salt) >> 20;
            let b = (random(2) % 1057) as f64 - 32.0;
            [
                1.0 + (random(1) % 1_000_000) as f64,
                b,
                0.5 + (random(3) % 796) as f64 / 8.0,
            ]
        })
        .collect();
    let input: String = points
        .iter()
        .map(|[n, b, m]| format!("{n} {b} {m}\n"))
        .collect();
    let expected: String = points
        .iter()
        .map(|point| format!("{:016x}\n", program.evaluate(point).unwrap()[1].to_bits()))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let c = format!(
        "#include <inttypes.h>\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n{}
int main(void)\n{{\n    double n, b, m;\n    while (scanf(\"%lf %lf %lf\", &n, &b, &m) == 3) {{
        double value = all(n, b, m);\n        uint64_t bits;\n        memcpy(&bits, &value, 8);
        printf(\"%016\" PRIx64 \"\\n\", bits);\n    }}\n    return 0;\n}}\n",
        program.code(Language::C, "all", 1).unwrap()
    );
    assert_eq!(
        compiled(folder.path(), "cc", C, ("made.c", &c), &input),
        expected
    );
    let rust = format!(
        "{}
fn main() {{\n    for line in std::io::stdin().lines() {{\n        let line = line.unwrap();
        let x: Vec<f64> = line.split(' ').map(|x| x.parse().unwrap()).collect();
        println!(\"{{:016x}}\", all(x[0], x[1], x[2]).to_bits());\n    }}\n}}\n",
        program.code(Language::Rust, "all", 1).unwrap()
    );
    assert_eq!(
        compiled(
            folder.path(),
            "rustc",
            &[&["--edition", "2021"], RUST].concat(),
            ("made.rs", &rust),
            &input
        ),
        expected
    );
    assert_eq!(program.code(Language::C, "none", 2), None);
}

/// A matrix product and a kernel of strided rows, with times that follow no model.
fn models() -> Vec<AnchoredModel> {
    let text = r#"
version = 1
data = { n = { from = 1, to = 65536 }, i = { from = 1, to = 4096 } }
program = { bx = { from = 8, to = 1024, factor = 2 }, by = { from = 1, to = 64, factor = 2 } }
constraints = ["bx * by <= 1024"]
block = ["bx", "by"]
[[kernel]]
name = "product"
grid = ["ceil(n / bx)", "ceil(i / by)"]
registers = "24 + 2 * by"
shared = "32 * bx * floor(by / 2)"
threads = { row = "y", column = "x" }
loops = { k = "n" }
accesses = ["A[row*n + k]", "B[k*n + column]"]
[[kernel]]
name = "rows"
grid = ["ceil(n / bx)"]
threads = { row = "x" }
loops = { k = "i" }
accesses = ["A[row*i + k]"]
"#;
    let device = Device {
        l1_bytes: Some(1 << 16),
        registers: Some(1 << 16),
        register_unit: Some(256),
        shared_bytes: Some(64 << 10),
        ..Device::new(40, 32, 16, 1 << 22, 448.0)
    };
    let description = Description::parse(text, "models.toml").unwrap();
    let model = |kernel: &sunzi_tune::Kernel| {
        let sample = |n: i64, (index, shape): (usize, &Vec<i64>)| Sample {
            data: vec![n / 2, n],
            shape: shape.clone(),
            milliseconds: (n * n) as f64 * 1e-4 * (1.0 + (index * 7 % 13) as f64 / 10.0),
        };
        let samples: Vec<Sample> = [128, 256]
            .into_iter()
            .flat_map(|n| {
                kernel
                    .shapes()
                    .iter()
                    .enumerate()
                    .map(move |shape| sample(n, shape))
            })
            .collect();
        AnchoredModel::fit(kernel, &device, Constants::default(), &samples).unwrap()
    };
    let mut models: Vec<_> = description.kernels().iter().map(model).collect();
    // The last one as it would be compiled.
    let kernel = &description.kernels()[1];
    let taken = |shape: &Vec<i64>| Resources {
        registers: 20 + 3 * shape[1] as u64,
        shared_bytes: 100 * shape[0] as u64,
    };
    let compiled = kernel
        .shapes()
        .iter()
        .map(|shape| (shape.clone(), taken(shape)));
    models.push(model(&kernel.clone().with_resources(compiled.collect())));
    models
}

/// Blocks that reside are those of the machine's model, whatever limits them; where none does, the shape is refused.
#[test]
fn registers_and_shared_memory_limit_what_resides() {
    let limits = MultiprocessorLimits {
        blocks: Some(16),
        warps: Some(32),
        registers: Some(1 << 16),
        register_unit: 256,
        shared_bytes: Some(64 << 10),
        l1_bytes: None,
    };
    let [product, plain, compiled] = &models()[..] else {
        panic!("three models");
    };
    let mut seen = BTreeSet::new();
    for (model, registers, shared) in [
        (product, Some([24, 2]), [0, 32]),
        (plain, None, [0, 0]),
        (compiled, Some([20, 3]), [100, 0]),
    ] {
        let outputs = model.explain(&[64, 64]).unwrap();
        // The plain one fits by all shapes.
        for shape in plain.shapes() {
            let [bx, by] = [0, 1].map(|index| shape.values[index] as u64);
            let block = BlockResources {
                threads: bx * by,
                registers: registers.map(|[least, each]| least + each * by),
                shared_bytes: shared[0] * bx + shared[1] * bx * (by / 2),
            };
            let expected = limits.resident_blocks(block).unwrap_or(0);
            let mut known = model.shapes().iter();
            let found = known.position(|known| known.values == shape.values);
            let found = found.map_or(0.0, |index| outputs[1][index]);
            assert_eq!(found, expected as f64, "{:?}", shape.values);
            seen.insert(expected);
        }
    }
    assert!(seen.contains(&0) && seen.len() > 5, "{seen:?}");
}

#[test]
fn generated_choices_are_those_of_the_chooser() {
    let folder = tempfile::tempdir().unwrap();
    let points: Vec<[i64; 2]> = (0..1_000_i64)
        .map(|k| [1 + k * k % 4096, 1 + k * 67 % 65536])
        .collect();
    let input: String = points.iter().map(|[i, n]| format!("{i} {n}\n")).collect();
    for model in models() {
        let (c, rust) = (model.code(Language::C), model.code(Language::Rust));
        let read = AnchoredModel::from_json(&model.to_json()).unwrap();
        assert!(read == model);
        let chooser = Chooser::new(read);
        let expected: String = points
            .iter()
            .map(|data| chooser.choose(data).unwrap())
            .map(|shape| format!("{} {}\n", shape[0], shape[1]))
            .collect();
        let c = format!(
            "{c}\n#include <inttypes.h>\n#include <stdio.h>
int main(void)\n{{\n    int64_t n, i, shape[2];\n    if (choose(0, 1, shape) || choose(1, 65537, shape))\n        return 1;
    while (scanf(\"%\" SCNd64 \" %\" SCNd64, &i, &n) == 2) {{\n        if (!choose(i, n, shape))\n            return 2;
        printf(\"%\" PRId64 \" %\" PRId64 \"\\n\", shape[0], shape[1]);\n    }}\n    return 0;\n}}\n"
        );
        assert_eq!(
            compiled(folder.path(), "cc", C, ("made.c", &c), &input),
            expected
        );
        let rust = format!(
            "{rust}
fn main() {{\n    assert_eq!(choose(0, 1).or(choose(1, 65537)), None);\n    for line in std::io::stdin().lines() {{
        let line = line.unwrap();\n        let x: Vec<i64> = line.split(' ').map(|x| x.parse().unwrap()).collect();
        let shape = choose(x[0], x[1]).unwrap();\n        println!(\"{{}} {{}}\", shape[0], shape[1]);\n    }}\n}}\n"
        );
        assert_eq!(
            compiled(
                folder.path(),
                "rustc",
                &[&["--edition", "2021"], RUST].concat(),
                ("made.rs", &rust),
                &input
            ),
            expected
        );
    }
}

#[test]
fn exact_numbers_choose_the_same() {
    for model in models() {
        let program = model.program();
        let last = program.outputs().len() - 1;
        for data in [
            [1, 1],
            [3, 100],
            [64, 64],
            [2048, 1024],
            [4096, 65536],
            [777, 3333],
        ] {
            let time = |shape: &sunzi_tune::MeasuredShape| {
                let mut parameters = shape.values.iter();
                let mut given = data.iter();
                let inputs = program.inputs().iter().map(|input| match input.kind {
                    InputKind::Data => Rational::from(Integer::from(*given.next().unwrap())),
                    InputKind::Program => {
                        Rational::from(Integer::from(*parameters.next().unwrap()))
                    }
                    InputKind::Hardware => Rational::from_f64(input.from).unwrap(),
                    InputKind::Measured => Rational::from_f64(shape.measured(&input.name)).unwrap(),
                });
                program
                    .evaluate_exactly(&inputs.collect::<Vec<_>>())
                    .unwrap()
            };
            let fitting = model.shapes().iter().map(|shape| (shape, time(shape)));
            let fitting = fitting.filter(|(_, outputs)| outputs[1] >= Rational::ONE);
            let best = fitting.min_by(|a, b| a.1[last].cmp(&b.1[last])).unwrap();
            let chosen = Chooser::new(model.clone()).choose(&data).unwrap();
            assert_eq!(best.0.values, *chosen, "{data:?}");
        }
    }
}

#[test]
fn models_whose_parts_differ_are_refused() {
    let text = models()[0].to_json();
    refused(
        &text,
        |text| AnchoredModel::from_json(text).map(|_| ()),
        &[
            ("{\"version\":1", "{\"version\":3", "version 3 of models"),
            (
                "\"parameters\":[\"bx\",\"by\"]",
                "\"parameters\":[\"bx\"]",
                "not over its parameters",
            ),
            (
                "\"parameters\":[\"bx\",\"by\"]",
                "\"parameters\":[\"bx\",\"bz\"]",
                "other inputs",
            ),
            ("\"to\":65536}", "\"to\":65537}", "other ranges"),
            ("\"values\":[8,1]", "\"values\":[7,1]", "out of the ranges"),
            ("\"milliseconds\"", "\"seconds\"", "milliseconds at last"),
            ("\"kernel\"", "\"colonel\"", "line 1 column"),
            ("\"shapes\":[", "\"shapes\":[[],", "line 1 column"),
        ],
    );
}
