//! What a kernel's text reaches: all names in it, in the functions that it calls, and in macros.
//!
//! One launch whose results are the same by two blocks does not show that the next one's are: its buffers hold other numbers. A kernel
//! that asks for nothing of its group computes the same by all blocks, whatever they hold.

use std::collections::{HashMap, HashSet};

/// Parts of the names by which a kernel learns something of its group.
const GROUPS: [&str; 15] = [
    "get_local_",
    "get_group_",
    "get_num_groups",
    "get_enqueued_",
    "get_sub_group",
    "get_num_sub_groups",
    "get_max_sub_group",
    "sub_group",
    "work_group",
    "intel_sub_group",
    "barrier",
    // What compilers have of their own.
    "workgroup",
    "workitem",
    "__builtin_",
    "__asm",
];
/// Parts of those by which it does what is not to be done twice, or reaches more than buffers.
const ONCE: [&str; 4] = ["printf", "enqueue_kernel", "read_pipe", "write_pipe"];

/// What a kernel's text tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<'a> {
    /// It computes the same by any block, as often as it is launched.
    Nothing,
    /// It asks for its group, by this name.
    Group(&'a str),
    /// It does something that is not to be done twice, by this name.
    Once(&'a str),
    /// The kernel, or what it uses, is not in the text.
    Unseen,
}

/// What the text of a program, and the options that it was built with, tell of a kernel.
pub fn told<'a>(source: &'a str, options: &'a str, kernel: &str) -> Told<'a> {
    let (definitions, is_whole) = definitions(source);
    let mut names: HashSet<&str> = HashSet::new();
    let mut next = vec![kernel];
    while let Some(name) = next.pop() {
        for name in definitions.get(name).into_iter().flatten() {
            if names.insert(name) {
                next.push(name);
            }
        }
    }
    // Options define macros, too: no name in them is passed over.
    names.extend(tokens(options).into_iter().filter(|token| is_name(token)));
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    let holds = |name: &str, parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let once = names.iter().find(|name| holds(name, &ONCE));
    let group = names
        .iter()
        .find(|name| **name == "asm" || holds(name, &GROUPS));
    match (once, group) {
        (Some(once), _) => Told::Once(once),
        (_, Some(group)) => Told::Group(group),
        _ if !is_whole || !definitions.contains_key(kernel) => Told::Unseen,
        _ => Told::Nothing,
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Names, and other characters one by one, without comments; a line that a backslash ends goes on. Line feeds end directives.
fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at) = (Vec::new(), 0);
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    while at < bytes.len() {
        let rest = &text[at..];
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("\\\n") {
            2
        } else if rest.starts_with("\\\r\n") {
            3
        } else if is_part(bytes[at]) {
            rest.bytes().take_while(|&byte| is_part(byte)).count()
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        let token = &rest[..taken];
        let is_space = token.starts_with(|c: char| c.is_whitespace() && c != '\n');
        if !is_space
            && !token.starts_with("//")
            && !token.starts_with("/*")
            && !token.starts_with('\\')
        {
            tokens.push(token);
        }
        at += taken;
    }
    tokens
}

/// The names within each function and macro, and whether the text is all that there is: without other files, and names that are put
/// together.
fn definitions(source: &str) -> (HashMap<&str, Vec<&str>>, bool) {
    let tokens = tokens(source);
    let mut definitions: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut is_whole = true;
    let mut code = Vec::new();
    for line in tokens.split(|token| *token == "\n") {
        let [first, rest @ ..] = line else { continue };
        if *first != "#" {
            code.extend_from_slice(line);
            continue;
        }
        match rest {
            ["define", name, body @ ..] => {
                is_whole &= !body.contains(&"#");
                let names = body.iter().copied().filter(|token| is_name(token));
                definitions.entry(name).or_default().extend(names);
            }
            ["include" | "import", ..] => is_whole = false,
            _ => {}
        }
    }
    let mut at = 0;
    while at < code.len() {
        let end = match code.get(at + 1) {
            Some(&"(") if is_name(code[at]) => body(&code, at + 1),
            _ => None,
        };
        let Some(end) = end else {
            at += 1;
            continue;
        };
        let names = code[at + 1..end]
            .iter()
            .copied()
            .filter(|token| is_name(token));
        definitions.entry(code[at]).or_default().extend(names);
        at = end;
    }
    (definitions, is_whole)
}

/// The end of a function whose parameters begin there, if it is one: its body may come after attributes.
fn body(code: &[&str], parameters: usize) -> Option<usize> {
    let mut at = closed(code, parameters, ["(", ")"])?;
    while code.get(at) == Some(&"__attribute__") {
        at = closed(code, at + 1, ["(", ")"])?;
    }
    match code.get(at) {
        Some(&"{") => closed(code, at, ["{", "}"]),
        _ => None,
    }
}

/// Behind the closing token of what opens there.
fn closed(code: &[&str], start: usize, [open, close]: [&str; 2]) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in code.iter().enumerate().skip(start) {
        if *token == open {
            depth += 1;
        } else if *token == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(index + 1);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
#define WITH(i) \\
  get_group_id(i)
// get_local_id
/* printf */
uint twice(uint x) { return 2 * x; }
uint third(uint x) { return twice(x) + get_local_size(0); }
__kernel void plain(__global uint *a) { if (a) { a[get_global_id(0)] = twice(3); } }
__kernel __attribute__((vec_type_hint(int))) void deep(__global uint *a) { a[0] = third(1); }
__kernel void by_macro(__global uint *a) __attribute__((work)) { a[0] = WITH(0); }
__kernel void says(__global uint *a) { for (;;) printf(\"%u\", a[0]); }
";

    #[test]
    fn kernels_tell_by_all_that_they_reach() {
        let told_of = |kernel| told(SOURCE, "", kernel);
        assert_eq!(told_of("plain"), Told::Nothing);
        assert_eq!(told_of("deep"), Told::Group("get_local_size"));
        assert_eq!(told_of("by_macro"), Told::Group("get_group_id"));
        assert_eq!(told_of("says"), Told::Once("printf"));
        assert_eq!(told_of("another"), Told::Unseen);
        assert_eq!(
            told(SOURCE, "-DX=get_local_id(0)", "plain"),
            Told::Group("get_local_id")
        );
        assert_eq!(
            told(SOURCE, "-cl-fast-relaxed-math", "plain"),
            Told::Nothing
        );
        for unseen in ["#include \"more.h\"\n", "#define JOINED(a, b) a ## b\n"] {
            assert_eq!(
                told(&(unseen.to_owned() + SOURCE), "", "plain"),
                Told::Unseen
            );
        }
    }

    #[test]
    fn broken_texts_tell_nothing_certain() {
        for broken in [
            "",
            "(",
            "f(",
            "f() {",
            "f() }",
            "#",
            "#define",
            "/*",
            "\\\n",
            "é f() { ü }",
            "}{)(",
            "f(((((((((",
        ] {
            assert_eq!(told(broken, broken, "g"), Told::Unseen, "{broken}");
        }
    }
}
