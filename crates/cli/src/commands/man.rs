//! `sunzi man`.

use crate::Arguments;
use crate::args::Common;
use crate::commands::Run;
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
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
}

impl Run for ManPages {
    /// Writes a manual page for each command.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        common.refuse_json("manual pages are for a reader")?;
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
        pages(&command, folder)
    }
}

/// The page of a command, and those of its commands.
fn pages(command: &Command, folder: &Path) -> Result<(), Failure> {
    // `sunzi poly gcd` has the page sunzi-poly-gcd.1.
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut text = Vec::new();
    Man::new(command.clone())
        .render(&mut text)
        .map_err(|error| Failure::Computation(error.to_string()))?;
    let mut output = Output::create(Some(&folder.join(format!("{name}.1"))))?;
    output.write(&text)?;
    output.finish()?;
    command
        .get_subcommands()
        .try_for_each(|inner| pages(inner, folder))
}
