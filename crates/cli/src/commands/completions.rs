//! `sunzi completions`.

use crate::Arguments;
use crate::args::Common;
use crate::commands::Run;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
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
}

impl Run for Completions {
    /// Writes what a shell reads to complete commands and options.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        common.refuse_json("completions are for a shell")?;
        let mut output = Output::create(common.output.as_deref())?;
        let mut command = Arguments::command();
        let name = command.get_name().to_owned();
        let mut text = Vec::new();
        generate(self.shell, &mut command, name, &mut text);
        output.write(&text)?;
        output.finish()
    }
}
