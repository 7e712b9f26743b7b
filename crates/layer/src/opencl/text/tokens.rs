//! The tokens of a text: without comments, and with strings as one token each.

/// What stands in the place of a string or a character.
pub const LITERAL: &str = "\"";
/// Characters by which a compiler may write others in three; what C compilers read without being told to is not always known.
const TRIGRAPHS: &str = "=/'()!<>-";
const DIGRAPHS: [&str; 5] = ["%:", "<:", ":>", "<%", "%>"];
const PUNCTUATION: &str = "{}()[];,.+-*/%&|^!~<>=?:#";

/// The text as a compiler joins it: a line that a backslash ends goes on, within a name as well.
pub fn joined(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut joined = String::with_capacity(text.len());
    let mut rest = &text[..];
    while let Some(at) = rest.find('\\') {
        let (before, after) = rest.split_at(at);
        joined.push_str(before);
        // Compilers pass over spaces there.
        let line = after[1..].trim_start_matches([' ', '\t', '\x0b', '\x0c']);
        rest = match line.strip_prefix('\n') {
            Some(next) => next,
            None => {
                joined.push('\\');
                &after[1..]
            }
        };
    }
    joined.push_str(rest);
    joined
}

pub fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Names, numbers, and other characters one by one; line feeds are tokens, since they end directives. And whether all of it was
/// understood: nothing is written by other characters, and all that is opened is closed.
pub fn tokens(joined: &str) -> (Vec<&str>, bool) {
    let bytes = joined.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_trigraph = |part: &str| part.starts_with(|c| TRIGRAPHS.contains(c));
    let mut is_clear = !joined.split("??").skip(1).any(is_trigraph);
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &joined[at..];
        let first = bytes[at];
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/");
            is_clear &= end.is_some();
            end.map_or(rest.len(), |end| end + 4)
        } else if first == b'"' || first == b'\'' {
            // Letters before a quote change what follows.
            is_clear &= at == 0 || !is_part(bytes[at - 1]);
            let length = literal(rest.as_bytes());
            is_clear &= length.is_some();
            tokens.push(LITERAL);
            length.unwrap_or(rest.len())
        } else if is_part(first) {
            let length = rest.bytes().take_while(|&byte| is_part(byte)).count();
            tokens.push(&rest[..length]);
            length
        } else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            let token = &rest[..length];
            is_clear &= !DIGRAPHS.iter().any(|digraph| rest.starts_with(digraph));
            if first == b'\n' || !first.is_ascii_whitespace() && first != b'\x0b' {
                is_clear &= first == b'\n' || PUNCTUATION.contains(token);
                tokens.push(token);
            }
            length
        };
    }
    (tokens, is_clear)
}

/// The length of a string or a character on one line.
fn literal(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    while *bytes.get(at)? != bytes[0] {
        match bytes[at] {
            b'\n' => return None,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    Some(at + 1)
}
