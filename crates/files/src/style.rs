//! The form of results.

/// The form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// JSON values, in which integers are strings, instead of lines of text.
    pub json: bool,
    /// How polynomials look.
    pub polynomials: Form,
}

/// How polynomials look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `1 -2 3`: coefficients from the constant term upward. An array in JSON.
    Coefficients,
    /// `3*x^2 - 2*x + 1`. A string in JSON.
    Expression,
}

impl Style {
    /// Results without polynomials, or with their coefficients.
    pub fn new(json: bool) -> Self {
        Self {
            json,
            polynomials: Form::Coefficients,
        }
    }

    /// The same with polynomials as expressions if they are to be `pretty`.
    pub fn pretty(self, pretty: bool) -> Self {
        let polynomials = match pretty {
            true => Form::Expression,
            false => self.polynomials,
        };
        Self {
            polynomials,
            ..self
        }
    }
}

/// Puts what `write` writes between quotes where the style asks for it.
pub fn quoted(style: Style, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    if style.json {
        out.push(b'"');
    }
    write(out);
    if style.json {
        out.push(b'"');
    }
}

/// Writes what belongs together: a line each, or in JSON an object; what is alone, by itself.
///
/// ```
/// use sunzi_files::style::{Style, write_parts};
///
/// let found = [("quotient", 3), ("remainder", 1)];
/// let text = |json, parts| {
///     let mut out = Vec::new();
///     write_parts(Style::new(json), parts, &mut out, |part: &i32, out| out.extend(part.to_string().bytes()));
///     String::from_utf8(out).unwrap()
/// };
/// assert_eq!(text(false, &found[..]), "3\n1");
/// assert_eq!(text(true, &found[..]), r#"{"quotient":3,"remainder":1}"#);
/// assert_eq!(text(true, &found[..1]), "3");
/// ```
pub fn write_parts<T>(
    style: Style,
    parts: &[(&str, T)],
    out: &mut Vec<u8>,
    write: impl Fn(&T, &mut Vec<u8>),
) {
    if let ([(_, part)], true) = (parts, style.json) {
        return write(part, out);
    }
    for (index, (name, part)) in parts.iter().enumerate() {
        match (style.json, index) {
            (true, _) => {
                out.push(if index == 0 { b'{' } else { b',' });
                out.extend_from_slice(format!("\"{name}\":").as_bytes());
            }
            (false, 0) => {}
            (false, _) => out.push(b'\n'),
        }
        write(part, out);
    }
    if style.json {
        out.push(b'}');
    }
}
