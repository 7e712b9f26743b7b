//! What is found of a row, where that is more than one thing.

use sunzi_files::style::Style;

/// A part of what is found: a line of text, or a member of a JSON object where there are several.
#[derive(Debug)]
pub struct Part<V> {
    /// The name of the member.
    pub name: &'static str,
    pub value: V,
}

/// Writes parts, each by `write_value`.
pub fn write<V>(
    parts: &[Part<V>],
    style: Style,
    out: &mut Vec<u8>,
    write_value: impl Fn(&V, &mut Vec<u8>),
) {
    if let ([part], true) = (parts, style.json) {
        return write_value(&part.value, out);
    }
    for (index, part) in parts.iter().enumerate() {
        match (style.json, index) {
            (true, _) => {
                out.push(if index == 0 { b'{' } else { b',' });
                out.extend_from_slice(format!("\"{}\":", part.name).as_bytes());
            }
            (false, 0) => {}
            (false, _) => out.push(b'\n'),
        }
        write_value(&part.value, out);
    }
    if style.json {
        out.push(b'}');
    }
}
