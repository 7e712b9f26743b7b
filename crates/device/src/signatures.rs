//! What parameters kernels have, read from their text.
//!
//! A parameter `GLOBAL const …*` is only read, which the compiler enforces; any other pointer may be written. Parameters
//! are one per comma; a lone word among them is a macro, whose definition stands in the text.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    U32,
    U64,
    /// Memory that is read, and the bytes of an element where the text tells.
    Reads {
        element: Option<usize>,
    },
    /// Memory that may be written.
    Writes {
        element: Option<usize>,
    },
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SignatureParameter {
    pub name: String,
    pub kind: Kind,
}

/// The parameters of a program's kernels.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// By the kernel's name; `None` where a parameter is not understood.
    kernels: HashMap<String, Option<Arc<[SignatureParameter]>>>,
}

impl Signatures {
    /// Reads a text that is written over the prelude.
    pub(crate) fn read(text: &str) -> Self {
        let mut kernels = HashMap::new();
        for start in text.split("KERNEL ").skip(1) {
            let Some((name, rest)) = start.split_once('(') else {
                continue;
            };
            let found = rest
                .split_once(')')
                .and_then(|(parameters, _)| read_all(parameters, text))
                .map(Arc::from);
            // Kernels of one name stand for different definitions: they agree, or nothing is known.
            let known = kernels.entry(name.trim().to_owned());
            let known = known.or_insert_with(|| found.clone());
            if *known != found {
                *known = None;
            }
        }
        Self { kernels }
    }

    /// The names of the kernels, each with the number of its parameters and of those that it may write, if they are known.
    pub(crate) fn counts(&self) -> BTreeMap<String, Option<[usize; 2]>> {
        let is_written = |one: &&SignatureParameter| matches!(one.kind, Kind::Writes { .. });
        let count =
            |all: &Arc<[SignatureParameter]>| [all.len(), all.iter().filter(is_written).count()];
        let kernels = self.kernels.iter();
        kernels
            .map(|(name, all)| (name.clone(), all.as_ref().map(count)))
            .collect()
    }

    /// The parameters of a kernel in their order; `None` if they are not known.
    pub(crate) fn of(&self, kernel: &str) -> Option<Arc<[SignatureParameter]>> {
        self.kernels.get(kernel).cloned().flatten()
    }
}

/// All parameters; macros are defined in `text`.
fn read_all(parameters: &str, text: &str) -> Option<Vec<SignatureParameter>> {
    let mut all = Vec::new();
    for parameter in parameters.split(',') {
        let words: Vec<_> = parameter.split_whitespace().collect();
        match words[..] {
            [name] => all.extend(of_macro(name, text)?),
            _ => all.push(of_words(&words)?),
        }
    }
    Some(all)
}

/// A macro's parameters, on which all its definitions agree.
fn of_macro(name: &str, text: &str) -> Option<Vec<SignatureParameter>> {
    let define = format!("#define {name} ");
    let definitions = text.lines().filter_map(|line| line.strip_prefix(&define));
    // They have no macros in turn.
    let mut definitions = definitions.map(|parameters| read_all(parameters, ""));
    let first = definitions.next()??;
    definitions
        .all(|other| other.as_ref() == Some(&first))
        .then_some(first)
}

fn of_words(words: &[&str]) -> Option<SignatureParameter> {
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let element = |pointer: &str| {
        let pointee = pointer.strip_suffix('*').filter(|word| is_name(word))?;
        Some(match pointee {
            "u8" => Some(1),
            "u32" => Some(4),
            "u64" | "f64" => Some(8),
            // By a definition.
            _ => None,
        })
    };
    let (kind, name) = match words {
        ["GLOBAL", "const", pointer, "RESTRICT", name] | ["GLOBAL", "const", pointer, name] => {
            let element = element(pointer)?;
            (Kind::Reads { element }, name)
        }
        ["GLOBAL", pointer, "RESTRICT", name] | ["GLOBAL", pointer, name] => {
            let element = element(pointer)?;
            (Kind::Writes { element }, name)
        }
        ["u32", name] => (Kind::U32, name),
        ["u64", name] => (Kind::U64, name),
        _ => return None,
    };
    is_name(name).then(|| SignatureParameter {
        name: (*name).to_owned(),
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::{Kind, Signatures};

    const WRITES: Kind = Kind::Writes { element: None };
    const READS: Kind = Kind::Reads { element: None };

    fn read(text: &str) -> Option<Vec<(String, Kind)>> {
        let found = Signatures::read(text).of("k")?;
        let parameters = found.iter();
        Some(parameters.map(|one| (one.name.clone(), one.kind)).collect())
    }

    #[test]
    fn pointers_to_constants_are_read_and_others_written() {
        let is = |text: &str, expected: &[(&str, Kind)]| {
            let expected = expected.iter().map(|&(name, kind)| (name.to_owned(), kind));
            assert_eq!(read(text), Some(expected.collect()));
        };
        is("KERNEL k(u32 n) {}", &[("n", Kind::U32)]);
        is(
            "KERNEL k(GLOBAL E* RESTRICT a, u64 n,\n  GLOBAL const u32* b, GLOBAL u8* c) {}",
            &[
                ("a", WRITES),
                ("n", Kind::U64),
                ("b", Kind::Reads { element: Some(4) }),
                ("c", Kind::Writes { element: Some(1) }),
            ],
        );
        is(
            "#define MORE u64 r, GLOBAL const E* RESTRICT fields\nKERNEL k(GLOBAL E* a, MORE) {}",
            &[("a", WRITES), ("r", Kind::U64), ("fields", READS)],
        );
    }

    #[test]
    fn what_is_not_understood_is_not_known() {
        for text in [
            "KERNEL k(GLOBAL E* const a) {}",
            "KERNEL k(GLOBAL const E** a) {}",
            "KERNEL k(const GLOBAL E* a) {}",
            "KERNEL k(GLOBAL E * a) {}",
            "KERNEL k(LOCAL u32* a) {}",
            "KERNEL k(MORE) {}",
            "KERNEL k() {}",
            "#define MORE u32 a\n#define MORE GLOBAL E* a\nKERNEL k(MORE) {}",
            "KERNEL k(GLOBAL E* a) {}\nKERNEL k(GLOBAL const E* a) {}",
            "KERNEL k",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
