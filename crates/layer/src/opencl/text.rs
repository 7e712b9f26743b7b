//! What a kernel's text reaches: whether it asks for anything by which the block could change its results.
//!
//! One launch whose results are the same by two blocks does not show that the next one's are: its buffers hold other numbers. A kernel
//! that asks for nothing of its group computes the same by all blocks, whatever they hold. So every name that a kernel reaches has to be
//! known: of the language, harmless, or of the text, and then it is followed. What is not understood counts as reached.

mod names;
mod tokens;

use std::collections::{HashMap, HashSet};

use tokens::{is_name, joined, tokens};

/// What a kernel's text tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// It computes the same by any block, as often as it is launched.
    Nothing,
    /// It asks for its group, by this name.
    Group(String),
    /// Its results depend on the order of threads, by this name.
    Order(String),
    /// It does something that is not to be done twice, by this name.
    Once(String),
    /// The kernel, or what it uses, is not in the text.
    Unseen,
}

/// What the text of a program, and the options that it was built with, tell of a kernel.
pub fn told(source: &str, options: &str, kernel: &str) -> Told {
    let (source, are_options_clear) = with_options(source, options);
    let text = Text::of(&source);
    let reached = text.reached(kernel);
    let mut names: Vec<&str> = reached.iter().flat_map(|piece| piece.names()).collect();
    names.sort_unstable();
    let first = |holds: fn(&str) -> bool| names.iter().find(|name| holds(name));
    if let Some(name) = first(names::is_once) {
        Told::Once((*name).to_owned())
    } else if let Some(name) = first(names::is_of_group) {
        Told::Group((*name).to_owned())
    } else if let Some(name) = first(names::is_of_order) {
        Told::Order((*name).to_owned())
    } else if are_options_clear
        && text.is_whole
        && text.functions.contains(kernel)
        && reached.iter().all(|piece| text.knows_all_of(piece))
    {
        Told::Nothing
    } else {
        Told::Unseen
    }
}

/// Whether a program may have variables of its own that are no constants, as far as its text tells.
pub fn may_have_variables(source: &str, options: &str) -> bool {
    let (source, are_options_clear) = with_options(source, options);
    let text = Text::of(&source);
    let is_variable = |piece: &Piece<'_>| match piece.tokens[..] {
        _ if piece.name.is_some() => piece.tokens.contains(&"static"),
        [";"] | ["typedef", ..] | ["struct" | "union" | "enum", .., "}", ";"] => false,
        ["__constant" | "constant", ..] => piece.names().any(|name| text.macros.contains(name)),
        _ => true,
    };
    !are_options_clear || !text.is_whole || text.pieces.iter().any(is_variable)
}

/// Options define macros, too: the text with them before it, and whether nothing else can be in the options that changes it.
fn with_options(source: &str, options: &str) -> (String, bool) {
    let mut text = String::new();
    // Quotes may hold spaces, and with two pluses the language is another one.
    let mut is_clear = !options.contains(['"', '\'', '\\', '@']) && !options.contains("++");
    let mut words = options.split_ascii_whitespace();
    while let Some(word) = words.next() {
        let given = |prefix: &str| word.strip_prefix(prefix).filter(|given| !given.is_empty());
        if word == "-I" {
            words.next();
        } else if let Some(definition) = match word {
            "-D" => words.next(),
            _ => given("-D"),
        } {
            let (name, body) = definition.split_once('=').unwrap_or((definition, "1"));
            text.push_str(&format!("#define {name} {body}\n"));
        } else {
            let known = ["-cl-", "-I", "-O", "-W", "-w", "-g"];
            is_clear &= known.iter().any(|prefix| word.starts_with(prefix));
        }
    }
    text.push_str(source);
    (joined(&text), is_clear)
}

/// A macro, or what stands outside of all functions, or a function.
#[derive(Debug)]
struct Piece<'a> {
    /// What it is reached by; without one it counts as reached.
    name: Option<&'a str>,
    tokens: Vec<&'a str>,
    /// Names of a macro's parameters.
    parameters: Vec<&'a str>,
    /// Whether it is there whatever the compiler defines.
    is_sure: bool,
}

impl<'a> Piece<'a> {
    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.tokens.iter().copied().filter(|token| is_name(token))
    }
}

/// A text in pieces.
#[derive(Debug, Default)]
struct Text<'a> {
    pieces: Vec<Piece<'a>>,
    macros: HashSet<&'a str>,
    functions: HashSet<&'a str>,
    /// Names that are types here, and those behind `struct` and the like.
    types: HashSet<&'a str>,
    tags: HashSet<&'a str>,
    /// Variables, parameters and constants that are declared.
    declared: HashSet<&'a str>,
    /// Whether the text is all that there is, and was understood: without other files, and names that are put together.
    is_whole: bool,
}

/// A condition of the preprocessor that is open: the brackets that were open before it, and the name that it asks to be undefined.
struct Condition<'a> {
    depth: usize,
    guard: Option<&'a str>,
}

impl<'a> Text<'a> {
    fn of(joined: &'a str) -> Self {
        let (tokens, is_whole) = tokens(joined);
        let mut text = Text {
            is_whole,
            ..Text::default()
        };
        let lines: Vec<&[&str]> = tokens.split(|token| *token == "\n").collect();
        // Macros may stand behind what uses them, in the text of another macro.
        for line in &lines {
            if let ["#", "define", name, ..] = line {
                text.macros.insert(name);
            }
        }
        text.take_lines(&lines);
        text.take_declarations();
        text
    }

    /// Whether a macro stands for words of the language alone, so that it neither begins nor names anything.
    fn is_plain(&self, name: &str) -> bool {
        let mut all = self.pieces.iter().filter(|piece| piece.name == Some(name));
        self.macros.contains(name)
            && all.all(|piece| {
                let is_word = |token: &&str| {
                    *token == "*"
                        || !self.macros.contains(token)
                            && (names::is_type(token) || names::is_qualifier(token))
                };
                piece.parameters.is_empty() && piece.tokens.iter().all(is_word)
            })
    }

    fn take_lines(&mut self, lines: &[&[&'a str]]) {
        let mut conditions: Vec<Condition<'a>> = Vec::new();
        let mut open: Vec<&str> = Vec::new();
        let (mut piece, mut is_sure) = (Vec::new(), true);
        for line in lines {
            if let ["#", directive @ ..] = line {
                let is_even = conditions
                    .last()
                    .is_none_or(|condition| condition.depth == open.len());
                match directive {
                    [] | ["undef" | "line" | "error" | "warning", ..] => {}
                    ["pragma", "OPENCL" | "unroll" | "STDC", ..] => {}
                    ["define", name, body @ ..] => {
                        let guarded = |condition: &Condition<'_>| condition.guard == Some(name);
                        self.define(name, body, conditions.iter().all(guarded));
                    }
                    ["if" | "ifdef" | "ifndef", asked @ ..] => conditions.push(Condition {
                        depth: open.len(),
                        guard: match (directive[0], asked) {
                            ("ifndef", [name]) => Some(name),
                            _ => None,
                        },
                    }),
                    ["elif" | "else", ..] => {
                        self.is_whole &= is_even;
                        match conditions.last_mut() {
                            Some(condition) => condition.guard = None,
                            None => self.is_whole = false,
                        }
                    }
                    ["endif", ..] => self.is_whole &= is_even && conditions.pop().is_some(),
                    _ => self.is_whole = false,
                }
                continue;
            }
            for &token in *line {
                is_sure = (piece.is_empty() || is_sure) && conditions.is_empty();
                piece.push(token);
                self.is_whole &= token != "#" && take_bracket(&mut open, token);
                // What a condition opens, it closes.
                let least = conditions.last().map_or(0, |condition| condition.depth);
                self.is_whole &= open.len() >= least;
                if !open.is_empty() || !(token == ";" || token == "}") {
                    continue;
                }
                let name = self.function(&piece);
                if token == ";" || name.is_some() {
                    self.take(name, std::mem::take(&mut piece), is_sure);
                }
            }
        }
        self.is_whole &= open.is_empty() && conditions.is_empty();
        if !piece.is_empty() {
            self.take(None, piece, false);
        }
    }

    fn define(&mut self, name: &'a str, rest: &[&'a str], is_sure: bool) {
        let mut open = Vec::new();
        // A body that closes what it has not opened would hide where functions end.
        let is_even = rest.iter().all(|token| take_bracket(&mut open, token)) && open.is_empty();
        self.is_whole &= is_even && is_name(name) && !rest.contains(&"#");
        // Parameters stand at the name, without a space.
        let end = match rest.first() {
            Some(&first)
                if first == "(" && name.as_bytes().as_ptr_range().end == first.as_ptr() =>
            {
                rest.iter().position(|token| *token == ")")
            }
            _ => None,
        };
        let parameters = &rest[..end.unwrap_or(0)];
        let parameters = parameters.iter().copied().filter(|token| is_name(token));
        self.pieces.push(Piece {
            name: Some(name),
            tokens: rest[end.map_or(0, |end| end + 1)..].to_vec(),
            parameters: parameters.chain(end.map(|_| "__VA_ARGS__")).collect(),
            is_sure,
        });
    }

    /// The name of a function, if a piece is one, or declares one, and says so without macros that could name another.
    fn function(&self, piece: &[&'a str]) -> Option<&'a str> {
        let mut at = 0;
        let attributes = |mut at: usize| {
            while piece.get(at) == Some(&"__attribute__") {
                at = closed(piece, at + 1)?;
            }
            Some(at)
        };
        loop {
            at = attributes(at)?;
            let token = piece.get(at)?;
            let is_macro = self.macros.contains(token);
            at += match *token {
                "*" => 1,
                "struct" | "union" | "enum" if !is_macro => 2,
                name if is_macro && self.is_plain(name) => 1,
                name if !is_macro && self.is_type(name) || names::is_qualifier(name) => 1,
                _ => break,
            };
        }
        let name = *piece.get(at)?;
        let is_free = is_name(name) && !self.macros.contains(name) && !names::is_keyword(name);
        if at == 0 || !is_free || piece.get(at + 1) != Some(&"(") {
            return None;
        }
        let end = attributes(closed(piece, at + 1)?)?;
        match piece[end..] {
            [";"] => Some(name),
            ["{", ..] if closed(piece, end) == Some(piece.len()) => Some(name),
            _ => None,
        }
    }

    fn take(&mut self, name: Option<&'a str>, tokens: Vec<&'a str>, is_sure: bool) {
        if let Some(name) = name.filter(|_| tokens.last() == Some(&"}")) {
            self.functions.insert(name);
        }
        for pair in tokens.windows(2) {
            if let ["struct" | "union" | "enum", tag] = *pair {
                self.tags.insert(tag);
            }
        }
        if let ["typedef", middle @ .., new, ";"] = &tokens[..] {
            let is_plain = |token: &&str| is_name(token) || *token == "*";
            if is_name(new) && (middle.iter().all(is_plain) || middle.last() == Some(&"}")) {
                self.types.insert(new);
            }
        }
        self.pieces.push(Piece {
            name,
            tokens,
            parameters: Vec::new(),
            is_sure,
        });
    }

    fn is_type(&self, name: &str) -> bool {
        names::is_type(name) || self.types.contains(name)
    }

    /// Finds what stands behind types: `uint a, *b = c, d[2]`, parameters, and the constants of enumerations.
    fn take_declarations(&mut self) {
        let mut declared = HashSet::new();
        for piece in &self.pieces {
            let tokens = &piece.tokens[..];
            for at in 0..tokens.len() {
                if tokens[at] == "enum" {
                    let start = tokens[at..].iter().position(|token| *token == "{");
                    let end = start.and_then(|start| closed(tokens, at + start));
                    if let (Some(start), Some(end)) = (start, end) {
                        let constants = tokens[at + start..end].windows(2);
                        declared.extend(
                            constants
                                .filter(|pair| matches!(pair[0], "{" | ","))
                                .map(|pair| pair[1]),
                        );
                    }
                }
                let is_word = |token: &str| {
                    self.is_type(token)
                        || self.tags.contains(token)
                        || names::is_qualifier(token)
                        || self.is_plain(token)
                };
                if is_word(tokens[at]) {
                    declare(&tokens[at + 1..], is_word, &mut declared);
                }
            }
        }
        self.declared = declared;
    }

    /// The kernel, and all that it may come to.
    fn reached(&self, kernel: &'a str) -> Vec<&Piece<'a>> {
        let mut by_name: HashMap<&str, Vec<&Piece<'a>>> = HashMap::new();
        let (mut reached, mut seen) = (Vec::new(), HashSet::from([kernel]));
        for piece in &self.pieces {
            match piece.name {
                Some(name) => by_name.entry(name).or_default().push(piece),
                None => reached.push(piece),
            }
        }
        reached.extend(by_name.remove(kernel).into_iter().flatten());
        let mut next = 0;
        while let Some(piece) = reached.get(next) {
            for name in piece
                .names()
                .filter(|name| seen.insert(name))
                .collect::<Vec<_>>()
            {
                reached.extend(by_name.remove(name).into_iter().flatten());
            }
            next += 1;
        }
        reached
    }

    /// Whether a piece holds only names that are known, and calls only what is harmless or followed.
    fn knows_all_of(&self, piece: &Piece<'a>) -> bool {
        let tokens = &piece.tokens[..];
        tokens.iter().enumerate().all(|(at, &token)| {
            let before = |back: usize| at.checked_sub(back).map_or("", |at| tokens[at]);
            if !is_name(token) {
                return true;
            }
            let is_word = names::is_keyword(token)
                || self.is_type(token)
                || names::is_qualifier(token)
                || names::is_harmless(token);
            let closing = tokens[at + 1..]
                .iter()
                .take_while(|token| **token == ")")
                .count();
            // `(name)(…)` calls as `name(…)` does.
            if tokens.get(at + 1 + closing) == Some(&"(") {
                return is_word || self.is_surely_there(token);
            }
            let is_member =
                before(1) == "." || before(1) == ">" && before(2) == "-" && before(3) != "-";
            is_word
                || is_member
                || names::is_constant(token)
                || self.tags.contains(token)
                || self.declared.contains(token)
                || self.macros.contains(token)
                || self.functions.contains(token)
                || piece.parameters.contains(&token)
        })
    }

    /// Whether a name is that of a function or macro of the text, whatever the compiler has by itself.
    fn is_surely_there(&self, name: &str) -> bool {
        let mut all = self.pieces.iter().filter(|piece| piece.name == Some(name));
        (self.macros.contains(name) || self.functions.contains(name))
            && all.any(|piece| piece.is_sure && piece.tokens.last() != Some(&";"))
    }
}

/// Takes the names that follow a type.
fn declare<'a>(
    tokens: &[&'a str],
    is_word: impl Fn(&str) -> bool,
    declared: &mut HashSet<&'a str>,
) {
    let (mut open, mut is_next) = (Vec::new(), true);
    for (at, &token) in tokens.iter().enumerate() {
        match token {
            _ if !take_bracket(&mut open, token) => return,
            ";" if open.is_empty() => return,
            "," => is_next = open.is_empty(),
            _ if !open.is_empty() => is_next = false,
            "*" => {}
            _ if is_word(token) => {}
            _ => {
                // A function is followed, or unknown.
                if is_next && is_name(token) && tokens.get(at + 1) != Some(&"(") {
                    declared.insert(token);
                }
                is_next = false;
            }
        }
    }
}

/// Keeps what is open; `false` for what closes something else.
fn take_bracket<'a>(open: &mut Vec<&'a str>, token: &'a str) -> bool {
    let other = match token {
        "(" | "[" | "{" => {
            open.push(token);
            return true;
        }
        ")" => "(",
        "]" => "[",
        "}" => "{",
        _ => return true,
    };
    open.pop() == Some(other)
}

/// Behind the closing token of what opens there.
fn closed(code: &[&str], start: usize) -> Option<usize> {
    let mut open = Vec::new();
    for (index, token) in code.iter().enumerate().skip(start) {
        if !take_bracket(&mut open, token) {
            return None;
        }
        if open.is_empty() {
            return (index > start).then_some(index + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests;
