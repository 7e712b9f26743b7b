//! What every kernel costs on NVIDIA's GPUs, by NVIDIA's own compiler, against tables of what it may cost.
//!
//! A table is `budgets-VERSION.txt` beside this file, for one version of the compiler: programs with their definitions in
//! brackets and a digest of their text, then a line for each kernel and architecture. A figure that grows is a failure, and
//! so is a kernel that the table does not have or no longer has. One that shrinks is told.
//!
//! A compiler always makes the same of the same text. So where every program has the text of the table, its figures hold
//! for all programs and architectures, and a program of each name is compiled for one to see that the compiler is there and
//! the figures are its own. Where a text is another, that fails, until the tables are brought up to date:
//!
//!     scripts/check-nvidia --write
//!
//! Without `--write` it compiles all programs for all architectures.

use crate::catalogue::catalogue;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use sunzi_device::Source;
use sunzi_device::nvidia::{Compiler, KernelResources};
use sunzi_testkit::{ARCHITECTURES, is_nvrtc_required};

/// Those that are compiled for where every text is that of the table and nothing else is said: the oldest by the compiler
/// that still knows it, the newest large one by the next. All programs take a minute and more.
const USUAL_OF_REQUIRED: &[&str] = &["sm_70"];
const USUAL_OF_NEXT: &[&str] = &["sm_90"];
/// The compiler that must be there where tests must not skip.
const REQUIRED: &str = "12.9";

/// Has all programs compiled, for all architectures that a compiler knows.
const ALL_VARIABLE: &str = "SUNZI_ALL_ARCHITECTURES";
/// Has the tables written in place of being compared with, for all architectures of the programs whose text is not the
/// table's.
const WRITE_VARIABLE: &str = "SUNZI_WRITE_BUDGETS";
/// Has the figures of the programs whose labels begin so printed, for all architectures, and nothing compared.
const ONLY_VARIABLE: &str = "SUNZI_ONLY";

/// Programs whose variables are too many for registers by their nature.
const MANY_VARIABLES: &str = "reconstruction from many residues";

/// Kernels that spill, and how many bytes at most: passes for groups of which a processor has as many as it has
/// registers for.
const SPILLS: [(&str, &str, u32); 3] = [
    ("sm_70", "ntt_pass", 32),
    ("sm_100", "ntt_pass", 32),
    ("sm_120", "ntt_pass", 32),
];

/// Registers of a processor, on all these architectures; they are given to warps in blocks of so many a thread.
const REGISTERS: u32 = 65536;
const REGISTER_BLOCK: u32 = 8;

/// Groups that a processor is to have at a time, where a program does not define how many: some that copy while others
/// multiply.
const PLANNED_GROUPS: [(&str, u32); 2] = [
    ("columns GROUP=256 COLUMNS=8 ", 4),
    ("schoolbook GROUP=128 ", 4),
];

const FIGURES: usize = 6;
const NAMES: [&str; FIGURES] = [
    "registers",
    "stack",
    "spilled",
    "instructions",
    "wide",
    "kept",
];

const HEAD: &str = "\
# What each kernel takes, by one version of NVIDIA's compiler: registers, bytes of stack and bytes spilled of a thread;
# instructions as they stand (what is in a loop counts once), wide multiplications among them, and predicates that are
# kept in a register. Behind each program is a digest of its text. Tests fail where a figure grows or a text is another. To
# write this anew: scripts/check-nvidia --write
# kernel architecture registers stack spilled instructions wide kept
";

/// A program, a kernel, and an architecture.
type Key = (String, String, String);
type Table = HashMap<Key, [u32; FIGURES]>;
/// Digests of texts by the labels of programs.
type Digests = BTreeMap<String, String>;
/// The lines of a program's kernels, by its label.
type Sections = BTreeMap<String, Vec<String>>;

fn figures(kernel: &KernelResources) -> [u32; FIGURES] {
    [
        kernel.registers,
        kernel.stack_bytes,
        kernel.spills(),
        kernel.code.all,
        kernel.code.wide,
        kernel.code.kept_predicates,
    ]
}

/// Where a table is written.
fn file(version: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/gpu");
    folder.join(format!("budgets-{version}.txt"))
}

/// What tells one text from another: FNV-1a of 64 bits, over what a compiler sees of it. Comments may change.
fn digest(text: &str) -> String {
    let lines = text.lines();
    let code = lines.map(|line| line.split("//").next().unwrap_or_default().trim());
    let code = code.filter(|line| !line.is_empty());
    let bytes = code.flat_map(|line| line.bytes().chain([b'\n']));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn digests(programs: &[Arc<Source<'static>>]) -> Digests {
    let each = programs.iter();
    each.map(|source| (source.label(), digest(&source.text())))
        .collect()
}

fn read(text: &str) -> (Digests, Sections) {
    let (mut digests, mut sections) = (Digests::new(), Sections::new());
    let mut program = "";
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for line in lines.filter(|line| !line.is_empty()) {
        if let Some(head) = line.strip_prefix('[') {
            let (label, digest) = head.split_once("] ").expect("a bracket, and a digest");
            digests.insert(label.to_owned(), digest.to_owned());
            program = label;
            continue;
        }
        let section = sections.entry(program.to_owned()).or_default();
        section.push(line.to_owned());
    }
    (digests, sections)
}

fn table_of(sections: &Sections) -> Table {
    let mut table = Table::new();
    let lines = sections
        .iter()
        .flat_map(|(program, lines)| lines.iter().map(move |line| (program, line)));
    for (program, line) in lines {
        let mut words = line.split_whitespace().map(str::to_owned);
        let names = words.next().zip(words.next());
        let (kernel, architecture) = names.expect("a kernel and an architecture");
        let numbers: Vec<_> = words.map(|word| word.parse().expect("a number")).collect();
        let numbers = numbers.try_into().expect("all figures");
        let twice = table.insert((program.clone(), kernel, architecture), numbers);
        assert!(twice.is_none(), "twice in the table: {line}");
    }
    table
}

/// Programs whose text is not that of the table.
fn other_texts(now: &Digests, then: &Digests) -> Vec<String> {
    let mut labels: Vec<_> = now.keys().chain(then.keys()).collect();
    labels.sort_unstable();
    labels.dedup();
    labels.retain(|label| now.get(*label) != then.get(*label));
    labels.into_iter().cloned().collect()
}

/// What a definition of a program says.
fn definition(label: &str, name: &str) -> Option<u32> {
    let mut words = label.split(' ').filter_map(|word| word.split_once('='));
    words.find(|(key, _)| *key == name)?.1.parse().ok()
}

/// What must hold of a kernel whatever the table says.
fn wrong(label: &str, architecture: &str, kernel: &KernelResources) -> Option<String> {
    let may_spill = SPILLS
        .iter()
        .find(|(on, name, _)| (*on, *name) == (architecture, &*kernel.kernel))
        .map_or(0, |&(_, _, most)| most);
    if kernel.spills() > may_spill {
        return Some(format!("{} bytes are spilled", kernel.spills()));
    }
    if kernel.stack_bytes > 0 && may_spill == 0 && !label.starts_with(MANY_VARIABLES) {
        return Some("an array is not in registers".to_owned());
    }
    if kernel.code.kept_in_chains > 0 {
        let kept = kernel.code.kept_in_chains;
        return Some(format!(
            "{kept} predicates are kept between products with carry"
        ));
    }
    let mut planned = PLANNED_GROUPS.iter();
    let planned = planned.find(|(program, _)| label.starts_with(program));
    let groups = planned.map(|(_, groups)| *groups);
    let groups = groups
        .or_else(|| definition(label, "RESIDENT"))
        .unwrap_or(1);
    let threads = definition(label, "GROUP").expect("every program has groups");
    let registers = kernel.registers.next_multiple_of(REGISTER_BLOCK);
    (registers * threads * groups > REGISTERS).then(|| {
        format!(
            "{registers} registers a thread leave no room for {groups} groups of {threads} threads"
        )
    })
}

/// What one compiler makes.
struct Measured {
    sections: Sections,
    table: Table,
    /// What must not be, whatever the table says.
    wrong: Vec<String>,
}

fn measure(
    compiler: &Compiler,
    programs: &[Arc<Source<'static>>],
    architectures: &[&'static str],
) -> Measured {
    let mut table = Table::new();
    let mut sections = Sections::new();
    let mut outside = Vec::new();
    for source in programs {
        let label = source.label();
        let mut lines = BTreeMap::new();
        for (place, architecture) in architectures.iter().enumerate() {
            if !compiler.makes_code_for(architecture) {
                continue;
            }
            let kernels = compiler.check(source, architecture).unwrap();
            assert!(!kernels.is_empty(), "{label} has no kernel");
            for kernel in kernels {
                if let Some(reason) = wrong(&label, architecture, &kernel) {
                    outside.push(format!(
                        "{architecture} {}: {reason} ({label})",
                        kernel.kernel
                    ));
                }
                let found = figures(&kernel);
                let numbers = found.map(|figure| figure.to_string()).join(" ");
                let line = format!("{} {architecture} {numbers}", kernel.kernel);
                lines.insert((kernel.kernel.clone(), place), line);
                let key = (label.clone(), kernel.kernel, (*architecture).to_owned());
                assert!(
                    table.insert(key, found).is_none(),
                    "two programs are {label}"
                );
            }
        }
        sections.insert(label, lines.into_values().collect());
    }
    Measured {
        sections,
        table,
        wrong: outside,
    }
}

/// The shortest program of each name.
fn one_of_each_name(mut programs: Vec<Arc<Source<'static>>>) -> Vec<Arc<Source<'static>>> {
    let name = |source: &Arc<Source<'static>>| source.name().to_owned();
    programs.sort_by_cached_key(|source| (name(source), source.text().len(), source.label()));
    programs.dedup_by_key(|source| name(source));
    programs
}

/// What differs: failures, and what is only told.
fn compare(found: &Table, budget: &Table) -> [Vec<String>; 2] {
    let [mut failures, mut better] = [Vec::new(), Vec::new()];
    for (key, now) in found {
        let (program, kernel, architecture) = key;
        let what = format!("{architecture} {kernel}");
        let Some(may) = budget.get(key) else {
            failures.push(format!("{what} is not in the table ({program})"));
            continue;
        };
        for ((name, now), may) in NAMES.iter().zip(now).zip(may) {
            let told = format!("{what}: {name} {may} -> {now} ({program})");
            match now.cmp(may) {
                std::cmp::Ordering::Greater => failures.push(told),
                std::cmp::Ordering::Less => better.push(told),
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    let gone = budget.keys().filter(|key| !found.contains_key(key));
    failures.extend(gone.map(|(program, kernel, architecture)| {
        format!("{architecture} {kernel} is in the table and nowhere else ({program})")
    }));
    failures.sort_unstable();
    better.sort_unstable();
    [failures, better]
}

/// Compiles every program by this version, for the `usual` architectures or for all that it knows.
fn keep_budgets(version: &str, usual: &[&'static str], budget: &str) {
    let name = format!("NVRTC {version}");
    let compilers = Compiler::all();
    let Some(compiler) = compilers.iter().find(|found| found.name() == name) else {
        let found: Vec<_> = compilers.iter().map(Compiler::name).collect();
        let reason =
            format!("{name} is not where it usually is, only {found:?}: scripts/nvrtc fetches it");
        let required = version == REQUIRED && is_nvrtc_required();
        assert!(!required, "{reason}");
        return sunzi_testkit::skip(&reason);
    };
    if let Ok(beginning) = std::env::var(ONLY_VARIABLE) {
        let mut programs = catalogue();
        programs.retain(|source| source.label().starts_with(&beginning));
        let measured = measure(compiler, &programs, &ARCHITECTURES);
        for (label, lines) in measured.sections {
            println!("[{label}]\n{}", lines.join("\n"));
        }
        return assert!(measured.wrong.is_empty(), "{:#?}", measured.wrong);
    }
    let is_set = |variable| std::env::var_os(variable).is_some();
    let all = is_set(ALL_VARIABLE);
    let architectures = if all { &ARCHITECTURES[..] } else { usual };
    let mut programs = catalogue();
    let digests = digests(&programs);
    let (kept, written) = read(budget);
    let others = other_texts(&digests, &kept);
    if is_set(WRITE_VARIABLE) {
        programs.retain(|source| others.contains(&source.label()));
        let measured = measure(compiler, &programs, &ARCHITECTURES);
        // What must not be is in no table.
        assert!(measured.wrong.is_empty(), "{:#?}", measured.wrong);
        let text = digests
            .iter()
            .fold(HEAD.to_owned(), |mut text, (label, digest)| {
                let lines = measured
                    .sections
                    .get(label)
                    .unwrap_or_else(|| &written[label]);
                write!(text, "\n[{label}] {digest}\n{}\n", lines.join("\n")).unwrap();
                text
            });
        return std::fs::write(file(version), text).unwrap();
    }
    if !all {
        assert!(
            others.is_empty(),
            "the text of these is not that of the table of {name}: scripts/check-nvidia tells what they take now, and with \
             --write keeps it: {others:#?}"
        );
        programs = one_of_each_name(programs);
    }
    let measured = measure(compiler, &programs, architectures);
    assert!(measured.wrong.is_empty(), "{:#?}", measured.wrong);
    let mut table = table_of(&written);
    let labels: Vec<_> = programs.iter().map(|source| source.label()).collect();
    table.retain(|(program, _, architecture), _| {
        architectures.contains(&architecture.as_str()) && labels.contains(program)
    });
    let [failures, better] = compare(&measured.table, &table);
    if !better.is_empty() {
        println!(
            "less than the table has, which scripts/check-nvidia --write writes anew: {better:#?}"
        );
    }
    assert!(
        failures.is_empty(),
        "more than the table of {name} has, as scripts/nvrtc fetches it; if it must be so, scripts/check-nvidia --write writes \
         it anew: {failures:#?}"
    );
}

#[test]
fn kernels_keep_their_budgets_by_the_last_compiler_for_old_architectures() {
    keep_budgets(
        REQUIRED,
        USUAL_OF_REQUIRED,
        include_str!("budgets-12.9.txt"),
    );
}

#[test]
fn kernels_keep_their_budgets_by_the_compiler_of_the_next_version() {
    keep_budgets("13.0", USUAL_OF_NEXT, include_str!("budgets-13.0.txt"));
}

#[test]
fn what_grows_or_is_missing_fails_and_what_shrinks_is_told() {
    let table =
        |lines: &str| table_of(&read(&format!("{HEAD}\n[sums GROUP=64] 0123\n{lines}\n")).1);
    let budget = table("add sm_80 32 0 0 100 8 0\nadd sm_90 32 0 0 100 8 0");
    assert_eq!(budget.len(), 2);
    assert_eq!(compare(&budget, &budget).concat(), Vec::<String>::new());

    let now = table("add sm_80 33 0 0 99 8 0\nless sm_90 32 0 0 100 8 0");
    let [failures, better] = compare(&now, &budget);
    let expected = [
        "sm_80 add: registers 32 -> 33 (sums GROUP=64)",
        "sm_90 add is in the table and nowhere else (sums GROUP=64)",
        "sm_90 less is not in the table (sums GROUP=64)",
    ];
    assert_eq!(failures, expected);
    assert_eq!(
        better,
        ["sm_80 add: instructions 100 -> 99 (sums GROUP=64)"]
    );
}

#[test]
fn a_text_that_is_another_is_found_out() {
    let sums = |text: &'static str| digests(&[Arc::new(Source::new("sums", 64).part(text))]);
    let kept = sums("KERNEL sums(GLOBAL u32* x) {\n  x[0] = 1; // One.\n}\n");
    let label = "sums GROUP=64".to_owned();
    let text = format!("{HEAD}\n[{label}] {}\n", kept[&label]);
    assert_eq!(read(&text).0, kept);
    let same = sums("\n// A one.\nKERNEL sums(GLOBAL u32* x) {\n  x[0] = 1;\n}\n");
    assert_eq!(other_texts(&same, &kept), [""; 0]);
    let another = sums("KERNEL sums(GLOBAL u32* x) {\n  x[0] = 2;\n}\n");
    assert_eq!(other_texts(&another, &kept), [&*label]);
    let none = Digests::new();
    assert_eq!(other_texts(&none, &kept), [&*label]);
    assert_eq!(other_texts(&kept, &none), [label]);
}

#[test]
fn spills_lost_arrays_and_too_many_registers_are_found_out() {
    let label = "columns GROUP=256 COLUMNS=8 ROW=33";
    let fits = KernelResources {
        kernel: "columns".to_owned(),
        registers: 64,
        ..KernelResources::default()
    };
    assert_eq!(wrong(label, "sm_90", &fits), None);
    let refused = |kernel: &KernelResources| wrong(label, "sm_90", kernel).unwrap();
    let mut spilled = fits.clone();
    spilled.spill_loads = 8;
    assert!(refused(&spilled).contains("8 bytes"));
    let mut array = fits.clone();
    array.stack_bytes = 16;
    assert!(refused(&array).contains("array"));
    let many = format!("{MANY_VARIABLES} GROUP=256");
    assert_eq!(wrong(&many, "sm_90", &array), None);
    let mut pass = fits.clone();
    pass.kernel = "ntt_pass".to_owned();
    (pass.stack_bytes, pass.spill_loads) = (24, 32);
    assert_eq!(wrong(label, "sm_70", &pass), None);
    assert!(wrong(label, "sm_80", &pass).is_some());
    pass.spill_stores = 4;
    assert!(wrong(label, "sm_70", &pass).unwrap().contains("36 bytes"));
    let mut large = fits.clone();
    large.registers = 65;
    assert!(refused(&large).contains("72 registers"));
    let mut kept = fits.clone();
    kept.code.kept_in_chains = 1;
    assert!(refused(&kept).contains("carry"));
    assert!(wrong("pass GROUP=512 RESIDENT=3", "sm_90", &fits).is_some());
}
