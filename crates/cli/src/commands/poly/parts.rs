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

/// Writes a content and square-free factors with their multiplicities: lines of text, or two members of a JSON object.
pub fn write_square_free<P>(
    style: Style,
    out: &mut Vec<u8>,
    write_content: impl FnOnce(&mut Vec<u8>),
    factors: &[(P, usize)],
    write_factor: impl Fn(&P, &mut Vec<u8>),
) {
    if !style.json {
        write_content(out);
        for (factor, multiplicity) in factors {
            out.extend_from_slice(format!("\n{multiplicity}: ").as_bytes());
            write_factor(factor, out);
        }
        return;
    }
    out.extend_from_slice(b"\"content\":");
    write_content(out);
    out.extend_from_slice(b",\"factors\":[");
    for (index, (factor, multiplicity)) in factors.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(format!("{{\"multiplicity\":{multiplicity},\"factor\":").as_bytes());
        write_factor(factor, out);
        out.push(b'}');
    }
    out.push(b']');
}
