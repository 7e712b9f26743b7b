//! What the program says of itself.

use crate::sandbox::Sandbox;

#[test]
fn every_command_has_help_with_examples() {
    let sandbox = Sandbox::with(&[]);
    for command in ["gfp", "gpu", "paper", "scale"] {
        let text = sandbox.succeed(&[command, "--help"]);
        for part in [
            &format!("Usage: sunzi bench {command}"),
            "Examples:\n  sunzi bench ",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
    assert!(sandbox.succeed(&["--version"]).starts_with("sunzi bench "));
    let said = sandbox.fail(2, &[]);
    assert!(said.contains("gfp") && said.contains("gpu"), "{said}");
}
