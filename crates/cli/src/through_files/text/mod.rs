//! Text beside what goes through files: operands become arrays in a folder of their own before, and results become text after.
//!
//! The folder is named by the operands and the output, so that the same command finds what it has left there.

mod array;
pub mod folder;
mod hexadecimal;

use array::Array;
use folder::{Folder, OPERAND, PREFIX, RESULT};
use hexadecimal::Hexadecimal;
use std::fs::{self, File, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use sunzi::scale::npy::Header;
use sunzi_files::failure::{Failure, Place, reason, shown};
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::literal;
use sunzi_files::input::npy::is_npy;
use sunzi_files::input::{LineError, coefficients};
use sunzi_files::numbers::integers::IntegerText;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::output::Output;
use sunzi_machine::memory::Budget;

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
