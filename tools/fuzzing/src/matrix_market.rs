//! Matrix Market files, packed and damaged.
//!
//! The oracle for packed ones is the packing's own library on all bytes at once: what it refuses is refused, and what
//! it unpacks is read as its text is.

use crate::bytes::Bytes;
use crate::made_matrix::MadeMatrix;
use flate2::read::MultiGzDecoder;
use std::io::Read;
use sunzi::Integer;
use sunzi::sparse::matrix_market::{
    Integers, MatrixMarketError, Places, Reader, Reals, Symmetry, read, read_dense, write,
    write_dense,
};
use sunzi_testkit::{Pieces, gzip};

/// Rows and columns beyond which nothing is read: what is declared takes memory.
const LARGE: usize = 1 << 10;

/// The first bytes of a file compressed by gzip.
const GZIP: &[u8] = &[0x1f, 0x8b];

pub fn run(data: &[u8]) -> bool {
    let mut bytes = Bytes::new(data);
    let (kind, size) = (bytes.byte() % 6, bytes.within(1..=300));
    if kind >= 4 {
        let made = MadeMatrix::new(&mut bytes);
        let file = match kind {
            4 => made.text.clone().into_bytes(),
            _ => gzip(&made.text),
        };
        check_made(&file, size, &made);
        return true;
    }
    let places = [
        bytes.within(0..=usize::from(u16::MAX)),
        bytes.within(0..=usize::from(u16::MAX)),
    ];
    let text = bytes.rest();
    let found = match kind {
        // Whatever it is.
        0 => check(text, size),
        1 => {
            let found = check(&gzip(text), size);
            // What is packed already is refused.
            if !text.starts_with(GZIP) {
                assert_eq!(check(text, size), found);
            }
            found
        }
        2 => {
            let mut damaged = gzip(text);
            for place in places {
                let bit = place % (8 * damaged.len());
                damaged[bit / 8] ^= 1 << (bit % 8);
            }
            check(&damaged, size)
        }
        _ => {
            let (start, end) = text.split_at(places[0] % (text.len() + 1));
            let members = [gzip(start), gzip(end)].concat();
            let cut = places[1] % 20 % members.len();
            check(&members[..members.len() - cut], size)
        }
    };
    found.is_some()
}

/// A file of which every entry is known.
fn check_made(file: &[u8], size: usize, made: &MadeMatrix) {
    let text = &made.text;
    let reader = Reader::open(file).unwrap_or_else(|error| panic!("{error}: {text}"));
    let shape = (made.rows.len(), made.columns);
    assert_eq!((reader.rows(), reader.columns()), shape, "{text}");
    let open = || Pieces::new(file, size, false);
    let read_reals = read_dense(open(), &Reals).unwrap_or_else(|error| panic!("{error}: {text}"));
    for (i, row) in made.rows.iter().enumerate() {
        let row: Vec<f64> = row.iter().map(|&entry| entry as f64).collect();
        assert_eq!(read_reals.row(i), row, "{text}");
    }
    if !made.is_real {
        let integers = read_dense(open(), &Integers);
        let integers = integers.unwrap_or_else(|error| panic!("{error}: {text}"));
        for (i, row) in made.rows.iter().enumerate() {
            let row: Vec<Integer> = row.iter().map(|&entry| entry.into()).collect();
            assert_eq!(integers.row(i), row, "{text}");
        }
    }
    assert!(check(file, size).is_some(), "{text}");
}

/// What a file is read as, in words, however its bytes come; `None` if it is refused.
fn check(file: &[u8], size: usize) -> Option<String> {
    let mut text = Vec::new();
    let mut intact = true;
    if file.starts_with(GZIP) {
        let unpacked = MultiGzDecoder::new(file).read_to_end(&mut text);
        // What is packed twice is refused.
        intact = unpacked.is_ok() && !text.starts_with(GZIP);
    } else {
        text.extend_from_slice(file);
    }
    let Ok(reader) = Reader::open(&text[..]) else {
        refused(file, size);
        return None;
    };
    if reader.rows().max(reader.columns()) > LARGE {
        return None;
    }
    let found = words(&text);
    if !intact {
        refused(file, size);
        return None;
    }
    assert_eq!(words(file), found);
    assert_eq!(all(|| Pieces::new(file, size, false)), found);
    found
}

fn refused(file: &[u8], size: usize) {
    assert!(all(|| file).is_none());
    assert!(all(|| Pieces::new(file, size, false)).is_none());
}

fn words(file: &[u8]) -> Option<String> {
    all(|| file)
}

/// A file in all ways of reading.
fn all<R: Read>(open: impl Fn() -> R) -> Option<String> {
    let mut found = String::new();
    let mut add = |read: Result<String, MatrixMarketError>| match read {
        Ok(words) => found += &words,
        Err(error) => {
            assert!(error.line > 0 && !error.to_string().is_empty());
            found += "refused;";
        }
    };
    add(read(open(), &Reals).map(|matrix| {
        let mut file = Vec::new();
        write(&mut file, &matrix, Symmetry::General, "").expect("finite numbers");
        assert_eq!(read(&file[..], &Reals).expect("what was written"), matrix);
        format!("{matrix:?}")
    }));
    add(read(open(), &Places).map(|matrix| format!("{matrix:?}")));
    add(read_dense(open(), &Integers).map(|matrix| {
        let mut file = Vec::new();
        write_dense(&mut file, &matrix, Symmetry::General, "").expect("memory");
        assert_eq!(
            read_dense(&file[..], &Integers).expect("what was written"),
            matrix
        );
        format!("{matrix:?}")
    }));
    (found != "refused;refused;refused;").then_some(found)
}
