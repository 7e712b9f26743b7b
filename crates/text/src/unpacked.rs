//! Files that may be packed.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Take};

use flate2::bufread::MultiGzDecoder;

use crate::steady::Steady;

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// The first bytes of a file packed by gzip.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The first bytes of other packings, none of which starts like a number, their names, and what unpacks them.
const OTHERS: [(&[u8], &str, &str); 6] = [
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
    (b"\x04\x22\x4d\x18", "lz4", "unlz4"),
    (b"\x1f\x9d", "compress", "uncompress"),
    (b"PK\x03\x04", "zip", "unzip"),
];

/// The longest of them.
const LONGEST: usize = 6;

/// The bytes of a file, unpacked if it begins as gzip's do, whatever its name; of several members one after the other.
///
/// Once there is an error, every read is that error: what was packed and does not fit its checksum is never followed
/// by an end of the file.
///
/// ```
/// use std::io::Read;
/// use sunzi_text::Unpacked;
///
/// let mut text = String::new();
/// Unpacked::open(&b"plain"[..])?.read_to_string(&mut text)?;
/// assert_eq!(text, "plain");
///
/// let error = Unpacked::open(&b"BZh91AY&SY"[..]).unwrap_err();
/// assert_eq!(error.to_string(), "it is packed by bzip2: unpack it first (bunzip2), or pack it by gzip");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Unpacked<R>(Form<R>);

#[derive(Debug)]
enum Form<R> {
    Plain(Looked<R>),
    Gzip(Box<Looked<MultiGzDecoder<Looked<R>>>>),
}

/// The first bytes, which had to be looked at, and the others.
type Looked<R> = BufReader<Chain<Take<Cursor<[u8; LONGEST]>>, Steady<R>>>;

impl<R: Read> Unpacked<R> {
    /// Looks at the first bytes, no more of them than tell what they are.
    ///
    /// # Errors
    /// If they can't be read, or are of a packing that can't be unpacked here; then the error says so.
    pub fn open(source: R) -> io::Result<Self> {
        let (file, packed) = look(source)?;
        if !packed {
            return Ok(Self(Form::Plain(file)));
        }
        let (text, packed_twice) = look(MultiGzDecoder::new(file))?;
        if packed_twice {
            return Err(unsupported(
                "it is packed by gzip twice: unpack it once".to_owned(),
            ));
        }
        Ok(Self(Form::Gzip(Box::new(text))))
    }

    /// Bytes of the file that have been read, packed as they are.
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// let mut source = sunzi_text::Unpacked::open(&b"12\n"[..])?;
    /// source.read_to_end(&mut Vec::new())?;
    /// assert_eq!(source.taken(), 3);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn taken(&self) -> u64 {
        let plain = match &self.0 {
            Form::Plain(plain) => plain,
            Form::Gzip(text) => text.get_ref().get_ref().1.get_ref().get_ref(),
        };
        plain.get_ref().get_ref().1.taken()
    }

    /// Whether the file is packed.
    ///
    /// ```
    /// assert!(!sunzi_text::Unpacked::open(&b"12\n"[..])?.is_packed());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn is_packed(&self) -> bool {
        matches!(self.0, Form::Gzip(_))
    }
}

/// Looks at the first bytes, and says whether they are gzip's.
///
/// # Errors
/// If they can't be read, or are those of another packing.
fn look<R: Read>(source: R) -> io::Result<(Looked<R>, bool)> {
    let mut source = Steady::new(source);
    let mut start = [0; LONGEST];
    let mut known = 0;
    // A pipe may give its bytes one by one, and wait for more when a line is complete.
    while known < LONGEST && may_be_packed(&start[..known]) {
        match source.read(&mut start[known..])? {
            0 => break,
            count => known += count,
        }
    }
    let start_known = &start[..known];
    refuse_others(start_known)?;
    let packed = start_known.starts_with(GZIP);
    let whole = Cursor::new(start).take(known as u64).chain(source);
    Ok((BufReader::with_capacity(BUFFER, whole), packed))
}

/// Whether these may be the first bytes of any packing.
fn may_be_packed(start: &[u8]) -> bool {
    let others = OTHERS.iter().map(|&(magic, ..)| magic);
    others
        .chain([GZIP])
        .any(|magic| magic.len() > start.len() && magic.starts_with(start))
}

fn refuse_others(start: &[u8]) -> io::Result<()> {
    let found = OTHERS.iter().find(|(magic, ..)| start.starts_with(magic));
    match found {
        None => Ok(()),
        Some((_, name, unpack)) => Err(unsupported(format!(
            "it is packed by {name}: unpack it first ({unpack}), or pack it by gzip"
        ))),
    }
}

fn unsupported(sentence: String) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, sentence)
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Form::Plain(plain) => plain.read(bytes),
            Form::Gzip(unpacked) => unpacked.read(bytes),
        }
    }
}

impl<R: Read> BufRead for Unpacked<R> {
    #[inline]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &mut self.0 {
            Form::Plain(plain) => plain.fill_buf(),
            Form::Gzip(unpacked) => unpacked.fill_buf(),
        }
    }

    #[inline]
    fn consume(&mut self, count: usize) {
        match &mut self.0 {
            Form::Plain(plain) => plain.consume(count),
            Form::Gzip(unpacked) => unpacked.consume(count),
        }
    }
}
