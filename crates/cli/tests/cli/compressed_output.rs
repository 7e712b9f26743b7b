//! Results compressed by gzip, where the name of their file says so.

use crate::common::Sandbox;
use flate2::read::MultiGzDecoder;
use std::io::Read;

const MATRIX: &str = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 3\n";

fn decompressed(sandbox: &Sandbox, name: &str) -> String {
    let compressed = std::fs::read(sandbox.path(name)).unwrap();
    let mut text = String::new();
    MultiGzDecoder::new(&compressed[..])
        .read_to_string(&mut text)
        .unwrap();
    text
}

fn words(command: &str) -> Vec<&str> {
    command.split(' ').collect()
}

#[test]
fn every_command_compresses_what_goes_to_such_a_name() {
    // More than is compressed at once.
    let many: String = (0..40_000_u64)
        .map(|i| format!("{}\n", i * i % 1_000_003))
        .collect();
    let sandbox = Sandbox::with(&[("a", "2\n3\n"), ("many", &many), ("m", MATRIX)]);
    for (command, end) in [
        ("int mul a a", "gz"),
        ("sort many", "gz"),
        ("poly mul a a", "Gz"),
        ("dft a --mod 97", "GZ"),
        ("det m", "gz"),
        ("matrix inverse m", "gz"),
        ("sparse generate grid2d:30,30", "GZ"),
        ("sparse reorder m --method gray", "mtx.gz"),
        ("sparse spmv m", "gz"),
        ("sparse cache m", "gz"),
        ("prime 97", "gz"),
    ] {
        let plain = sandbox.succeed(&words(command));
        let name = format!("out.{end}");
        let all = [&words(command)[..], &["-o", &name]].concat();
        assert_eq!(sandbox.succeed(&all), "", "{command}");
        assert!(decompressed(&sandbox, &name) == plain, "{command}");
    }
    let orders = "sparse reorder m --method gray --rows rows.gz --columns columns.gz";
    sandbox.succeed(&words(orders));
    for name in ["rows.gz", "columns.gz"] {
        assert_eq!(decompressed(&sandbox, name).lines().count(), 2);
    }
}

#[test]
fn what_is_compressed_is_read_again() {
    let sandbox = Sandbox::with(&[("a", "2\n3\n")]);
    sandbox.succeed(&["int", "mul", "a", "a", "-o", "b.gz"]);
    assert_eq!(sandbox.succeed(&["int", "mul", "b.gz", "b.gz"]), "16\n81\n");
}

#[test]
#[cfg(unix)]
fn results_that_are_appended_are_a_text_of_their_own() {
    let sandbox = Sandbox::with(&[("a", "2\n3\n")]);
    for _ in 0..2 {
        let file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(sandbox.path("log.gz"))
            .unwrap();
        let mut command = sandbox.command(&["int", "mul", "a", "a", "-o", "log.gz"]);
        assert!(command.stdout(file).status().unwrap().success());
    }
    assert_eq!(decompressed(&sandbox, "log.gz"), "4\n9\n4\n9\n");
}

#[test]
#[cfg(unix)]
fn what_an_error_ends_does_not_look_whole() {
    let lines = "123456789\n".repeat(50_000) + "x\n";
    let sandbox = Sandbox::with(&[("a", &lines), ("log.gz", "")]);
    let file = std::fs::File::options()
        .append(true)
        .open(sandbox.path("log.gz"));
    let mut command = sandbox.command(&["int", "mul", "a", "a", "-o", "log.gz"]);
    let output = command.stdout(file.unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let compressed = std::fs::read(sandbox.path("log.gz")).unwrap();
    let mut text = Vec::new();
    assert!(!compressed.is_empty());
    assert!(
        MultiGzDecoder::new(&compressed[..])
            .read_to_end(&mut text)
            .is_err()
    );
}

#[test]
fn other_compressions_are_refused() {
    let sandbox = Sandbox::with(&[("a", "2\n3\n"), ("m", MATRIX)]);
    for end in [
        "bz2", "BZ2", "xz", "zst", "lz4", "zip", "Z", "lzma", "lz", "br", "7z",
    ] {
        let name = format!("out.{end}");
        for (option, command) in [("-o", "sort a"), ("--rows", "sparse reorder m")] {
            let said = sandbox.fail(2, &[&words(command)[..], &[option, &name]].concat());
            let expected = format!("sunzi: a name that ends in .{end} is for a compressed file");
            assert!(said.starts_with(&expected), "{said}");
            assert!(
                said.contains(&format!("give {option} another name")),
                "{said}"
            );
        }
    }
}

#[test]
fn documents_are_compressed_and_complete_or_not_there() {
    let sandbox = Sandbox::with(&[("a", "2\n3\n"), ("wrong", "2\n3x\n")]);
    for command in [
        "sort a",
        "int mul a a",
        "prime 97",
        "sparse generate grid2d:2,1",
    ] {
        let all = [&words(command)[..], &["--json", "-o", "out.GZ"]].concat();
        assert_eq!(sandbox.succeed(&all), "", "{command}");
        let document: serde_json::Value =
            serde_json::from_str(&decompressed(&sandbox, "out.GZ")).unwrap();
        assert!(command.starts_with(document["command"].as_str().unwrap()));
    }
    sandbox.fail(2, &words("int mul wrong a --json -o none.gz"));
    assert!(!sandbox.path("none.gz").exists());
}
