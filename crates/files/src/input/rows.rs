//! Lines of several files read together: line i of each, or the only line of one file with each of the others'.

use super::lines::{Line, LineReader, check_standard_input};
use crate::failure::Failure;
use std::collections::VecDeque;
use std::path::Path;
use sunzi_machine::memory::Budget;

/// Input that is dealt with together, so that small operands fill all threads.
const BATCH_WEIGHT: usize = 4 << 20;

/// Most rows dealt with together.
const BATCH_LINES: usize = 1 << 14;

/// One of the files.
pub struct DataFile {
    reader: LineReader,
    /// Lines read ahead to learn whether there is more than one.
    ahead: VecDeque<Line>,
    /// Data lines handed out.
    taken: u64,
    /// Whether its only line goes with every line of the other files.
    repeated: bool,
}

/// Reads files together.
pub struct Rows {
    files: Vec<DataFile>,
    /// What a line holds, in sentences: `integer`.
    noun: &'static str,
    /// An error found behind lines that have yet to be dealt with.
    postponed: Option<Failure>,
}

/// Lines to be dealt with together, by files; those that are repeated have none here.
pub type Batch = Vec<Vec<Line>>;

impl DataFile {
    fn open(path: &Path, noun: &str, budget: Budget) -> Result<Self, Failure> {
        let mut reader = LineReader::open(path, budget)?;
        let mut ahead = VecDeque::new();
        while ahead.len() < 2 {
            match reader.next_line()? {
                Some(line) => ahead.push_back(line),
                None => break,
            }
        }
        if ahead.is_empty() {
            return Err(reader.holds_no(noun));
        }
        Ok(Self {
            reader,
            ahead,
            taken: 0,
            repeated: false,
        })
    }

    fn next(&mut self) -> Result<Option<Line>, Failure> {
        let line = match self.ahead.pop_front() {
            Some(line) => Some(line),
            None => self.reader.next_line()?,
        };
        self.taken += u64::from(line.is_some());
        Ok(line)
    }

    /// An error at a byte of a line of this file.
    pub fn error_at(&self, line: &Line, offset: usize, problem: String) -> Failure {
        self.reader.error_at(line, offset, problem)
    }

    /// The name of the file in sentences.
    pub fn name(&self) -> &str {
        self.reader.name()
    }

    /// A line of the file in sentences.
    pub fn place(&self, line: u64) -> String {
        format!("{}, line {line}", self.name())
    }
}

impl Rows {
    /// Opens files, of which at most one may be standard input.
    pub fn open(paths: &[&Path], noun: &'static str, budget: Budget) -> Result<Self, Failure> {
        check_standard_input(paths)?;
        let mut files = Vec::new();
        for path in paths {
            files.push(DataFile::open(path, noun, budget)?);
        }
        let single = |file: &DataFile| file.ahead.len() == 1;
        if !files.iter().all(single) {
            for file in &mut files {
                file.repeated = single(file);
            }
        }
        Ok(Self {
            files,
            noun,
            postponed: None,
        })
    }

    /// Whether each file has one line; to be asked before any is taken.
    pub fn is_single(&self) -> bool {
        self.files.iter().all(|file| file.ahead.len() == 1)
    }

    /// The files, in the order of their paths.
    pub fn files(&self) -> &[DataFile] {
        &self.files
    }

    /// By files: the only line that goes with every line of the others, where that is so. To be
    /// taken first.
    pub fn take_repeated(&mut self) -> Result<Vec<Option<Line>>, Failure> {
        let mut lines = Vec::new();
        for file in &mut self.files {
            lines.push(match file.repeated {
                true => file.next()?,
                false => None,
            });
        }
        Ok(lines)
    }

    /// Bytes of all files, where known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.files.iter().map(|file| file.reader.size()).sum()
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.files.iter().map(|file| file.reader.bytes_read()).sum()
    }

    /// The next lines, none at the end. Errors come in the order of the lines.
    ///
    /// `weight` tells how much work and memory a line stands for, in bytes; `repeated` those of all lines
    /// that are repeated.
    pub fn next_batch(
        &mut self,
        weight: impl Fn(&[u8]) -> usize,
        repeated: usize,
    ) -> Result<Option<Batch>, Failure> {
        if let Some(failure) = self.postponed.take() {
            return Err(failure);
        }
        let mut batch: Batch = self.files.iter().map(|_| Vec::new()).collect();
        let (mut rows, mut weighed) = (0, 0);
        while weighed < BATCH_WEIGHT && rows < BATCH_LINES {
            match self.next_row() {
                Ok(None) => break,
                Ok(Some(row)) => {
                    weighed += repeated;
                    for (lines, line) in batch.iter_mut().zip(row) {
                        weighed += line
                            .iter()
                            .map(|line| weight(line.content()))
                            .sum::<usize>();
                        lines.extend(line);
                    }
                    rows += 1;
                }
                Err(failure) if rows == 0 => return Err(failure),
                Err(failure) => {
                    self.postponed = Some(failure);
                    break;
                }
            }
        }
        Ok((rows > 0).then_some(batch))
    }

    /// A line of every file that is not repeated, none at the end of all.
    fn next_row(&mut self) -> Result<Option<Vec<Option<Line>>>, Failure> {
        let mut row = Vec::new();
        for file in &mut self.files {
            row.push(match file.repeated {
                true => None,
                false => file.next()?,
            });
        }
        let mut files = self.files.iter().zip(&row);
        let ended = files.find(|(file, line)| !file.repeated && line.is_none());
        let Some((ended, _)) = ended else {
            return Ok(Some(row));
        };
        let longer = self.files.iter().zip(&row);
        match longer
            .filter_map(|(file, line)| Some((file, line.as_ref()?)))
            .next()
        {
            Some((longer, line)) => Err(ended.reader.missing_line(
                ended.taken,
                self.noun,
                longer.name(),
                longer.taken,
                line.number,
            )),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of these files as they come, the repeated ones filled in.
    fn rows(texts: &[&str]) -> Vec<Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<_> = (0..texts.len())
            .map(|index| folder.path().join(index.to_string()))
            .collect();
        for (path, text) in paths.iter().zip(texts) {
            std::fs::write(path, text).unwrap();
        }
        let paths: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        let mut rows = Rows::open(&paths, "word", Budget::system()).unwrap();
        let text = |line: &Line| String::from_utf8(line.content().to_vec()).unwrap();
        let repeated = rows.take_repeated().unwrap();
        let mut found = Vec::new();
        while let Some(batch) = rows.next_batch(<[u8]>::len, 0).unwrap() {
            let count = batch.iter().map(Vec::len).max().unwrap();
            for row in 0..count {
                let lines = batch.iter().zip(&repeated);
                let lines =
                    lines.map(|(lines, only)| text(lines.get(row).or(only.as_ref()).unwrap()));
                found.push(lines.collect());
            }
        }
        found
    }

    #[test]
    fn any_number_of_files_is_read_together() {
        assert_eq!(rows(&["a\nb\n"]), [["a"], ["b"]]);
        assert_eq!(rows(&["a"]), [["a"]]);
        assert_eq!(rows(&["a\nb", "c\nd"]), [["a", "c"], ["b", "d"]]);
        assert_eq!(rows(&["a", "c"]), [["a", "c"]]);
        assert_eq!(rows(&["a\nb", "c"]), [["a", "c"], ["b", "c"]]);
        assert_eq!(rows(&["a", "c\nd"]), [["a", "c"], ["a", "d"]]);
        assert_eq!(
            rows(&["a", "c\nd", "e\nf"]),
            [["a", "c", "e"], ["a", "d", "f"]]
        );
    }
}
