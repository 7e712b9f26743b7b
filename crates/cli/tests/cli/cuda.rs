//! `--device cuda`, on the stand-in for NVIDIA's driver and compiler: the same bytes, and what is said when either fails.

use crate::common::{Outcome, Sandbox};
use std::fs;
use std::process::{Command, Stdio};
use sunzi_testkit::{CudaStandIn, Random, required_or_skipped};

/// The stand-in, and files to compute with.
struct Scene {
    stand_in: CudaStandIn,
    sandbox: Sandbox,
}

impl Scene {
    /// `None` after a word on why there is no stand-in.
    fn new() -> Option<Self> {
        let stand_in = required_or_skipped(CudaStandIn::build())?;
        let lines = [9, 300, 12_000].map(|count| Random::new(count as u64).decimal(count));
        let terms: Vec<_> = (0..300).map(|i| Random::new(i).decimal(8)).collect();
        let sandbox = Sandbox::with(&[
            ("a", &(lines.join("\n") + "\n")),
            ("f", &(terms.join(" ") + "\n")),
        ]);
        Some(Self { stand_in, sandbox })
    }

    /// The program with the stand-in, and with kernels kept in a folder of this test.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.sandbox.command(arguments);
        self.stand_in.lend(&mut command);
        command
            .env("SUNZI_GPU_CACHE", self.sandbox.path("kernels"))
            .env("SUNZI_STAND_IN_LOG", self.sandbox.path("violations"))
            .stdin(Stdio::null());
        command
    }

    /// Runs it; nothing may go against the driver's rules.
    fn run(&self, command: &mut Command) -> Outcome {
        let output = command.output().unwrap();
        let violations = fs::read_to_string(self.sandbox.path("violations")).unwrap_or_default();
        assert_eq!(violations, "", "{command:?}");
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn on_processor(&self, arguments: &[&str]) -> String {
        self.sandbox
            .succeed(&[arguments, &["--device", "cpu"]].concat())
    }
}

const INTEGERS: [&str; 4] = ["int", "mul", "a", "a"];
const ON_CUDA: [&str; 6] = ["int", "mul", "a", "a", "--device", "cuda"];

/// Fails unless the program gave the product and said nothing.
fn assert_right(outcome: &Outcome, expected: &str) {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    assert!(outcome.stdout == expected, "a wrong product");
}

#[test]
fn cuda_gives_the_same_bytes() {
    let Some(scene) = Scene::new() else { return };
    for command in [
        &INTEGERS[..],
        &["poly", "mul", "f", "f"],
        &["poly", "mul", "f", "f", "--mod", "2013265921"],
        &["poly", "mul", "f", "f", "--mod", "2^60-2^18+1"],
    ] {
        let on_cuda = [command, &["--device", "cuda"]].concat();
        let found = scene.run(&mut scene.command(&on_cuda));
        assert_right(&found, &scene.on_processor(command));
    }
    let told = scene.run(&mut scene.command(&["info"])).stdout;
    assert!(
        told.contains("Stand-in for an H100") && told.contains("cuda:0"),
        "{told}"
    );
}

#[test]
fn a_driver_without_pools_serves_too() {
    let Some(scene) = Scene::new() else { return };
    let mut command = scene.command(&ON_CUDA);
    let found = scene.run(scene.stand_in.lend_old(&mut command));
    assert_right(&found, &scene.on_processor(&INTEGERS));
}

#[test]
fn a_device_that_is_lost_is_told_and_leaves_no_file() {
    let Some(scene) = Scene::new() else { return };
    for rule in [
        "cuLaunchKernel:5=719",
        "cuMemcpyDtoHAsync_v2:2=700",
        "cuEventSynchronize:1=719",
    ] {
        let mut command = scene.command(&[&ON_CUDA[..], &["-o", "product"]].concat());
        let outcome = scene.run(command.env("SUNZI_STAND_IN_FAIL", rule));
        assert_eq!(outcome.code, Some(1), "{rule}: {outcome:?}");
        for part in [
            "Stand-in for an H100 was lost",
            "CUDA_ERROR_",
            "started again",
        ] {
            assert!(outcome.stderr.contains(part), "{rule}: {outcome:?}");
        }
        assert!(!scene.sandbox.path("product").exists());
    }
}

#[test]
fn too_little_memory_is_told_and_the_processor_computes() {
    let Some(scene) = Scene::new() else { return };
    let expected = scene.on_processor(&INTEGERS);
    let mut command = scene.command(&ON_CUDA);
    let outcome = scene.run(command.env("SUNZI_STAND_IN_MEMORY", "20000"));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout == expected, "a wrong product");
    let said = &outcome.stderr;
    assert!(
        said.contains("computed on the processor") && said.contains("too little memory"),
        "{said}"
    );
}

#[test]
fn a_compiler_that_fails_or_is_missing_is_told() {
    let Some(scene) = Scene::new() else { return };
    scene.sandbox.write("rubbish", b"no library");
    let rubbish = scene
        .sandbox
        .path("rubbish")
        .into_os_string()
        .into_string()
        .unwrap();
    for (variable, value, said) in [
        (
            "SUNZI_NVRTC",
            "/no-such-folder",
            "SUNZI_NVRTC names nothing that can be used",
        ),
        (
            "SUNZI_NVRTC",
            &rubbish,
            "SUNZI_NVRTC names nothing that can be used",
        ),
        (
            "SUNZI_STAND_IN_FAIL",
            "nvrtcCompileProgram:1=6",
            "it compiles nothing",
        ),
        (
            "SUNZI_STAND_IN_FAIL",
            "nvrtcCompileProgram:2=6",
            "NVRTC_ERROR_COMPILATION",
        ),
        ("SUNZI_STAND_IN_FAIL", "cuInit:1=100", "finds no GPU"),
        ("SUNZI_GPU_MEMORY", "plenty", "SUNZI_GPU_MEMORY is `plenty`"),
        ("SUNZI_HIDE_DEVICES", "cuda", "SUNZI_HIDE_DEVICES hides it"),
        ("SUNZI_HIDE_DEVICES", "CUDA", "SUNZI_HIDE_DEVICES is `CUDA`"),
    ] {
        let outcome = scene.run(scene.command(&ON_CUDA).env(variable, value));
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(1), ""),
            "{variable}={value}"
        );
        assert!(
            outcome.stderr.contains(said),
            "{variable}={value}: {outcome:?}"
        );
    }
}

#[test]
fn a_cache_that_is_shared_damaged_or_closed_changes_nothing() {
    let Some(scene) = Scene::new() else { return };
    let expected = scene.on_processor(&INTEGERS);
    // Two at once begin with no folder at all.
    let both = [(); 2].map(|()| {
        let mut command = scene.command(&ON_CUDA);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    });
    for child in both {
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert!(output.stdout == expected.as_bytes(), "a wrong product");
    }
    let folder = scene.sandbox.path("kernels");
    let files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(files.len() > 3, "{files:?}");
    for (number, file) in files.iter().enumerate() {
        let mut bytes = fs::read(file).unwrap();
        match number % 3 {
            0 => bytes.truncate(bytes.len() / 2),
            1 => bytes = b"rubbish".to_vec(),
            _ => bytes.reverse(),
        }
        fs::write(file, bytes).unwrap();
    }
    assert_right(&scene.run(&mut scene.command(&ON_CUDA)), &expected);
    // No folder can be made there, whoever asks.
    let mut command = scene.command(&ON_CUDA);
    let outcome = scene.run(command.env("SUNZI_GPU_CACHE", "/proc/no-such-folder"));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout == expected, "a wrong product");
    assert!(
        outcome
            .stderr
            .contains("cannot be kept in /proc/no-such-folder"),
        "{outcome:?}"
    );
}
