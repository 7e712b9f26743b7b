//! Commands that several processes of MPI share: `SUNZI_MPI_PROGRAM` names a build with the feature `mpi`.

use crate::common::Sandbox;
use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use sunzi_testkit::{Random, skip};

/// 2^32 divides p − 1.
const GOLDILOCKS: &str = "2^64-2^32+1";

/// The program with MPI, if there is one, and something that starts it; a reason to skip else.
fn program() -> Option<String> {
    let starts = Command::new("mpirun")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    match (
        std::env::var("SUNZI_MPI_PROGRAM"),
        starts.is_ok_and(|status| status.success()),
    ) {
        (Ok(program), true) => Some(program),
        (program, starts) => {
            let reason = match starts {
                true => "SUNZI_MPI_PROGRAM names no build with the feature `mpi`",
                false => "there is no mpirun",
            };
            assert!(
                std::env::var("SUNZI_REQUIRE_MPI").is_err(),
                "{reason}: {program:?}"
            );
            skip(reason);
            None
        }
    }
}

/// A command on so many ranks.
fn on_ranks(sandbox: &Sandbox, count: usize, words: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "--quiet", "-n", &count.to_string()]);
    // Nothing but files is limited by a limit on files.
    command.args(["--mca", "btl", "tcp,self"]);
    command.args(words).current_dir(sandbox.path("."));
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Its end, which comes soon.
fn ended(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("the job hangs");
        }
        sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

/// What was said by the program, and not by what started it.
fn said(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines = text.lines().filter(|line| line.starts_with("sunzi: "));
    lines.map(str::to_owned).collect()
}

fn sandbox(log_n: u32) -> (Sandbox, Vec<u8>) {
    let sandbox = Sandbox::with(&[]);
    let mut random = Random::new(3);
    let lines: String = (0..1 << log_n)
        .map(|_| format!("{}\n", random.below(u64::MAX)))
        .collect();
    sandbox.write("x.txt", lines.as_bytes());
    fs::create_dir(sandbox.path("s")).unwrap();
    sandbox.succeed(&["dft", "x.txt", "--mod", GOLDILOCKS, "-o", "expected.npy"]);
    sandbox.succeed(&[
        "dft",
        "expected.npy",
        "--inverse",
        "--mod",
        GOLDILOCKS,
        "-o",
        "x.npy",
    ]);
    let expected = fs::read(sandbox.path("expected.npy")).unwrap();
    (sandbox, expected)
}

const DFT: [&str; 6] = ["dft", "x.npy", "--mod", GOLDILOCKS, "-o", "y.npy"];

#[test]
fn ranks_of_mpi_give_the_bytes_of_one() {
    let Some(program) = program() else { return };
    let (sandbox, expected) = sandbox(12);
    for ranks in 1..=4 {
        for more in [&[][..], &["--scratch", "s", "--max-memory", "1M"]] {
            let words = [&[&*program], &DFT[..], more, &["--json"]].concat();
            let output = ended(on_ranks(&sandbox, ranks, &words).spawn().unwrap());
            assert!(output.status.success(), "{output:?}");
            assert!(
                fs::read(sandbox.path("y.npy")).unwrap() == expected,
                "{ranks} ranks"
            );
            // One speaks for all.
            if ranks > 1 || !more.is_empty() {
                let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                assert_eq!(told["result"]["ranks"], ranks);
            }
            fs::remove_file(sandbox.path("y.npy")).unwrap();
            assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);
        }
    }
    let product = ["poly", "mul", "x.npy", "x.npy", "--mod", GOLDILOCKS, "-o"];
    sandbox.succeed(&[&product[..], &["one.npy", "--scratch", "s"]].concat());
    let words = [&[&*program], &product[..], &["three.npy"]].concat();
    let output = ended(on_ranks(&sandbox, 3, &words).spawn().unwrap());
    assert!(output.status.success(), "{output:?}");
    let [one, three] = ["one.npy", "three.npy"].map(|name| fs::read(sandbox.path(name)).unwrap());
    assert!(one == three);
}

#[test]
fn products_of_several_primes_are_shared() {
    let Some(program) = program() else { return };
    let (sandbox, _) = sandbox(12);
    for product in [
        &["int", "mul", "x.npy", "x.npy", "-o"][..],
        &["int", "mul", "x.npy", "expected.npy", "-o"],
        &["poly", "mul", "x.npy", "expected.npy", "-o"],
    ] {
        sandbox.succeed(&[product, &["one.npy", "--scratch", "s"]].concat());
        let expected = fs::read(sandbox.path("one.npy")).unwrap();
        let scratch = ["--scratch", "s", "--max-memory", "1M"];
        // One process alone has no ranks: without a folder it reads text.
        for (ranks, more) in [
            (1, &scratch[..]),
            (2, &[]),
            (2, &scratch),
            (3, &[]),
            (4, &scratch),
        ] {
            let words = [&[&*program], product, &["y.npy"], more].concat();
            let output = ended(on_ranks(&sandbox, ranks, &words).spawn().unwrap());
            assert!(output.status.success(), "{output:?}");
            let found = fs::read(sandbox.path("y.npy")).unwrap();
            assert!(found == expected, "{words:?} on {ranks}");
            fs::remove_file(sandbox.path("y.npy")).unwrap();
            assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);
        }
    }
}

#[test]
fn errors_are_told_once() {
    let Some(program) = program() else { return };
    let (sandbox, _) = sandbox(4);
    let mut missing = DFT;
    missing[1] = "none.npy";
    let mut text = DFT.to_vec();
    text[1] = "x.txt";
    text.extend(["--scratch", "s"]);
    let mut small = DFT.to_vec();
    small.extend(["--max-memory", "1K"]);
    for (words, part) in [
        (&missing[..], "none.npy: the file cannot be opened"),
        (&text, "several ranks work on files of NumPy's"),
        (&small, "raise the limit"),
        (
            &["int", "mul", "x.npy", "none.npy", "-o", "y.npy"],
            "none.npy: the file cannot be opened",
        ),
        (
            &["int", "mul", "x.npy", "x.txt", "-o", "y.npy"],
            "several ranks work on files of NumPy's",
        ),
    ] {
        let words = [&[&*program], words].concat();
        let output = ended(on_ranks(&sandbox, 3, &words).spawn().unwrap());
        assert!(!output.status.success());
        let said = said(&output);
        assert!(said.len() == 1 && said[0].contains(part), "{said:?}");
        assert!(!sandbox.path("y.npy").exists());
    }
    // Of one rank alone.
    for (more, part) in [
        (
            "--scratch s --plan",
            "some ranks were asked for a plan (--plan)",
        ),
        (
            "--device opencl",
            "rank 1: what goes through files is computed on the processor",
        ),
        ("-o y.txt", "rank 1: several ranks work on files of NumPy's"),
    ] {
        let mul = format!("exec {program} int mul x.npy x.npy");
        let line =
            format!("if [ $OMPI_COMM_WORLD_RANK = 1 ]; then {mul} {more}; fi; {mul} -o y.npy");
        let output = ended(on_ranks(&sandbox, 3, &["sh", "-c", &line]).spawn().unwrap());
        let said = said(&output);
        assert!(
            said.len() == 1 && said[0].contains(part),
            "{more}: {said:?}"
        );
        assert!(!sandbox.path("y.npy").exists());
    }
}

#[test]
fn a_rank_whose_disk_is_full_ends_all_and_the_job_goes_on() {
    let Some(program) = program() else { return };
    let (sandbox, expected) = sandbox(16);
    let words = format!("{program} {} --scratch s --max-memory 2M", DFT.join(" "));
    let limited = format!("if [ $OMPI_COMM_WORLD_RANK = 1 ]; then ulimit -f 100; fi; exec {words}");
    let output = ended(
        on_ranks(&sandbox, 3, &["sh", "-c", &limited])
            .spawn()
            .unwrap(),
    );
    assert!(!output.status.success());
    let said = said(&output);
    assert!(
        said.len() == 1 && said[0].starts_with("sunzi: rank 1 on "),
        "{said:?}"
    );
    assert!(!sandbox.path("y.npy").exists());
    let output = ended(
        on_ranks(&sandbox, 3, &["sh", "-c", &words])
            .spawn()
            .unwrap(),
    );
    assert!(output.status.success(), "{output:?}");
    assert!(fs::read(sandbox.path("y.npy")).unwrap() == expected);
    assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_rank_that_is_killed_ends_all_and_the_job_goes_on() {
    let Some(program) = program() else { return };
    let (sandbox, expected) = sandbox(16);
    goes_on_when_killed(&program, &sandbox, &DFT, &expected);
    let product = ["int", "mul", "x.npy", "expected.npy", "-o", "y.npy"];
    sandbox.succeed(&[&product[..], &["--scratch", "s"]].concat());
    let expected = fs::read(sandbox.path("y.npy")).unwrap();
    fs::remove_file(sandbox.path("y.npy")).unwrap();
    goes_on_when_killed(&program, &sandbox, &product, &expected);
}

/// A job of two ranks of which the second is killed again and again, at any time of its second half.
#[cfg(target_os = "linux")]
fn goes_on_when_killed(program: &str, sandbox: &Sandbox, command: &[&str], expected: &[u8]) {
    let words = format!(
        "{program} {} --scratch s --max-memory 2M --threads 1",
        command.join(" ")
    );
    let clock = Instant::now();
    let output = ended(on_ranks(sandbox, 2, &["sh", "-c", &words]).spawn().unwrap());
    assert!(output.status.success(), "{output:?}");
    // How long a run takes; less where the machine had other work just now.
    let mut whole = clock.elapsed().as_micros() as u64;
    let mut random = Random::new(5);
    let mut killed = 0;
    for round in 0..40 {
        fs::remove_file(sandbox.path("y.npy")).unwrap();
        // The second one ends itself, as from outside.
        let after = whole / 2 + random.below(whole / 2);
        let suicide = format!(
            "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then {words} & sleep {}.{:06}; kill -9 $!; wait $!; else exec {words}; fi",
            after / 1_000_000,
            after % 1_000_000
        );
        let output = ended(
            on_ranks(sandbox, 2, &["bash", "-c", &suicide])
                .spawn()
                .unwrap(),
        );
        match output.status.success() {
            true => whole -= whole / 4,
            false => killed += 1,
        }
        let output = ended(on_ranks(sandbox, 2, &["sh", "-c", &words]).spawn().unwrap());
        assert!(output.status.success(), "{output:?}");
        assert!(
            fs::read(sandbox.path("y.npy")).unwrap() == expected,
            "round {round}"
        );
        assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);
        if killed == 3 {
            return;
        }
    }
    panic!("a run comes to its end before any kill");
}

/// A matrix, two polynomials, and two in two variables, whose images several ranks share.
fn operands() -> Sandbox {
    let mut random = Random::new(11);
    let mut number = || {
        format!(
            "{}{}",
            ["", "-"][random.below(2) as usize],
            random.below(u64::MAX)
        )
    };
    let mut rows = |count, length| -> String {
        let mut row = || (0..length).map(|_| number()).collect::<Vec<_>>().join(" ") + "\n";
        (0..count).map(|_| row()).collect()
    };
    let files = [
        ("m.txt", rows(40, 40)),
        ("q.txt", "1/2 1/3 0\n-7 2/9 1\n5 0.25 3\n".to_owned()),
        ("zero.txt", "1 2\n0 0\n".to_owned()),
        ("two.txt", "1 2\n3 4\n".to_owned()),
        ("one.txt", "-7\n".to_owned()),
        ("f.txt", rows(1, 60)),
        ("g.txt", rows(1, 45)),
        ("f2.txt", "x^5*y^4 - 10^30*x*y + y^3 - 7\n".to_owned()),
        ("g2.txt", "(x + y)^6 - 3*x + 10^20\n".to_owned()),
        ("many.txt", rows(2, 5)),
    ];
    let sandbox = Sandbox::with(&[]);
    for (name, text) in files {
        sandbox.write(name, text.as_bytes());
    }
    sandbox
}

const RESULTANT: [&str; 4] = ["poly", "resultant", "f.txt", "g.txt"];
const RESULTANT_IN_Y: [&str; 7] = [
    "poly",
    "resultant",
    "f2.txt",
    "g2.txt",
    "--vars",
    "x,y",
    "--pretty",
];

#[test]
fn images_that_ranks_share_give_the_text_of_one() {
    let Some(program) = program() else { return };
    let sandbox = operands();
    let commands: [&[&str]; 8] = [
        &["det", "m.txt"],
        &["det", "q.txt"],
        &["det", "zero.txt"],
        &["det", "one.txt"],
        &["det", "-e", "[[1, 2], [3, -70000000000000000000000]]"],
        &RESULTANT,
        &RESULTANT_IN_Y,
        &["poly", "resultant", "-e", "3", "-e", "x^2 + 1"],
    ];
    for (index, command) in commands.into_iter().enumerate() {
        let expected = sandbox.succeed(command);
        // To start them takes longest.
        for ranks in if index == 0 { 1..=4 } else { 3..=3 } {
            let words = [&[&*program], command].concat();
            let output = ended(on_ranks(&sandbox, ranks, &words).spawn().unwrap());
            assert!(output.status.success(), "{output:?}");
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                expected,
                "{command:?} on {ranks}"
            );
        }
    }
    // In a file, and as JSON.
    for command in [&["det", "m.txt"][..], &RESULTANT, &RESULTANT_IN_Y] {
        let words = [
            &[&*program],
            command,
            &["--json", "-o", "r.json", "--threads", "1"],
        ]
        .concat();
        let output = ended(on_ranks(&sandbox, 3, &words).spawn().unwrap());
        assert!(
            output.status.success() && output.stdout.is_empty(),
            "{output:?}"
        );
        let told: serde_json::Value =
            serde_json::from_slice(&fs::read(sandbox.path("r.json")).unwrap()).unwrap();
        let explanation = told["explanation"].as_str().unwrap();
        assert!(explanation.contains("images on 3 ranks: "), "{told}");
        let result = told.get("result").unwrap_or_else(|| &told["results"][0]);
        assert_eq!(result["proved"], true);
        fs::remove_file(sandbox.path("r.json")).unwrap();
    }
    // Where one process alone is sooner, that is told.
    let words = [&*program, "det", "two.txt", "--threads", "1"];
    let output = ended(on_ranks(&sandbox, 2, &words).spawn().unwrap());
    let told = said(&output);
    assert!(
        told.len() == 1 && told[0].contains("one process alone is sooner"),
        "{told:?}"
    );
}

#[test]
fn what_ranks_cannot_share_is_told_once() {
    let Some(program) = program() else { return };
    let sandbox = operands();
    let one_has = |rank: usize, other: &str, command: &str| {
        format!(
            "if [ $OMPI_COMM_WORLD_RANK = {rank} ]; then exec {program} {other}; fi; exec {program} {command}"
        )
    };
    let all = |command: &str| format!("exec {program} {command}");
    let resultant = RESULTANT.join(" ");
    for (line, code, part) in [
        (all("det none.txt"), 2, "none.txt: "),
        (all("det many.txt"), 1, "needs as many rows as columns"),
        (all("det -"), 2, "standard input comes to one process"),
        (
            all("det m.txt --early"),
            2,
            "--early ends after a few images",
        ),
        (all("det m.txt --device opencl"), 2, "leave --device out"),
        (
            all("det m.txt -o none/r.txt"),
            2,
            "the output file cannot be made",
        ),
        (
            all("det m.txt --max-memory 1K"),
            1,
            "of memory, and 1.0 KiB can be used",
        ),
        (
            all("poly resultant f.txt many.txt"),
            2,
            "give one line a file",
        ),
        (all("poly resultant f.txt none.txt"), 2, "none.txt: "),
        (one_has(0, "det none.txt", "det m.txt"), 2, "none.txt: "),
        (
            one_has(2, "det none.txt", "det m.txt"),
            2,
            "rank 2: none.txt: ",
        ),
        (
            one_has(1, "det many.txt", "det m.txt"),
            1,
            "rank 1: many.txt: ",
        ),
        (
            one_has(1, "det m.txt --early", "det m.txt"),
            2,
            "rank 1: --early ends after a few images",
        ),
        (
            one_has(1, "det -", "det m.txt"),
            2,
            "rank 1: standard input comes to one process",
        ),
        (
            one_has(1, "det m.txt --mod 7", "det m.txt"),
            2,
            "rank 1: determinants are computed modulo a prime",
        ),
        (all("det m.txt --float"), 2, "by one process"),
        (
            all("poly resultant f.txt g.txt --mod 97"),
            2,
            "by one process",
        ),
        (
            all("int mul one.txt one.txt"),
            2,
            "several ranks work on files of NumPy's",
        ),
        (
            one_has(1, "det zero.txt", "det m.txt"),
            2,
            "rank 1 was asked for something else than rank 0",
        ),
        (
            one_has(2, "poly resultant g.txt f.txt", &resultant),
            2,
            "rank 2 was asked for something else",
        ),
    ] {
        let output = ended(on_ranks(&sandbox, 3, &["sh", "-c", &line]).spawn().unwrap());
        let said = said(&output);
        let said: Vec<_> = said
            .iter()
            .filter(|said| !said.contains("sooner"))
            .collect();
        assert!(
            said.len() == 1 && said[0].contains(part),
            "{line}: {said:?}"
        );
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(code), 0),
            "{line}: {output:?}"
        );
    }
}

/// Whoever says which images are its own shares nothing.
#[test]
fn parts_are_of_each_process() {
    let sandbox = operands();
    let det = |words: &[&str]| {
        let command = [&["det", "m.txt"], words].concat();
        let output = sandbox
            .command(&command)
            .env("SLURM_STEP_NUM_TASKS", "3")
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    for (part, numbers) in [("a", "0..30"), ("b", "30..200")] {
        det(&["--images", numbers, "-o", part]);
    }
    assert_eq!(
        det(&["--combine", "a", "b"]),
        sandbox.succeed(&["det", "m.txt"]).into_bytes()
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_rank_that_is_killed_ends_those_that_share_images() {
    let Some(program) = program() else { return };
    let sandbox = operands();
    let mut random = Random::new(7);
    let entry = |random: &mut Random| random.below(u64::MAX).to_string();
    let mut row = || {
        (0..500)
            .map(|_| entry(&mut random))
            .collect::<Vec<_>>()
            .join(" ")
            + "\n"
    };
    let rows: String = (0..500).map(|_| row()).collect();
    sandbox.write("long.txt", rows.as_bytes());
    for killed in 0..3 {
        let suicide = format!(
            "if [ $OMPI_COMM_WORLD_RANK = {killed} ]; then {program} det long.txt --threads 1 & sleep 1; kill -9 $!; wait $!; \
             else exec {program} det long.txt --threads 1; fi"
        );
        let output = ended(
            on_ranks(&sandbox, 3, &["bash", "-c", &suicide])
                .spawn()
                .unwrap(),
        );
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{output:?}"
        );
    }
}

/// What is started as one of several, and cannot be one, must not compute the same as the others.
#[test]
fn a_build_without_mpi_says_how_to_have_one() {
    let (sandbox, _) = sandbox(4);
    for variable in ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"] {
        let output = sandbox.command(&DFT).env(variable, "3").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains("one of 3") && said.contains("--features mpi"),
            "{said}"
        );
        let det = sandbox.command(&["det", "-e", "[[1, 2], [3, 4]]"]);
        let output = { det }.env(variable, "3").output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), told), (Some(1), said));
        let alone = sandbox.command(&DFT).env(variable, "1").status().unwrap();
        assert!(alone.success());
        fs::remove_file(sandbox.path("y.npy")).unwrap();
        // Others do the same on each of several machines.
        let det = sandbox.command(&["int", "gcd", "-e", "4", "-e", "6"]);
        let output = { det }.env(variable, "3").output().unwrap();
        assert!(output.status.success());
    }
}
