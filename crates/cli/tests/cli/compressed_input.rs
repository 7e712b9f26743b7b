//! Files compressed by gzip: every command reads them, and damage is told, never answered from.

use crate::common::Sandbox;
use sunzi_testkit::gzip;

/// Commands on the file `a`, and what stands there.
const COMMANDS: [(&str, &str); 12] = [
    ("int mul a b", "12\n0x10\n"),
    ("poly mul a b", "1 2\nx^2 - 1\n"),
    ("poly mul a b --mod 97", "1 2\n3\n"),
    ("poly divrem a b --mod 97", "1 2 3\n7 8\n"),
    ("poly eval c a --mod 97", "3\n5\n"),
    ("poly interp a b --mod 97", "3\n5\n"),
    ("dft a --mod 97", "1\n2\n3\n"),
    ("sort a", "3\n1\n2\n"),
    ("det a", "1 2\n3 4\n"),
    ("matrix rref a", "1 2 3\n4 5 6\n"),
    ("sparse spmv m a", "1\n2\n"),
    (
        "sparse spmv a",
        "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
    ),
];

const MATRIX: &str = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 1 4\n";

fn sandbox() -> Sandbox {
    Sandbox::with(&[("b", "5\n7\n"), ("c", "1 2\n"), ("m", MATRIX)])
}

fn words(command: &str) -> Vec<&str> {
    command.split(' ').collect()
}

#[test]
fn compressed_text_is_read_by_every_command() {
    let sandbox = sandbox();
    for (command, text) in COMMANDS {
        let command = words(command);
        let (start, end) = text.split_at(text.len() / 2);
        let members = [gzip(start), gzip(end)].concat();
        sandbox.write("a", text.as_bytes());
        let expected = sandbox.succeed(&command);
        for compressed in [gzip(text), members] {
            sandbox.write("a", &compressed);
            assert_eq!(sandbox.succeed(&command), expected, "{command:?}");
            let piped: Vec<_> = command
                .iter()
                .map(|&word| if word == "a" { "-" } else { word })
                .collect();
            let outcome = sandbox.run_with_input(&piped, &compressed);
            assert_eq!(
                (outcome.code, &outcome.stdout),
                (Some(0), &expected),
                "{piped:?}"
            );
        }
    }
}

#[test]
fn damage_is_told_by_every_command() {
    let sandbox = sandbox();
    for (command, text) in COMMANDS {
        let command = words(command);
        let compressed = gzip(text);
        let end = compressed.len();
        let flipped = |byte: usize| {
            let mut compressed = compressed.clone();
            compressed[byte] ^= 1;
            compressed
        };
        let damaged = [
            flipped(end - 1),
            flipped(end - 5),
            flipped(12),
            compressed[..end - 1].to_vec(),
            compressed[..end - 9].to_vec(),
            compressed[..11].to_vec(),
            [&compressed[..], b"garbage"].concat(),
        ];
        for file in damaged {
            sandbox.write("a", &file);
            let said = sandbox.fail(2, &command);
            assert!(said.starts_with("sunzi: a"), "{command:?}: {said}");
        }
    }
}

#[test]
fn a_determinant_is_not_found_from_half_a_matrix() {
    let sandbox = sandbox();
    let mut text = "%%MatrixMarket matrix coordinate integer general\n300 300 20000\n".to_owned();
    for entry in 0..20_000u64 {
        let value = entry.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
        text += &format!("{} {} {value}\n", entry % 300 + 1, entry / 67 + 1);
    }
    let compressed = gzip(text);
    sandbox.write("m.mtx.gz", &compressed);
    let right = sandbox.succeed(&["det", "m.mtx.gz", "--mod", "97"]);
    for place in 1..30 {
        let mut flipped = compressed.clone();
        flipped[place * compressed.len() / 30] ^= 4;
        sandbox.write("m.mtx.gz", &flipped);
        let outcome = sandbox.run(&["det", "m.mtx.gz", "--mod", "97"]);
        let unchanged = outcome.code == Some(0) && outcome.stdout == right;
        assert!(unchanged || outcome.code == Some(2), "{place}: {outcome:?}");
    }
}

#[test]
fn other_compressions_are_refused_by_name() {
    let sandbox = sandbox();
    for (start, name) in [
        (&b"BZh91AY&SY"[..], "bzip2"),
        (b"\xfd7zXZ\0\0\x04", "xz"),
        (b"\x28\xb5\x2f\xfd\x04\0", "zstd"),
    ] {
        sandbox.write("a", start);
        for (command, _) in COMMANDS {
            let said = sandbox.fail(2, &words(command));
            let expected = format!(
                "sunzi: a: the file cannot be read: it is compressed by {name}: decompress it first"
            );
            assert!(said.starts_with(&expected), "{said}");
        }
    }
    sandbox.write("a", &gzip(gzip(b"1\n")));
    let said = sandbox.fail(2, &["sort", "a"]);
    assert!(said.contains("compressed by gzip twice"), "{said}");
    for name in ["out.bz2", "out.mtx.xz", "out.zst"] {
        for command in [
            ["sort", "b"].as_slice(),
            &["sparse", "reorder", "m", "--method", "gray"],
            &["det", "b"],
        ] {
            let said = sandbox.fail(2, &[command, &["-o", name]].concat());
            assert!(said.contains("give -o another name"), "{said}");
        }
    }
}

#[test]
fn comments_that_are_compressed_a_thousandfold_are_refused() {
    let sandbox = sandbox();
    // Half a gibibyte in half a mebibyte, by every reader.
    for (command, text) in [COMMANDS[0], COMMANDS[7], COMMANDS[8], COMMANDS[10]] {
        let (comment, head) = match text.strip_prefix("%%") {
            Some(_) => ("% comment\n", "%%MatrixMarket matrix array real general\n"),
            None => ("# comment\n", "# head\n"),
        };
        let many = gzip(comment.repeat((16 << 20) / comment.len()));
        sandbox.write("a", &[gzip(head), many.repeat(32)].concat());
        let said = sandbox.fail(2, &words(command));
        assert!(
            said.contains("more than 256 MiB of comments"),
            "{command}: {said}"
        );
    }
}
