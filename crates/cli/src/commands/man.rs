//! `sunzi man`.

use crate::Arguments;
use crate::args::{Common, WithoutJson};
use crate::commands::Run;
use clap::{Arg, Args, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::io;
use std::path::{Path, PathBuf};
use sunzi_files::failure::{Failure, reason};
use sunzi_files::output::Output;

/// Where the pages go to.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sunzi man ~/.local/share/man/man1
  man sunzi-poly-gcd")]
pub struct ManPages {
    /// The folder of the pages, made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    json: WithoutJson,
}

impl Run for ManPages {
    /// Writes a manual page for each command.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        self.json.check("manual pages are for a reader")?;
        if common.output.is_some() {
            return Err(Failure::Usage(
                "manual pages go into the folder: leave -o out".to_owned(),
            ));
        }
        let folder = &self.folder;
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::Computation(format!("{}: {}", folder.display(), reason(&error)))
        })?;
        let mut command = Arguments::command().disable_help_subcommand(true);
        command.build();
        pages(&command, &[], folder)
    }
}

/// The page of a command, and those of its commands; `related` are the pages beside it.
fn pages(command: &Command, related: &[String], folder: &Path) -> Result<(), Failure> {
    let text = page(command, related);
    let text = text.map_err(|error| Failure::Computation(error.to_string()))?;
    let mut output = Output::create(Some(&folder.join(format!("{}.1", name(command)))))?;
    output.write(ascii(&text).as_bytes())?;
    output.finish()?;
    let below: Vec<String> = command.get_subcommands().map(name).collect();
    command.get_subcommands().try_for_each(|inner| {
        let mut related = vec![name(command)];
        related.extend(below.iter().filter(|other| **other != name(inner)).cloned());
        pages(inner, &related, folder)
    })
}

/// `sunzi poly gcd` has the page sunzi-poly-gcd.1.
fn name(command: &Command) -> String {
    let name = command.get_display_name();
    name.unwrap_or(command.get_name()).to_owned()
}

const EXAMPLES: &str = "Examples:\n";

fn page(command: &Command, related: &[String]) -> io::Result<String> {
    let man = Man::new(command.clone().override_usage(synopsis(command)))
        .title(name(command).to_uppercase())
        .source(format!("sunzi {}", env!("CARGO_PKG_VERSION")))
        .manual("Sunzi");
    let help = command.get_after_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    let (description, examples) = help.split_once(EXAMPLES).unwrap_or((&help, ""));
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    verbatim(None, description, &mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    // What stands behind the examples of all commands are the exit codes.
    let examples = examples.split("\n\n").next().unwrap_or_default();
    verbatim(Some("EXAMPLES"), examples, &mut text)?;
    verbatim(
        Some("EXIT STATUS"),
        "0  done\n1  the computation cannot be done\n2  wrong usage or unreadable input\n\
         128 + n  ended by signal n",
        &mut text,
    )?;
    let related: Vec<String> = related.iter().map(|page| format!("{page}(1)")).collect();
    verbatim(Some("SEE ALSO"), &related.join(",\n"), &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Lines as they are, in a section of their own or in the one before.
fn verbatim(section: Option<&str>, lines: &str, text: &mut Vec<u8>) -> io::Result<()> {
    if lines.trim().is_empty() {
        return Ok(());
    }
    let mut roff = Roff::new();
    match section {
        Some(section) => roff.control("SH", [section]),
        None => roff.control("PP", []),
    };
    roff.control("nf", []);
    for line in lines.trim_end().lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.to_writer(text)
}

/// The command with its options and arguments: `sunzi dft [--inverse] [-o FILE] --mod P X`.
fn synopsis(command: &Command) -> String {
    let named = |argument: &Arg| -> String {
        let values = argument.get_value_names().unwrap_or_default();
        let values: Vec<&str> = values.iter().map(|value| value.as_str()).collect();
        let option = match (argument.get_short(), argument.get_long()) {
            (Some(short), _) => Some(format!("-{short}")),
            (None, Some(long)) => Some(format!("--{long}")),
            (None, None) => None,
        };
        let takes_values = argument.get_action().takes_values();
        let values = takes_values.then(|| values.join(" "));
        let words: Vec<String> = option.into_iter().chain(values).collect();
        let words = words.join(" ");
        match argument.is_required_set() {
            true => words,
            false => format!("[{words}]"),
        }
    };
    let shown = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set());
    let (places, options): (Vec<&Arg>, Vec<&Arg>) = shown.partition(|arg| arg.is_positional());
    let (required, optional): (Vec<&Arg>, Vec<&Arg>) =
        options.into_iter().partition(|arg| arg.is_required_set());
    let words = [optional, required, places].concat().into_iter().map(named);
    let mut words: Vec<String> = words.collect();
    words.insert(0, command.get_bin_name().unwrap_or("sunzi").to_owned());
    match (
        command.has_subcommands(),
        command.is_subcommand_required_set(),
    ) {
        (true, true) => words.push("COMMAND".to_owned()),
        (true, false) => words.push("| COMMAND".to_owned()),
        (false, _) => {}
    }
    words.join(" ")
}

/// A page that every terminal can show: it is ASCII alone.
fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '…' => plain.push_str("..."),
            '·' => plain.push('*'),
            '−' => plain.push('-'),
            '²' => plain.push_str("^2"),
            '³' => plain.push_str("^3"),
            'µ' => plain.push('u'),
            'ρ' => plain.push_str("rho"),
            letter if letter.is_ascii() => plain.push(letter),
            _ => plain.push('?'),
        }
    }
    plain
}
