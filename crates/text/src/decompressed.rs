//! Files that may be compressed.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Take};

use flate2::bufread::MultiGzDecoder;

use crate::steady::Steady;

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// The first bytes of a file compressed by gzip.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The first bytes of other compressions, none of which starts like a number, their names, and what decompresses them.
const OTHERS: [(&[u8], &str, &str); 6] = [
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
    (b"\x04\x22\x4d\x18", "lz4", "unlz4"),
    (b"\x1f\x9d", "compress", "uncompress"),
    (b"PK\x03\x04", "zip", "unzip"),
];

/// What some editors write before text in UTF-8: a mark of the order of bytes, which it does not need.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The longest of them.
const LONGEST: usize = 6;

/// The bytes of a file, decompressed if it begins as gzip's do, whatever its name; of several members one after the other.
/// A byte-order mark of UTF-8 at the beginning of the text is left out.
///
/// Once there is an error, every read is that error: what was compressed and does not fit its checksum is never followed
/// by an end of the file.
///
/// ```
/// use std::io::Read;
/// use sunzi_text::Decompressed;
///
/// let mut text = String::new();
/// Decompressed::open(&b"plain"[..])?.read_to_string(&mut text)?;
/// assert_eq!(text, "plain");
///
/// let error = Decompressed::open(&b"BZh91AY&SY"[..]).unwrap_err();
/// assert_eq!(error.to_string(), "it is compressed by bzip2: decompress it first (bunzip2), or compress it by gzip");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Decompressed<R>(Form<R>);

#[derive(Debug)]
enum Form<R> {
    Plain(Looked<R>),
    Gzip(Box<Looked<MultiGzDecoder<Looked<R>>>>),
}

/// The first bytes, which had to be looked at, and the others.
type Looked<R> = BufReader<Chain<Take<Cursor<[u8; LONGEST]>>, Steady<R>>>;

impl<R: Read> Decompressed<R> {
    /// Looks at the first bytes, no more of them than tell what they are.
    ///
    /// # Errors
    /// If they can't be read, or are of a compression that can't be decompressed here; then the error says so.
    pub fn open(source: R) -> io::Result<Self> {
        let (file, compressed) = look(source)?;
        if !compressed {
            return Ok(Self(Form::Plain(file)));
        }
        let (text, compressed_twice) = look(MultiGzDecoder::new(file)).map_err(damage)?;
        if compressed_twice {
            return Err(unsupported(
                "it is compressed by gzip twice: decompress it once".to_owned(),
            ));
        }
        Ok(Self(Form::Gzip(Box::new(text))))
    }

    /// Bytes of the file that have been read, compressed as they are.
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// let mut source = sunzi_text::Decompressed::open(&b"12\n"[..])?;
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

    /// Whether the file is compressed.
    ///
    /// ```
    /// assert!(!sunzi_text::Decompressed::open(&b"12\n"[..])?.is_compressed());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn is_compressed(&self) -> bool {
        matches!(self.0, Form::Gzip(_))
    }
}

/// Looks at the first bytes, and says whether they are gzip's.
///
/// # Errors
/// If they can't be read, or are those of another compression.
fn look<R: Read>(source: R) -> io::Result<(Looked<R>, bool)> {
    let mut source = Steady::new(source);
    let mut start = [0; LONGEST];
    let mut known = 0;
    // A pipe may give its bytes one by one, and wait for more when a line is complete.
    while known < LONGEST && may_go_on(&start[..known]) {
        match source.read(&mut start[known..])? {
            0 => break,
            count => known += count,
        }
    }
    let start_known = &start[..known];
    refuse_others(start_known)?;
    let compressed = start_known.starts_with(GZIP);
    let mut first = Cursor::new(start);
    if start_known.starts_with(BYTE_ORDER_MARK) {
        first.set_position(BYTE_ORDER_MARK.len() as u64);
    }
    let left = known as u64 - first.position();
    let whole = first.take(left).chain(source);
    Ok((BufReader::with_capacity(BUFFER, whole), compressed))
}

/// Whether these may be the first bytes of any compression, or of a mark.
fn may_go_on(start: &[u8]) -> bool {
    let others = OTHERS.iter().map(|&(magic, ..)| magic);
    others
        .chain([GZIP, BYTE_ORDER_MARK])
        .any(|magic| magic.len() > start.len() && magic.starts_with(start))
}

fn refuse_others(start: &[u8]) -> io::Result<()> {
    let found = OTHERS.iter().find(|(magic, ..)| start.starts_with(magic));
    match found {
        None => Ok(()),
        Some((_, name, decompress)) => Err(unsupported(format!(
            "it is compressed by {name}: decompress it first ({decompress}), or compress it by gzip"
        ))),
    }
}

/// What an error of decompression means. Those of the file itself stay as they are.
fn damage(error: io::Error) -> io::Error {
    let text = error.to_string();
    let is_cut =
        error.kind() == io::ErrorKind::UnexpectedEof || text == "incomplete deflate stream";
    let sentence = match error.kind() {
        _ if is_cut => "it is compressed by gzip, and cut: its end is missing".to_owned(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            format!("it is compressed by gzip, and damaged: {text}")
        }
        _ => return error,
    };
    io::Error::new(error.kind(), sentence)
}

fn unsupported(sentence: String) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, sentence)
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Form::Plain(plain) => plain.read(bytes),
            Form::Gzip(decompressed) => decompressed.read(bytes).map_err(damage),
        }
    }
}

impl<R: Read> BufRead for Decompressed<R> {
    #[inline]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &mut self.0 {
            Form::Plain(plain) => plain.fill_buf(),
            Form::Gzip(decompressed) => decompressed.fill_buf().map_err(damage),
        }
    }

    #[inline]
    fn consume(&mut self, count: usize) {
        match &mut self.0 {
            Form::Plain(plain) => plain.consume(count),
            Form::Gzip(decompressed) => decompressed.consume(count),
        }
    }
}
