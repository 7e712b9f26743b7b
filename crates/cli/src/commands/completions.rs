//! `sunzi completions`.

use crate::Arguments;
use crate::args::{Common, WithoutJson};
use crate::commands::Run;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::{Shell, generate};
use sunzi::{field::NAMED, integer, poly};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;

/// The shell whose completions are written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sunzi completions bash -o ~/.local/share/bash-completion/completions/sunzi
  sunzi completions zsh -o ~/.zfunc/_sunzi
  sunzi completions fish -o ~/.config/fish/completions/sunzi.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
    #[command(flatten)]
    json: WithoutJson,
}

impl Run for Completions {
    /// Writes what a shell reads to complete commands and options.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        self.json.check("completions are for a shell")?;
        let mut output = Output::create(common.output.as_deref())?;
        let mut command = suggesting(Arguments::command());
        let name = command.get_name().to_owned();
        let mut text = Vec::new();
        generate(self.shell, &mut command, name, &mut text);
        output.write(&text)?;
        output.finish()
    }
}

/// The command line with values that shells suggest, where others are read, too.
fn suggesting(command: Command) -> Command {
    let inner: Vec<String> = command
        .get_subcommands()
        .map(|inner| inner.get_name().to_owned())
        .collect();
    let path = command.get_bin_name().unwrap_or("sunzi").to_owned();
    let command = command.mut_args(|argument| suggestions(&path, argument));
    inner.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |inner| {
            let path = format!("{path} {name}");
            suggesting(inner.bin_name(path))
        })
    })
}

/// An argument with the values that are suggested for it in a command.
fn suggestions(command: &str, argument: Arg) -> Arg {
    let values: Vec<PossibleValue> = match argument.get_id().as_str() {
        "device" => ["auto", "cpu", "cuda", "opencl"]
            .map(PossibleValue::new)
            .into(),
        "name" => algorithms(command)
            .into_iter()
            .map(PossibleValue::new)
            .collect(),
        "kind" => KINDS.iter().map(|kind| PossibleValue::new(*kind)).collect(),
        _ if argument.get_long() == Some("mod") => {
            let named = NAMED.iter().map(|prime| prime.name);
            named.chain(WORDS).map(PossibleValue::new).collect()
        }
        _ => Vec::new(),
    };
    match values.is_empty() {
        true => argument,
        false => argument.value_parser(PossibleValuesParser::new(values)),
    }
}

/// Primes that are words.
const WORDS: [&str; 1] = ["469762049"];

/// Test matrices, before their sizes.
const KINDS: [&str; 9] = [
    "chessboard:",
    "matching:",
    "grid2d:",
    "grid2d9:",
    "grid3d:",
    "grid3d27:",
    "rmat:",
    "circuit:",
    "lp:",
];

/// The algorithms that a command chooses among.
fn algorithms(command: &str) -> Vec<&'static str> {
    match command {
        "sunzi int mul" => integer::Algorithm::ALL.map(integer::Algorithm::name).into(),
        "sunzi poly mul" => poly::Algorithm::ALL.map(poly::Algorithm::name).into(),
        _ => Vec::new(),
    }
}
