//! Text beside what goes through files: operands become arrays in a folder of their own before, and results become text after.
//!
//! The folder is named by the operands and the output, so that the same command finds what it has left there.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use sunzi::scale::npy::{Header, MOST_BYTES};
use sunzi::{Integer, Natural};
use sunzi_files::failure::{Failure, Place, reason, shown};
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::literal;
use sunzi_files::input::npy::is_npy;
use sunzi_files::input::{LineError, coefficients};
use sunzi_files::numbers::integers::IntegerText;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::output::Output;
use sunzi_machine::memory::Budget;

/// What the names of folders begin with; 16 hexadecimal digits follow.
const PREFIX: &str = "sunzi-text-";

/// The array that a result is until it is text, and what the names of operands begin with.
const RESULT: &str = "result.npy";
const OPERAND: &str = "operand-";

/// The file that is locked.
const LOCK: &str = "lock";

/// Bytes of text, or of an array, that are converted at a time.
const PIECE: usize = 1 << 20;

/// Hexadecimal digits of a limb.
const DIGITS: usize = 16;

/// Takes words of an array, each of so many bytes.
type WordsTaken<'a> = dyn FnMut(&[u64], usize) -> Result<(), Failure> + 'a;

/// What stands in a file of text.
#[derive(Clone, Copy)]
pub enum Entries<'a> {
    /// A residue a line.
    Lines(&'a Residues, usize),
    /// The coefficients of one polynomial modulo a prime, and bytes of a word of them.
    Coefficients(&'a Residues, usize),
    /// The same over Z, of 64 bits with a sign.
    Integers,
    /// One integer, `0x…`.
    Hexadecimal,
}

/// Arrays in place of files of text.
#[derive(Debug)]
pub struct Arrays {
    /// The operands.
    pub inputs: Vec<PathBuf>,
    /// Where the result is to be.
    pub output: PathBuf,
    /// The operands as they were given.
    pub given: Vec<PathBuf>,
    /// What was made for it.
    folder: Option<Folder>,
    /// Where the text of the result goes.
    text: Option<PathBuf>,
    is_negative: bool,
}

/// How arrays are made of text.
pub struct Making<'a> {
    /// What is done with them.
    pub operation: &'a str,
    /// What stands in the files.
    pub entries: Entries<'a>,
    /// The folder for scratch files.
    pub scratch: &'a Path,
    /// Whether what an earlier command has made is of no use.
    pub fresh: bool,
    /// The memory for lines.
    pub budget: Budget,
}

impl Making<'_> {
    /// Makes arrays of all operands that are text, unless an earlier command has done so.
    ///
    /// # Errors
    /// [`Failure::Input`] for text that cannot be read; [`Failure::Output`] if the folder or the output cannot be written.
    pub fn make(&self, inputs: &[&Path], output: &Path) -> Result<Arrays, Failure> {
        let mut arrays = Arrays::given(inputs, output);
        let mut identity = DefaultHasher::new();
        for path in inputs {
            let metadata = regular(path)?;
            let changed = metadata.modified().ok();
            let changed = changed.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
            (fs::canonicalize(path).ok(), metadata.len(), changed).hash(&mut identity);
            if let (Entries::Hexadecimal, false) = (self.entries, is_npy(path)) {
                arrays.is_negative ^= Hexadecimal::open(path)?.is_negative;
            }
        }
        match is_npy(output) {
            true if arrays.is_negative => {
                return Err(Failure::Usage(
                    "the product is negative, and limbs in a file of NumPy's have no sign: give -o another name".to_owned(),
                ));
            }
            true => {}
            // That it cannot be written is told before the work.
            false => drop(Output::create(Some(output))?),
        }
        let version = env!("CARGO_PKG_VERSION");
        (
            std::path::absolute(output).ok(),
            self.operation,
            self.entries.name(),
            version,
        )
            .hash(&mut identity);
        let folder = self
            .scratch
            .join(format!("{PREFIX}{:016x}", identity.finish()));
        let folder = Folder::lock(folder, self.scratch)?;
        if self.fresh {
            folder.clear();
        }
        let made = self.convert(&mut arrays, &folder.path);
        arrays.folder = Some(folder);
        if made.is_err() {
            arrays.forget();
        }
        made.map(|()| arrays)
    }

    /// Converts operands, and finds a place for the result.
    fn convert(&self, arrays: &mut Arrays, folder: &Path) -> Result<(), Failure> {
        for (index, path) in arrays.given.iter().enumerate() {
            if is_npy(path) {
                continue;
            }
            // The same file twice is a square.
            let first = arrays.given.iter().position(|other| other == path);
            let array = folder.join(format!("{OPERAND}{}.npy", first.unwrap_or(index)));
            if !array.exists() {
                self.entries.convert(path, &array, self.budget)?;
            }
            arrays.inputs[index] = array;
        }
        if !is_npy(&arrays.output) {
            arrays.text = Some(std::mem::replace(&mut arrays.output, folder.join(RESULT)));
        }
        Ok(())
    }
}

impl Arrays {
    /// Those of NumPy's files, as they are.
    pub fn given(inputs: &[&Path], output: &Path) -> Self {
        let inputs: Vec<_> = inputs.iter().map(|&path| path.to_owned()).collect();
        Self {
            given: inputs.clone(),
            inputs,
            output: output.to_owned(),
            folder: None,
            text: None,
            is_negative: false,
        }
    }

    /// An operand as it was given.
    pub fn given_name<'a>(&'a self, path: &'a Path) -> &'a Path {
        let place = self.inputs.iter().position(|input| input == path);
        place.map_or(path, |place| &self.given[place])
    }

    /// Whether an earlier command has come as far as the text of the result, and has left nothing else.
    pub fn is_computed(&self, scratch: &Path) -> bool {
        let Ok(output) = fs::canonicalize(&self.output) else {
            return false;
        };
        let fact = format!("output {output:?}");
        let jobs = sunzi::scale::found(scratch).unwrap_or_default();
        self.text.is_some()
            && !jobs
                .iter()
                .any(|job| job.facts.lines().any(|line| line == fact))
    }

    /// Writes the text of the result, and removes what was made for it.
    ///
    /// # Errors
    /// [`Failure::Output`]; all stays then, and the same command writes it again.
    pub fn finish(self, entries: Entries<'_>) -> Result<(), Failure> {
        if let Some(text) = &self.text {
            let mut output = Output::create(Some(text))?;
            Array::open(&self.output)?.write(entries, self.is_negative, &mut output)?;
            output.finish()?;
            // Only what is on the disk makes arrays superfluous; there is no more to be done where that cannot be known.
            if let Ok(file) = File::open(text) {
                let _ = file.sync_all();
            }
        }
        self.forget();
        Ok(())
    }

    /// Removes what was made.
    pub fn forget(&self) {
        if let Some(folder) = &self.folder {
            folder.remove();
        }
    }
}

/// A folder with arrays, in which this process alone works.
#[derive(Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Makes it, if it is not there, and locks it.
    fn lock(path: PathBuf, scratch: &Path) -> Result<Self, Failure> {
        match fs::create_dir(&path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(Failure::Usage(format!(
                    "{}: no folder can be made in it: {}",
                    shown(scratch),
                    reason(&error)
                )));
            }
            _ => {}
        }
        let busy = format!(
            "{}: another process works at the same: wait for it",
            shown(&path)
        );
        Self::try_lock(path)?.ok_or(Failure::Computation(busy))
    }

    /// Locks one that is there and is this user's, unless somebody else has.
    pub fn try_lock(path: PathBuf) -> Result<Option<Self>, Failure> {
        // SAFETY: it only asks the system for a number.
        let own = unsafe { libc::geteuid() };
        let found = fs::symlink_metadata(&path).map_err(of_output(&path))?;
        if !found.is_dir() || found.uid() != own {
            return Err(Failure::Usage(format!(
                "{}: it is no folder of this user",
                shown(&path)
            )));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        options.custom_flags(libc::O_NOFOLLOW);
        let lock = options.open(path.join(LOCK)).map_err(of_output(&path))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            // There are file systems without locks.
            _ => Ok(Some(Self { path, _lock: lock })),
        }
    }

    /// Removes all arrays; whether nothing else is there.
    fn clear(&self) -> bool {
        let files = fs::read_dir(&self.path).into_iter().flatten().flatten();
        files
            .map(|file| {
                let name = file.file_name();
                let name = name.to_string_lossy();
                let is_ours = name.starts_with(OPERAND)
                    || name == RESULT
                    || (name.starts_with(".sunzi-") && name.ends_with(".unfinished"));
                name == LOCK || (is_ours && fs::remove_file(file.path()).is_ok())
            })
            .filter(|gone| !gone)
            .count()
            == 0
    }

    /// Removes it, if nothing else is in it.
    pub fn remove(&self) -> bool {
        self.clear()
            && fs::remove_file(self.path.join(LOCK)).is_ok()
            && fs::remove_dir(&self.path).is_ok()
    }
}

/// The folders with arrays of text in a folder for scratch files, and their bytes.
pub fn found(scratch: &Path) -> Vec<(PathBuf, u64)> {
    let Ok(entries) = fs::read_dir(scratch) else {
        return Vec::new();
    };
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let digits = name.and_then(|name| name.strip_prefix(PREFIX));
        digits.is_some_and(|digits| {
            digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        })
    };
    let bytes = |path: &PathBuf| {
        let files = fs::read_dir(path).into_iter().flatten();
        files
            .filter_map(|file| Some(file.ok()?.metadata().ok()?.len()))
            .sum()
    };
    let mut found: Vec<_> = folders
        .filter(is_ours)
        .map(|path| (path.clone(), bytes(&path)))
        .collect();
    found.sort();
    found
}

/// A failure to write something.
fn of_output(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let target = shown(path);
    move |error| Failure::Output { target, error }
}

fn in_file(path: &Path, problem: String) -> Failure {
    let place = Place {
        file: shown(path),
        line: None,
        column: None,
    };
    Failure::Input { place, problem }
}

/// An operand that can be read more than once.
fn regular(path: &Path) -> Result<Metadata, Failure> {
    let cannot = |problem: String| in_file(path, problem);
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(metadata),
        Ok(_) => Err(cannot(
            "with --scratch operands are files, whose parts can be read in any order".to_owned(),
        )),
        Err(_) if path == Path::new("-") || literal::text(path).is_some() => Err(cannot(
            "with --scratch operands are files, which are read again when a command goes on"
                .to_owned(),
        )),
        Err(error) => Err(cannot(format!(
            "the file cannot be opened: {}",
            reason(&error)
        ))),
    }
}

impl Entries<'_> {
    fn name(self) -> String {
        match self {
            Self::Lines(residues, _) => format!("lines {}", residues.prime()),
            Self::Coefficients(residues, _) => format!("coefficients {}", residues.prime()),
            Self::Integers => "integers".to_owned(),
            Self::Hexadecimal => "hexadecimal".to_owned(),
        }
    }

    /// Makes an array of a file of text, which has its name when it is complete.
    fn convert(self, path: &Path, array: &Path, budget: Budget) -> Result<(), Failure> {
        let unfinished = array.with_extension("unfinished");
        let writing = || of_output(&unfinished);
        let mut file =
            BufWriter::with_capacity(PIECE, File::create(&unfinished).map_err(writing())?);
        // What stands there at last has the same length.
        let page = self.header(0).bytes();
        file.write_all(&page).map_err(writing())?;
        let words = match self {
            Self::Hexadecimal => Hexadecimal::open(path)?
                .convert(&mut |limbs| write_words(&mut file, limbs, 8).map_err(writing()))?,
            _ => self.read(path, budget, &mut |words, word| {
                write_words(&mut file, words, word).map_err(writing())
            })?,
        };
        let file = file
            .into_inner()
            .map_err(|error| writing()(error.into_error()))?;
        file.write_all_at(&self.header(words).bytes(), 0)
            .map_err(writing())?;
        // Under its name it is taken for what it is.
        file.sync_all().map_err(writing())?;
        fs::rename(&unfinished, array).map_err(writing())
    }

    /// The header of so many words.
    fn header(self, words: usize) -> Header {
        let (digits, word) = match self {
            Self::Lines(residues, word) | Self::Coefficients(residues, word) => {
                (residues.width(), word)
            }
            Self::Integers | Self::Hexadecimal => (1, 8),
        };
        let mut shape = vec![words / digits];
        shape.extend((digits > 1).then_some(digits));
        Header {
            word,
            is_signed: matches!(self, Self::Integers),
            shape,
        }
    }

    /// Hands on the words of a file of numbers; gives how many there are.
    fn read(
        self,
        path: &Path,
        budget: Budget,
        write: &mut WordsTaken<'_>,
    ) -> Result<usize, Failure> {
        let mut reader = LineReader::open(path, budget)?;
        let (mut count, mut words) = (0, Vec::new());
        let mut first = None;
        let integers = IntegerText::new();
        while let Some(piece) = reader.next_piece(PIECE)? {
            let content = piece.line.content();
            let one_a_line = matches!(self, Self::Lines(..));
            let line = *first.get_or_insert(piece.line.number);
            if !one_a_line && line != piece.line.number {
                let problem = "with --scratch there is one polynomial a file".to_owned();
                return Err(reader.error_at(&piece.line, 0, problem));
            }
            let read = match self {
                Self::Lines(residues, _) => residues.read_only(content, &mut words),
                Self::Coefficients(residues, _) => list(content, residues.width(), |word, rows| residues.read_row(word, rows))
                    .map(|rows| words.extend(rows)),
                Self::Integers | Self::Hexadecimal => list(content, 1, |word, words| {
                    let value = integers.read(word)?;
                    let short = i64::try_from(value);
                    words.push(short.map_err(|_| {
                        LineError::new(0, "with --scratch coefficients over Z are of 64 bits with a sign: this one is longer")
                    })?.cast_unsigned());
                    Ok(())
                })
                .map(|integers| words.extend(integers)),
            };
            read.map_err(|error| reader.error_at(&piece.line, error.offset, error.problem))?;
            if words.len() >= PIECE / 8 {
                count += words.len();
                write(&words, self.header(0).word)?;
                words.clear();
            }
        }
        count += words.len();
        write(&words, self.header(0).word)?;
        match count {
            0 => Err(reader.holds_no(if matches!(self, Self::Lines(..)) {
                "integer"
            } else {
                "polynomial"
            })),
            count => Ok(count),
        }
    }
}

/// The words of a piece of a list of coefficients.
fn list<T: Send>(
    content: &[u8],
    width: usize,
    read: impl Fn(&[u8], &mut Vec<T>) -> Result<(), LineError> + Sync,
) -> Result<Vec<T>, LineError> {
    // What is in pieces has no brackets, and no order of operations.
    if let Some(at) = content
        .iter()
        .position(|byte| matches!(byte, b'[' | b']' | b',' | b'*' | b'^' | b'(' | b'x' | b'X'))
    {
        let problem = "with --scratch a polynomial is a list of decimal coefficients, from the constant term upward, with blanks between them";
        return Err(LineError::new(at, problem));
    }
    coefficients::parse_rows(content, width, read)
}

fn write_words(file: &mut impl Write, words: &[u64], bytes: usize) -> io::Result<()> {
    let mut text = Vec::with_capacity(words.len() * bytes);
    for word in words {
        text.extend_from_slice(&word.to_le_bytes()[..bytes]);
    }
    file.write_all(&text)
}

/// A file with one integer, `0x…`, in one line.
struct Hexadecimal {
    file: File,
    path: PathBuf,
    is_negative: bool,
    /// Where its digits begin and end.
    start: u64,
    end: u64,
}

impl Hexadecimal {
    /// Finds its digits; comments may stand in lines before.
    fn open(path: &Path) -> Result<Self, Failure> {
        let unreadable = |error: io::Error| {
            in_file(path, format!("the file cannot be read: {}", reason(&error)))
        };
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut head = vec![0; PIECE.min(length as usize)];
        file.read_exact_at(&mut head, 0).map_err(unreadable)?;
        let mut at = 0;
        while let Some(byte) = head.get(at) {
            match byte {
                b'#' => {
                    at += head[at..]
                        .iter()
                        .position(|&byte| byte == b'\n')
                        .unwrap_or(head.len() - at)
                }
                byte if byte.is_ascii_whitespace() => at += 1,
                _ => break,
            }
        }
        let sign = head.get(at).filter(|byte| matches!(byte, b'+' | b'-'));
        let digits = at + usize::from(sign.is_some());
        if !matches!(head.get(digits..digits + 2), Some(b"0x" | b"0X")) {
            return Err(in_file(
                path,
                "with --scratch an integer is written 0x…, or is an array of limbs in a name that ends in .npy: decimal integers are for \
                 memory, where --scratch is left out"
                    .to_owned(),
            ));
        }
        let mut tail = vec![0; (PIECE as u64).min(length) as usize];
        let from = length - tail.len() as u64;
        file.read_exact_at(&mut tail, from).map_err(unreadable)?;
        let blanks = tail
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let (start, end) = (digits as u64 + 2, length - blanks as u64);
        if end <= start {
            return Err(in_file(path, "no digit follows 0x".to_owned()));
        }
        Ok(Self {
            is_negative: sign == Some(&b'-'),
            path: path.to_owned(),
            file,
            start,
            end,
        })
    }

    /// Hands on limbs, the lowest first; gives how many there are.
    fn convert(
        self,
        write: &mut dyn FnMut(&[u64]) -> Result<(), Failure>,
    ) -> Result<usize, Failure> {
        let unreadable = |error: io::Error| {
            in_file(
                &self.path,
                format!("the file cannot be read: {}", reason(&error)),
            )
        };
        let (mut end, mut count) = (self.end, 0);
        let mut text = vec![0; PIECE];
        let mut limbs = Vec::with_capacity(PIECE / DIGITS);
        while end > self.start {
            let length = (end - self.start).min(PIECE as u64);
            let text = &mut text[..length as usize];
            self.file
                .read_exact_at(text, end - length)
                .map_err(unreadable)?;
            limbs.clear();
            for digits in text.rchunks(DIGITS) {
                let digit = |limb: Option<u64>, &byte: &u8| {
                    Some(limb? << 4 | u64::from((byte as char).to_digit(16)?))
                };
                let Some(limb) = digits.iter().fold(Some(0), digit) else {
                    let at = text
                        .iter()
                        .rposition(|byte| !byte.is_ascii_hexdigit())
                        .unwrap_or(0);
                    let problem = format!(
                        "byte {} is no hexadecimal digit: with --scratch a file holds one integer, 0x…",
                        end - length + at as u64 + 1
                    );
                    return Err(in_file(&self.path, problem));
                };
                limbs.push(limb);
            }
            count += limbs.len();
            write(&limbs)?;
            end -= length;
        }
        Ok(count)
    }
}

/// An array that becomes text.
struct Array {
    file: File,
    path: PathBuf,
    header: Header,
    start: u64,
    /// Words of an element, and elements.
    digits: usize,
    elements: usize,
}

impl Array {
    fn open(path: &Path) -> Result<Self, Failure> {
        let unreadable = |error: io::Error| {
            in_file(path, format!("the file cannot be read: {}", reason(&error)))
        };
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut head = vec![0; MOST_BYTES.min(length as usize)];
        file.read_exact_at(&mut head, 0).map_err(unreadable)?;
        let (header, start) = Header::parse(&head).map_err(|problem| in_file(path, problem))?;
        let (elements, digits) = match *header.shape {
            [elements] => (elements, 1),
            [elements, digits] => (elements, digits),
            _ => {
                return Err(in_file(
                    path,
                    "its shape is another than it was written with".to_owned(),
                ));
            }
        };
        Ok(Self {
            file,
            path: path.to_owned(),
            header,
            start: start as u64,
            digits,
            elements,
        })
    }

    /// The words of some elements.
    fn words(&self, from: usize, count: usize) -> Result<Vec<u64>, Failure> {
        let (word, words) = (self.header.word, count * self.digits);
        let mut bytes = vec![0; words * word];
        let at = self.start + (from * self.digits * word) as u64;
        let read = self.file.read_exact_at(&mut bytes, at);
        read.map_err(|error| {
            in_file(
                &self.path,
                format!("the file cannot be read: {}", reason(&error)),
            )
        })?;
        let value = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        Ok(bytes.chunks_exact(word).map(value).collect())
    }

    /// Elements that are read at a time.
    fn piece(&self) -> usize {
        (PIECE / 8 / self.digits).max(1)
    }

    /// How many elements there are before those that are 0.
    fn significant(&self) -> Result<usize, Failure> {
        let mut end = self.elements;
        while end > 0 {
            let from = end.saturating_sub(self.piece());
            let words = self.words(from, end - from)?;
            if let Some(last) = words.iter().rposition(|&word| word != 0) {
                return Ok(from + last / self.digits + 1);
            }
            end = from;
        }
        Ok(0)
    }

    fn write(
        &self,
        entries: Entries<'_>,
        is_negative: bool,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let count = match entries {
            Entries::Lines(..) => self.elements,
            _ => self.significant()?,
        };
        if let Entries::Hexadecimal = entries {
            return self.write_hexadecimal(count, is_negative, output);
        }
        let (integers, mut text) = (IntegerText::new(), Vec::new());
        let mut from = 0;
        while from < count {
            let length = self.piece().min(count - from);
            text.clear();
            for (index, row) in self
                .words(from, length)?
                .chunks_exact(self.digits)
                .enumerate()
            {
                match entries {
                    Entries::Lines(residues, _) | Entries::Coefficients(residues, _) => {
                        residues.write(row, &mut text)
                    }
                    Entries::Integers | Entries::Hexadecimal => {
                        integers.write(&integer(row), &mut text)
                    }
                }
                let is_last = matches!(entries, Entries::Lines(..)) || from + index + 1 == count;
                text.push(if is_last { b'\n' } else { b' ' });
            }
            output.fill(|to| to.write_all(&text))?;
            from += length;
        }
        match count {
            0 => output.write(b"0\n"),
            _ => Ok(()),
        }
    }

    fn write_hexadecimal(
        &self,
        count: usize,
        is_negative: bool,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let sign = if is_negative && count > 0 {
            "-0x"
        } else {
            "0x"
        };
        output.fill(|to| to.write_all(sign.as_bytes()))?;
        let mut end = count;
        while end > 0 {
            let from = end.saturating_sub(self.piece());
            let mut text = String::with_capacity((end - from) * DIGITS);
            for limb in self.words(from, end - from)?.iter().rev() {
                text += &match text.is_empty() && end == count {
                    true => format!("{limb:x}"),
                    false => format!("{limb:016x}"),
                };
            }
            output.fill(|to| to.write_all(text.as_bytes()))?;
            end = from;
        }
        output.write(if count == 0 { b"0\n" } else { b"\n" })
    }
}

/// The integer of words in two's complement.
fn integer(words: &[u64]) -> Integer {
    let is_negative = words.last().is_some_and(|top| top >> 63 == 1);
    let magnitude = match is_negative {
        false => words.to_vec(),
        true => {
            let mut carry = true;
            let negated = words.iter().map(|word| {
                let (negated, overflow) = (!word).overflowing_add(carry.into());
                carry = overflow;
                negated
            });
            negated.collect()
        }
    };
    let magnitude = Integer::from(Natural::from_limbs(magnitude));
    if is_negative { -magnitude } else { magnitude }
}
