//! Which buffers kernels write, read from their text.
//!
//! A parameter `GLOBAL const …*` is only read, which the compiler enforces; any other pointer may be written. Parameters
//! are one per comma; a lone word among them is a macro, whose definition stands in the text.

use crate::hazards::Access;
use std::collections::HashMap;
use std::sync::Arc;

/// What the kernels of a program do with their buffers.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// By the kernel's name; `None` where a parameter is not understood.
    kernels: HashMap<String, Option<Arc<[Access]>>>,
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
                .and_then(|(parameters, _)| accesses(parameters, text))
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

    /// What a kernel does with its buffers, in the order of its parameters; `None` if that is not known.
    pub(crate) fn of(&self, kernel: &str) -> Option<Arc<[Access]>> {
        self.kernels.get(kernel).cloned().flatten()
    }
}

/// What is done with the pointers among parameters; macros are defined in `text`.
fn accesses(parameters: &str, text: &str) -> Option<Vec<Access>> {
    let mut all = Vec::new();
    for parameter in parameters.split(',') {
        let words: Vec<_> = parameter.split_whitespace().collect();
        match words[..] {
            [name] => all.extend(of_macro(name, text)?),
            _ => all.extend(of_parameter(&words)?),
        }
    }
    Some(all)
}

/// What is done with the pointers among a macro's parameters, on which all its definitions agree.
fn of_macro(name: &str, text: &str) -> Option<Vec<Access>> {
    let define = format!("#define {name} ");
    let definitions = text.lines().filter_map(|line| line.strip_prefix(&define));
    // They have no macros in turn.
    let mut definitions = definitions.map(|parameters| accesses(parameters, ""));
    let first = definitions.next()??;
    definitions
        .all(|other| other.as_ref() == Some(&first))
        .then_some(first)
}

/// `Some(None)` for a number.
fn of_parameter(words: &[&str]) -> Option<Option<Access>> {
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match words {
        ["GLOBAL", "const", pointee, "RESTRICT", name] | ["GLOBAL", "const", pointee, name] => {
            (is_name(pointee.strip_suffix('*')?) && is_name(name)).then_some(Some(Access::Reads))
        }
        ["GLOBAL", pointee, "RESTRICT", name] | ["GLOBAL", pointee, name] => {
            (is_name(pointee.strip_suffix('*')?) && is_name(name)).then_some(Some(Access::Writes))
        }
        ["u32" | "u64", name] => is_name(name).then_some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Signatures;
    use crate::hazards::Access::{self, Reads, Writes};
    use crate::nvidia::catalogue;

    fn read(text: &str) -> Option<Vec<Access>> {
        let found = Signatures::read(text).of("k");
        found.map(|accesses| accesses.to_vec())
    }

    #[test]
    fn pointers_to_constants_are_read_and_others_written() {
        assert_eq!(read("KERNEL k(u32 n) {}"), Some(vec![]));
        assert_eq!(
            read("KERNEL k(GLOBAL E* RESTRICT a, u64 n,\n  GLOBAL const u32* b, GLOBAL u8* c) {}"),
            Some(vec![Writes, Reads, Writes])
        );
        let with_macro =
            "#define MORE u64 r, GLOBAL const E* RESTRICT fields\nKERNEL k(GLOBAL E* a, MORE) {}";
        assert_eq!(read(with_macro), Some(vec![Writes, Reads]));
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

    #[test]
    fn every_kernel_of_the_crate_is_understood() {
        let mut seen = 0;
        for source in catalogue() {
            let signatures = source.signatures();
            assert!(!signatures.kernels.is_empty(), "{}", source.name());
            for (name, accesses) in &signatures.kernels {
                let accesses = accesses.as_deref();
                let accesses = accesses.unwrap_or_else(|| panic!("{}: {name}", source.name()));
                assert!(accesses.contains(&Writes), "{name} has no result");
                seen += 1;
            }
        }
        assert!(seen > 60, "{seen}");
    }
}
