//! `sunzi bench gfp`: what it tells and draws, and what it refuses. Times themselves are nobody's promise.

use crate::sandbox::Sandbox;
use serde_json::Value;

/// A measurement of the smallest kind.
const QUICK: [&str; 5] = ["gfp", "--primes", "P8", "--seconds", "0.001"];

const SAVED: &str = "# processor: A processor, and its features
section,group,case,size,threads,contender,median_s,quartile1_s,quartile3_s,counts
gfp-mul,one product modulo r^k+1,P8,8,1,GMP,1e-7,1e-7,1e-7,true
gfp-fft,transform mod P8,2^6 points,64,1,Sunzi,1e-9,1e-9,1e-9,true
gfp-fft,transform mod P8,2^6 points,64,1,\"GMP radix 2 (mpn_mul_n, mpn_redc_1)\",10,10,10,true
gfp-fft,transform mod P8,2^7 points,128,1,\"GMP radix 2 (mpn_mul_n, mpn_redc_1)\",20,20,20,true
gfp-fft,transform mod P16,2^8 points,256,1,FLINT radix 2,30,30,30,true
";

/// Runs the program, which must succeed; a busy machine may be told.
fn succeed(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let outcome = sandbox.run(arguments);
    let calm = |line: &str| !line.starts_with("sunzi: note: other programs had the processor");
    assert_eq!(
        outcome.stderr.lines().filter(|line| calm(line)).count(),
        0,
        "{outcome:?}"
    );
    assert_eq!(outcome.code, Some(0), "{arguments:?}: {outcome:?}");
    outcome.stdout
}

#[test]
fn tables_name_all_that_was_measured() {
    let sandbox = Sandbox::with(&[("peers.csv", SAVED)]);
    let text = succeed(
        &sandbox,
        &[&QUICK[..], &["--csv", "peers.csv", "--threads", "2"]].concat(),
    );
    for part in [
        "Products modulo the named primes",
        "P128F",
        "Transforms modulo P8 (k = 8, 475 bits)",
        "(c) 10 primes below 2^50, with recombination",
        "(d) GMP radix 2 (mpn_mul_n, mpn_redc_1), from peers.csv",
        "(a) is ahead of (d) at every N measured.",
        "permutation",
        "2 threads  speed-up",
        "peers.csv: measured on A processor, and its features",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!text.contains("FLINT"), "that is of another prime:\n{text}");
    assert_eq!(sandbox.names(), ["peers.csv"]);
}

#[test]
fn all_numbers_are_there_as_json() {
    let sandbox = Sandbox::with(&[]);
    let arguments = [&QUICK[..], &["--json", "--threads", "2", "-o", "all.json"]].concat();
    assert_eq!(succeed(&sandbox, &arguments), "");
    let report: Value = serde_json::from_str(&sandbox.read("all.json")).unwrap();
    assert_eq!(report["result"]["products"].as_array().unwrap().len(), 13);
    let positive = |value: &Value| assert!(value.as_f64().unwrap() > 0.0, "{value}");
    for products in report["result"]["products"].as_array().unwrap() {
        for times in [&products["one_at_a_time"], &products["in_a_batch"]] {
            for key in ["median", "quartile1", "quartile3"] {
                positive(&times[key]);
            }
        }
    }
    let contest = &report["result"]["transforms"][0];
    assert_eq!(
        (&contest["prime"], &contest["word_primes"]),
        (&"P8".into(), &10.into())
    );
    let methods = contest["methods"].as_array().unwrap();
    assert_eq!(methods.len(), 3);
    for method in methods {
        let times = method["times"].as_array().unwrap();
        // From k² on; how far a budget reaches depends on the machine.
        assert_eq!(times[0]["points"], 64);
        times
            .iter()
            .for_each(|time| positive(&time["seconds"]["median"]));
    }
    let steps = &contest["steps"][0];
    for step in ["permutation", "base_case", "twiddle"] {
        positive(&steps[step]);
    }
    let speedup = &report["result"]["speedups"][0];
    assert_eq!(
        (&speedup["points"], &speedup["by_threads"][1]["threads"]),
        (&4096.into(), &2.into())
    );
    positive(&speedup["by_threads"][1]["speedup"]);
}

#[test]
fn plots_are_drawn_into_a_new_folder() {
    let sandbox = Sandbox::with(&[]);
    let text = succeed(
        &sandbox,
        &[&QUICK[..], &["--out", "some/plots", "--threads", "2"]].concat(),
    );
    let folder = std::fs::read_dir(sandbox.path("some/plots")).unwrap();
    let mut names: Vec<String> = folder
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["products.svg", "threads.svg", "transforms-p8.svg"]);
    for name in names {
        let svg = sandbox.read(&format!("some/plots/{name}"));
        assert!(
            svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"),
            "{name}"
        );
        assert!(text.contains(&format!("{name}: drawn")), "{name}");
    }
}

#[test]
fn one_thread_has_no_speed_up() {
    let sandbox = Sandbox::with(&[]);
    let text = succeed(
        &sandbox,
        &[&QUICK[..], &["--threads", "1", "--out", "plots"]].concat(),
    );
    assert!(
        text.contains("1 thread\n") && !text.contains("speed-up"),
        "{text}"
    );
    assert!(!sandbox.path("plots/threads.svg").exists());
}

#[test]
fn wrong_wishes_are_refused_in_sentences() {
    let sandbox = Sandbox::with(&[("file", "")]);
    let refused = |more: &[&str]| sandbox.fail(2, &[&["gfp"], more].concat());
    let said = refused(&["--primes", "P8,P9"]);
    assert!(
        said.contains("no prime is named `P9`") && said.contains("P2F, P4F"),
        "{said}"
    );
    let said = refused(&["--seconds", "0"]);
    assert!(said.contains("a number of seconds above 0"), "{said}");
    let said = refused(&["--out", "file/plots"]);
    assert!(
        said.contains("the folder for the plots cannot be made"),
        "{said}"
    );
    refused(&["--out", "file"]);
    refused(&["--csv", "none.csv"]);
}

#[test]
fn bad_files_are_named_with_their_lines() {
    for (from, to, said) in [
        (
            "10,10,10",
            "10,x,10",
            "line 5: column 8: invalid float literal",
        ),
        (
            "10,10,10",
            "-1,10,10",
            "line 5: the times of GMP radix 2 (mpn_mul_n, mpn_redc_1) must be seconds above 0",
        ),
        (
            "20,20,20,true",
            "20",
            "line 6: there are 7 values, but 10 names of columns",
        ),
        ("median_s", "seconds", "line 3: missing field `median_s`"),
    ] {
        let sandbox = Sandbox::with(&[("peers.csv", &SAVED.replacen(from, to, 1))]);
        let told = sandbox.fail(2, &["gfp", "--csv", "peers.csv"]);
        assert_eq!(told, format!("sunzi: peers.csv, {said}\n"));
    }
    let sandbox = Sandbox::with(&[("peers.csv", &SAVED.replace("gfp-fft", "ntt"))]);
    let told = sandbox.fail(2, &["gfp", "--csv", "peers.csv"]);
    assert!(
        told.contains("no timings of others in the section gfp-fft"),
        "{told}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_report_among_the_plots_is_refused() {
    let sandbox = Sandbox::with(&[]);
    std::fs::create_dir(sandbox.path("plots")).unwrap();
    let report = std::fs::File::create(sandbox.path("plots/products.svg")).unwrap();
    let mut command = sandbox.command(&["gfp", "--seconds", "0.001", "--out", "plots"]);
    let ended = command.stdout(report).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{said}");
    let sentence = "products.svg: --out writes files with this end into the same folder";
    assert!(said.contains(sentence), "{said}");
    assert_eq!(sandbox.read("plots/products.svg"), "");
}
