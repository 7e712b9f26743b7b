//! What programs are compiled from.

use crate::signatures::Signatures;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{Display, Write};

/// The macros that every kernel is written over.
const PRELUDE: &str = include_str!("prelude.h");

/// What is compiled: definitions, then the macros that kernels are written over, then parts of text in order.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    name: Cow<'a, str>,
    /// Of a group, where the program is compiled for as many.
    pub(crate) threads: Option<usize>,
    definitions: String,
    prelude: &'static str,
    parts: Vec<Cow<'a, str>>,
}

impl<'a> Source<'a> {
    /// A program of that name, as errors call it, for groups of `threads` threads (the definition `GROUP`).
    pub fn new(name: &'a str, threads: usize) -> Self {
        Self {
            threads: Some(threads),
            prelude: PRELUDE,
            ..Self::verbatim(name)
        }
        .define("GROUP", threads)
    }

    /// A program of that name in the language of the device, OpenCL C or CUDA C++, without what this crate's kernels are written
    /// over.
    pub fn verbatim(name: &'a str) -> Self {
        Self {
            name: name.into(),
            threads: None,
            definitions: String::new(),
            prelude: "",
            parts: Vec::new(),
        }
    }

    /// Defines a macro.
    #[must_use]
    pub fn define(mut self, name: &str, value: impl Display) -> Self {
        // Writing to a string never fails.
        let _ = writeln!(self.definitions, "#define {name} {value}");
        self
    }

    /// Defines a macro as a constant of 64 bits.
    #[must_use]
    pub fn define_u64(self, name: &str, value: u64) -> Self {
        self.define(name, format_args!("((u64){value:#x})"))
    }

    /// Adds text.
    #[must_use]
    pub fn part(mut self, text: &'a str) -> Self {
        self.parts.push(text.into());
        self
    }

    /// What errors call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name and its definitions, by which programs of one text are told apart.
    ///
    /// ```
    /// use sunzi::gpu::Source;
    /// let source = Source::new("sums", 64).define("WORDS", 2);
    /// assert_eq!(source.label(), "sums GROUP=64 WORDS=2");
    /// ```
    pub fn label(&self) -> String {
        let definitions = self.definitions.lines();
        definitions.fold(self.name.clone().into_owned(), |label, line| {
            let line = line.strip_prefix("#define ").unwrap_or(line);
            format!("{label} {}", line.replacen(' ', "=", 1))
        })
    }

    /// What parameters its kernels have; of a verbatim text nothing is known.
    pub(crate) fn signatures(&self) -> Signatures {
        if self.prelude.is_empty() {
            return Signatures::default();
        }
        Signatures::read(&self.parts.concat())
    }

    /// The names of its kernels, each with the number of its parameters and of those that it may write; `None` where they are not
    /// understood.
    pub fn kernels(&self) -> BTreeMap<String, Option<[usize; 2]>> {
        self.signatures().counts()
    }

    /// The same text, which borrows nothing.
    pub(crate) fn owned(&self) -> Source<'static> {
        let own = |text: &Cow<'a, str>| Cow::Owned(text.clone().into_owned());
        Source {
            name: own(&self.name),
            threads: self.threads,
            definitions: self.definitions.clone(),
            prelude: self.prelude,
            parts: self.parts.iter().map(own).collect(),
        }
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let parts = self.parts.concat();
        format!("{}{}{parts}", self.definitions, self.prelude)
    }
}
