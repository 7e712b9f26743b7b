//! `sunzi tune run`: programs of OpenCL and CUDA that know nothing of it compute what they compute without it, by other blocks.

use crate::common::{Outcome, Sandbox, examples, outcome_with_input};
use crate::devices::has_device;
use crate::layer::layer;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use sunzi_testkit::{CudaStandIn, required_or_skipped, skip};

/// A program of OpenCL: its kernel, how often it is launched at each size, and sizes.
const ADDS: [&str; 4] = ["adds", "5", "32", "128"];
/// Folders of pyopencl, which `scripts/pyopencl` prints, and whether it must be there.
const PYOPENCL: &str = "SUNZI_PYOPENCL";

/// A program in C, compiled, and a folder for what runs of it leave.
struct Scene {
    sandbox: Sandbox,
    variables: Vec<(&'static str, String)>,
}

impl Scene {
    /// With the program of OpenCL; `None` after a word on why there is no device.
    fn new() -> Option<Self> {
        let sandbox = Sandbox::with(&[]);
        has_device(&sandbox).then_some(())?;
        let scene = Scene {
            sandbox,
            variables: Vec::new(),
        };
        scene.compile("launches.c", &["-l:libOpenCL.so.1"]);
        Some(scene)
    }

    /// With the program of CUDA, on the stand-in.
    fn on_cuda() -> Option<Self> {
        let stand_in = required_or_skipped(CudaStandIn::build())?;
        let folder = stand_in.folder().to_str().unwrap().to_owned();
        let sandbox = Sandbox::with(&[("adds.toml", DESCRIPTION)]);
        let log = sandbox.path("violations").to_str().unwrap().to_owned();
        let scene = Scene {
            sandbox,
            variables: vec![
                ("LD_LIBRARY_PATH", folder.clone()),
                ("SUNZI_STAND_IN_LOG", log),
            ],
        };
        scene.compile(
            "launches_cuda.c",
            &[
                "-L",
                &folder,
                "-l:libcuda.so.1",
                "-Wl,--allow-shlib-undefined",
            ],
        );
        Some(scene)
    }

    fn compile(&self, source: &str, libraries: &[&str]) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cli/tune_run")
            .join(source);
        let compiled = Command::new("gcc")
            .args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Werror", "-o"])
            .arg(self.sandbox.path("launches"))
            .arg(source)
            .args(libraries)
            .output()
            .unwrap();
        assert!(
            compiled.status.success(),
            "{}",
            String::from_utf8_lossy(&compiled.stderr)
        );
    }

    /// With one more variable in the environment.
    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    fn prepare(&self, command: &mut Command) -> Outcome {
        command
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .env("SUNZI_LAYER", layer())
            .env("SUNZI_TUNING", self.sandbox.path("tuning.json"));
        outcome_with_input(command, b"")
    }

    /// The program by itself.
    fn alone(&self, words: &[&str]) -> Outcome {
        self.prepare(Command::new(self.sandbox.path("launches")).args(words))
    }

    /// The program in a run with these options, and with time for all shapes on a busy machine.
    fn outcome(&self, options: &[&str], words: &[&str]) -> Outcome {
        let program = self.sandbox.path("launches");
        let budget: &[&str] = match options.contains(&"--budget") {
            true => &[],
            false => &["--budget", "600"],
        };
        let before = [
            &["tune", "run"],
            budget,
            options,
            &["--", program.to_str().unwrap()],
        ]
        .concat();
        self.prepare(&mut self.sandbox.command(&[&before[..], words].concat()))
    }

    /// Runs it both ways, which must not differ; what was found of its one kernel.
    fn run(&self, options: &[&str], words: &[&str]) -> Value {
        let alone = self.alone(words);
        let found = self.outcome(&[options, &["--json", "-o", "report.json"]].concat(), words);
        assert_eq!(
            (found.code, &found.stdout, &found.stderr),
            (alone.code, &alone.stdout, &alone.stderr),
            "{words:?}"
        );
        assert!(!alone.stdout.is_empty(), "{alone:?}");
        let report: Value = serde_json::from_str(&self.sandbox.read("report.json")).unwrap();
        let kernels = report["result"]["kernels"].as_array().unwrap();
        assert_eq!(kernels.len(), 1, "{report}");
        kernels[0].clone()
    }

    /// The lines of a record.
    fn record(&self) -> Vec<Value> {
        let text = self.sandbox.read("record.jsonl");
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Nothing was against the rules of the stand-in.
    fn nothing_seen(&self) {
        let violations = std::fs::read_to_string(self.sandbox.path("violations"));
        assert_eq!(violations.unwrap_or_default(), "");
    }
}

/// The kernel of the program of CUDA.
const DESCRIPTION: &str = "version = 1
[[kernel]]
name = \"adds\"
data = { n = { from = 1, to = 1048576 } }
program = { bx = { values = [32, 64, 128] } }
block = [\"bx\"]
grid = [\"ceil(n / bx)\"]
arguments = [
  { buffer = \"sums\", element = \"u32\", length = \"n\", result = true },
  { buffer = \"of\", element = \"u32\", length = \"n\" },
  { value = \"n\", element = \"u32\" },
  { value = \"40\", element = \"u64\" },
]
";

/// A kernel that writes the numbers of groups.
const GROUPS: &str = "version = 1
[[kernel]]
name = \"counts_groups\"
data = { n = { from = 1, to = 1048576 } }
program = { bx = { values = [2, 8] } }
block = [\"bx\"]
grid = [\"ceil(n / bx)\"]
arguments = [
  { buffer = \"groups\", element = \"u32\", length = \"n\", result = true },
  { value = \"n\", element = \"u32\" },
]
";

fn says(kernel: &Value, part: &str) {
    let unchanged = kernel["unchanged"].as_str().unwrap_or_default();
    assert!(unchanged.contains(part), "{kernel}");
}

#[test]
fn launches_are_recorded_and_shapes_learned_without_a_trace_in_the_program() {
    let Some(scene) = Scene::new() else { return };
    let kernel = scene.run(&["--record", "record.jsonl"], &ADDS);
    assert_eq!(
        (&kernel["kernel"], &kernel["unchanged"]),
        (&"adds".into(), &Value::Null)
    );
    assert!(kernel["shapes"].as_u64().unwrap() >= 2, "{kernel}");
    assert_eq!(kernel["sizes"].as_array().unwrap().len(), 2, "{kernel}");
    let record = scene.record();
    assert_eq!(record.len(), 10);
    for (index, line) in record.iter().enumerate() {
        let n = [32, 128][index / 5];
        assert_eq!(line["api"], "opencl");
        assert_eq!(
            (&line["kernel"], &line["global"]),
            (&"adds".into(), &serde_json::json!([n]))
        );
        assert_eq!(line["block"], serde_json::json!([2]));
        assert_eq!(line["integers"], serde_json::json!({ "2": n, "3": 40 }));
        assert!(line["milliseconds"].as_f64().unwrap() > 0.0, "{line}");
    }
    // What was learned is there for the next run, and until it is forgotten.
    let learned = |verb: &str| {
        let told = scene.prepare(&mut scene.sandbox.command(&["tune", verb, "--json"]));
        let told: Value = serde_json::from_str(&told.stdout).unwrap();
        told["result"]["learned"].as_array().unwrap().clone()
    };
    assert_eq!(learned("show")[0]["kernel"], "adds");
    let again = scene.run(&[], &["adds", "2", "64"]);
    assert_eq!(
        (&again["shapes"], &again["unchanged"]),
        (&kernel["shapes"], &Value::Null)
    );
    assert_eq!(learned("reset").len() + learned("show").len(), 0);
}

#[test]
fn queues_with_properties_planes_and_blocks_of_the_drivers_are_seen() {
    let Some(scene) = Scene::new() else { return };
    let scene = scene
        .with("LAUNCHES_PROPERTIES", "1")
        .with("LAUNCHES_WITHOUT_BLOCK", "1");
    let kernel = scene.run(&["--record", "record.jsonl"], &["plane", "4", "64"]);
    assert_eq!(kernel["unchanged"], Value::Null);
    for line in scene.record() {
        assert_eq!(
            (&line["global"], &line["block"]),
            (&serde_json::json!([16, 4]), &Value::Null)
        );
        assert!(line["milliseconds"].as_f64().unwrap() > 0.0, "{line}");
    }
}

#[test]
fn kernels_whose_results_change_or_may_change_stay_as_they_are() {
    let Some(scene) = Scene::new() else { return };
    let run = |options: &[&str], kernel| scene.run(options, &[kernel, "3", "64"]);
    says(
        &run(&[], "counts_groups"),
        "it asks for its group (`get_group_id`)",
    );
    scene.sandbox.write("groups.toml", GROUPS.as_bytes());
    let described = ["--describe", "groups.toml"];
    says(
        &run(&described, "counts_groups"),
        "its results change with the block",
    );
    says(&run(&[], "adds_in_groups"), "local memory as an argument");
    says(&run(&[], "fixed"), "reqd_work_group_size");
    // Where the program has said that they may, they are chosen for.
    let outcome = scene.outcome(
        &["--may-change", "counts_groups", "-o", "report.txt"],
        &["counts_groups", "3", "64"],
    );
    assert_eq!((outcome.code, &*outcome.stderr), (Some(0), ""));
    assert!(
        scene
            .sandbox
            .read("report.txt")
            .contains("shapes measured: ")
    );
}

#[test]
fn what_waits_for_the_program_itself_is_not_waited_for() {
    let Some(scene) = Scene::new() else { return };
    let scene = scene.with("LAUNCHES_WAIT_FOR_HOST", "1");
    says(
        &scene.run(&[], &["adds", "2", "64"]),
        "did not come in time",
    );
}

#[test]
fn khronos_loader_has_layers_too() {
    // It comes with a runtime that tests of devices run on.
    const RUNTIME: &str = "SUNZI_SECOND_OPENCL";
    let folder = std::env::var_os(RUNTIME).map(PathBuf::from);
    let folder = folder.and_then(|library| Some(library.parent()?.to_owned()));
    let Some(folder) = folder.filter(|folder| folder.join("libOpenCL.so.1").exists()) else {
        return skip(&format!("{RUNTIME} names no library beside a loader"));
    };
    let Some(scene) = Scene::new() else { return };
    let scene = scene.with("LD_LIBRARY_PATH", folder.to_str().unwrap());
    let kernel = scene.run(&["--record", "record.jsonl"], &ADDS);
    assert_eq!(kernel["unchanged"], Value::Null, "{kernel}");
    assert_eq!(scene.record().len(), 10);
}

#[test]
fn a_model_chooses_at_once() {
    let Some(scene) = Scene::new() else { return };
    let description = "version = 1
[[kernel]]
name = \"adds\"
data = { global_x = { from = 1, to = 65536 } }
program = { block_x = { values = [2, 16] } }
block = [\"block_x\"]
grid = [\"ceil(global_x / block_x)\"]
";
    scene.sandbox.write("adds.toml", description.as_bytes());
    scene
        .sandbox
        .write("device.toml", crate::tune::DEVICE.as_bytes());
    let times = "global_x,block_x,milliseconds\n16,2,9\n16,16,1\n64,2,40\n64,16,4\n";
    scene.sandbox.write("times.csv", times.as_bytes());
    let fit = [
        "tune",
        "fit",
        "times.csv",
        "--describe",
        "adds.toml",
        "--profile",
        "device.toml",
        "-o",
        "m.json",
    ];
    scene.sandbox.succeed(&fit);
    scene.run(&["--model", "m.json", "--record", "record.jsonl"], &ADDS);
    for line in scene.record() {
        assert_eq!(line["chosen"], serde_json::json!([16]), "{line}");
    }
    // Where the block does not divide the threads, and where the model is over other data, launches stay as they are.
    scene.run(
        &["--model", "m.json", "--record", "record.jsonl"],
        &["adds", "2", "62"],
    );
    assert_eq!(scene.record()[0]["chosen"], Value::Null);
    let other = scene.sandbox.read("m.json").replace("global_x", "elements");
    scene.sandbox.write("m.json", other.as_bytes());
    says(&scene.run(&["--model", "m.json"], &ADDS), "over other data");
}

#[test]
fn a_description_that_names_a_wrong_argument_is_told() {
    let Some(scene) = Scene::new() else { return };
    // A number stands where the kernel has its buffer.
    let lines: Vec<&str> = GROUPS.lines().collect();
    let (buffer, value) = (lines[8], lines[9]);
    let wrong = GROUPS.replace(&format!("{buffer}\n{value}"), &format!("{value}\n{buffer}"));
    assert_ne!(wrong, GROUPS);
    scene.sandbox.write("wrong.toml", wrong.as_bytes());
    says(
        &scene.run(&["--describe", "wrong.toml"], &["counts_groups", "3", "64"]),
        "its argument 0 is not seen to be an integer",
    );
}

#[test]
fn the_exit_code_is_the_programs() {
    let Some(scene) = Scene::new() else { return };
    let scene = scene.with("LAUNCHES_CODE", "7");
    let kernel = scene.run(&["--budget", "0"], &["adds", "1", "64"]);
    assert_eq!(
        (&kernel["shapes"], &kernel["sizes"][0]["block"]),
        (&0.into(), &Value::Null)
    );
    assert_eq!(scene.outcome(&[], &["adds", "1", "64"]).code, Some(7));
    let killed = ["tune", "run", "-o", "-", "--", "sh", "-c", "kill -TERM $$"];
    let killed = scene.prepare(&mut scene.sandbox.command(&killed));
    assert_eq!((killed.code, &*killed.stderr), (Some(143), ""));
    assert!(
        killed
            .stdout
            .starts_with("sh ended with code 143\nno kernel"),
        "{killed:?}"
    );
}

#[test]
fn a_layer_without_a_plan_that_it_can_read_lets_all_calls_pass() {
    let Some(scene) = Scene::new() else { return };
    let alone = scene.alone(&ADDS);
    let library = layer().to_str().unwrap();
    scene.sandbox.write("plan.json", b"{\"version\": 77}");
    let plan = scene.sandbox.path("plan.json").to_str().unwrap().to_owned();
    for plan in [&*plan, "/no/such/file"] {
        let mut command = Command::new(scene.sandbox.path("launches"));
        command
            .args(ADDS)
            .env("SUNZI_TUNE_RUN", plan)
            .env("OPENCL_LAYERS", library)
            .env("LD_PRELOAD", library);
        let found = scene.prepare(&mut command);
        assert_eq!(
            (found.code, found.stdout, found.stderr),
            (alone.code, alone.stdout.clone(), alone.stderr.clone())
        );
    }
}

#[test]
fn what_cannot_be_run_is_refused() {
    let sandbox = Sandbox::with(&[("product.toml", crate::tune::SUMS)]);
    let refuses = |code, arguments: &[&str], part: &str| {
        let mut command = sandbox.command(&[&["tune", "run"], arguments].concat());
        let outcome = outcome_with_input(command.env("SUNZI_LAYER", layer()), b"");
        assert_eq!(
            (outcome.code, &*outcome.stdout),
            (Some(code), ""),
            "{outcome:?}"
        );
        assert!(outcome.stderr.contains(part), "{outcome:?}");
    };
    refuses(
        1,
        &["--", "/no/such/program"],
        "/no/such/program cannot be run: no such file",
    );
    refuses(
        2,
        &["--json", "--", "true"],
        "name a file for the report with -o",
    );
    refuses(2, &["--budget", "x", "--", "true"], "a number of seconds");
    refuses(
        2,
        &["--model", "none.json", "--", "true"],
        "none.json: it cannot be read",
    );
    refuses(
        2,
        &["--record", "none/record", "--", "true"],
        "none/record: the output file cannot be made: no such file",
    );
    refuses(2, &[], "PROGRAM");
    let mut command = sandbox.command(&["tune", "run", "--", "true"]);
    let outcome = outcome_with_input(command.env("SUNZI_LAYER", "/no/layer.so"), b"");
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome
            .stderr
            .contains("SUNZI_LAYER names /no/layer.so, and there is no such file"),
        "{outcome:?}"
    );
}

#[test]
fn launches_of_cuda_are_seen_however_the_program_comes_to_them() {
    let Some(scene) = Scene::on_cuda() else {
        return;
    };
    for way in ["linked", "asked", "address", "extended"] {
        let words = [way, "4", "1000", "16384"];
        let kernel = scene.run(
            &["--describe", "adds.toml", "--record", "record.jsonl"],
            &words,
        );
        assert_eq!(
            (&kernel["unchanged"], &kernel["shapes"]),
            (&Value::Null, &3.into()),
            "{way}: {kernel}"
        );
        let record = scene.record();
        assert_eq!(record.len(), 8, "{way}");
        for (index, line) in record.iter().enumerate() {
            let n = [1000, 16384][index / 4];
            assert_eq!(
                (&line["api"], &line["block"]),
                (&"cuda".into(), &serde_json::json!([32, 1, 1]))
            );
            assert_eq!(
                line["integers"],
                serde_json::json!({ "2": n, "3": 40 }),
                "{line}"
            );
            assert!(line["milliseconds"].is_f64(), "{line}");
        }
        scene.nothing_seen();
        scene.prepare(&mut scene.sandbox.command(&["tune", "reset"]));
    }
}

#[test]
fn kernels_of_cuda_without_a_description_are_recorded_alone() {
    let Some(scene) = Scene::on_cuda() else {
        return;
    };
    says(
        &scene.run(&["--record", "record.jsonl"], &["asked", "2", "512"]),
        "not known without a description",
    );
    assert_eq!(
        scene.record()[0]["integers"],
        serde_json::json!({ "2": 512, "3": 40 })
    );
    scene.nothing_seen();
}

#[test]
fn a_spare_launch_that_fails_leaves_the_programs_own() {
    let Some(scene) = Scene::on_cuda() else {
        return;
    };
    // The program allocates twice.
    let scene = scene.with("SUNZI_STAND_IN_FAIL", "cuMemAlloc_v2:4=2");
    let alone = scene.alone(&["asked", "3", "512"]);
    let options = ["--describe", "adds.toml", "-o", "report.txt"];
    let found = scene.outcome(&options, &["asked", "3", "512"]);
    assert_eq!(
        (found.code, found.stdout, found.stderr),
        (alone.code, alone.stdout, alone.stderr)
    );
    let report = scene.sandbox.read("report.txt");
    assert!(
        report.contains("stays as it is: a spare launch failed: the driver says 2"),
        "{report}"
    );
    scene.nothing_seen();
}

#[test]
fn a_model_and_a_description_choose_on_cuda() {
    let Some(scene) = Scene::on_cuda() else {
        return;
    };
    scene
        .sandbox
        .write("device.toml", crate::tune::DEVICE.as_bytes());
    let times = "n,bx,milliseconds\n64,32,9\n64,64,8\n64,128,1\n256,32,36\n256,64,30\n256,128,4\n";
    scene.sandbox.write("times.csv", times.as_bytes());
    let fit = [
        "tune",
        "fit",
        "times.csv",
        "--describe",
        "adds.toml",
        "--profile",
        "device.toml",
        "-o",
        "m.json",
    ];
    scene.sandbox.succeed(&fit);
    let options = [
        "--model",
        "m.json",
        "--describe",
        "adds.toml",
        "--record",
        "record.jsonl",
    ];
    scene.run(&options, &["asked", "3", "1000"]);
    for line in scene.record() {
        assert_eq!(line["chosen"], serde_json::json!([128, 1, 1]), "{line}");
    }
    scene.nothing_seen();
}

#[test]
fn programs_in_python_are_run() {
    let Some(folder) = std::env::var_os(PYOPENCL) else {
        return skip(&format!(
            "{PYOPENCL} names no folder of pyopencl: scripts/pyopencl fetches it"
        ));
    };
    let Some(scene) = Scene::new() else { return };
    let script = examples().join("tune/adds.py");
    let python = |before: &[&str]| {
        let words = [before, &["python3", script.to_str().unwrap(), "64", "256"]].concat();
        let mut command = match before {
            [] => Command::new(words[0]),
            _ => scene.sandbox.command(&words),
        };
        if before.is_empty() {
            command.args(&words[1..]);
        }
        command
            .env("PYTHONPATH", &folder)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        scene.prepare(&mut command)
    };
    let alone = python(&[]);
    let found = python(&[
        "tune",
        "run",
        "--record",
        "record.jsonl",
        "-o",
        "report.txt",
        "--",
    ]);
    assert_eq!(
        (found.code, &found.stdout, &found.stderr),
        (Some(0), &alone.stdout, &alone.stderr)
    );
    let record = scene.record();
    assert_eq!(
        (record.len(), &record[5]["integers"]),
        (6, &serde_json::json!({ "2": 256 }))
    );
    assert!(
        scene
            .sandbox
            .read("report.txt")
            .contains("shapes measured: ")
    );
}
