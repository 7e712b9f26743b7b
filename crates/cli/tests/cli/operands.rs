//! Operands on the command line in the place of files.

use crate::common::Sandbox;

#[test]
fn operands_stand_for_files_in_every_command() {
    let sandbox = Sandbox::with(&[("b", "13\n14\n")]);
    for (words, answer) in [
        (&["int", "mul", "-e", "12", "-e", "13"][..], "156\n"),
        (&["int", "mul", "-e12", "b"], "156\n168\n"),
        (&["int", "mul", "b", "-e", "12\n13"], "156\n182\n"),
        (
            &["--threads", "1", "int", "mul", "b", "-e", "-0x1"],
            "-13\n-14\n",
        ),
        (
            &["poly", "mul", "-e", "x + 1", "-e", "x - 1", "--pretty"],
            "x^2 - 1\n",
        ),
        (
            &["poly", "eval", "-e", "x^2", "-e", "1\n2", "--mod", "97"],
            "1\n4\n",
        ),
        (&["det", "-e", "[[1, 2], [3, 4]]"], "-2\n"),
        (&["matrix", "solve", "-e", "2", "-e", "1"], "1/2\n"),
        (&["sort", "-e", "3\n1\n2"], "1\n2\n3\n"),
        (&["calc", "-e", "6*7"], "42\n"),
    ] {
        assert_eq!(sandbox.succeed(words), answer, "{words:?}");
    }
    let solved = sandbox.succeed(&["solve", "-e", "x^2 + y^2 - 1", "-e", "x*y - 1/3"]);
    assert!(solved.contains("4 real solutions"), "{solved}");
    assert!(sandbox.succeed(&["prime", "-e", "97"]).contains("97"));
}

#[test]
fn mistakes_name_the_operand() {
    let sandbox = Sandbox::with(&[]);
    let said = sandbox.fail(2, &["int", "mul", "-e", "12", "-e", "13 x"]);
    assert!(
        said.starts_with("sunzi: -e 13 x, line 1, column 3: "),
        "{said}"
    );
    let long = "9".repeat(100) + "x";
    let said = sandbox.fail(2, &["int", "mul", "-e", "12", "-e", &long]);
    assert!(
        said.starts_with("sunzi: -e 99999999999999999999…, line 1, column 101: "),
        "{said}"
    );
    // An operand in the place of a file is told how to be one.
    let said = sandbox.fail(2, &["int", "mul", "12", "13"]);
    assert!(said.contains("write -e before one that is none"), "{said}");
    let said = sandbox.fail(2, &["int", "mul", "--", "-e", "13"]);
    assert!(
        said.starts_with("sunzi: -e: the file cannot be opened"),
        "{said}"
    );
    let said = sandbox.fail(2, &["-e", "12", "int", "mul"]);
    assert!(said.contains("unrecognized subcommand '12'"), "{said}");
}
