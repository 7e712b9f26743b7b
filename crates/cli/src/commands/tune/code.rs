//! `sunzi tune code`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sunzi::tune::Language;
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;

use super::input;
use crate::args::{Common, WithoutJson};
use crate::commands::Run;

/// What is written as code.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sunzi tune code model.json --lang rust -o choose.rs
  sunzi tune code model.json --lang c -o choose.c")]
pub struct Code {
    /// What `tune kernel` or `tune fit` wrote
    #[arg(value_name = "MODEL.json")]
    model: PathBuf,
    /// The language
    #[arg(long)]
    lang: Lang,
    #[command(flatten)]
    json: WithoutJson,
}

/// A language.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Lang {
    /// Rust
    Rust,
    /// C99
    C,
}

impl Run for Code {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        self.json.check("code is no JSON, but the model is")?;
        let mut output = Output::create(common.output.as_deref())?;
        let model = input::model(&self.model)?;
        let language = match self.lang {
            Lang::Rust => Language::Rust,
            Lang::C => Language::C,
        };
        output.write(model.code(language).as_bytes())?;
        output.finish()
    }
}
