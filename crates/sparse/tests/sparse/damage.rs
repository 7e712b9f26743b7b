//! Matrix Market files that can't be read to their end: an error is the answer, never what was read so far.

use std::io::{self, Read};

use sunzi_integer::Integer;
use sunzi_sparse::matrix_market::{Integers, Reals, read, read_dense};
use sunzi_testkit::{Pieces, gzip};

const TEXT: &str = "%%MatrixMarket matrix coordinate real general\n% comment\n3 3 3\n1 1 5\n% between\n2 2 6\n\n3 3 -7.5\n";
const ARRAY: &str = "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n% the end\n";

#[test]
fn an_error_that_comes_once_is_the_answer() {
    for text in [TEXT, ARRAY] {
        for file in [text.as_bytes().to_vec(), gzip(text)] {
            for place in 0..=file.len() {
                for at_a_time in [1, 7, file.len()] {
                    let source = || Pieces::new(&file[..place], at_a_time, true);
                    for found in [
                        read(source(), &Reals).map(|_| ()),
                        read_dense(source(), &Reals).map(|_| ()),
                        read_dense(source(), &Integers).map(|_| ()),
                    ] {
                        let said = found.unwrap_err().to_string();
                        // A cut pack may be found first, or an integer that is none.
                        assert!(said.starts_with("line "), "{place}: {said}");
                    }
                }
            }
        }
    }
    // At the end of all entries nothing else is wrong.
    let said = read(Pieces::new(TEXT, 1000, true), &Reals).unwrap_err();
    assert_eq!(
        said.to_string(),
        "line 9: the file can't be read on: the disk is gone"
    );
}

/// Is interrupted before every byte, which is no error.
struct Interrupted<'a>(&'a [u8], bool);

impl Read for Interrupted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = self.0.len().min(1);
        self.0.read(&mut buffer[..count])
    }
}

#[test]
fn what_is_interrupted_goes_on() {
    for file in [TEXT.as_bytes().to_vec(), gzip(TEXT)] {
        let matrix = read(Interrupted(&file, false), &Reals).unwrap();
        assert_eq!(matrix.values(), [5.0, 6.0, -7.5]);
    }
}

#[test]
fn a_flipped_bit_of_a_packed_file_is_an_error_or_harmless() {
    let members = |text: &str| {
        let (start, end) = text.split_at(text.find("\n2").unwrap());
        [gzip(start), gzip(end)].concat()
    };
    for packed in [gzip(TEXT), members(TEXT), gzip(ARRAY), members(ARRAY)] {
        let right: Vec<f64> = read_dense(&packed[..], &Reals).unwrap().entries().to_vec();
        let mut errors = 0;
        for bit in 0..8 * packed.len() {
            let mut flipped = packed.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let dense = read_dense(&flipped[..], &Reals);
            let sparse = read(&flipped[..], &Reals);
            assert_eq!(dense.is_err(), sparse.is_err(), "bit {bit}");
            match dense {
                Ok(matrix) => assert_eq!(matrix.entries(), right, "bit {bit}"),
                Err(error) => {
                    assert!(error.line > 0);
                    errors += 1;
                }
            }
        }
        // Only a header of ten bytes, which holds the time and the like, and the bits that fill the last byte of the
        // packed ones have nothing to say of the text.
        assert!(errors >= 8 * (packed.len() - 2 * 10), "{errors}");
    }
}

#[test]
fn a_flipped_bit_far_inside_is_found_by_the_checksum() {
    // A second block of bytes, whose damage shows when everything has been read.
    let mut text = "%%MatrixMarket matrix coordinate integer general\n300 300 20000\n".to_owned();
    for entry in 0..20_000u64 {
        let value = entry.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
        text += &format!("{} {} {value}\n", entry % 300 + 1, entry / 300 + 1);
    }
    let packed = gzip(&text);
    let right: Vec<Integer> = read_dense(&packed[..], &Integers)
        .unwrap()
        .entries()
        .to_vec();
    let mut flips = 0;
    for bit in (0..8 * packed.len()).step_by(9973) {
        let mut flipped = packed.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok(matrix) = read_dense(&flipped[..], &Integers) {
            assert!(matrix.entries() == right, "bit {bit}");
        }
        flips += 1;
    }
    assert!(flips > 50, "{flips}");
}

#[test]
fn cuts_and_garbage_are_errors() {
    let packed = gzip(TEXT);
    for length in 0..packed.len() {
        assert!(read(&packed[..length], &Reals).is_err(), "{length}");
    }
    for garbage in [
        &b"\0"[..],
        b"\n",
        b"more",
        &[0; 512],
        b"\x1f\x8b",
        &packed[..20],
    ] {
        let file = [&packed[..], garbage].concat();
        assert!(read(&file[..], &Reals).is_err(), "{garbage:?}");
    }
    // A member of nothing is a member.
    let file = [gzip(""), packed, gzip("")].concat();
    assert_eq!(read(&file[..], &Reals).unwrap().values(), [5.0, 6.0, -7.5]);
}
