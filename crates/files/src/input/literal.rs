//! Operands on the command line in the place of files: `-e 12`.
//!
//! A command takes names of files. An operand is such a name, too, from the command line to where files are opened: it
//! starts with a NUL, which no argument of a program and no name of a file holds.

use std::ffi::{OsStr, OsString};
use std::path::Path;

const MARK: &str = "\0";

/// The option before an operand.
pub const OPTION: &str = "-e";

/// The characters of an operand that sentences show.
const SHOWN: usize = 20;

/// The arguments of a program with each `-e TEXT`, `-e=TEXT` and `-eTEXT` before `--` in one that stands for a file.
///
/// ```
/// use sunzi_files::input::literal;
/// use std::path::Path;
///
/// let words = ["sunzi", "int", "mul", "-e", "12", "b.txt"];
/// let arguments = literal::arguments(words.map(Into::into));
/// assert_eq!(arguments.len(), 5);
/// assert_eq!(literal::text(Path::new(&arguments[3])), Some(&b"12"[..]));
/// assert_eq!(literal::text(Path::new(&arguments[4])), None);
/// ```
#[must_use]
pub fn arguments(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words = words.into_iter();
    let mut arguments = Vec::new();
    while let Some(word) = words.next() {
        if word == "--" {
            arguments.push(word);
            break;
        }
        let operand = match word.to_str().and_then(|word| word.strip_prefix(OPTION)) {
            // That an operand is missing is told by who reads the arguments.
            Some("") => words.next(),
            attached => attached.map(|text| text.strip_prefix('=').unwrap_or(text).into()),
        };
        arguments.push(operand.map_or(word, |text| marked(&text)));
    }
    arguments.extend(words);
    arguments
}

fn marked(text: &OsStr) -> OsString {
    let mut argument = OsString::from(MARK);
    argument.push(text);
    argument
}

/// The operand that stands for a file, if one does.
#[must_use]
pub fn text(path: &Path) -> Option<&[u8]> {
    path.as_os_str()
        .as_encoded_bytes()
        .strip_prefix(MARK.as_bytes())
}

/// An argument where texts are read and no files: what [`arguments`] made of `-e TEXT` is TEXT.
#[must_use]
pub fn plain(argument: &str) -> &str {
    argument.strip_prefix(MARK).unwrap_or(argument)
}

/// A sentence with operands as they were written.
#[must_use]
pub fn told(sentence: &str) -> String {
    sentence.replace(MARK, "-e ")
}

/// How sentences call an operand: by the start of its first line.
pub(crate) fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.chars().take_while(|letter| !letter.is_control());
    let mut start: String = line.take(SHOWN).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    format!("{OPTION} {start}")
}
