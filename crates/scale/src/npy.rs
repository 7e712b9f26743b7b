//! Headers of NumPy's files, `.npy`: what stands before the words of an array.
//!
//! The format is that of NumPy's module `numpy.lib.format`, versions 1 to 3: a magic word, the length of the header, and a dictionary as
//! Python writes it, with the keys `descr`, `fortran_order` and `shape`.

use sunzi_field::AnyField;

/// What is written begins with a page, so that its words can be read and written past the cache of files.
const PAGE: usize = 4096;

/// What all begin with.
const MAGIC: &[u8] = b"\x93NUMPY";

/// Bytes in which all of a header stands that is read here: NumPy itself reads no more than 10,000 of its text.
pub const MOST_BYTES: usize = 16384;

/// Bytes of a word of a result of operands whose longest words have so many: as many, and 8 where residues need more than 4.
#[must_use]
pub fn word_of_result(field: &AnyField, word: usize) -> usize {
    let is_short = field.word_prime().is_some_and(|prime| prime >> 32 == 0);
    match is_short && word == 4 {
        true => 4,
        false => 8,
    }
}

/// What a file holds.
///
/// ```
/// use sunzi::scale::npy::Header;
///
/// let header = Header { word: 8, is_signed: false, shape: vec![3, 4] };
/// let bytes = header.bytes();
/// assert_eq!(Header::parse(&bytes)?, (header, 4096));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Bytes of a word: 4 or 8.
    pub word: usize,
    /// Whether words have a sign: `int32` or `int64`, else `uint32` or `uint64`.
    pub is_signed: bool,
    /// The lengths of the dimensions, of which the last one changes fastest.
    pub shape: Vec<usize>,
}

impl Header {
    /// How many words there are.
    ///
    /// # Errors
    /// A sentence if they are more than any memory holds.
    pub fn words(&self) -> Result<usize, String> {
        let lengths = self
            .shape
            .iter()
            .try_fold(1usize, |all, &length| all.checked_mul(length));
        let words = lengths.filter(|&words| words <= usize::MAX >> 4);
        words.ok_or_else(|| format!("its shape {} is too large", self.shape_text()))
    }

    /// The type of words as NumPy writes it.
    #[must_use]
    pub fn type_text(&self) -> String {
        format!("<{}{}", if self.is_signed { 'i' } else { 'u' }, self.word)
    }

    /// A sentence if words have a sign, which residues have not.
    ///
    /// # Errors
    /// The sentence.
    pub fn expect_unsigned(&self) -> Result<(), String> {
        match self.is_signed {
            false => Ok(()),
            true => Err(format!(
                "its words are of type '{}', and residues are of '<u4' (uint32) or '<u8' (uint64): convert it by (x % p).astype(numpy.uint64)",
                self.type_text()
            )),
        }
    }

    /// The shape as Python writes it.
    #[must_use]
    pub fn shape_text(&self) -> String {
        let lengths: Vec<_> = self.shape.iter().map(usize::to_string).collect();
        match &lengths[..] {
            [one] => format!("({one},)"),
            several => format!("({})", several.join(", ")),
        }
    }

    /// How many elements of `digits` words each there are, in a vector or in a matrix: the lengths before those of the words.
    ///
    /// # Errors
    /// A sentence if its shape is another, or its words are of 32 bits and not residues.
    pub fn elements(&self, digits: usize, dimensions: usize) -> Result<&[usize], String> {
        let lengths = match &self.shape[..] {
            [lengths @ .., last] if digits > 1 && *last == digits && self.word == 8 => {
                Some(lengths)
            }
            lengths if digits == 1 => Some(lengths),
            _ => None,
        };
        if let Some(lengths) = lengths.filter(|lengths| lengths.len() == dimensions) {
            return Ok(lengths);
        }
        let names = if dimensions == 1 { "N" } else { "n1, n2" };
        let needed = match (digits, dimensions) {
            (1, 1) => "a vector has the shape (N,)".to_owned(),
            (1, _) => format!("values in transposed order have the shape ({names})"),
            _ => format!(
                "elements modulo r^{digits} + 1 are rows of {digits} words of uint64, in the shape ({names}, {digits})"
            ),
        };
        Err(format!(
            "its shape {} of words of {} bytes is not what is needed here: {needed}",
            self.shape_text(),
            self.word
        ))
    }

    /// The header as bytes: a page, or several.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let text = format!(
            "{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
            self.type_text(),
            self.shape_text()
        );
        let before = MAGIC.len() + 4;
        let length = (before + text.len() + 1).next_multiple_of(PAGE) - before;
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((length as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.resize(before + length - 1, b' ');
        bytes.push(b'\n');
        bytes
    }

    /// The header that a file begins with, and where the words begin.
    ///
    /// # Errors
    /// A sentence that says what is wrong, and what to do.
    pub fn parse(bytes: &[u8]) -> Result<(Self, usize), String> {
        let no_file = || "this is no file of numpy.save".to_owned();
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(no_file)?;
        let (&[major, _minor], rest) = rest.split_first_chunk::<2>().ok_or_else(no_file)?;
        let cut = || "its header is cut off".to_owned();
        let (length, rest) = match major {
            1 => {
                let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
                (u16::from_le_bytes(*length).into(), rest)
            }
            2 | 3 => {
                let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
                (u32::from_le_bytes(*length) as usize, rest)
            }
            _ => return Err(format!("its version {major} of the format is not known")),
        };
        let before = bytes.len() - rest.len();
        if length > MOST_BYTES - before {
            return Err(format!("its header of {length} bytes is too long"));
        }
        let text = rest.get(..length).ok_or_else(cut)?;
        let text = std::str::from_utf8(text).map_err(|_| "its header is no text".to_owned())?;
        Ok((Self::of_dictionary(text)?, before + length))
    }

    fn of_dictionary(text: &str) -> Result<Self, String> {
        let mut parser = Parser(text.trim());
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        let strange = |what: &str| format!("its header is not as numpy.save writes it: {what}");
        parser.expect("{").map_err(|what| strange(&what))?;
        while parser.expect("}").is_err() {
            let mut entry = || -> Result<(), String> {
                let key = parser.string()?;
                parser.expect(":")?;
                let is_new = match key {
                    "descr" => descr.replace(parser.string()?).is_none(),
                    "fortran_order" => fortran.replace(parser.truth()?).is_none(),
                    "shape" => shape.replace(parser.lengths()?).is_none(),
                    other => {
                        return Err(format!("the key '{}' is not known", other.escape_debug()));
                    }
                };
                if !is_new {
                    return Err(format!("the key '{key}' comes twice"));
                }
                if parser.expect(",").is_err() && !parser.0.starts_with('}') {
                    return Err("a comma is missing".to_owned());
                }
                Ok(())
            };
            entry().map_err(|what| strange(&what))?;
        }
        if !parser.0.is_empty() {
            return Err(strange("something follows the dictionary"));
        }
        let missing = |key: &str| strange(&format!("the key '{key}' is missing"));
        let descr = descr.ok_or_else(|| missing("descr"))?;
        let (is_signed, word) = match descr {
            "<u4" => (false, 4),
            "<u8" => (false, 8),
            "<i4" => (true, 4),
            "<i8" => (true, 8),
            _ => {
                return Err(format!(
                    "its words are of type '{}', and '<u4' (uint32) and '<u8' (uint64) are read, and for integers '<i4' and '<i8': \
                     convert it by x.astype(numpy.uint64)",
                    descr.escape_debug()
                ));
            }
        };
        if fortran.ok_or_else(|| missing("fortran_order"))? {
            return Err(
                "it is in Fortran's order: save numpy.ascontiguousarray(x) instead".to_owned(),
            );
        }
        let shape = shape.ok_or_else(|| missing("shape"))?;
        Ok(Self {
            word,
            is_signed,
            shape,
        })
    }
}

/// What is left of a dictionary; each error says what was looked for.
struct Parser<'a>(&'a str);

impl<'a> Parser<'a> {
    fn expect(&mut self, token: &str) -> Result<(), String> {
        let rest = self.0.strip_prefix(token);
        self.0 = rest
            .ok_or_else(|| format!("'{token}' is missing"))?
            .trim_start();
        Ok(())
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let wrong = || "a string is missing".to_owned();
        let quote = self
            .0
            .chars()
            .next()
            .filter(|&quote| quote == '\'' || quote == '"');
        let quote = quote.ok_or_else(wrong)?;
        let (text, rest) = self.0[1..].split_once(quote).ok_or_else(wrong)?;
        self.0 = rest.trim_start();
        Ok(text)
    }

    fn truth(&mut self) -> Result<bool, String> {
        match self.expect("True") {
            Ok(()) => Ok(true),
            Err(_) => self.expect("False").map(|()| false),
        }
    }

    fn lengths(&mut self) -> Result<Vec<usize>, String> {
        self.expect("(")?;
        let mut lengths = Vec::new();
        while self.expect(")").is_err() {
            let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
            let (length, rest) = self.0.split_at(digits);
            // Python 2 wrote an L behind long ones.
            self.0 = rest.strip_prefix('L').unwrap_or(rest).trim_start();
            let length = length.parse();
            lengths.push(length.map_err(|_| "a length is no number that fits 64 bits".to_owned())?);
            if self.expect(",").is_err() && !self.0.starts_with(')') {
                return Err("a comma is missing in the shape".to_owned());
            }
        }
        Ok(lengths)
    }
}
